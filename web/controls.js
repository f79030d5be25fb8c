// A control for each kind of domain: one of these, a number, some in order, some up to a limit, a way.

import { html, nothing } from "./vendor/lit-html.js";
import { same, wordsOf } from "./orders.js";
import { t } from "./words.js";

/** @typedef {import("./orders.js").Field} Field */
/** @typedef {import("./orders.js").Options} Options */
/** @typedef {(value: any) => void} Set */

const FEW = 8; // values that are shown side by side

/** @param {Options} options @param {Field} field @param {any} value @param {Set} set */
export function control(options, field, value, set) {
  const kinds = { one_of: oneOf, range, pick, bag, way };
  return html`<fieldset class="field"><legend>${field.name.replaceAll("_", " ")}</legend>
    ${field.isOptional ? html`<label class="leave"><input type="checkbox" .checked=${value === undefined}
        @change=${(/** @type {any} */ event) => set(event.target.checked ? undefined : startOf(field))}> ${t("field.leave")}</label>` : nothing}
    ${field.isOptional && value === undefined ? nothing : kinds[field.kind](options, field, value, set)}
  </fieldset>`;
}

/** A hint beside the words that it is about: it need not begin with them. @param {string} words @param {string} [hint] */
function besides(words, hint = "") {
  return hint.startsWith(`${words} `) ? hint.slice(words.length + 1) : hint;
}

/** @param {Field} field */
function startOf({ kind, domain }) {
  if (kind === "one_of") return domain.one_of[0];
  if (kind === "range") return domain.from;
  if (kind === "way") return Object.values(domain.way_to)[0] || [];
  return [];
}

/** @param {Options} options @param {Field} field @param {any} value @param {Set} set */
function oneOf(options, { name, domain }, value, set) {
  const values = domain.one_of;
  const said = (/** @type {any} */ one) => {
    const hint = domain.hints?.[one];
    return `${Array.isArray(one) && !one.length ? "–" : wordsOf(options, name, one)}${hint ? ` (${hint})` : ""}`;
  };
  if (values.length > FEW) {
    return html`<select aria-label=${name} @change=${(/** @type {any} */ event) => set(values[event.target.selectedIndex - 1])}>
      <option ?selected=${value === undefined}>${t("field.choose")} …</option>
      ${values.map((/** @type {any} */ one) => html`<option ?selected=${same(one, value)}>${said(one)}</option>`)}</select>`;
  }
  return html`<div class="chips">${values.map((/** @type {any} */ one) => html`<button type="button" class="chip" aria-pressed=${same(one, value)}
    @click=${() => set(one)}>${said(one)}</button>`)}</div>`;
}

/** @param {Options} _options @param {Field} field @param {any} value @param {Set} set */
function range(_options, { name, domain }, value, set) {
  const { from, to } = domain;
  const now = Number.isInteger(value) ? value : from;
  const put = (/** @type {number} */ number) => set(Math.min(to, Math.max(from, Math.round(number) || from)));
  const hint = domain.hints?.[now];
  return html`<div class="number-field">
    <button type="button" class="step" ?disabled=${now <= from} aria-label=${t("field.less", { what: name })} @click=${() => put(now - 1)}>−</button>
    <input type="number" aria-label="${name}, ${t("field.between", { from, to })}" min=${from} max=${to} .value=${String(now)}
      @change=${(/** @type {any} */ event) => put(Number(event.target.value))}>
    <button type="button" class="step" ?disabled=${now >= to} aria-label=${t("field.more", { what: name })} @click=${() => put(now + 1)}>+</button>
    ${to - from > 5 ? html`<input type="range" aria-label=${name} min=${from} max=${to} .value=${String(now)}
      @input=${(/** @type {any} */ event) => put(Number(event.target.value))}>` : nothing}
    <span class="faint small">${t("field.between", { from, to })}${hint ? `; ${hint}` : ""}</span></div>`;
}

/** @param {Record<string, any>} domain @param {any[]} value */
function howMany(domain, value) {
  return html`<p class="faint small">${t("field.between", { from: domain.at_least, to: domain.at_most })}, ${t("field.chosen", { n: value.length })}</p>`;
}

/** @param {Options} options @param {Field} field @param {any} value @param {Set} set */
function pick(options, { name, domain }, value, set) {
  const chosen = value || [];
  return html`<div class="chips">${domain.pick_from.map((/** @type {any} */ one) => {
    const place = chosen.indexOf(one);
    const hint = domain.hints?.[one];
    return html`<button type="button" class="chip" aria-pressed=${place >= 0} ?disabled=${place < 0 && chosen.length >= domain.at_most}
      @click=${() => set(place < 0 ? [...chosen, one] : chosen.filter((/** @type {any} */ other) => other !== one))}>${
        place >= 0 ? html`<b>${t("field.order", { n: place + 1 })}</b>` : nothing} ${wordsOf(options, name, one)}${hint ? html` <small>${besides(wordsOf(options, name, one), hint)}</small>` : nothing}</button>`;
  })}</div>${howMany(domain, chosen)}`;
}

/** @param {Options} options @param {Field} field @param {any} value @param {Set} set */
function bag(options, { name, domain }, value, set) {
  const chosen = /** @type {string[]} */ (value || []);
  return html`<ul class="bag">${Object.entries(domain.bag_of).map(([item, limit]) => {
    const count = chosen.filter((one) => one === item).length;
    const words = wordsOf(options, name, item);
    const less = () => {
      const at = chosen.indexOf(item);
      set(chosen.filter((_, n) => n !== at));
    };
    return html`<li>
      <button type="button" class="step" ?disabled=${count === 0} aria-label=${t("field.less", { what: words })} @click=${less}>−</button>
      <b class="number" aria-live="polite">${count}</b>
      <button type="button" class="step" ?disabled=${count >= Number(limit) || chosen.length >= domain.at_most}
        aria-label=${t("field.more", { what: words })} @click=${() => set([...chosen, item])}>+</button>
      <span>${words} <small class="faint">${besides(words, domain.hints?.[item])}</small></span></li>`;
  })}</ul>${howMany(domain, chosen)}`;
}

/** @param {Options} options @param {Field} field @param {any} value @param {Set} set */
function way(options, { name, domain, steps }, value, set) {
  const chosen = /** @type {string[]} */ (value || []);
  const ends = Object.keys(domain.way_to);
  return html`<div class="way">
    <label>${t("field.best")} <select @change=${(/** @type {any} */ event) => set(event.target.selectedIndex ? domain.way_to[ends[event.target.selectedIndex - 1]] : [])}>
      <option>…</option>${ends.map((end) => html`<option ?selected=${same(domain.way_to[end], chosen)}>${wordsOf(options, name, end)}${domain.hints?.[end] ? ` (${domain.hints[end]})` : ""}</option>`)}</select></label>
    <p class="steps">${chosen.length ? chosen.map((step, n) => html`${n ? " → " : ""}<span>${wordsOf(options, name, step)}</span>`) : html`<span class="faint">${t("field.nosteps")}</span>`}</p>
    <div class="buttons"><label>${t("field.step")} <select ?disabled=${chosen.length >= domain.at_most} @change=${(/** @type {any} */ event) => {
      const step = steps[event.target.selectedIndex - 1];
      event.target.selectedIndex = 0;
      if (step !== undefined) set([...chosen, step]);
    }}><option>…</option>${steps.map((step) => html`<option>${wordsOf(options, name, step)}</option>`)}</select></label>
    <button type="button" ?disabled=${!chosen.length} @click=${() => set(chosen.slice(0, -1))}>${t("field.back")}</button></div></div>`;
}
