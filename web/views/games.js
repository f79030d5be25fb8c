// My games: those that wait for me first, then news, invitations, and what is over.

import { html, nothing } from "../vendor/lit-html.js";
import { get, getAll, post, rulesets } from "../api.js";
import { ago, until, when } from "../format.js";
import { Follower } from "../live.js";
import { badge } from "../push.js";
import { isGuest } from "../session.js";
import { t } from "../words.js";
import { nameOf } from "./welcome.js";

const RESULTS = 12; // finished games whose result is looked up
const NEWS = 30;

/** @param {import("../app.js").Page} page @returns {Promise<import("../app.js").View>} */
export async function open(page) {
  /** @type {any[]} */
  let games = [];
  /** @type {{ unread: number, notices: any[] }} */
  let feed = { unread: 0, notices: [] };
  /** @type {Set<string>} */
  let waiting = new Set();
  /** @type {Map<string, any>} */
  const results = new Map();
  const known = await rulesets();

  const load = async () => {
    const [mine, mustMove, told] = await Promise.all([getAll("/games?mine=1&limit=200"), getAll("/games?mine=1&to_act=1&limit=200"), get(`/notices?limit=${NEWS}`)]);
    games = mine;
    waiting = new Set(mustMove.map((game) => game.id));
    feed = told;
    page.unread = told.unread;
    badge(waiting.size);
    page.update();
    for (const game of games.filter((one) => one.status === "over").slice(0, RESULTS)) {
      if (results.has(game.id)) continue;
      results.set(game.id, null);
      get(`/games/${game.id}/position`).then((position) => {
        results.set(game.id, position);
        page.update();
      }).catch(() => {});
    }
  };
  await load();
  const follower = new Follower("/events", () => load().catch(() => {}), () => page.update(), load);

  const prompt = (/** @type {string} */ id) => feed.notices.find((notice) => notice.game_id === id && notice.prompt)?.prompt;
  const result = (/** @type {any} */ game) => {
    const position = results.get(game.id);
    if (!position) return game.ending === "abandoned" ? t("games.noresult") : "";
    const mine = position.standings.find((/** @type {any} */ one) => one.seat === position.you);
    if (!mine?.place) return t("games.noresult");
    return mine.place === 1 ? t("games.won") : t("games.place", { n: mine.place, of: position.standings.length });
  };
  const row = (/** @type {any} */ game, /** @type {unknown} */ note) => html`<li><span class="grow"><a href="/games/${game.id}"><b>${game.title || nameOf(known, game.ruleset)}</b></a>
    ${game.title ? html`<span class="faint">${nameOf(known, game.ruleset)}</span>` : nothing}<br><span class="faint">${note}</span></span>
    <span class=${waiting.has(game.id) ? "waits" : "faint"}>${game.status === "running" && game.due_at ? until(game.due_at) : ""}</span></li>`;
  const group = (/** @type {string} */ title, /** @type {any[]} */ found, /** @type {(game: any) => unknown} */ note) =>
    found.length ? html`<section><h2>${title}</h2><ul class="rows card">${found.map((game) => row(game, note(game)))}</ul></section>` : nothing;

  return {
    title: t("games.title"),
    leave: () => follower.close(),
    render: () => {
      const mustMove = games.filter((game) => waiting.has(game.id) && game.status === "running")
        .sort((a, b) => (a.due_at || "9").localeCompare(b.due_at || "9"));
      const others = games.filter((game) => ["running", "paused"].includes(game.status) && !mustMove.includes(game));
      const invited = feed.notices.filter((notice) => notice.kind === "invited" && !games.some((game) => game.id === notice.game_id));
      return html`<h1>${t("games.title")}</h1>
      ${isGuest() ? html`<p class="card">${t("guest.keep")} <a href="/settings">${t("guest.add")}</a></p>` : nothing}
      <div class="columns"><div>
        ${invited.length ? html`<section><h2>${t("games.invited")}</h2><ul class="rows card">${invited.map((notice) => html`<li><span class="grow"><b>${notice.title || notice.game}</b><br><span class="faint">${notice.summary}</span></span>
          <button class="primary" @click=${() => page.attempt(async () => { await post(`/games/${notice.game_id}/seats`, {}); await page.go(`/games/${notice.game_id}`); })}>${t("games.accept")}</button></li>`)}</ul></section>` : nothing}
        ${group(t("games.wait"), mustMove, (game) => (prompt(game.id) ? t("games.asked", { what: prompt(game.id) }) : t("welcome.row", { n: game.sequence })))}
        ${group(t("games.others"), others, (game) => `${game.status === "paused" ? `${t("status.paused")} · ` : ""}${t("welcome.row", { n: game.sequence })}${game.moved_at ? `, ${ago(game.moved_at)}` : ""}`)}
        ${group(t("games.open"), games.filter((game) => game.status === "open"), () => t("status.open"))}
        ${group(t("games.over"), games.filter((game) => game.status === "over"), result)}
        ${games.length ? nothing : html`<p class="faint">${t("games.none")}</p>`}
        <p class="buttons"><a class="button primary" href="/games/new">${t("games.new")}</a><a class="button" href="/lobby">${t("nav.lobby")}</a></p>
      </div>
      <section class="newsfeed" aria-label=${t("games.notices")}><h2>${t("games.notices")}</h2>
        ${feed.unread ? html`<button class="quiet" @click=${() => page.attempt(async () => { await post("/notices/read", {}); await load(); })}>${t("games.read")}</button>` : nothing}
        ${feed.notices.length ? html`<ul class="rows">${feed.notices.map((notice) => html`<li class=${notice.read_at ? "" : "unread"}><span class="grow">
          <a href="/games/${notice.game_id}">${notice.title || notice.game}</a> <span class="faint" title=${when(notice.created_at)}>${ago(notice.created_at)}</span><br>
          ${notice.read_at ? notice.summary : html`<b>${notice.summary}</b>`}</span></li>`)}</ul>` : html`<p class="faint">${t("games.nonotices")}</p>`}
      </section></div>`;
    },
  };
}
