// The table: the board, what one is asked, and what has happened; kept fresh by the stream.

import { html, nothing } from "../vendor/lit-html.js";
import { allowance, get, getText, post, remove, rulesets } from "../api.js";
import { Board } from "../board.js";
import { countdown } from "../format.js";
import { Follower } from "../live.js";
import { panels, sectionBody } from "../panels.js";
import { session } from "../session.js";
import { t } from "../words.js";
import { OrderDesk } from "../desk.js";
import { History } from "../history.js";
import { Talk } from "../talk.js";
import { Standing } from "../standing.js";
import { tableMenu } from "../table-menu.js";
import { openAgainstBots } from "./welcome.js";

/** @typedef {import("../api.js").Schemas} Schemas */

const SLOW = 2500; // milliseconds between looks when few requests are left

export class Table {
  /** @param {import("../app.js").Page} page @param {string} id */
  constructor(page, id) {
    this.page = page;
    this.id = id;
    /** @type {any} */
    this.game = null;
    /** @type {any} */
    this.position = null;
    /** @type {Schemas["Ruleset"] | undefined} */
    this.ruleset = undefined;
    /** @type {import("../panels.js").Panel[]} */
    this.panels = [];
    /** @type {import("../live.js").State} */
    this.link = "polling";
    /** @type {Set<string>} */
    this.folded = new Set();
    this.board = new Board((marks) => this.desk.point(marks));
    this.desk = new OrderDesk(this);
    this.history = new History(this);
    this.talk = new Talk(this);
    this.standing = new Standing(this);
    this.isLoading = false;
    this.isStale = false;
    this.isLeft = false;
    this.clockTimer = setInterval(() => this.game?.due_at && page.update(), 1000);
    /** @type {Follower | null} */
    this.follower = null;
  }

  async begin() {
    const [ruleset] = await Promise.all([rulesets(), this.load()]);
    this.ruleset = ruleset.find((one) => one.key === this.game.ruleset);
    this.follower = new Follower(
      `/games/${this.id}/events`,
      (kind, data) => this.happened(kind, data),
      (state) => {
        this.link = state;
        this.page.announce(t(`table.${state}`));
        this.page.update();
      },
      () => this.look(),
    );
    this.markRead();
  }

  /** Who is at the table need not be told of it once more. */
  markRead() {
    if (session.me && this.seat !== null) post("/notices/read", { game: this.id }, { key: null }).then(({ unread }) => {
      this.page.unread = unread;
      this.page.update();
    }).catch(() => {});
  }

  leave() {
    this.isLeft = true;
    this.markRead();
    this.follower?.close();
    clearInterval(this.clockTimer);
  }

  get seat() {
    return /** @type {number | null} */ (this.game?.you ?? null);
  }

  get isAsked() {
    return this.game?.status === "running" && this.seat !== null &&
      this.position?.decisions.some((/** @type {any} */ decision) => decision.seat === this.seat);
  }

  /** @param {number} seat @returns {string} */
  name(seat) {
    return this.game.seats[seat]?.name || t("seat.open");
  }

  /** Something came by the stream. @param {string} kind @param {any} data */
  happened(kind, data) {
    if (kind === "row") {
      if (data.row > (this.position?.row ?? -1)) this.load();
    } else if (kind === "game") {
      const now = this.game;
      if (!now || data.sequence !== now.sequence || data.status !== now.status || data.due_at !== now.due_at ||
        String(data.to_act) !== String(now.to_act)) this.load();
    }
  }

  /** A cheap look whether anything has changed. */
  async look() {
    const game = await get(`/games/${this.id}`, { patient: false });
    if (JSON.stringify(game) !== JSON.stringify(this.game)) await this.load();
    await this.talk.load();
  }

  /** Reads everything anew; who asks meanwhile gets another round after this one. */
  async load() {
    if (this.isLoading) {
      this.isStale = true;
      return;
    }
    this.isLoading = true;
    try {
      do {
        this.isStale = false;
        await this.read();
        if (this.isStale && allowance() < 150) await new Promise((done) => setTimeout(done, SLOW));
      } while (this.isStale && !this.isLeft);
    } finally {
      this.isLoading = false;
      this.page.update();
    }
  }

  async read() {
    const game = await get(`/games/${this.id}`);
    if (game.status === "open") {
      this.game = game;
      this.page.update();
      return;
    }
    const mine = game.you !== null && game.status === "running" && game.to_act !== null;
    const [position, svg, text, options] = await Promise.all([
      get(`/games/${this.id}/position`),
      getText(`/games/${this.id}/board.svg?part=${this.mapPart(game)}`),
      getText(`/games/${this.id}/board.txt?part=full&news=0`),
      mine ? get(`/games/${this.id}/options`) : null,
    ]);
    if (this.isLeft) return;
    const before = this.position;
    this.game = game;
    this.position = position;
    this.panels = panels(text);
    if (this.history.at === null) this.board.show(svg, t("table.map"));
    this.desk.offer(options);
    await this.history.update();
    if (before && position.row > before.row) this.tell(before);
    this.page.update();
  }

