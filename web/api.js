// The public API: what this page can do, any other client can. Nothing here knows a view.

/** @typedef {import("./types").components["schemas"]} Schemas */

import { t } from "./words.js";

const BASE = "/v1";
const PATIENCE = [400, 1200, 3000]; // milliseconds before a request is sent again

/** The answer was a refusal: an RFC 9457 problem. */
export class Problem extends Error {
  /** @param {number} status @param {Record<string, any>} body */
  constructor(status, body) {
    super(body.detail || t("problem.unknown", { status }));
    this.status = status;
    this.body = body;
  }

  /** The last part of its type: `illegal-order`, `stale`. */
  get kind() {
    return String(this.body.type || "").split(":").pop() || "";
  }
}

/** No answer came: whether the request was done is not known. With the same key it can be sent again. */
export class Unreachable extends Error {
  constructor() {
    super(t("problem.unreachable"));
  }
}

/** @type {string | null} */
let token = null;
/** @type {Set<(reached: boolean) => void>} */
const listeners = new Set();
let remaining = Infinity;

/** @param {string | null} secret */
export function useToken(secret) {
  token = secret;
}

export function hasToken() {
  return token !== null;
}

/** Calls back whenever the service has, or has not, been reached. @param {(reached: boolean) => void} listener */
export function onReach(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How many requests this minute still allows. */
export function allowance() {
  return remaining;
}

/** A key that nobody can guess; also where the page is not served by TLS and has no randomUUID. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @typedef {{ body?: unknown, key?: string | null, ifMatch?: number, accept?: string, signal?: AbortSignal, patient?: boolean }} Asking
 */

/**
 * Sends a request, again if the service is busy or cannot be reached: writes carry a key and are done once.
 * @param {string} method @param {string} path @param {Asking} [asking] @returns {Promise<Response>}
 */
export async function send(method, path, asking = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (asking.accept) headers.Accept = asking.accept;
  if (asking.body !== undefined) headers["Content-Type"] = "application/json";
  if (method === "POST" && asking.key !== null) headers["Idempotency-Key"] = asking.key || newKey();
  if (asking.ifMatch !== undefined) headers["If-Match"] = `"${asking.ifMatch}"`;
  const body = asking.body === undefined ? undefined : JSON.stringify(asking.body);
  const pauses = asking.patient === false ? [] : PATIENCE;
  for (let attempt = 0; ; attempt++) {
    /** @type {Response | null} */
    let answer = null;
    try {
      answer = await fetch(BASE + path, { method, headers, body, signal: asking.signal });
    } catch (error) {
      if (asking.signal?.aborted) throw error;
    }
    // The service worker answers with what was last seen where the service cannot be reached, and says so.
    for (const listener of listeners) listener(answer !== null && !answer.headers.has("X-Kept"));
    if (answer) remaining = Number(answer.headers.get("X-RateLimit-Remaining") ?? Infinity);
    if (answer?.ok) return answer;
    const isBusy = answer !== null && (answer.status === 503 || answer.status === 429);
    if (attempt < pauses.length && (answer === null || isBusy)) {
      const wanted = Number(answer?.headers.get("Retry-After") ?? 0) * 1000;
      if (wanted <= 5000) {
        await new Promise((done) => setTimeout(done, Math.max(wanted, pauses[attempt])));
        continue;
      }
    }
    if (answer === null) throw new Unreachable();
    throw new Problem(answer.status, await answer.json().catch(() => ({})));
  }
}

/** @param {string} path @param {Asking} [asking] @returns {Promise<any>} */
export const get = async (path, asking) => (await send("GET", path, asking)).json();
/** @param {string} path @param {Asking} [asking] @returns {Promise<string>} */
export const getText = async (path, asking) => (await send("GET", path, asking)).text();
/** @param {string} path @param {unknown} [body] @param {Asking} [asking] @returns {Promise<any>} */
export const post = async (path, body = {}, asking = {}) => (await send("POST", path, { ...asking, body })).json();
/** @param {string} path @param {unknown} body @returns {Promise<any>} */
export const patch = async (path, body) => (await send("PATCH", path, { body })).json();
/** @param {string} path @param {unknown} body @returns {Promise<any>} */
export const put = async (path, body) => (await send("PUT", path, { body })).json();
/** @param {string} path */
export const remove = (path) => send("DELETE", path);

/** The games that can be played here; they change only with the service. @type {Promise<Schemas["Ruleset"][]> | null} */
let known = null;
export function rulesets() {
  known ??= get("/rulesets").then((found) => found.rulesets, (error) => {
    known = null;
    throw error;
  });
  return known;
}

/**
 * All pages of a list, at most so many; `name` says where in the answer the list is.
 * @param {string} path @param {number} [pages] @param {string} [name] @returns {Promise<any[]>}
 */
export async function getAll(path, pages = 4, name = "") {
  /** @type {any[]} */
  const found = [];
  /** @type {string | null} */
  let next = path;
  for (let page = 0; next !== null && page < pages; page++) {
    const answer = await send("GET", next);
    const body = await answer.json();
    found.push(...(name ? body[name] : body));
    const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") || "");
    next = link ? link[1].replace(/^.*?\/v1/, "") : null;
  }
  return found;
}
