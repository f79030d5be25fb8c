// Settings: name and address, how one is told, tokens and webhooks for programs, one's data.

import { html, nothing } from "../vendor/lit-html.js";
import { get, patch, post, remove } from "../api.js";
import { when } from "../format.js";
import * as push from "../push.js";
import { forget, isGuest, reload, session } from "../session.js";
import { hasWords, t } from "../words.js";

const SCOPES = ["read", "play", "host", "account"];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** @param {import("../app.js").Page} page @returns {Promise<import("../app.js").View>} */
export async function open(page) {
  let preferences = await get("/me/preferences");
  /** @type {any[]} */
  let tokens = [];
  /** @type {any[]} */
  let webhooks = [];
  /** @type {{ key: string | null, subscriptions: any[] }} */
  let browsers = { key: null, subscriptions: [] };
  /** What is shown once. @type {string} */
  let secret = "";
  /** @type {Map<number, any[]>} */
  const deliveries = new Map();
  let isLeaving = false;
  let isSent = false;

  const loadLists = async () => {
    [tokens, webhooks, browsers] = await Promise.all([get("/me/tokens"), get("/webhooks"), get("/push-subscriptions")]);
    page.update();
  };
  await loadLists();

  /** @param {(form: FormData) => Promise<unknown>} work */
  const submitted = (work) => (/** @type {any} */ event) => {
    event.preventDefault();
    page.attempt(() => work(new FormData(event.target)));
  };
  const prefer = (/** @type {Record<string, unknown>} */ change) => page.attempt(async () => {
    preferences = await patch("/me/preferences", change);
    page.say(t("saved"));
  });
  const channels = () => ["feed", "mail", ...(browsers.key ? ["push"] : [])];
  const hour = (/** @type {number} */ value, /** @type {string} */ label, /** @type {(hour: number) => void} */ set) => html`<select aria-label=${label} @change=${(/** @type {any} */ event) => set(Number(event.target.value))}>${HOURS.map((one) => html`<option value=${one} ?selected=${one === value}>${String(one).padStart(2, "0")}:00</option>`)}</select>`;

  return {
    title: t("settings.title"),
    render: () => html`<div class="narrow"><h1>${t("settings.title")}</h1>${you()}${told()}${forPrograms()}${data()}</div>`,
  };

  function you() {
    const me = session.me;
    if (!me) return nothing;
    return html`<section><h2>${t("settings.you")}</h2><div class="card">
      <form @submit=${submitted(async (form) => { session.me = await patch("/me", { name: String(form.get("name")).trim() }); page.say(t("saved")); })}>
        <label>${t("signin.name")}<input name="name" required maxlength="40" .value=${me.name}></label><button>${t("save")}</button></form>
      <hr>
      ${isGuest() ? html`<p>${t("guest.keep")}</p>` : nothing}
      <p>${me.email ? t("settings.email", { email: me.email }) : me.unproved_email ? t("settings.unproved", { email: me.unproved_email }) : t("settings.noemail")}
        ${me.unproved_email ? html`<a href="/prove">${t("settings.prove")}</a>` : nothing}</p>
      <form @submit=${submitted(async (form) => { await post("/me/email", { email: String(form.get("email")).trim() }, { key: null }); await reload(); isSent = true; page.update(); })}>
        <label>${me.email ? t("settings.otheremail") : t("settings.addemail")}<input type="email" name="email" required autocomplete="email"></label>
        <button class=${me.email ? "" : "primary"}>${t("settings.sendproof")}</button><p role="status">${isSent ? t("settings.proofsent") : ""}</p></form>
      <hr><button @click=${() => page.attempt(async () => { await push.switchOff(); forget(); push.badge(0); await page.go("/"); })}>${t("settings.signout")}</button>
      ${isGuest() ? html`<p class="warning small">${t("settings.signoutguest")}</p>` : nothing}</div></section>`;
  }

  function told() {
    const quiet = preferences.quiet_hours;
    return html`<section><h2>${t("settings.told")}</h2><div class="card">${thisBrowser()}
      <label>${t("settings.zone")}<input .value=${preferences.zone} list="zones" @change=${(/** @type {any} */ event) => prefer({ zone: event.target.value })}></label>
      <datalist id="zones">${zones().map((zone) => html`<option value=${zone}></option>`)}</datalist>
      <p class="buttons">${t("settings.digest")} ${hour(preferences.digest_hour, t("settings.digest"), (value) => prefer({ digest_hour: value }))}</p>
      <p class="buttons"><label class="inline"><input type="checkbox" .checked=${quiet !== null} @change=${(/** @type {any} */ event) => prefer({ quiet_hours: event.target.checked ? { from: 22, until: 7 } : null })}> ${t("settings.quiet")}</label>
        ${quiet ? html`${hour(quiet.from, t("settings.quietfrom"), (value) => prefer({ quiet_hours: { ...quiet, from: value } }))} – ${hour(quiet.until, t("settings.quietuntil"), (value) => prefer({ quiet_hours: { ...quiet, until: value } }))}` : nothing}</p>
      <label class="inline"><input type="checkbox" .checked=${preferences.while_looking} @change=${(/** @type {any} */ event) => prefer({ while_looking: event.target.checked })}> ${t("settings.looking")}</label>
      <div class="scroll" tabindex="0" role="group" aria-label=${t("settings.kinds")}><table><thead><tr><th scope="col">${t("settings.kind")}</th>${channels().map((channel) => html`<th scope="col">${hasWords(`settings.channel.${channel}`) ? t(`settings.channel.${channel}`) : channel}</th>`)}<th scope="col">${t("settings.when")}</th></tr></thead>
        <tbody>${Object.entries(preferences.kinds).map(([kind, /** @type {any} */ choice]) => kindRow(kind, choice))}</tbody></table></div></div></section>`;
  }

  function thisBrowser() {
    if (!browsers.key) return nothing;
    const here = push.thisBrowser();
    const isOn = browsers.subscriptions.some((one) => one.id === here);
    const change = (/** @type {() => Promise<unknown>} */ work) => () => page.attempt(async () => { await work(); await loadLists(); page.say(t("saved")); });
    const key = browsers.key;
    return html`<h3>${t("push.title")}</h3><p>${t("push.lead")}</p>
      ${isOn ? html`<button id="push-off" @click=${change(push.switchOff)}>${t("push.off")}</button>`
        : push.isPossible() ? html`<button id="push-on" @click=${change(() => push.switchOn(key))}>${t("push.on")}</button>`
        : html`<p class="faint">${t("push.impossible")}</p>`}
      ${browsers.subscriptions.length ? html`<ul class="rows">${browsers.subscriptions.map((one) => html`<li><span class="grow"><b>${one.label}</b>${one.id === here ? html` <span class="tag">${t("push.here")}</span>` : nothing}<br><span class="faint">${t("push.since", { when: when(one.created_at) })}</span></span>
        ${one.id === here ? nothing : html`<button class="quiet" aria-label="${t("settings.remove")} ${one.label}" @click=${change(() => remove(`/push-subscriptions/${one.id}`))}>${t("settings.remove")}</button>`}</li>`)}</ul>` : nothing}<hr>`;
  }

  /** @param {string} kind @param {any} choice */
  function kindRow(kind, choice) {
    const name = hasWords(`settings.kind.${kind}`) ? t(`settings.kind.${kind}`) : kind.replaceAll("_", " ");
    const put = (/** @type {Record<string, unknown>} */ change) => prefer({ kinds: { [kind]: { ...choice, ...change } } });
    return html`<tr><th scope="row">${name}</th>${channels().map((channel) => html`<td><input type="checkbox" aria-label="${name}: ${channel}" .checked=${choice.channels.includes(channel)}
      @change=${(/** @type {any} */ event) => put({ channels: event.target.checked ? [...choice.channels, channel] : choice.channels.filter((/** @type {string} */ one) => one !== channel) })}></td>`)}
      <td><select aria-label="${name}: ${t("settings.when")}" @change=${(/** @type {any} */ event) => put({ when: event.target.value })}>${["at_once", "digest"].map((one) => html`<option value=${one} ?selected=${choice.when === one}>${t(`settings.when.${one}`)}</option>`)}</select></td></tr>`;
  }

  function forPrograms() {
    return html`<section><h2>${t("settings.programs")}</h2><div class="card">
      ${secret ? html`<p class="card stands" role="status">${t("settings.once")}<br><code>${secret}</code></p>` : nothing}
      <h3>${t("settings.tokens")}</h3>
      <ul class="rows">${tokens.filter((token) => !token.revoked_at).map((token) => html`<li><span class="grow"><b>${token.label || t("settings.nolabel")}</b> <code>${token.hint}…</code><br><span class="faint">${token.scopes.join(", ")} · ${when(token.created_at)}</span></span>
        <button class="quiet" aria-label="${t("settings.revoke")} ${token.label || token.hint}" @click=${() => page.attempt(async () => { await remove(`/me/tokens/${token.id}`); await loadLists(); })}>${t("settings.revoke")}</button></li>`)}</ul>
      <form @submit=${submitted(async (form) => {
        const made = await post("/me/tokens", { label: String(form.get("label")), scopes: form.getAll("scope") });
        secret = made.token;
        await loadLists();
      })}><label>${t("settings.label")}<input name="label" maxlength="64"></label>
        <fieldset><legend>${t("settings.scopes")}</legend><div class="pick">${SCOPES.map((scope) => html`<label><input type="checkbox" name="scope" value=${scope} ?checked=${scope !== "account"}><span>${scope}</span></label>`)}</div></fieldset>
        <button>${t("settings.maketoken")}</button></form>
      <hr><h3>${t("settings.webhooks")}</h3>
      <ul class="rows">${webhooks.map((hook) => html`<li><span class="grow"><b>${hook.label || hook.url}</b><br><span class="faint">${hook.url}${hook.off_at ? ` · ${t("settings.off")}: ${hook.off_why}` : hook.failing_since ? ` · ${t("settings.failing", { when: when(hook.failing_since) })}` : ""}</span>
        ${deliveries.has(hook.id) ? html`<ul class="small">${deliveries.get(hook.id)?.map((delivery) => html`<li>${delivery.type} ${delivery.state} <span class="faint">${delivery.reason}</span></li>`)}</ul>` : nothing}</span>
        <button class="quiet" @click=${() => page.attempt(async () => { deliveries.set(hook.id, await get(`/webhooks/${hook.id}/deliveries`)); page.update(); })}>${t("settings.deliveries")}</button>
        <button class="quiet" @click=${() => page.attempt(async () => { await post(`/webhooks/${hook.id}/test`, undefined, { key: null }); page.say(t("settings.tested")); })}>${t("settings.test")}</button>
        <button class="quiet" @click=${() => page.attempt(async () => { await remove(`/webhooks/${hook.id}`); await loadLists(); })}>${t("settings.remove")}</button></li>`)}</ul>
      <form @submit=${submitted(async (form) => {
        const made = await post("/webhooks", { url: String(form.get("url")), label: String(form.get("label")) });
        secret = made.secret;
        await loadLists();
      })}><label>${t("settings.hookurl")}<input type="url" name="url" required placeholder="https://"></label><label>${t("settings.label")}<input name="label" maxlength="64"></label><button>${t("settings.addhook")}</button></form></div></section>`;
  }

  function data() {
    return html`<section><h2>${t("settings.data")}</h2><div class="card"><div class="buttons">
      <button @click=${() => page.attempt(async () => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([JSON.stringify(await get("/me/export"), null, 1)], { type: "application/json" }));
        link.download = "waybill.json";
        link.click();
      })}>${t("settings.export")}</button>
      ${isLeaving ? html`<p class="warning">${t("settings.deleteask")}</p>
        <button class="danger" @click=${() => page.attempt(async () => { await remove("/me"); forget(); await page.go("/"); })}>${t("table.really")}</button>
        <button class="quiet" @click=${() => { isLeaving = false; page.update(); }}>${t("cancel")}</button>`
        : html`<button class="danger" @click=${() => { isLeaving = true; page.update(); }}>${t("settings.delete")}</button>`}</div></div></section>`;
  }
}

/** @returns {string[]} */
function zones() {
  return Intl.supportedValuesOf("timeZone");
}
