// The lobby: games that look for players, with who is there, and games to watch.

import { html, nothing } from "../vendor/lit-html.js";
import { get, post, rulesets } from "../api.js";
import { duration } from "../format.js";
import { session, signUpAsGuest } from "../session.js";
import { t } from "../words.js";
import { nameOf, picture } from "./welcome.js";

const SHOWN = 24; // open games, each with who is there
const LIVE = 3600; // seconds for a decision, up to which a game is live

/** @param {import("../app.js").Page} page @returns {Promise<import("../app.js").View>} */
export async function open(page) {
  const known = await rulesets();
  /** @type {any[]} */
  let found = [];
  /** @type {any[]} */
  let running = [];
  const wanted = { ruleset: "", speed: "" };

  const load = async () => {
    const ruleset = wanted.ruleset ? `&ruleset=${wanted.ruleset}` : "";
    const [open, going] = await Promise.all([get(`/games?status=open&limit=${SHOWN}${ruleset}`), get(`/games?status=running&limit=12${ruleset}`)]);
    found = await Promise.all(open.map((/** @type {any} */ game) => get(`/games/${game.id}`).catch(() => null)));
    found = found.filter(Boolean);
    running = going.filter((/** @type {any} */ game) => !game.private);
    page.update();
  };
  await load();

  const seconds = (/** @type {any} */ game) => (typeof game.clock === "number" ? game.clock : game.clock?.time ?? null);
  const fits = (/** @type {any} */ game) => !wanted.speed || (wanted.speed === "live") === (seconds(game) !== null && seconds(game) <= LIVE);
  const join = (/** @type {any} */ game) => page.attempt(async () => {
    if (!session.me) await signUpAsGuest();
    await post(`/games/${game.id}/seats`, {});
    await page.go(`/games/${game.id}`);
  });
  const demands = (/** @type {any} */ game) => game.demands ? [
    game.demands.turns ? t("lobby.turns", { n: game.demands.turns }) : "",
    game.demands.in_time ? t("lobby.intime", { n: game.demands.in_time }) : "",
    game.demands.left !== null && game.demands.left !== undefined ? t("lobby.left", { n: game.demands.left }) : "",
  ].filter(Boolean).join(", ") : "";

  return {
    title: t("lobby.title"),
    render: () => {
      const shown = found.filter(fits);
      return html`<h1>${t("lobby.title")}</h1><p class="faint">${t("lobby.lead")}</p>
      <div class="buttons"><label class="inline">${t("lobby.game")} <select @change=${(/** @type {any} */ event) => { wanted.ruleset = event.target.value; page.attempt(load); }}>
        <option value="">${t("lobby.all")}</option>${known.map((game) => html`<option value=${game.key}>${game.name}</option>`)}</select></label>
      <label class="inline">${t("lobby.speed")} <select @change=${(/** @type {any} */ event) => { wanted.speed = event.target.value; page.update(); }}>
        <option value="">${t("lobby.anyspeed")}</option><option value="live">${t("lobby.live")}</option><option value="slow">${t("lobby.slow")}</option></select></label>
      <a class="button primary" href="/games/new">${t("games.new")}</a></div>
      <section><h2>${t("lobby.open")}</h2>${shown.length ? html`<ul class="rows card">${shown.map((game) => {
        const free = game.seats.filter((/** @type {any} */ seat) => seat.kind === "open").length;
        const asks = demands(game);
        return html`<li><span class="grow"><a href="/games/${game.id}"><b>${game.title || nameOf(known, game.ruleset)}</b></a> ${game.title ? html`<span class="faint">${nameOf(known, game.ruleset)}</span>` : nothing}<br>
          ${game.seats.filter((/** @type {any} */ seat) => ["player", "bot"].includes(seat.kind)).map((/** @type {any} */ seat) => html`<span class="who">${seat.name}
            <span class="faint">${seat.kind === "bot" ? t("seat.bot") : seat.record?.in_time != null ? t("seat.intime", { n: seat.record.in_time }) : t("seat.norecord")}</span></span> `)}
          ${asks ? html`<br><span class="faint">${t("lobby.demands")}: ${asks}</span>` : nothing}</span>
          <span class="faint">${seconds(game) === null ? t("table.noclock") : duration(seconds(game))} · ${t("lobby.free", { n: free })}</span>
          ${game.you === null && free ? html`<button class="primary" @click=${() => join(game)}>${t("lobby.join")}</button>` : html`<a class="button" href="/games/${game.id}">${t("lobby.look")}</a>`}</li>`;
      })}</ul>` : html`<p class="faint">${t("lobby.none")}</p>`}</section>
      <section><h2>${t("lobby.running")}</h2>${running.length ? html`<ul class="going">${running.map((game) => html`<li class="card"><a href="/games/${game.id}">${picture(game, page)}
        <b>${game.title || nameOf(known, game.ruleset)}</b><span class="faint">${t("welcome.row", { n: game.sequence })}</span></a></li>`)}</ul>` : html`<p class="faint">${t("welcome.nopublic")}</p>`}</section>`;
    },
  };
}
