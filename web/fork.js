// Another way from here: a copy of a game to try things out in, and what is the same in it.

import { html, nothing } from "./vendor/lit-html.js";
import { post } from "./api.js";
import { session, signUpAsGuest } from "./session.js";
import { t } from "./words.js";

/**
 * What a copy would be, in words, and the button that opens it.
 * @param {import("./app.js").Page} page @param {any} game @param {number} at the row after which it goes its own way
 */
export function forkHere(page, game, at) {
  const isOpen = game.status === "over" && game.ending !== "abandoned"; // without a result secrets stay secret
  const isPossible = !isOpen || at < game.sequence;
  const open = () => page.attempt(async () => {
    if (!session.me) await signUpAsGuest();
    const made = await post(`/games/${game.id}/fork?at=${at}`);
    await page.go(`/games/${made.id}`);
    page.say(t("fork.opened"));
  });
  return html`<details class="fork"><summary>${t("fork.title")}</summary>
    <p>${t("fork.lead", { n: at })}</p><p>${isOpen ? t("fork.over") : t("fork.running")}</p>
    ${isPossible ? nothing : html`<p class="faint">${t("fork.end")}</p>`}
    <button class="primary" ?disabled=${!isPossible} @click=${open}>${t("fork.open")}</button></details>`;
}

/** In a copy bots wait for its owner's word. @param {import("./views/table.js").Table} table */
export function letBotsMove(table) {
  const { game, id, seat } = table;
  if (!game.sandbox || game.host !== session.me?.id || game.status !== "running") return nothing;
  if (!game.to_act.some((/** @type {number} */ one) => one !== seat)) return nothing;
  return html`<p class="small">${t("fork.botswait")}</p>
    <button class="primary" @click=${() => table.act(() => post(`/games/${id}/advance`, {}))}>${t("fork.bots")}</button>`;
}
