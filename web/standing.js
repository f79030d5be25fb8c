// Standing orders: what is to be played for one when one is asked. Nobody else can see them.

import { html, nothing } from "./vendor/lit-html.js";
import { Problem, get, put, remove } from "./api.js";
import { t } from "./words.js";

export class Standing {
  /** @param {import("./views/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {any} */
    this.listed = null;
    this.text = "";
    this.isWritten = false;
    this.problem = "";
    this.isOpen = false;
    /** @type {{ presets: any[], phases: any[], facts: any[] }} */
    this.known = { presets: [], phases: [], facts: [] };
  }

  get path() {
    return `/games/${this.table.id}/standing-orders`;
  }

  async load() {
    const { game, id } = this.table;
    const [listed, ruleset, now] = await Promise.all([get(this.path), get(`/rulesets/${game.ruleset}`), get(`/games/${id}/facts`)]);
    this.known = { presets: ruleset.standing.presets, phases: ruleset.standing.phases, facts: now.facts };
    this.take(listed);
  }

  /** @param {any} listed */
  take(listed) {
    this.listed = listed;
    this.problem = "";
    if (!this.isWritten) this.text = listed.orders.map((/** @type {any} */ order) => order.text).join("\n");
    this.table.page.update();
  }

  /** Reads what is written; kept only if it is meant. @param {boolean} isDry */
  async write(isDry) {
    try {
      const listed = await put(`${this.path}${isDry ? "?dry_run=1" : ""}`, { text: this.text });
      this.isWritten = isDry;
      this.take(listed);
      this.table.page.say(isDry ? t("standing.read") : t("standing.kept"));
      if (!isDry) await this.table.load();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.problem = error.message;
      this.table.page.update();
    }
  }

  async clear() {
    const answer = await remove(this.path);
    this.isWritten = false;
    this.take(await answer.json());
  }

  /** A list whose choice is written behind what is there. @param {string} label @param {any[]} choices @param {(choice: any) => string} said @param {(choice: any) => string} written */
  chooser(label, choices, said, written) {
    if (!choices.length) return nothing;
    return html`<label>${label}<select @change=${(/** @type {any} */ event) => {
      const choice = choices[event.target.selectedIndex - 1];
      if (choice) this.text = (this.text.trimEnd() + written(choice)).trimStart();
      this.isWritten = true;
      event.target.selectedIndex = 0;
      this.table.page.update();
    }}><option>…</option>${choices.map((choice) => html`<option>${said(choice)}</option>`)}</select></label>`;
  }

  render() {
    const { table, listed } = this;
    if (table.seat === null || table.game.status === "over") return nothing;
    return html`<section class="menu card" aria-label=${t("standing.title")}><details .open=${this.isOpen} @toggle=${(/** @type {any} */ event) => {
      this.isOpen = event.target.open;
      if (this.isOpen && !this.listed) table.page.attempt(() => this.load());
    }}><summary>${t("standing.title")}</summary>
      <p class="faint small">${t("standing.lead")}</p>
      <form @submit=${(/** @type {Event} */ event) => { event.preventDefault(); table.page.attempt(() => this.write(false)); }}>
        <label>${t("standing.label")}<textarea rows="4" spellcheck="false" .value=${this.text} @input=${(/** @type {any} */ event) => { this.text = event.target.value; this.isWritten = true; }}></textarea></label>
        ${this.problem ? html`<p class="refused small" role="alert">✗ ${this.problem}</p>` : nothing}
        ${listed ? html`<p class="small">${listed.now.plays ? t("standing.now", { what: listed.now.plays }) : t("standing.nothing")}</p>` : nothing}
        ${this.chooser(t("standing.presets"), this.known.presets, (preset) => preset.says, (preset) => `\n${preset.text}`)}
        ${this.chooser(t("standing.phases"), this.known.phases, (phase) => `${phase.name}: ${phase.says}`, (phase) => `\nin ${phase.name}: `)}
        ${this.chooser(t("standing.facts"), this.known.facts, said, (fact) => ` ${fact.name}`)}
        <div class="buttons"><button class="primary">${t("save")}</button>
          <button type="button" @click=${() => table.page.attempt(() => this.write(true))}>${t("standing.try")}</button>
          ${listed?.orders.length ? html`<button type="button" class="quiet" @click=${() => table.page.attempt(() => this.clear())}>${t("standing.clear")}</button>` : nothing}</div>
      </form></details></section>`;
  }
}

/** A fact with what it is now. @param {any} fact */
function said(fact) {
  const value = Array.isArray(fact.value) ? fact.value.join(", ") : fact.value;
  return `${fact.name}${value === null || value === "" ? "" : ` (${value})`}: ${fact.says}`;
}
