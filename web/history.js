// What happened: since one's last move, and all of it; each step with the board of that moment.

import { html, nothing } from "./vendor/lit-html.js";
import { get } from "./api.js";
import { t } from "./words.js";

const LATEST = 60; // rows that are read when a table is opened

export class History {
  /** @param {import("./views/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {any[]} */
    this.rows = [];
    /** The row whose board is shown; null: now. @type {number | null} */
    this.at = null;
    this.isAll = false;
  }

  async update() {
    const { id, position } = this.table;
    const known = this.rows.length ? this.rows[this.rows.length - 1].row : Math.max(-1, position.row - LATEST);
    if (position.row > known) {
      const query = known < 0 ? "" : `after=${known}&`;
      const { rows } = await get(`/games/${id}/log?${query}limit=500`);
      this.rows.push(...rows.filter((/** @type {any} */ row) => row.row > known));
    }
  }

  /** The rows after one's own last one; with it, where all moved at once and it tells what the others did. */
  news() {
    const seat = this.table.seat;
    if (seat === null) return this.rows.slice(-8);
    const last = this.rows.findLastIndex((row) => row.orders.some((/** @type {any} */ order) => order.seat === seat));
    return this.rows.slice(last < 0 || this.rows[last].orders.length > 1 ? Math.max(0, last) : last + 1);
  }

  /** @param {number | null} at */
  show(at) {
    const last = this.table.position.row;
    this.at = at === null || at >= last ? null : Math.max(0, at);
    this.table.page.attempt(() => this.table.showAt(this.at));
  }

  banner() {
    const { at } = this;
    if (at === null) return nothing;
    return html`<div class="banner"><b>${t("table.at", { n: at })}</b>
      <button @click=${() => this.show(at - 1)} ?disabled=${at <= 0}>${t("table.before")}</button>
      <button @click=${() => this.show(at + 1)}>${t("table.after")}</button>
      <button class="primary" @click=${() => this.show(null)}>${t("table.tonow")}</button></div>`;
  }

  render() {
    const rows = this.isAll ? this.rows : this.news();
    return html`<div class="head"><h2>${this.isAll ? t("table.log") : t("table.since")}</h2>
      <button class="quiet" aria-pressed=${this.isAll} @click=${() => { this.isAll = !this.isAll; this.table.page.update(); }}>${this.isAll ? t("table.since") : t("table.log")}</button></div>
      ${rows.length ? html`<ol class="log" tabindex="0" aria-label=${t("table.log")}>${[...rows].reverse().map((row) => html`<li class=${this.at === row.row ? "shown" : ""}>
        <button class="at" title=${t("table.showat")} aria-label="${row.row}: ${t("table.showat")}" @click=${() => this.show(row.row)}>${row.row}</button>
        <div>${row.sentences.map((/** @type {string} */ sentence) => html`<p>${sentence}</p>`)}</div></li>`)}</ol>`
        : html`<p class="faint small">${t("table.nothing")}</p>`}`;
  }
}
