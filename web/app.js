// The frame: which view an address shows, the bar above it, notices of the page itself, and drawing it all anew.

import { html, nothing, render } from "./vendor/lit-html.js";
import { Problem, get, onReach } from "./api.js";
import { badge, renew } from "./push.js";
import { isGuest, restore, session } from "./session.js";
import * as welcome from "./views/welcome.js";
import { t } from "./words.js";

/**
 * What an address shows. `render` says how it looks now; whoever changes something calls `page.update()`.
 * @typedef {{ title: string, isWide?: boolean, render: () => unknown, leave?: () => void, onKey?: (event: KeyboardEvent) => void }} View
 */
/**
 * A view module exports `open(page, params)`.
 * @typedef {{ open: (page: Page, params: Record<string, string>) => View | Promise<View> }} ViewModule
 */

/** The addresses, as api/page.py has them. @type {[string, () => Promise<ViewModule> | ViewModule][]} */
const VIEWS = [
  ["/", () => welcome],
  ["/games", () => import("./views/games.js")],
  ["/games/new", () => import("./views/new.js")],
  ["/games/<game_id>", () => import("./views/table.js")],
  ["/games/<game_id>/replay", () => import("./views/replay.js")],
  ["/lobby", () => import("./views/lobby.js")],
  ["/settings", () => import("./views/settings.js")],
  ["/help", () => import("./views/help.js")],
  ["/help/<topic>", () => import("./views/help.js")],
  ["/sign-in", () => import("./views/sign-in.js")],
  ["/prove", () => import("./views/sign-in.js")],
];

export class Page {
  constructor() {
    /** @type {View} */
    this.view = { title: "", render: () => nothing };
    this.path = "";
    /** @type {{ text: string, isError: boolean } | null} */
    this.toast = null;
    this.isReached = true;
    this.unread = 0;
    this.isDrawing = false;
    this.visit = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.toastTimer = undefined;
  }

  /** Draws anew, once, whoever else asks for it in this moment. */
  update() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    queueMicrotask(() => {
      this.isDrawing = false;
      this.draw();
    });
  }

  draw() {
    document.title = this.view.title ? `${this.view.title} · Waybill` : "Waybill";
    render(frame(this), /** @type {HTMLElement} */ (document.getElementById("page")));
  }

  /** Goes to an address of the page. @param {string} path @param {boolean} [isReplacing] */
  go(path, isReplacing = false) {
    if (isReplacing) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    return this.show();
  }

  /** Shows what the address says. */
  async show() {
    const visit = ++this.visit;
    const path = location.pathname.replace(/(.)\/+$/, "$1");
    const found = match(path);
    const moved = path !== this.path;
    this.path = path;
    /** @type {View} */
    let view;
    try {
      const module = found ? await found.load() : null;
      if (visit !== this.visit) return;
      view = module && found ? await module.open(this, found.params) : missing();
    } catch (error) {
      view = failed(error);
    }
    if (visit !== this.visit) return view.leave?.();
    this.view.leave?.();
    this.view = view;
    this.draw();
    document.documentElement.dataset.ready = path;
    if (moved) {
      scrollTo(0, 0);
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  }

  /** Tells something for a few seconds, aloud too. @param {string} text @param {boolean} [isError] */
  say(text, isError = false) {
    this.toast = { text, isError };
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => this.hush(), isError ? 12000 : 5000);
    this.announce(text);
    this.update();
  }

  hush() {
    this.toast = null;
    this.update();
  }

  /** For those who listen. @param {string} text */
  announce(text) {
    const region = document.getElementById("live");
    if (region) region.textContent = text;
  }

  /** Does something, and says so if it cannot be done. @param {() => Promise<unknown>} work */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), true);
      return undefined;
    }
  }

  async countUnread() {
    if (!session.me) return badge(0);
    const [{ unread }, waiting] = await Promise.all([get("/notices?unread=1&limit=1"), get("/games?mine=1&to_act=1&limit=100")]);
    this.unread = unread;
    badge(waiting.length);
    this.update();
  }
}

/** @param {string} path */
function match(path) {
  for (const [pattern, load] of VIEWS) {
    const names = [...pattern.matchAll(/<(\w+)>/g)].map((found) => found[1]);
    const found = new RegExp(`^${pattern.replace(/<\w+>/g, "([^/]+)")}$`).exec(path);
    if (found) {
      return { load, params: Object.fromEntries(names.map((name, n) => [name, decodeURIComponent(found[n + 1])])) };
    }
  }
  return null;
}