  /** Says aloud what came. @param {any} before */
  tell(before) {
    const news = this.history.rows.filter((row) => row.row > before.row).flatMap((row) => row.sentences);
    const asked = this.isAsked && this.desk.prompt ? ` ${t("table.yourturn")}: ${this.desk.prompt}` : "";
    this.page.announce(`${news.slice(-4).join(" ")}${asked}`);
  }

  /** @param {any} game */
  mapPart(game) {
    const parts = this.ruleset?.parts;
    return !parts || parts.includes("map") || game.ruleset !== this.ruleset?.key ? "map" : "";
  }

  /** Shows the board of another moment, or of now. @param {number | null} at */
  async showAt(at) {
    const query = at === null ? "" : `&at=${at}`;
    const svg = await getText(`/games/${this.id}/board.svg?part=map${query}`);
    this.board.show(svg, at === null ? t("table.map") : t("table.at", { n: at }));
    this.desk.light();
    this.page.update();
  }

  /** Does something at the table, then reads what came of it. @param {() => Promise<any>} work @param {string} [said] */
  act(work, said = "") {
    return this.page.attempt(async () => {
      await work();
      await this.load();
      if (said) this.page.say(said);
    });
  }
}

/** @param {import("../app.js").Page} page @param {Record<string, string>} params @returns {Promise<import("../app.js").View>} */
export async function open(page, params) {
  const table = new Table(page, params.game_id);
  try {
    await table.begin();
  } catch (error) {
    table.leave();
    throw error;
  }
  return {
    get title() {
      return `${table.isAsked ? "● " : ""}${table.game.title || table.ruleset?.name || ""}`;
    },
    isWide: true,
    leave: () => table.leave(),
    render: () => (table.game.status === "open" ? waitingRoom(table) : atTable(table)),
  };
}

/** @param {Table} table */
function atTable(table) {
  const { game, board, desk, history } = table;
  return html`<div class="table">
    <div class="head">
      <h1>${game.title || table.ruleset?.name}</h1>
      <p class="faint">${game.title ? `${table.ruleset?.name} · ` : ""}${t("welcome.row", { n: game.sequence })}
        <a href="/help/${game.ruleset}">${t("table.rules")}</a>
        <span class="link ${table.link}" title=${t(`table.${table.link}`)}><i aria-hidden="true"></i><span class="unseen">${t(`table.${table.link}`)}</span></span></p>
      ${clock(table)}
    </div>
    <ul class="players" aria-label=${t("table.standings")}>${game.seats.map((/** @type {any} */ seat) => player(table, seat))}</ul>
    <div class="left"><section class="board" aria-label=${t("table.map")}>
      ${history.banner()}
      <div class="frame">${board.element}
        <div class="zoom">
          <button aria-label=${t("table.zoomin")} @click=${() => board.zoom(1.5)}>+</button>
          <button aria-label=${t("table.zoomout")} @click=${() => board.zoom(1 / 1.5)}>−</button>
          <button aria-label=${t("table.zoomreset")} @click=${() => board.reset()}>⤢</button>
        </div></div>
      ${desk.nearby()}
    </section>
    <section class="panels" aria-label=${t("table.words")}>${table.panels.map((panel) => panelView(table, panel))}</section></div>
    <div class="right"><section class="news card ${history.isAll ? "all" : ""}" aria-label=${t("table.log")}>${history.render()}</section>
    <section class="desk" aria-label=${t("table.choices")} data-state=${desk.state} aria-busy=${desk.isSending || table.isLoading}>${desk.render()}</section>
    <section class="talk card" aria-label=${t("table.press")}>${table.talk.render()}</section>
    ${table.standing.render()}
    <section class="menu card" aria-label=${t("table.more")}>${tableMenu(table)}</section></div>
  </div>`;
}

/** @param {Table} table @param {import("../panels.js").Panel} panel */
function panelView(table, panel) {
  const { title } = panel;
  const size = panel.sections.reduce((sum, section) => sum + section.entries.length + section.rows.length, 0);
  const isWide = matchMedia("(min-width: 50rem)").matches;
  const isOpen = table.folded.has(title) !== (isWide ? size <= 16 : title === t("panel.players"));
  return html`<details class="card" .open=${isOpen} @toggle=${(/** @type {any} */ event) => {
    if (event.target.open === isOpen) return;
    if (table.folded.has(title)) table.folded.delete(title);
    else table.folded.add(title);
    table.page.update();
  }}><summary>${title}</summary>${panel.sections.map(sectionBody)}</details>`;
}

