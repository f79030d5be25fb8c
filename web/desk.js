// Where orders are made: the complete list of what one may do, the board as a short cut to it, and the tray of what is
// about to be sent, checked by the referee before anything goes out.

import { html, nothing } from "./vendor/lit-html.js";
import { Problem, Unreachable, newKey, post } from "./api.js";
import { control } from "./controls.js";
import { list } from "./format.js";
import { begin, choicesOf, complete, fieldMarks, hasDetails, hintOf, marksOf, readMark, readyOrders, same, say, verbOf, wordsOf } from "./orders.js";
import { letBotsMove } from "./fork.js";
import { keepReceipt } from "./receipts.js";
import { ending } from "./views/table.js";
import { t } from "./words.js";

/** @typedef {import("./orders.js").Choice} Choice */
/** @typedef {import("./orders.js").Move} Move */
/** @typedef {import("./orders.js").Ready} Ready */
/** @typedef {import("./orders.js").Options} Options */
/** @typedef {{ move: Move, label: string, hint: string, isLeaving: boolean }} Gathered */
/** @typedef {{ state: "checking" } | { state: "stands", readings: string[] } | { state: "refused", problem: Problem } | { state: "unsent" }} Check */

const MANY = 14; // orders in a list, from which on it can be searched

export class OrderDesk {
  /** @param {import("./views/table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.page = table.page;
    /** What may be done now. @type {Options | null} */
    this.options = null;
    /** What may be done after what is gathered. @type {(Options & { readings: string[] }) | null} */
    this.after = null;
    /** @type {Gathered[]} */
    this.gathered = [];
    /** @type {Check | null} */
    this.check = null;
    this.key = newKey();
    /** @type {{ choice: Choice, values: Move } | null} */
    this.form = null;
    this.filter = "";
    /** Marks that were pointed at: the list shows what they can mean. @type {string[]} */
    this.pointed = [];
    this.isReally = false;
    this.isSending = false;
    this.isWriting = false;
    this.text = "";
    this.isRestored = false;
    /** What was half chosen when the page was left. @type {any} */
    this.keptForm = null;
    /** What gets the focus when it is there: for those who have no mouse, the next thing to do is under their hand. */
    this.wanted = "";
    /** @type {{ options: Options | null, choices: Choice[], ready: Map<Choice, Ready[] | null> }} */
    this.listed = { options: null, choices: [], ready: new Map() };
  }

  get place() {
    return `waybill.draft.${this.table.id}`;
  }

  get sealedPlace() {
    return `waybill.sealed.${this.table.id}`;
  }

  get prompt() {
    return this.options?.decisions.map((decision) => decision.prompt)[0] ?? "";
  }

  /** Whether the game waits for this player: `asked`, `sealed`, `waiting` for others, `over`. */
  get state() {
    const { game, position, seat } = this.table;
    if (game.status !== "running") return game.status;
    if (seat === null || !this.options?.decisions.some((decision) => decision.required)) return "waiting";
    return position.sealed.includes(seat) ? "sealed" : "asked";
  }

  get isSealedPhase() {
    return this.options?.decisions.some((decision) => decision.kind === "sealed") ?? false;
  }

  /** New options of the game: what was gathered is kept, and checked against them. @param {Options | null} options */
  offer(options) {
    const isSame = options !== null && same(options, this.options);
    this.options = options;
    if (options && !this.isRestored) this.restore();
    this.isRestored = true;
    if (isSame) return;
    this.form = null;
    this.pointed = [];
    if (!options?.offers.length) this.forget();
    else if (this.gathered.length) this.verify();
    else this.openOnly();
    this.light();
  }

  /** A form that was open before the page was loaded anew; or, where there is one thing to do, the form that it needs. */
  openOnly() {
    const { choices, ready } = this.choices();
    const kept = choices.find((choice) => choice.key === this.keptForm?.key);
    if (kept) this.form = { choice: kept, values: this.keptForm.values };
    this.keptForm = null;
    if (this.form) return;
    if (choices.length === 1 && ready.get(choices[0]) === null) this.form = { choice: choices[0], values: begin(choices[0]) };
  }

  restore() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.place) || "null");
      if (kept && kept.sequence === this.options?.sequence) {
        this.gathered = kept.gathered;
        this.key = kept.key;
        this.text = kept.text;
        this.keptForm = kept.form;
      }
    } catch {
      sessionStorage.removeItem(this.place);
    }
  }

  keep() {
    const form = this.form && { key: this.form.choice.key, values: this.form.values };
    const kept = { sequence: this.options?.sequence, gathered: this.gathered, key: this.key, text: this.text, form };
    if (this.gathered.length || this.text || form) sessionStorage.setItem(this.place, JSON.stringify(kept));
    else sessionStorage.removeItem(this.place);
  }

  forget() {
    this.gathered = [];
    this.after = this.check = this.form = null;
    this.isReally = false;
    this.key = newKey();
    this.keep();
    this.openOnly();
    this.light();
  }

  /** The choices at this point of the turn. */
  choices() {
    const options = this.gathered.length ? this.after : this.options;
    if (this.listed.options !== options) {
      const choices = options ? choicesOf(options) : [];
      const ready = new Map(options ? choices.map((choice) => [choice, readyOrders(options, choice)]) : []);
      this.listed = { options, choices, ready };
    }
    return this.listed;
  }

  /** @param {Choice} choice @param {Move} move */
  take(choice, move) {
    const { options } = this.listed;
    if (!options) return;
    const order = {
      move,
      label: say(options, choice.offer.notation, move),
      hint: hintOf(choice, move),
      isLeaving: choice.offer.leaves_the_game ?? false,
    };
    this.gathered = this.isSealedPhase ? [order] : [...this.gathered, order];
    this.wanted = "#send:enabled";
    this.changed();
  }

  takeBack() {
    this.gathered = this.gathered.slice(0, -1);
    this.changed();
  }

  changed() {
    this.form = null;
    this.pointed = [];
    this.filter = "";
    this.isReally = false;
    this.key = newKey();
    if (this.gathered.length) this.verify();
    else this.forget();
    this.light();
    this.page.update();
  }

  /** A dry run of what is gathered; the answer also says how the turn may go on. */
  async verify() {
    const { gathered, options } = this;
    this.after = null;
    this.check = { state: "checking" };
    this.keep();
    try {
      const after = await post(`/games/${this.table.id}/options`, { moves: gathered.map(({ move }) => move) },
        { key: null, ifMatch: options?.sequence });
      if (this.gathered !== gathered || this.options !== options) return;
      this.after = after;
      this.check = { state: "stands", readings: after.readings };
      if (this.keptForm) this.openOnly();
    } catch (error) {
      if (this.gathered !== gathered || this.options !== options) return;
      if (error instanceof Problem && error.kind === "stale") return void this.table.load();
      this.check = error instanceof Problem ? { state: "refused", problem: error } : { state: "unsent" };
    }
    this.light();
    this.focus();
  }

  /** Draws, and gives the focus to what is wanted next. */
  focus() {
    this.page.draw();
    const found = this.wanted ? document.querySelector(this.wanted) : null;
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
    this.wanted = "";
  }

  /** Sends what is gathered: all of it, or nothing; never twice, and only where the game still is. */
  async send() {
    if (this.isSending || !this.gathered.length) return;
    if (this.gathered.some((order) => order.isLeaving) && !this.isReally) {
      this.isReally = true;
      this.page.update();
      return;
    }
    await this.deliver({ moves: this.gathered.map(({ move }) => move) }, list(this.gathered.map(({ label }) => label)));
  }

  /** @param {{ moves: Move[] } | { orders: string }} body @param {string} label */
  async deliver(body, label) {
    this.isSending = true;
    this.page.update();
    const { table, options } = this;
    try {
      const answer = await post(`/games/${table.id}/moves`, body, { key: this.key, ifMatch: options?.sequence });
      if (answer.receipt) {
        const sealed = { sequence: answer.sequence, label: answer.readings.join(", ") || label, receipt: answer.receipt };
        localStorage.setItem(this.sealedPlace, JSON.stringify(sealed));
        keepReceipt(table.id, answer.receipt);
        this.page.say(t("table.sealed"));
      } else {
        localStorage.removeItem(this.sealedPlace);
        this.page.say(answer.left_out ? answer.left_out.detail : t("table.played", { what: answer.readings.join(", ") }));
      }
      this.text = "";
      this.isWriting = false;
      this.forget();
      await table.load();
      this.wanted = ".asked h2";
    } catch (error) {
      if (error instanceof Problem && error.kind === "stale") {
        this.page.say(t("table.stale"), true);
        this.key = newKey();
        await table.load();
      } else if (error instanceof Unreachable) {
        this.check = { state: "unsent" };
      } else if (error instanceof Problem) {
        this.key = newKey();
        this.check = { state: "refused", problem: error };
        this.page.announce(error.message);
        if (error.status === 409) await table.load();
      } else {
        throw error;
      }
    } finally {
      this.isSending = false;
      this.focus();
    }
  }

  /** Something on the board was pointed at. @param {string[]} marks */
  point(marks) {
    this.choices();
    if (this.form) {
      const { choice, values } = this.form;
      for (const mark of marks) {
        const field = choice.fields.find((one) => fieldMarks(one).includes(mark));
        if (field) {
          this.set(field, this.pointedValue(field, values[field.name], readMark(mark).value));
          return;
        }
      }
    }
    const orders = this.ordersAt(marks);
    if (orders.length === 1 && orders[0].ready) this.take(orders[0].choice, orders[0].ready.move);
    else if (orders.length === 1) this.openForm(orders[0].choice, marks);
    else {
      this.pointed = marks;
      this.page.update();
      if (orders.length) this.page.announce(t("table.near"));
    }
  }

  /** What a place on the board adds to a field. @param {import("./orders.js").Field} field @param {any} value @param {string} item */
  pointedValue(field, value, item) {
    const { kind, domain } = field;
    const typed = kind === "one_of" ? domain.one_of.find((/** @type {any} */ one) => String(one) === item) : item;
    if (kind === "one_of") return typed;
    const now = value || [];
    if (kind === "way") {
      if (now.length && now[now.length - 1] === item) return now.slice(0, -1);
      if (!now.length && domain.way_to[item]) return domain.way_to[item];
      return now.length < domain.at_most ? [...now, item] : now;
    }
    if (kind === "pick") return now.includes(item) ? now.filter((/** @type {any} */ one) => one !== item) : [...now, item].slice(0, domain.at_most);
    const count = now.filter((/** @type {any} */ one) => one === item).length;
    return count < domain.bag_of[item] && now.length < domain.at_most ? [...now, item] : now.filter((/** @type {any} */ one) => one !== item);
  }

  /** The orders that marks can mean. @param {string[]} marks @returns {{ choice: Choice, ready: Ready | null }[]} */
  ordersAt(marks) {
    const { choices, ready } = this.listed;
    return choices.flatMap((choice) => {
      const orders = ready.get(choice);
      /** @type {{ choice: Choice, ready: Ready | null }[]} */
      const none = [];
      if (!orders) return marks.some((mark) => marksOf(choice).includes(mark)) ? [{ choice, ready: null }] : none;
      const meant = orders.filter((order) => marks.some((mark) => {
        const { name, value } = readMark(mark);
        const field = choice.open.find((one) => one.name === name) ?? (choice.open.length ? undefined : choice.fields.find((one) => one.name === name));
        return field && [].concat(order.move[name]).map(String).includes(value);
      }));
      return meant.map((order) => ({ choice, ready: order }));
    });
  }

  /** @param {Choice} choice @param {string[]} [marks] */
  openForm(choice, marks = []) {
    this.form = { choice, values: begin(choice) };
    this.pointed = [];
    for (const mark of marks) {
      const field = choice.fields.find((one) => fieldMarks(one).includes(mark));
      if (field) this.form.values[field.name] = this.pointedValue(field, this.form.values[field.name], readMark(mark).value);
    }
    this.keep();
    this.light();
    this.page.update();
  }

  /** @param {import("./orders.js").Field} field @param {any} value */
  set(field, value) {
    if (!this.form) return;
    const values = { ...this.form.values, [field.name]: value };
    if (value === undefined) delete values[field.name];
    this.form = { choice: this.form.choice, values };
    this.keep();
    this.light();
    this.page.update();
  }

  /** Lights on the board what may be chosen, and what is. */
  light() {
    const { choices } = this.choices();
    const isNow = this.table.history?.at == null;
    const lit = new Set(isNow ? (this.form ? [this.form.choice] : choices).flatMap(marksOf) : []);
    const chosen = new Set();
    for (const [name, value] of this.form ? Object.entries(this.form.values) : this.gathered.flatMap(({ move }) => Object.entries(move))) {
      for (const item of [].concat(value)) chosen.add(`${name} ${item}`);
    }
    this.table.board.light(lit, chosen);
  }

  // How it looks

  render() {
    const { game } = this.table;
    if (game.status === "over") return ending(this.table);
    if (game.status === "paused") return html`<div class="card"><h2>${t("status.paused")}</h2><p>${t("table.paused")}</p></div>`;
    const waitsFor = game.to_act.filter((/** @type {number} */ seat) => seat !== this.table.seat).map((/** @type {number} */ seat) => this.table.name(seat));
    if (this.table.seat === null) {
      return html`<div class="card asked"><h2 tabindex="-1">${t("table.watching")}</h2><p class="faint">${waitsFor.length ? t("table.waiting", { names: list(waitsFor) }) : ""}</p></div>`;
    }
    const isDone = this.table.position.sealed.includes(this.table.seat);
    if (!this.options?.offers.length) {
      return html`<div class="card asked"><h2 tabindex="-1">${t("table.notyours")}</h2><p>${waitsFor.length ? t("table.waiting", { names: list(waitsFor) }) : ""}</p>${letBotsMove(this.table)}</div>`;
    }
    return html`${this.asked(isDone, waitsFor)}<div class="making-orders" ?inert=${this.isSending}>${this.form ? this.formView() : this.choicesView()}${this.writing()}</div>${this.tray(isDone)}`;
  }

  /** @param {boolean} isDone @param {string[]} waitsFor */
  asked(isDone, waitsFor) {
    const decisions = this.options?.decisions ?? [];
    const isTurn = decisions.some((decision) => decision.required);
    return html`<div class="card asked ${isTurn && !isDone ? "mine" : ""}">
      <h2 tabindex="-1">${this.isSealedPhase ? t("table.sealedturn") : isTurn ? t("table.yourturn") : t("table.notyours")}</h2>
      ${decisions.map((decision) => html`<p class=${decision.required ? "" : "faint small"}>${decision.prompt}</p>`)}
      ${isDone ? this.receipt() : nothing}
      ${(isDone || !isTurn) && waitsFor.length ? html`<p class="faint small">${t("table.waiting", { names: list(waitsFor) })}</p>${letBotsMove(this.table)}` : nothing}
    </div>`;
  }

  receipt() {
    const kept = JSON.parse(localStorage.getItem(this.sealedPlace) || "null");
    if (!kept || kept.sequence !== this.options?.sequence) return html`<p>${t("table.sealedunknown")}</p>`;
    return html`<p>✉ ${t("table.sealedas", { what: kept.label })}</p>
      <details class="small"><summary>${t("table.receipt")}</summary><code>${kept.receipt.commitment}</code><p class="faint">${t("table.receipthint")}</p></details>`;
  }

  choicesView() {
    const { options, choices, ready } = this.choices();
    if (!options || !choices.length) return nothing;
    const pointedAt = this.pointed.length ? new Set(this.ordersAt(this.pointed).map(({ choice, ready }) => ready?.move ?? choice)) : null;
    const sought = this.filter.trim().toLowerCase();
    const fits = (/** @type {Ready} */ order) => (!pointedAt || pointedAt.has(order.move)) && (!sought || `${order.label} ${order.hint}`.toLowerCase().includes(sought));
    const total = choices.reduce((sum, choice) => sum + (ready.get(choice)?.length ?? 1), 0);
    /** @type {Map<string, { ready: Ready[], forms: Choice[], detailed: Choice[] }>} */
    const groups = new Map();
    for (const choice of choices) {
      const verb = verbOf(choice.offer);
      const group = groups.get(verb) ?? { ready: [], forms: [], detailed: [] };
      groups.set(verb, group);
      const orders = ready.get(choice);
      if (orders) {
        group.ready.push(...orders.filter(fits));
        if (hasDetails(choice) && !pointedAt && !sought) group.detailed.push(choice);
      } else if ((!pointedAt || pointedAt.has(choice)) && (!sought || choice.offer.notation.includes(sought))) {
        group.forms.push(choice);
      }
    }
    const shown = [...groups].filter(([, group]) => group.ready.length + group.forms.length);
    return html`<div class="card choices">
      <h3>${pointedAt ? t("table.near") : this.gathered.length ? t("table.next") : t("table.choices")}</h3>
      ${pointedAt ? html`<button class="quiet" @click=${() => this.showAll()}>${t("table.showall")}</button>` : nothing}
      ${total > MANY && !pointedAt ? html`<input type="search" class="search" placeholder=${t("table.filter")} aria-label=${t("table.filter")} .value=${this.filter}
        @input=${(/** @type {any} */ event) => { this.filter = event.target.value; this.page.update(); }}>` : nothing}
      ${shown.length ? nothing : html`<p class="faint">${t("table.nomatch")}</p>`}
      ${shown.map(([verb, group]) => html`<div class="group" role="group" aria-label=${verb}>
        ${shown.length > 1 || group.ready.length > 1 ? html`<h4>${verb}${group.ready.length > MANY ? html` <span>${t("table.howmany", { n: group.ready.length })}</span>` : nothing}</h4>` : nothing}
        <ul class=${group.ready.length > MANY ? "long" : ""} tabindex=${group.ready.length > MANY ? "0" : nothing} aria-label=${group.ready.length > MANY ? verb : nothing}>
          ${group.ready.map((order) => html`<li><button class="order" @click=${() => this.take(order.choice, order.move)}>
            <span>${order.label}</span>${order.hint ? html`<small>${order.hint}</small>` : nothing}</button></li>`)}
          ${group.forms.map((choice) => html`<li><button class="order form" @click=${() => this.openForm(choice)}>
            <span>${t("table.form", { what: formName(options, choice) })}</span>${choice.offer.hint ? html`<small>${choice.offer.hint}</small>` : nothing}</button></li>`)}
          ${group.detailed.slice(0, 4).map((choice) => html`<li><button class="order detail quiet" @click=${() => this.openForm(choice)}>${verb} ${t("table.details")}</button></li>`)}
        </ul></div>`)}
    </div>`;
  }

  showAll() {
    this.pointed = [];
    this.page.update();
  }

  formView() {
    const { options } = this.listed;
    if (!this.form || !options) return nothing;
    const { choice, values } = this.form;
    const move = complete(choice, values);
    const shown = choice.fields.filter((field) => field.isOptional || choice.open.includes(field));
    return html`<form class="card making" @submit=${(/** @type {Event} */ event) => { event.preventDefault(); if (move) this.take(choice, move); }}>
      <h3>${say(options, choice.offer.notation, { ...values })}</h3>
      ${choice.offer.hint ? html`<p class="faint small">${choice.offer.hint}</p>` : nothing}
      ${shown.map((field) => control(options, field, values[field.name], (value) => this.set(field, value)))}
      <div class="buttons"><button class="primary" ?disabled=${!move}>${t("table.take")}</button>
      ${this.listed.choices.length > 1 ? html`<button type="button" class="quiet" @click=${() => { this.form = null; this.keep(); this.light(); this.page.update(); }}>${t("cancel")}</button>` : nothing}</div>
    </form>`;
  }

  writing() {
    return html`<details class="card writing" .open=${this.isWriting} @toggle=${(/** @type {any} */ event) => { this.isWriting = event.target.open; }}>
      <summary>${t("table.text")}</summary>
      <form @submit=${(/** @type {Event} */ event) => { event.preventDefault(); this.read(); }}>
        <label>${t("table.texthint")}<textarea rows="3" spellcheck="false" .value=${this.text}
          @input=${(/** @type {any} */ event) => { this.text = event.target.value; this.keep(); }}></textarea></label>
        <button>${t("table.textcheck")}</button></form></details>`;
  }

  /** Orders by text: read by the referee, and put into the tray as it has read them. */
  async read() {
    const orders = this.text.trim();
    if (!orders) return;
    await this.page.attempt(async () => {
      const after = await post(`/games/${this.table.id}/options`, { orders }, { key: null, ifMatch: this.options?.sequence });
      this.gathered = after.readings.map((/** @type {string} */ label, /** @type {number} */ n) => ({ move: after.moves[n], label, hint: "", isLeaving: false }));
      this.text = "";
      this.changed();
    });
  }

  /** @param {boolean} isDone */
  tray(isDone) {
    const { gathered, check } = this;
    const isReady = check?.state === "stands" || check?.state === "unsent";
    const sendWord = this.isSending ? t("table.sending") : this.isReally ? t("table.really") : isDone ? t("table.replace") : this.isSealedPhase ? t("table.sendsealed") : t("table.send");
    const leaving = gathered.find((order) => order.isLeaving);
    return html`<div class="tray ${gathered.length ? "full" : ""}" aria-live="polite">
      ${gathered.length === 0 ? html`<p class="faint small">${t("table.trayempty")}</p>` : html`
      <div class="what"><h3 class="unseen">${t("table.tray")}</h3>
        <ol>${gathered.map((order, n) => html`<li><b>${(check?.state === "stands" && check.readings[n]) || order.label}</b>${order.hint ? html` <small>${order.hint}</small>` : nothing}</li>`)}</ol>
        ${this.isReally && leaving ? html`<p class="warning">${t("table.resignask", { what: leaving.label })}</p>` : this.verdict()}</div>
      <div class="buttons"><button id="send" class="primary ${this.isReally ? "danger" : ""}" ?disabled=${!isReady || this.isSending} @click=${() => this.send()}>${sendWord}</button>
        <button class="quiet" @click=${() => this.takeBack()}>${gathered.length > 1 ? t("table.undolast") : t("cancel")}</button></div>`}
    </div>`;
  }

  verdict() {
    const { check } = this;
    if (!check || check.state === "checking") return html`<p class="faint small">${t("table.checking")}</p>`;
    if (check.state === "stands") return html`<p class="stands small">✓ ${t("table.stands")}</p>`;
    if (check.state === "unsent") return html`<p class="warning small" role="alert">${t("table.unsent")}</p>`;
    const { body } = check.problem;
    return html`<p class="refused small" role="alert">✗ ${check.problem.message}${body.rule ? html` <span class="faint">(${body.rule})</span>` : nothing}</p>`;
  }

  /** What a touch may have meant, where several things lie close together. */
  nearby() {
    if (this.pointed.length < 1 || !this.listed.options) return nothing;
    const orders = this.ordersAt(this.pointed);
    if (!orders.length) return nothing;
    return html`<div class="nearby card"><p class="small">${t("table.near")}</p><ul>${orders.slice(0, 8).map(({ choice, ready }) => html`<li>
      <button class="order" @click=${() => (ready ? this.take(choice, ready.move) : this.openForm(choice, this.pointed))}>
      <span>${ready ? ready.label : t("table.form", { what: verbOf(choice.offer) })}</span>${ready?.hint ? html`<small>${ready.hint}</small>` : nothing}</button></li>`)}</ul>
      <button class="quiet" @click=${() => this.showAll()}>${t("close")}</button></div>`;
  }
}

/** What a form is for: the order with what may be chosen in the place of what is not chosen yet. @param {Options} options @param {Choice} choice */
function formName(options, choice) {
  const shown = { ...begin(choice) };
  for (const { name, kind, domain } of choice.open) {
    const items = kind === "bag" ? Object.keys(domain.bag_of) : kind === "pick" ? domain.pick_from : null;
    if (kind === "range") shown[name] = `${domain.from}–${domain.to}`;
    else if (!items || items.length > 4) shown[name] = name.replaceAll("_", " ");
    else shown[name] = `${domain.at_least === domain.at_most ? domain.at_most : `${domain.at_least}–${domain.at_most}`} × ${items.map((/** @type {any} */ item) => wordsOf(options, name, item)).join("/")}`;
  }
  return say(options, choice.offer.notation, shown);
}