/** @returns {View} */
function missing() {
  return {
    title: t("missing.title"),
    render: () => html`<div class="narrow card"><h1>${t("missing.title")}</h1><p>${t("missing.text")}</p>
      <p><a class="button" href="/">${t("missing.home")}</a></p></div>`,
  };
}

/** @param {unknown} error @returns {View} */
function failed(error) {
  const isGone = error instanceof Problem && error.status === 404;
  const isAnonymous = error instanceof Problem && error.status === 401;
  if (!(error instanceof Problem)) console.error(error);
  const title = isGone ? t("missing.title") : isAnonymous ? t("signin.needed") : t("failed.title");
  return {
    title,
    render: () => html`<div class="narrow card"><h1>${title}</h1>
      <p>${error instanceof Error ? error.message : String(error)}</p>
      <p class="buttons">${isAnonymous
        ? html`<a class="button primary" href="/sign-in">${t("nav.signin")}</a>`
        : html`<button class="primary" @click=${() => location.reload()}>${t("failed.again")}</button>`}
        <a class="button" href="/">${t("missing.home")}</a></p></div>`,
  };
}

/** @param {Page} page */
function frame(page) {
  const links = session.me
    ? [["/games", t("nav.games")], ["/lobby", t("nav.lobby")], ["/games/new", t("nav.new"), "spare"], ["/help", t("nav.help")]]
    : [["/lobby", t("nav.lobby")], ["/help", t("nav.help")]];
  return html`
    <a class="skip" href="#main" @click=${skip}>${t("nav.skip")}</a>
    <header class="bar">
      <a class="brand" href="/" aria-label="Waybill"><svg viewBox="0 0 64 64" width="28" height="28" aria-hidden="true"><rect width="64" height="64" rx="14" class="brand-back"/><path d="M12 20h40v26H12z" class="brand-paper"/><path d="M12 20l20 15 20-15" class="brand-fold"/><circle cx="32" cy="36" r="7" class="brand-seal"/></svg><span>Waybill</span></a>
      <nav aria-label=${t("nav.main")}>
        ${links.map(([path, name, kind]) => html`<a href=${path} class=${kind ?? nothing} aria-current=${page.path === path ? "page" : nothing}>${name}${
          path === "/games" && page.unread ? html`<span class="count" title=${t("nav.unread", { n: page.unread })}>${page.unread}</span>` : nothing}</a>`)}
        ${session.me
          ? html`<a href="/settings" class="me" aria-current=${page.path === "/settings" ? "page" : nothing}><span class="initial" aria-hidden="true">${session.me.name.slice(0, 1)}</span><span class="whole">${session.me.name}</span>${
              isGuest() ? html` <span class="tag">${t("nav.guest")}</span>` : nothing}</a>`
          : html`<a href="/sign-in" class="me">${t("nav.signin")}</a>`}
      </nav>
    </header>
    ${page.isReached ? nothing : html`<p class="offline" role="alert">${t("offline.notice")}</p>`}
    <main id="main" tabindex="-1" class=${page.view.isWide ? "wide" : ""}>${page.view.render()}</main>
    ${page.toast ? html`<div class=${page.toast.isError ? "toast error" : "toast"}><span>${page.toast.text}</span>
      <button class="quiet" @click=${() => page.hush()}>${t("close")}</button></div>` : nothing}`;
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** Links to the page's own addresses do not load it anew. @param {Page} page */
function catchLinks(page) {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || link.target || link.download) return;
    if (link.origin !== location.origin || !match(link.pathname)) return;
    event.preventDefault();
    if (link.pathname + link.search !== location.pathname + location.search || link.pathname !== page.path) {
      page.go(link.pathname + link.search + link.hash);
    }
  });
}

async function begin() {
  const page = new Page();
  catchLinks(page);
  addEventListener("popstate", () => {
    if (location.pathname !== page.path) page.show();
  });
  addEventListener("keydown", (event) => page.view.onKey?.(event));
  addEventListener("offline", () => reach(false));
  addEventListener("online", () => reach(true));
  /** @param {boolean} reached */
  const reach = (reached) => {
    if (page.isReached !== reached) {
      page.isReached = reached;
      page.update();
    }
  };
  onReach(reach);
  try {
    await restore();
  } catch (error) {
    page.say(error instanceof Error ? error.message : String(error), true);
  }
  await page.show();
  page.countUnread().catch(() => {});
  if ("serviceWorker" in navigator && isSecureContext) {
    navigator.serviceWorker.register("/sw.js").then(renew).catch(() => {});
  }
}

begin();
