// Coming in: by a letter, by a new name, by a token; and proving an address.

import { html } from "../vendor/lit-html.js";
import { get, post, useToken } from "../api.js";
import { remember, reload, signUp, signUpAsGuest } from "../session.js";
import { t } from "../words.js";

/** @param {import("../app.js").Page} page @returns {Promise<import("../app.js").View>} */
export async function open(page) {
  const isProof = location.pathname === "/prove";
  let isSent = false;

  const enter = async () => {
    await page.countUnread().catch(() => {});
    await page.go("/games", true);
  };
  const confirm = (/** @type {string} */ secret) => page.attempt(async () => {
    if (isProof) {
      await post("/me/email/confirm", { token: secret }, { key: null });
      await reload();
      page.say(t("prove.done"));
      await page.go("/settings", true);
    } else {
      const answer = await post("/sign-in/confirm", { token: secret }, { key: null });
      remember(answer);
      page.say(t("signin.welcome", { name: answer.player.name }));
      await enter();
    }
  });
  /** @param {(form: Record<string, string>) => Promise<unknown>} work */
  const submitted = (work) => (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    page.attempt(() => work(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))));
  };

  /** What a letter holds stands behind the #: never sent to any server, so in no log. */
  const follow = async () => {
    const letter = location.hash.slice(1);
    if (letter.startsWith("wl_")) await confirm(letter);
  };
  addEventListener("hashchange", follow);
  await follow();

  const code = () => html`<form class="card" @submit=${submitted(({ code }) => confirm(code))}>
      <label>${isProof ? t("prove.lead") : t("signin.code")}
        <input name="code" required pattern="\\s*wl_\\w+\\s*" autocomplete="off" spellcheck="false" placeholder="wl_…"></label>
      <button class=${isProof ? "primary" : ""}>${isProof ? t("prove.confirm") : t("signin.confirm")}</button></form>`;

  return {
    title: isProof ? t("prove.title") : t("signin.title"),
    leave: () => removeEventListener("hashchange", follow),
    render: () => isProof ? html`<div class="narrow"><h1>${t("prove.title")}</h1>${code()}</div>` : html`
      <div class="narrow"><h1>${t("signin.title")}</h1>
        <form class="card" @submit=${submitted(async ({ email }) => {
          await post("/sign-in", { email }, { key: null });
          isSent = true;
          page.update();
        })}>
          <p>${t("signin.lead")}</p>
          <label>${t("signin.email")}<input type="email" name="email" required autocomplete="email"></label>
          <button class="primary">${t("signin.send")}</button>
          <p role="status">${isSent ? t("signin.sent") : ""}</p>
        </form>
        ${code()}
        <h2>${t("signin.new")}</h2>
        <form class="card" @submit=${submitted(async ({ name, email }) => {
          await signUp(name, email);
          page.say(t("signin.welcome", { name }));
          await enter();
        })}>
          <p>${t("signin.newlead")}</p>
          <label>${t("signin.name")}<input name="name" required maxlength="40" autocomplete="nickname"></label>
          <label>${t("signin.optional")}<input type="email" name="email" autocomplete="email"></label>
          <div class="buttons"><button class="primary">${t("signin.signup")}</button>
          <button type="button" class="quiet" @click=${() => page.attempt(async () => {
            await signUpAsGuest();
            await enter();
          })}>${t("signin.guest")}</button></div>
        </form>
        <details><summary>${t("signin.token")}</summary>
        <form class="card" @submit=${submitted(async ({ token }) => {
          useToken(token);
          remember({ token, player: await get("/me") });
          await enter();
        })}>
          <label>${t("signin.tokenhint")}<input name="token" required pattern="\\s*wb_\\w+\\s*" autocomplete="off" spellcheck="false" placeholder="wb_…"></label>
          <button>${t("signin.confirm")}</button>
        </form></details>
      </div>`,
  };
}
