// Press: what the players write to one another.

import { html, nothing } from "./vendor/lit-html.js";
import { get, post } from "./api.js";
import { ago, list } from "./format.js";
import { t } from "./words.js";

export class Talk {
  /** @param {import("./views/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {any[]} */
    this.messages = [];
    this.text = "";
    this.to = "all";
    this.load().catch(() => {});
  }

  async load() {
    const found = await get(`/games/${this.table.id}/press`);
    const messages = found.messages ?? found;
    if (JSON.stringify(messages) !== JSON.stringify(this.messages)) {
      this.messages = messages;
      this.table.page.update();
    }
  }

  async say() {
    const to = this.to === "all" ? {} : this.to === "note" ? { note: true } : { to: [Number(this.to)] };
    await this.table.page.attempt(async () => {
      await post(`/games/${this.table.id}/press`, { text: this.text, ...to });
      this.text = "";
      await this.load();
    });
  }

  render() {
    const { game, seat } = this.table;
    const others = game.seats.filter((/** @type {any} */ one) => one.kind === "player" && one.seat !== seat);
    const name = (/** @type {number | null} */ one) => (one === null ? t("table.pressanon") : this.table.name(one));
    return html`<h3>${t("table.press")}</h3>
      ${this.messages.length ? html`<ol class="messages" tabindex="0" aria-label=${t("table.press")}>${this.messages.map((message) => html`<li>
        <b>${name(message.seat)}</b> <span class="faint small">${message.note ? t("table.note") : message.to ? t("table.presstoo", { names: list(message.to.map(name)) }) : ""} ${ago(message.sent_at)}</span>
        <p>${message.text ?? t("table.pressgone")}</p></li>`)}</ol>` : html`<p class="faint small">${t("table.nopress")}</p>`}
      ${seat === null || game.press === "none" ? nothing : html`<form @submit=${(/** @type {Event} */ event) => { event.preventDefault(); this.say(); }}>
        <label>${t("table.presslabel")}<textarea rows="2" required maxlength="4000" .value=${this.text} @input=${(/** @type {any} */ event) => { this.text = event.target.value; }}></textarea></label>
        <div class="buttons"><label class="inline">${t("table.pressto")} <select @change=${(/** @type {any} */ event) => { this.to = event.target.value; }}>
          <option value="all">${t("table.pressall")}</option>
          ${game.press === "all" && game.status === "running" ? others.map((/** @type {any} */ one) => html`<option value=${one.seat}>${one.name}</option>`) : nothing}
          <option value="note">${t("table.pressnote")}</option></select></label>
        <button>${t("table.presssend")}</button></div></form>`}`;
  }
}
