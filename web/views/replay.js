// Replay: any game row by row, with its scores and its log; and, once it is over, a proof of it in one's own browser.

import { html, nothing, svg } from "../vendor/lit-html.js";
import { get, getAll, getText, rulesets } from "../api.js";
import { Board } from "../board.js";
import { forkHere } from "../fork.js";
import { rowsAfter } from "../live.js";
import { panels, sectionBody } from "../panels.js";
import { missing, receiptsOf } from "../receipts.js";
import { t } from "../words.js";
import { NotProved, verify } from "../verify.js";
import { nameOf } from "./welcome.js";

const SPEEDS = [2000, 1000, 400, 150]; // milliseconds a row
const PAGES = 40; // of 500 rows: more than any game has
const DASHES = ["", "8 4", "2 4", "10 3 2 3", "5 5", "1 3", "12 6"]; // colours are never alone

/** @param {import("../app.js").Page} page @param {Record<string, string>} params @returns {Promise<import("../app.js").View>} */
export async function open(page, params) {
  const id = params.game_id;
  const [game, position, rows, known] = await Promise.all([get(`/games/${id}`), get(`/games/${id}/position`), rowsAfter(id, -1), rulesets()]);
  const last = rows[rows.length - 1]?.row ?? 0;
  /** @type {(number | null)[][]} */
  let scores = [];
  /** @type {import("../panels.js").Panel[]} */
  let words = [];
  let at = Math.min(last, rowOf(location.hash) ?? last);
  let seenBy = "";
  /** Why bots moved as they did, by row. @type {Map<number, string[]>} */
  const reasons = new Map();
  let speed = 1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer = undefined;
  let isLeft = false;
  /** @type {{ text: string, isGood: boolean } | null} */
  let proof = null;
  let isProving = false;
  const board = new Board(() => {});

  const query = () => `at=${at}${seenBy ? `&seen_by=${seenBy}` : ""}`;
  const show = async () => {
    const wanted = query();
    history.replaceState(null, "", `#row-${at}`);
    page.update();
    const [picture, text] = await Promise.all([getText(`/games/${id}/board.svg?part=map&${wanted}`), getText(`/games/${id}/board.txt?part=full&news=0&${wanted}`)]);
    if (isLeft || wanted !== query()) return;
    board.show(picture, t("table.at", { n: at }));
    words = panels(text);
    page.update();
    setTimeout(follow);
  };
  /** The log goes along with the board; the page itself stays where it is. */
  const follow = () => {
    const shown = document.querySelector(".log .shown"), log = shown?.parentElement;
    if (shown && log) log.scrollTop += shown.getBoundingClientRect().top - log.getBoundingClientRect().top - log.clientHeight / 3;
  };
  const go = (/** @type {number} */ row) => {
    at = Math.min(last, Math.max(0, row));
    return page.attempt(show);
  };
  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
    page.update();
  };
  const play = () => {
    if (at >= last) at = -1;
    const step = async () => {
      await go(at + 1);
      if (timer !== undefined && at < last && !isLeft) timer = setTimeout(step, SPEEDS[speed]);
      else pause();
    };
    timer = setTimeout(step, 0);
    page.update();
  };
  const mine = () => rows.filter((row) => row.orders.some((/** @type {any} */ order) => order.seat === game.you)).map((row) => row.row);
  const prove = () => page.attempt(async () => {
    isProving = true;
    page.update();
    try {
      const found = await verify(await getText(`/games/${id}/record`));
      const receipts = receiptsOf(id);
      const [lost] = missing(receipts, found.envelopes);
      const mine = lost ? t("replay.receiptlost", { row: lost.row }) : receipts.length ? t("replay.receipts", { n: receipts.length }) : found.envelopes.length && game.you !== null ? t("replay.noreceipts") : "";
      const proved = t("replay.proved", { rows: found.rows, draws: found.draws, envelopes: found.envelopes.length });
      const begun = found.forkedFrom ? t("replay.forked", found.forkedFrom) : "";
      proof = { isGood: !lost, text: [proved, begun, mine].filter(Boolean).join(" ") };
    } catch (error) {
      if (!(error instanceof NotProved)) throw error;
      proof = { isGood: false, text: t(`replay.not.${error.what}`, { row: error.row }) };
    } finally {
      isProving = false;
    }
    page.say(proof.text, !proof.isGood);
  });
  const save = (/** @type {string} */ path, /** @type {string} */ name, /** @type {string} */ type) => page.attempt(async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await getText(path)], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });

  const onHash = () => {
    const row = rowOf(location.hash);
    if (row !== null && row !== at) go(row);
  };
  addEventListener("hashchange", onHash);
  await show();
  getAll(`/games/${id}/scores?limit=500`, PAGES, "scores").then((found) => {
    scores = game.seats.map((/** @type {any} */ one) => found.map((row) => row.scores[one.seat]));
    page.update();
  }).catch(() => {});
  if (game.status === "over") {
    getAll(`/games/${id}/reasons?limit=500`, PAGES, "reasons").then((found) => {
      for (const { row, seat, reason } of found) reasons.set(row, [...(reasons.get(row) ?? []), t("replay.why", { name: position.players[seat], why: reason })]);
      page.update();
      setTimeout(follow);
    }).catch(() => {});
  }

  return {
    title: t("replay.title"),
    isWide: true,
    leave: () => {
      isLeft = true;
      clearTimeout(timer);
      removeEventListener("hashchange", onHash);
    },
    onKey: (event) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, .map")) return;
      if (event.key === "ArrowLeft") go(at - 1);
      else if (event.key === "ArrowRight") go(at + 1);
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(last);
      else if (event.key === " " && !(event.target instanceof HTMLElement && event.target.closest("button, summary, a"))) timer === undefined ? play() : pause();
      else return;
      event.preventDefault();
    },
    render: () => {
      const before = mine().findLast((row) => row < at);
      const after = mine().find((row) => row > at);
      return html`<div class="table replay">
      <div class="head"><h1>${t("replay.of", { name: game.title || nameOf(known, game.ruleset) })}</h1><a href="/games/${id}">${t("replay.table")}</a></div>
      <div class="left"><section class="board" aria-label=${t("table.map")}><div class="frame">${board.element}</div></section>
        <div class="card player-controls">
          <input type="range" aria-label=${t("replay.row")} min="0" max=${last} .value=${String(at)} @input=${(/** @type {any} */ event) => go(Number(event.target.value))}>
          <div class="buttons">
            <button aria-label=${t("table.before")} ?disabled=${at <= 0} @click=${() => go(at - 1)}>◀</button>
            <button class="primary" @click=${() => (timer === undefined ? play() : pause())}>${timer === undefined ? t("replay.play") : t("replay.pause")}</button>
            <button aria-label=${t("table.after")} ?disabled=${at >= last} @click=${() => go(at + 1)}>▶</button>
            <b class="number" aria-live="polite">${t("replay.at", { n: at, last })}</b>
            <label class="inline">${t("replay.speed")} <select @change=${(/** @type {any} */ event) => { speed = event.target.selectedIndex; }}>${SPEEDS.map((_, n) => html`<option ?selected=${n === speed}>${t("replay.times", { n: [0.5, 1, 2.5, 7][n] })}</option>`)}</select></label>
            ${game.you === null ? nothing : html`<button ?disabled=${before === undefined} @click=${() => before !== undefined && go(before)}>${t("replay.mineback")}</button>
            <button ?disabled=${after === undefined} @click=${() => after !== undefined && go(after)}>${t("replay.mineon")}</button>`}
            ${game.status === "over" ? html`<label class="inline">${t("replay.seenby")} <select @change=${(/** @type {any} */ event) => { seenBy = event.target.value; page.attempt(show); }}>
              <option value="">${t("replay.everything")}</option>${game.seats.map((/** @type {any} */ seat) => html`<option value=${seat.seat}>${position.players[seat.seat]}</option>`)}</select></label>` : nothing}
          </div></div>
        ${scores.length ? html`<section class="card chart" aria-label=${t("replay.scores")}><h2>${t("replay.scores")}</h2>${chart(scores, at, position.players, go)}</section>` : nothing}
        <section class="panels" aria-label=${t("table.words")}>${words.map((panel) => html`<details class="card"><summary>${panel.title}</summary>${panel.sections.map(sectionBody)}</details>`)}</section></div>
      <div class="right"><section class="news card" aria-label=${t("table.log")}><h2>${t("table.log")}</h2><ol class="log tall" tabindex="0" aria-label=${t("table.log")}>${rows.map((row) => html`<li class=${row.row === at ? "shown" : ""}>
          <button class="at" aria-label="${row.row}: ${t("table.showat")}" aria-current=${row.row === at ? "true" : nothing} @click=${() => go(row.row)}>${row.row}</button>
          <div>${row.sentences.map((/** @type {string} */ sentence) => html`<p>${sentence}</p>`)}${(reasons.get(row.row) ?? []).map((why) => html`<p class="why">${why}</p>`)}</div></li>`)}</ol></section>
        <section class="card menu">${forkHere(page, game, at)}</section>
        ${game.status === "over" ? html`<section class="card proof"><h2>${t("replay.fair")}</h2><p class="faint small">${t("replay.fairlead")}</p>
          <p class="small"><code>${game.commitment}</code></p>
          <button ?disabled=${isProving || !isSecureContext} @click=${prove}>${isProving ? t("replay.proving") : t("replay.prove")}</button>
          ${proof ? html`<p class=${proof.isGood ? "stands" : "refused"} role="status">${proof.isGood ? "✓" : "✗"} ${proof.text}</p>` : nothing}</section>` : nothing}
        <section class="card"><h2>${t("replay.save")}</h2><div class="buttons">
          <button @click=${() => save(`/games/${id}/record`, `${id}.jsonl`, "application/jsonl")}>${t("replay.record")}</button>
          <button @click=${() => save(`/games/${id}/transcript`, `${id}.txt`, "text/plain")}>${t("replay.transcript")}</button>
          <button @click=${() => save(`/games/${id}/board.svg?${query()}`, `${id}-${at}.svg`, "image/svg+xml")}>${t("replay.picture")}</button></div></section></div>
      </div>`;
    },
  };
}

