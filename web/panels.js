// Text boards as HTML: titles, entries with what belongs to them, and tables. The text is the truth; this only sets it.

import { html, nothing } from "./vendor/lit-html.js";
import { t } from "./words.js";

/** @typedef {{ text: string, more: string[] }} Entry */
/** @typedef {{ title: string, note: string, entries: Entry[], rows: string[][] }} Section */

const TITLE = /^([A-Z][A-Z&’' ]{2,}[A-Z])([,:]?)(?:\s+(.*))?$/;

/** A part of the table under one title. @typedef {{ title: string, sections: Section[] }} Panel */

/** The panels of a whole text board; what it begins with, the prompt, is shown elsewhere. @param {string} text @returns {Panel[]} */
export function panels(text) {
  /** @type {Panel[]} */
  const found = [];
  for (const section of sections(text).slice(1)) {
    const last = found[found.length - 1];
    if (section.title || !last) found.push({ title: section.title || t("panel.overview"), sections: [section] });
    else last.sections.push(section);
  }
  return found;
}

/** @param {string} text @returns {Section[]} */
export function sections(text) {
  return text.split(/\n\n+/).filter((part) => part.trim()).map((part) => section(part.trimEnd().split("\n")));
}

/** @param {string[]} lines @returns {Section} */
function section(lines) {
  /** @type {string[]} */
  const whole = [];
  for (const line of lines) {
    if (/^ {4}/.test(line) && whole.length) whole[whole.length - 1] += ` ${line.trim()}`;
    else whole.push(line.trimEnd());
  }
  let title = "", note = "";
  const found = TITLE.exec(whole[0]);
  if (found) {
    title = found[1][0] + found[1].slice(1).toLowerCase();
    whole.shift();
    if (found[3] && found[2] === ":") whole.unshift(found[3]);
    else note = found[3] || "";
    if (note === note.toUpperCase()) note = note.toLowerCase();
  }
  const rows = whole.map((line) => line.trim().split(/ {2,}/));
  if (rows.length > 1 && rows[0].length > 1 && rows.every((row) => row.length === rows[0].length)) {
    return { title, note, entries: [], rows };
  }
  /** @type {Entry[]} */
  const entries = [];
  for (const line of whole) {
    if (/^ {2}/.test(line) && entries.length) entries[entries.length - 1].more.push(line.trim());
    else entries.push({ text: line.trim(), more: [] });
  }
  return { title, note, entries, rows: [] };
}

/** @param {Section} section */
export function sectionBody({ note, entries, rows }) {
  const hasHeads = rows.length > 0 && rows[0].length > 2 && !rows[0].some((cell) => /\d/.test(cell));
  return html`
    ${note ? html`<p class="note">${note}</p>` : nothing}
    ${rows.length ? html`<div class="scroll" tabindex="0" role="group" aria-label=${note || t("panel.table")}><table>
        ${hasHeads ? html`<thead><tr>${rows[0].map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>` : nothing}
        <tbody>${rows.slice(hasHeads ? 1 : 0).map((row) => html`<tr>${row.map((cell, n) =>
          n === 0 ? html`<th scope="row">${cell}</th>` : html`<td class=${/^[-+$]?\d+$/.test(cell) ? "number" : ""}>${cell}</td>`)}</tr>`)}</tbody>
      </table></div>` : nothing}
    ${entries.length ? html`<ul class="entries">${entries.map((entry) => html`<li>${strong(entry.text)}${
        entry.more.length ? html`<ul>${entry.more.map((line) => html`<li>${strong(line)}</li>`)}</ul>` : nothing}</li>`)}</ul>` : nothing}`;
}

/** What stands before a colon is what the line is about. @param {string} line */
function strong(line) {
  const end = line.search(/:(\s|$)/);
  return end > 0 && end < 60 ? html`<b>${line.slice(0, end)}</b>${line.slice(end)}` : line;
}
