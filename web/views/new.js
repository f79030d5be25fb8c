// Opening a game: which, who, by which rules, how fast, and who may see and say what.

import { html, nothing } from "../vendor/lit-html.js";
import { post, rulesets } from "../api.js";
import { session, signUpAsGuest } from "../session.js";
import { t } from "../words.js";
import { botsOf } from "./welcome.js";

const KINDS = ["bot", "open", "invitename", "inviteemail", "invitelink"];
const CLOCKS = ["none", "live", "daily", "relaxed", "weekly", "detail"];
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const HOUR = 3600;

/** @param {import("../app.js").Page} page @returns {Promise<import("../app.js").View>} */
export async function open(page) {
  const known = await rulesets();
  const asked = new URLSearchParams(location.search).get("game");
  let ruleset = known.find((game) => game.key === asked) ?? known[0];
  /** @type {{ kind: string, bot: string, name: string, email: string }[]} */
  let seats = [];
  /** @type {Record<string, any>} */
  let settings = {};
  const rest = { clock: "none", undo: "own", press: "all", private: false, title: "" };
  const detail = { time: 24, bank: 0, grace: 2, cool_off: 0, from: "", until: "", zone: Intl.DateTimeFormat().resolvedOptions().timeZone, days: new Set(DAYS) };
  /** @type {{ id: string, links: { seat: number, address: string }[] } | null} */
  let opened = null;

  const choose = (/** @type {typeof ruleset} */ game) => {
    ruleset = game;
    settings = {};
    resize(game.seats.includes(3) ? 3 : game.seats[0]);
  };
  const resize = (/** @type {number} */ number) => {
    const bots = botsOf(ruleset);
    const bot = ["steady", "easy"].find((name) => bots.includes(name)) ?? bots[0];
    seats = Array.from({ length: number - 1 }, (_, n) => seats[n] ?? { kind: "bot", bot, name: "", email: "" });
    for (const seat of seats) if (!bots.includes(seat.bot)) seat.bot = bot;
    page.update();
  };
  choose(ruleset);

  const clock = () => {
    if (rest.clock !== "detail") return rest.clock;
    const hours = detail.from && detail.until ? { hours: [detail.from, detail.until] } : {};
    const days = detail.days.size < DAYS.length ? { days: DAYS.filter((day) => detail.days.has(day)) } : {};
    return { time: Math.round(detail.time * HOUR), bank: Math.round(detail.bank * HOUR), grace: Math.round(detail.grace * HOUR), cool_off: detail.cool_off * 60, zone: detail.zone, ...hours, ...days };
  };
  const seat = (/** @type {typeof seats[0]} */ one) => {
    if (one.kind === "bot") return { kind: "bot", bot: one.bot };
    if (one.kind === "invitename") return { kind: "invite", name: one.name.trim() };
    if (one.kind === "inviteemail") return { kind: "invite", email: one.email.trim() };
    return { kind: one.kind === "open" ? "open" : "invite" };
  };
  const create = () => page.attempt(async () => {
    if (!session.me) await signUpAsGuest();
    const answer = await post("/games", {
      ruleset: ruleset.key, settings, title: rest.title.trim(), private: rest.private, undo: rest.undo, press: rest.press,
      clock: clock(), seats: [{ kind: "me" }, ...seats.map(seat)],
    });
    const links = answer.invitations.filter((/** @type {any} */ one) => seats[one.seat - 1]?.kind === "invitelink")
      .map((/** @type {any} */ one) => ({ seat: one.seat, address: `${location.origin}/games/${answer.game.id}#${one.token}` }));
    if (!links.length) return page.go(`/games/${answer.game.id}`);
    opened = { id: answer.game.id, links };
    page.update();
    return undefined;
  });

  return { title: t("new.title"), render: () => (opened ? shareLinks(page, opened) : form()) };

  function form() {
    return html`<form class="narrow" @submit=${(/** @type {Event} */ event) => { event.preventDefault(); create(); }}><h1>${t("new.title")}</h1>
      <fieldset><legend>${t("new.ruleset")}</legend><div class="pick">${known.map((game) => html`<label><input type="radio" name="ruleset" .checked=${game.key === ruleset.key} @change=${() => choose(game)}><span>${game.name}</span></label>`)}</div>
        <p class="explained">${ruleset.summary} <a href="/help/${ruleset.key}">${t("welcome.rules")}</a></p></fieldset>
      <fieldset><legend>${t("new.seats")}</legend>
        <label class="inline">${t("new.players")} <select @change=${(/** @type {any} */ event) => resize(Number(event.target.value))}>${ruleset.seats.map((number) => html`<option value=${number} ?selected=${number === seats.length + 1}>${number}</option>`)}</select></label>
        <ul class="seats"><li><span class="label">${t("new.seat", { n: 1 })}</span> <b>${session.me?.name ?? t("new.me")}</b></li>${seats.map((one, n) => seatView(one, n))}</ul>
        ${seats.some((one) => one.kind === "bot") ? html`<p class="explained">${t("new.ratings")}</p>` : nothing}</fieldset>
      ${settingsView()}
      <fieldset><legend>${t("new.clock")}</legend><div class="pick">${CLOCKS.map((name) => html`<label><input type="radio" name="clock" .checked=${rest.clock === name} @change=${() => { rest.clock = name; page.update(); }}><span>${t(`new.clock.${name}`)}</span></label>`)}</div>${rest.clock === "detail" ? clockDetail() : nothing}</fieldset>
      <fieldset><legend>${t("new.undo")}</legend>${select(["never", "own", "consent"], rest.undo, "new.undo", (value) => { rest.undo = value; })}</fieldset>
      <fieldset><legend>${t("new.press")}</legend>${select(["all", "public", "none"], rest.press, "new.press", (value) => { rest.press = value; })}</fieldset>
      <label><input type="checkbox" .checked=${rest.private} @change=${(/** @type {any} */ event) => { rest.private = event.target.checked; }}> ${t("new.private")}</label>
      <label>${t("new.gametitle")}<input maxlength="80" .value=${rest.title} @input=${(/** @type {any} */ event) => { rest.title = event.target.value; }}></label>
      <button class="primary large">${t("new.create")}</button></form>`;
  }

  /** @param {string[]} values @param {string} value @param {string} family @param {(value: string) => void} set */
  function select(values, value, family, set) {
    return html`<select aria-label=${t(family)} @change=${(/** @type {any} */ event) => set(event.target.value)}>${values.map((one) => html`<option value=${one} ?selected=${one === value}>${t(`${family}.${one}`)}</option>`)}</select>`;
  }

  /** @param {typeof seats[0]} one @param {number} n */
  function seatView(one, n) {
    const put = (/** @type {Partial<typeof one>} */ change) => { Object.assign(one, change); page.update(); };
    return html`<li><span class="label">${t("new.seat", { n: n + 2 })}</span>
      <select aria-label=${t("new.seat", { n: n + 2 })} @change=${(/** @type {any} */ event) => put({ kind: event.target.value })}>${KINDS.map((kind) => html`<option value=${kind} ?selected=${one.kind === kind}>${t(`new.${kind}`)}</option>`)}</select>
      ${one.kind === "bot" ? html`<select aria-label=${t("new.strength")} @change=${(/** @type {any} */ event) => put({ bot: event.target.value })}>${botsOf(ruleset).map((bot) => html`<option value=${bot} ?selected=${one.bot === bot}>${botWords(ruleset, bot)}</option>`)}</select>
        <span class="explained">${botsSummary(ruleset, one.bot)}</span>` : nothing}
      ${one.kind === "invitename" ? html`<input required aria-label=${t("new.name")} placeholder=${t("new.name")} .value=${one.name} @input=${(/** @type {any} */ event) => { one.name = event.target.value; }}>` : nothing}
      ${one.kind === "inviteemail" ? html`<input type="email" required aria-label=${t("new.email")} placeholder=${t("new.email")} .value=${one.email} @input=${(/** @type {any} */ event) => { one.email = event.target.value; }}>` : nothing}</li>`;
  }

  function settingsView() {
    const schema = /** @type {any} */ (ruleset.settings);
    const names = Object.keys(schema.properties || {});
    if (!names.length) return nothing;
    const explained = explanations(schema.description || "");
    const put = (/** @type {string} */ name, /** @type {any} */ value) => {
      if (value === schema.properties[name].default) delete settings[name];
      else settings[name] = value;
      page.update();
    };
    return html`<details><summary>${t("new.settings")}</summary>${names.map((name) => {
      const field = schema.properties[name];
      const value = settings[name] ?? field.default;
      const label = name.replaceAll("_", " ");
      const note = explained[name] ? html`<span class="explained">${explained[name]}</span>` : nothing;
      if (field.type === "boolean") return html`<label><input type="checkbox" .checked=${value} @change=${(/** @type {any} */ event) => put(name, event.target.checked)}> <span class="setting">${label}</span>${note}</label>`;
      if (field.enum) return html`<label><span class="setting">${label}</span><select @change=${(/** @type {any} */ event) => put(name, field.enum[event.target.selectedIndex])}>${field.enum.map((/** @type {any} */ one) => html`<option ?selected=${one === value}>${String(one).replaceAll("_", " ")}</option>`)}</select>${note}</label>`;
      return html`<label><span class="setting">${label}</span><input type="number" min=${field.minimum ?? nothing} max=${field.maximum ?? nothing} .value=${String(value)} @change=${(/** @type {any} */ event) => put(name, Number(event.target.value))}>${note}</label>`;
    })}</details>`;
  }

  function clockDetail() {
    const number = (/** @type {"time" | "bank" | "grace" | "cool_off"} */ name, /** @type {string} */ word) => html`<label>${t(word)}<input type="number" min="0" step="any" .value=${String(detail[name])} @change=${(/** @type {any} */ event) => { detail[name] = Number(event.target.value); }}></label>`;
    return html`<div class="card detail">${number("time", "new.clock.time")}${number("bank", "new.clock.bank")}${number("grace", "new.clock.grace")}${number("cool_off", "new.clock.cooloff")}
      <label>${t("new.clock.zone")}<input .value=${detail.zone} @change=${(/** @type {any} */ event) => { detail.zone = event.target.value; }}></label>
      <fieldset><legend>${t("new.clock.hours")}</legend><input type="time" aria-label=${t("new.clock.hours")} .value=${detail.from} @change=${(/** @type {any} */ event) => { detail.from = event.target.value; }}> – <input type="time" aria-label=${t("new.clock.hours")} .value=${detail.until} @change=${(/** @type {any} */ event) => { detail.until = event.target.value; }}></fieldset>
      <fieldset><legend>${t("new.clock.days")}</legend><div class="pick">${DAYS.map((day) => html`<label><input type="checkbox" .checked=${detail.days.has(day)} @change=${(/** @type {any} */ event) => { if (event.target.checked) detail.days.add(day); else detail.days.delete(day); }}><span>${day}</span></label>`)}</div></fieldset></div>`;
  }
}

