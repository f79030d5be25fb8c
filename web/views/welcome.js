// The first page: what this is, one click into a game, the games, and those that go on.

import { html, nothing } from "../vendor/lit-html.js";
import { get, post, rulesets } from "../api.js";
import { isGuest, session, signUpAsGuest } from "../session.js";
import { t } from "../words.js";
import { until } from "../format.js";
import { pictureOf } from "../pictures.js";

/** @typedef {import("../api.js").Schemas["Ruleset"]} Ruleset */

const FIRST = "airlines-europe"; // the game that is quickest to understand
const SHOWN = 6;

/** @param {import("../app.js").Page} page @returns {import("../app.js").View} */
export function open(page) {
  /** @type {Ruleset[]} */
  let games = [];
  /** @type {any[] | null} */
  let running = null;
  let isOpening = false;

  rulesets().then((found) => {
    games = found;
    page.update();
  }).catch((error) => page.say(error.message, true));
  get(`/games?status=running&limit=${SHOWN}`).then((found) => {
    running = found.filter((/** @type {any} */ game) => !game.private);
    page.update();
  }).catch(() => {});

  const play = (/** @type {string} */ key) => page.attempt(async () => {
    if (isOpening) return;
    isOpening = true;
    page.update();
    try {
      if (!session.me) await signUpAsGuest();
      await page.go(`/games/${await openAgainstBots(games.find((game) => game.key === key))}`);
    } finally {
      isOpening = false;
      page.update();
    }
  });

  return {
    title: "",
    render: () => html`
      <section class="hero">
        <h1>${t("welcome.title")}</h1>
        <p>${t("welcome.lead1")}<br>${t("welcome.lead2")}<br>${t("welcome.lead3")}</p>
        <div class="buttons">
          <button id="play" class="primary large" ?disabled=${isOpening || games.length === 0} @click=${() => play(FIRST)}>
            ${isOpening ? t("welcome.opening") : t("welcome.play")}</button>
          ${session.me ? html`<a class="button large" href="/games">${t("welcome.continue")}</a>`
            : html`<a class="button large" href="/sign-in">${t("welcome.yours")}</a>`}
        </div>
        <p class="faint">${isGuest() ? html`${t("guest.keep")} <a href="/settings">${t("guest.add")}</a>` : session.me ? nothing : t("welcome.playhint")}</p>
      </section>
      <section aria-labelledby="the-games"><h2 id="the-games">${t("welcome.games")}</h2>
        <div class="games">${games.length ? games.map((game) => gameCard(game, () => play(game.key), isOpening))
          : Array.from({ length: 5 }, () => html`<div class="game card waiting" aria-hidden="true"></div>`)}</div>
      </section>
      <section aria-labelledby="going-on"><h2 id="going-on">${t("welcome.public")}</h2>
        ${running === null ? html`<p class="faint">…</p>` : running.length === 0 ? html`<p class="faint">${t("welcome.nopublic")}</p>` : html`
        <ul class="going">${running.map((game) => html`<li class="card"><a href="/games/${game.id}">
          ${picture(game, page)}
          <b>${game.title || nameOf(games, game.ruleset)}</b>
          <span class="faint">${game.title ? `${nameOf(games, game.ruleset)}, ` : ""}${t("welcome.row", { n: game.sequence })}${
            game.due_at ? ` · ${until(game.due_at)}` : ""}</span></a></li>`)}</ul>`}
      </section>`,
  };
}

/** The board of a game, small. @param {any} game @param {import("../app.js").Page} page */
export function picture(game, page) {
  const source = pictureOf(game.id, game.sequence, () => page.update());
  return source ? html`<img src=${source} alt="" width="240" height="160">` : html`<span class="picture" aria-hidden="true"></span>`;
}

/** @param {Ruleset[]} games @param {string} key */
export function nameOf(games, key) {
  return games.find((game) => game.key === key)?.name ?? key;
}

/** @param {Ruleset} game @param {() => void} play @param {boolean} isOpening */
function gameCard(game, play, isOpening) {
  const [from, to] = [game.seats[0], game.seats[game.seats.length - 1]];
  return html`<article class="game card">
    ${game.picture ? html`<img src=${game.picture} alt=${t("welcome.picture", { name: game.name })} loading="lazy" width="320" height="214">` : nothing}
    <h3>${game.name}</h3>
    <p>${game.summary}</p>
    <p class="special">${game.special}</p>
    <p class="tags"><span>${t("welcome.seats", { from, to })}</span>${
      game.minutes.length ? html`<span>${t("welcome.minutes", { from: game.minutes[0], to: game.minutes[1] })}</span>` : nothing}<span>${t(`welcome.weight.${game.weight}`)}</span></p>
    <div class="buttons"><button class="primary" ?disabled=${isOpening} @click=${play} aria-label="${t("welcome.playthis")} ${game.name}">${t("welcome.playthis")}</button>
      <a class="button quiet" href="/help/${game.key}" aria-label="${t("welcome.rules")} ${game.name}">${t("welcome.rules")}</a></div>
  </article>`;
}

/** The bots that can be had, the strongest that is not too strong first. @param {any} game @returns {string[]} */
export function botsOf(game) {
  const listed = game?.bots?.map((/** @type {any} */ bot) => bot.bot);
  return listed?.length ? listed : ["random", "default"];
}

/** A game against bots, ready to be played. @param {Ruleset | undefined} game */
export async function openAgainstBots(game) {
  if (!game) throw new Error(t("problem.unreachable"));
  const seats = game.seats.includes(3) ? 3 : game.seats[0];
  const known = botsOf(game);
  const bot = ["steady", "easy", "random"].find((name) => known.includes(name)) ?? known[0];
  const opened = await post("/games", {
    ruleset: game.key,
    seats: [{ kind: "me" }, ...Array.from({ length: seats - 1 }, () => ({ kind: "bot", bot }))],
    undo: "own",
  });
  return opened.game.id;
}
