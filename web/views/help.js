// Help: how one plays here, how orders are written, how fairness is proved, and the rules of each game as they are served.

import { html, nothing } from "../vendor/lit-html.js";
import { getText, rulesets } from "../api.js";
import { t } from "../words.js";

/** @param {import("../app.js").Page} _page @param {Record<string, string>} params @returns {Promise<import("../app.js").View>} */
export async function open(_page, params) {
  const known = await rulesets();
  const game = known.find((one) => one.key === params.topic);
  if (params.topic && game) return rulesOf(game);
  return {
    title: t("help.title"),
    render: () => html`<div class="narrow"><h1>${t("help.title")}</h1>
      <section><h2>${t("help.rules")}</h2><ul class="rows card">${known.map((one) => html`<li><span class="grow"><a href="/help/${one.key}"><b>${one.name}</b></a><br><span class="faint">${one.summary}</span></span></li>`)}</ul></section>
      ${["play", "orders", "sealed", "time", "fair", "mail", "keys", "programs"].map((topic) => html`<section id=${topic}><h2>${t(`help.${topic}`)}</h2>
        ${t(`help.${topic}.text`).split("\n").map((line) => html`<p>${line}</p>`)}
        ${topic === "programs" ? html`<p class="buttons"><a class="button" href="/v1/docs" target="_blank" rel="noopener">${t("help.docs")}</a><a class="button" href="/v1/openapi.json" target="_blank" rel="noopener">openapi.json</a></p>` : nothing}</section>`)}
      </div>`,
  };
}

/** The rules of a game as they are served; how its orders are written beside them. @param {import("../api.js").Schemas["Ruleset"]} game @returns {Promise<import("../app.js").View>} */
async function rulesOf(game) {
  const source = await getText(`/rulesets/${game.key}/rules?format=html`, { accept: "text/html" });
  const served = new DOMParser().parseFromString(source, "text/html");
  const text = document.createElement("article");
  text.className = "rules";
  text.append(...[...served.querySelectorAll("main > *")].map((node) => document.importNode(node, true)));
  for (const picture of text.querySelectorAll("img")) {
    picture.src = new URL(picture.getAttribute("src") || "", `${location.origin}/v1/rulesets/${game.key}/rules`).href;
    picture.loading = "lazy";
  }
  for (const wide of text.querySelectorAll("pre")) wide.tabIndex = 0;
  for (const wide of text.querySelectorAll(".wide")) wide.setAttribute("role", "group");
  for (const head of text.querySelectorAll("th:empty")) head.replaceWith(document.createElement("td"));
  for (const link of text.querySelectorAll("a[href]")) {
    const target = link.getAttribute("href") || "";
    if (!target.startsWith("#")) link.setAttribute("target", "_blank");
  }
  return {
    title: t("help.rulesof", { name: game.name }),
    render: () => html`<p><a href="/help">${t("help.title")}</a></p>
      <details class="card notation"><summary>${t("help.notation")}</summary><p class="faint small">${t("help.notationlead")}</p>
        <ul>${game.moves.map((move) => html`<li><code>${move.notation}</code></li>`)}</ul></details>${text}`,
  };
}