/** @param {string} hash */
function rowOf(hash) {
  const found = /^#row-(\d+)$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** Scores by row, a line for each seat; told in words beside it. @param {(number | null)[][]} scores @param {number} at @param {string[]} names @param {(row: number) => void} go */
function chart(scores, at, names, go) {
  const length = scores[0].length;
  const all = scores.flat().filter((score) => score !== null);
  const most = Math.max(1, ...all), least = Math.min(0, ...all);
  const x = (/** @type {number} */ row) => 8 + (584 * row) / Math.max(1, length - 1);
  const y = (/** @type {number} */ score) => 172 - (160 * (score - least)) / (most - least);
  const line = (/** @type {(number | null)[]} */ seat) => seat.map((score, row) => (score === null ? "" : `${x(row).toFixed(1)},${y(score).toFixed(1)}`)).filter(Boolean).join(" ");
  return html`<svg viewBox="0 0 600 180" class="scores" role="img" aria-label=${t("replay.scores")} @click=${(/** @type {MouseEvent} */ event) => {
      const frame = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
      go(Math.round(((event.clientX - frame.left) / frame.width) * (length - 1)));
    }}>
    ${svg`<line x1="8" x2="592" y1=${y(0)} y2=${y(0)} class="axis"/><line x1=${x(at)} x2=${x(at)} y1="6" y2="174" class="now"/>`}
    ${scores.map((seat, n) => svg`<polyline points=${line(seat)} class="seat-${n}" stroke-dasharray=${DASHES[n % DASHES.length]}/>`)}</svg>
  <ul class="legend">${scores.map((seat, n) => html`<li><svg viewBox="0 0 30 8" width="30" height="8" aria-hidden="true"><line x1="0" x2="30" y1="4" y2="4" class="seat-${n}" stroke-dasharray=${DASHES[n % DASHES.length]}/></svg> ${names[n]} <b>${seat[Math.min(at, length - 1)] ?? "?"}</b></li>`)}</ul>`;
}