/** @param {Table} table @param {any} seat */
function player(table, seat) {
  const { position, game } = table;
  const standing = position.standings.find((/** @type {any} */ one) => one.seat === seat.seat);
  const asked = position.decisions.find((/** @type {any} */ decision) => decision.seat === seat.seat && decision.required);
  const isSealed = position.sealed.includes(seat.seat);
  const isToAct = game.status === "running" && game.to_act.includes(seat.seat);
  const state = isSealed ? t("seat.sealed") : asked?.kind === "sealed" && game.status === "running" ? t("seat.waits") : isToAct ? t("seat.tomove") : "";
  const kind = seat.seat === game.you ? t("seat.you") : seat.kind === "bot" ? t("seat.bot") : "";
  return html`<li class="player ${isToAct ? "acts" : ""} ${seat.seat === game.you ? "me" : ""}">
    <b>${table.name(seat.seat)}</b>${kind ? html` <span class="tag">${kind}</span>` : nothing}
    <span class="faint small">${standing?.place ? `${t("table.place", { n: standing.place })} ` : ""}${
      standing?.score === null || standing === undefined ? "" : t("seat.score", { n: standing.score })}</span>
    ${state ? html`<span class="state">${state}</span>` : nothing}</li>`;
}

/** @param {Table} table */
function clock({ game }) {
  if (game.status !== "running") return html`<p class="clock">${t(`status.${game.status}`)}</p>`;
  if (!game.due_at) return nothing;
  const left = (new Date(game.due_at).getTime() - Date.now()) / 1000;
  const bank = game.bank && game.you !== null ? ` · ${t("table.bank", { time: countdown(game.bank[game.you]) })}` : "";
  return html`<p class="clock ${left < 600 ? "short" : ""}" role="timer" aria-label=${t("table.clock")}>${countdown(left)}${bank}</p>`;
}

/** Before the start: who is there, and how to get in. @param {Table} table */
function waitingRoom(table) {
  const { game, page, id } = table;
  const isHost = session.me !== null && game.host === session.me.id;
  const free = game.seats.filter((/** @type {any} */ seat) => ["open", "invitation"].includes(seat.kind)).length;
  const token = new URLSearchParams(location.search).get("invitation") || location.hash.slice(1);
  const invitation = token.startsWith("wi_") ? token : null;
  const join = () => page.attempt(async () => {
    if (!session.me) return page.go("/sign-in");
    table.game = await post(`/games/${id}/seats`, invitation ? { token: invitation } : {});
    page.say(t("table.joined"));
    return table.load();
  });
  return html`<div class="narrow"><h1>${game.title || table.ruleset?.name}</h1>
    <p class="faint">${table.ruleset?.name} · ${t("table.waitingopen")} ${t("table.free", { n: free })}.</p>
    <ul class="rows card">${game.seats.map((/** @type {any} */ seat) => html`<li><span class="grow"><b>${seat.name || t(`seat.${seat.kind}`)}</b>
      ${seat.seat === game.you ? html`<span class="tag">${t("seat.you")}</span>` : nothing}
      ${seat.kind === "bot" ? html`<span class="tag">${t("seat.bot")}</span>` : nothing}</span>
      <span class="faint">${seat.record ? (seat.record.in_time === null ? t("seat.norecord") : t("seat.intime", { n: seat.record.in_time })) : ""}</span></li>`)}</ul>
    <p class="buttons">
      ${game.you === null ? html`<button class="primary" @click=${join}>${t("table.join")}</button>` : nothing}
      ${isHost ? html`<button class=${game.you === null ? "" : "primary"} @click=${() => table.act(() => post(`/games/${id}/start`))}>${t("table.start")}</button>` : nothing}
      <button @click=${() => share(page)}>${t("table.share")}</button>
      ${game.you !== null ? html`<button class="quiet" @click=${() => page.attempt(async () => {
        await remove(`/games/${id}/seats/me`);
        await page.go("/games");
      })}>${t("table.leave")}</button>` : nothing}
      <a class="button quiet" href="/help/${game.ruleset}">${t("table.rules")}</a>
    </p></div>`;
}

/** @param {import("../app.js").Page} page */
export function share(page) {
  return page.attempt(async () => {
    const address = location.origin + location.pathname;
    if (navigator.share) return navigator.share({ title: document.title, url: address });
    await navigator.clipboard.writeText(address);
    page.say(t("table.shared"));
    return undefined;
  });
}

/** The final standings, and what to do now. @param {Table} table */
export function ending(table) {
  const { position, game } = table;
  return html`<div class="card ending"><h2>${t("table.over")}</h2>
    <p>${table.ruleset?.endings[game.ending] ?? t("games.noresult")}</p>
    <ol>${position.standings.map((/** @type {any} */ standing) => html`<li><b>${standing.place ? t("table.place", { n: standing.place }) : ""} ${table.name(standing.seat)}</b>
      ${standing.score === null ? "" : t("seat.score", { n: standing.score })} <span class="faint small">${standing.note}</span></li>`)}</ol>
    <p class="buttons"><a class="button primary" href="/games/${table.id}/replay">${t("table.replay")}</a>
      ${session.me && table.ruleset ? html`<button @click=${() => table.page.attempt(async () => table.page.go(`/games/${await openAgainstBots(table.ruleset)}`))}>${t("table.again")}</button>` : nothing}</p></div>`;
}