/** A bot with its strength, as far as that was measured. @param {any} ruleset @param {string} name */
function botWords(ruleset, name) {
  const listed = ruleset.bots?.find((/** @type {any} */ bot) => bot.bot === name);
  return listed?.rating ? t("new.rated", { name, rating: listed.rating, give: listed.uncertainty ? ` ± ${listed.uncertainty}` : "" }) : t("new.unrated", { name });
}

/** How a bot plays, as the ruleset says it. @param {any} ruleset @param {string} name */
function botsSummary(ruleset, name) {
  return ruleset.bots?.find((/** @type {any} */ bot) => bot.bot === name)?.summary ?? "";
}

/** What each setting means: the ruleset says it as "`name`: what it does." @param {string} description @returns {Record<string, string>} */
function explanations(description) {
  const parts = description.replace(/\s+/g, " ").split(/`(\w+)`: /).slice(1);
  return Object.fromEntries(Array.from({ length: parts.length / 2 }, (_, n) => [parts[2 * n], parts[2 * n + 1].trim()]));
}

/** @param {import("../app.js").Page} page @param {{ id: string, links: { seat: number, address: string }[] }} opened */
function shareLinks(page, { id, links }) {
  return html`<div class="narrow"><h1>${t("new.links")}</h1><ul class="rows card">${links.map(({ seat, address }) => html`<li><label class="grow">${t("new.link", { n: seat + 1 })}<input readonly .value=${address} @focus=${(/** @type {any} */ event) => event.target.select()}></label>
    <button @click=${() => page.attempt(async () => { await navigator.clipboard.writeText(address); page.say(t("new.copied")); })}>${t("new.copy")}</button></li>`)}</ul>
    <a class="button primary" href="/games/${id}">${t("new.totable")}</a></div>`;
}
