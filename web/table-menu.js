// What else can be done at a table: taking back, waiting, being away, pausing, leaving.

import { html, nothing } from "./vendor/lit-html.js";
import { post, remove } from "./api.js";
import { forkHere } from "./fork.js";
import { session } from "./session.js";
import { share } from "./views/table.js";
import { t } from "./words.js";

let isLeaving = false;

/** @param {import("./views/table.js").Table} table */
export function tableMenu(table) {
  const { game, id, page, seat } = table;
  const isRunning = game.status === "running";
  const isHost = session.me !== null && game.host === session.me.id;
  const isPlaying = seat !== null && game.status !== "over";
  const wanted = game.consents.find((/** @type {any} */ consent) => consent.kind === "undo");
  const isSealed = table.position.decisions.some((/** @type {any} */ decision) => decision.kind === "sealed");
  const offered = game.seats.filter((/** @type {any} */ one) => one.offered);
  const undo = (/** @type {any} */ body, /** @type {string} */ said) => table.act(() => post(`/games/${id}/undo`, body, { ifMatch: game.sequence }), said);
  return html`<details><summary>${t("table.more")}</summary><div class="buttons">
    <a class="button" href="/help/${game.ruleset}">${t("table.rules")}</a>
    <a class="button" href="/games/${id}/replay">${t("table.replay")}</a>
    <button @click=${() => share(page)}>${t("table.share")}</button>
    ${isPlaying && isRunning && game.undo !== "never" ? (wanted && wanted.seat !== seat
      ? html`<button @click=${() => undo({ to: wanted.detail }, t("table.undone"))}>${t("table.undoagree", { n: wanted.detail })}</button>
        <button @click=${() => undo({ agree: false }, "")}>${t("table.undorefuse")}</button>`
      : html`<button @click=${() => undo({}, game.undo === "own" ? t("table.undone") : t("table.undoasked"))}>${game.undo === "own" ? t("table.undo") : t("table.undoask")}</button>`) : nothing}
    ${isPlaying && isRunning && isSealed && game.due_at ? html`<button @click=${() => table.act(() => post(`/games/${id}/wait`, { wait: !game.waits.includes(seat) }))}>${game.waits.includes(seat) ? t("table.waitstop") : t("table.wait")}</button>` : nothing}
    ${isPlaying && isRunning ? html`<button @click=${() => table.act(() => post(`/games/${id}/pause`))}>${isHost ? t("table.pause") : t("table.pauseask")}</button>` : nothing}
    ${isPlaying && game.status === "paused" ? html`<button class="primary" @click=${() => table.act(() => post(`/games/${id}/resume`))}>${t("table.resume")}</button>` : nothing}
    ${seat === null && session.me && isRunning ? offered.map((/** @type {any} */ one) => html`<button @click=${() => table.act(() => post(`/games/${id}/substitute`, { seat: one.seat }))}>${t("table.substitute", { name: one.name })}</button>`) : nothing}
    ${seat === null && game.departures.some((/** @type {any} */ gone) => gone.player === session.me?.id && !gone.returned_at) ? html`<button @click=${() => table.act(() => post(`/games/${id}/return`))}>${t("table.return")}</button>` : nothing}
    ${isPlaying ? (isLeaving ? html`<span class="warning">${t("table.leaveask")}</span>
        <button class="danger" @click=${() => { isLeaving = false; table.act(() => remove(`/games/${id}/seats/me`)); }}>${t("table.really")}</button>
        <button class="quiet" @click=${() => { isLeaving = false; page.update(); }}>${t("cancel")}</button>`
      : html`<button class="danger" @click=${() => { isLeaving = true; page.update(); }}>${t("table.leave")}</button>`) : nothing}
  </div>
  ${game.status === "over" ? nothing : forkHere(page, game, table.history.at ?? table.position.row)}
  ${isPlaying && game.clock ? html`<form class="absent" @submit=${(/** @type {any} */ event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const [from, until] = ["from", "until"].map((name) => new Date(String(form.get(name))).toISOString());
    table.act(() => post(`/games/${id}/absence`, { from, until }), t("table.absentdone"));
  }}><b>${t("table.absent")}</b><label>${t("table.absentfrom")}<input type="datetime-local" name="from" required></label>
    <label>${t("table.absentuntil")}<input type="datetime-local" name="until" required></label><button>${t("table.absentsave")}</button></form>` : nothing}
  </details>`;
}
