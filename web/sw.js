// The service worker: keeps the page itself, and what was last seen of games, for moments without a network.
// What it gives in place of the service says so (X-Kept), and writes always go to the service alone.

const BASE = "{base}";
const SHELL = `waybill-shell-${BASE}`;
const SEEN = "waybill-seen";
const MOST_SEEN = 80; // answers that are kept
/** @type {string[]} */
const FILES = JSON.parse('{files}');
const KEPT = [
  /^\/v1\/rulesets$/,
  /^\/v1\/me$/,
  /^\/v1\/games\/[^/]+$/,
  /^\/v1\/games\/[^/]+\/(position|options|log|press|board\.svg|board\.txt)$/,
  /^\/v1\/(games|notices)$/,
];

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(["/", ...FILES])).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("waybill-shell-") && name !== SHELL) await caches.delete(name);
    await worker.clients.claim();
  })());
});

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "forget") event.waitUntil(caches.delete(SEEN)); // somebody has signed out
});

// A message of the service, encrypted for this browser alone: service/push.py says what is in it.
worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title = "Waybill", body = "", url = "/games", tag = "games", waiting = 0 } = event.data?.json() ?? {};
  event.waitUntil(Promise.all([
    worker.registration.showNotification(title, { body, tag, renotify: true, icon: `${BASE}/icon-192.png`, data: { url } }),
    waiting ? worker.navigator.setAppBadge?.(waiting) : worker.navigator.clearAppBadge?.(),
  ]));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(openGame(new URL(event.notification.data.url, location.origin).href));
});

/** Where it is open already, or a window of the page in which it can be, or a new one. @param {string} url */
async function openGame(url) {
  const windows = await worker.clients.matchAll({ type: "window" });
  const there = windows.find((/** @type {any} */ one) => one.url.split("#")[0] === url);
  if (there) return there.focus();
  const other = windows.find((/** @type {any} */ one) => one.visibilityState === "visible") ?? windows[0];
  if (!other) return worker.clients.openWindow(url);
  await other.navigate(url);
  return other.focus();
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith(`${BASE}/`)) event.respondWith(shell(request));
  else if (request.mode === "navigate" && !url.pathname.startsWith("/v1/")) event.respondWith(fetch(request).catch(async () => (await caches.match("/")) ?? Response.error()));
  else if (KEPT.some((kept) => kept.test(url.pathname)) && !url.searchParams.has("at")) event.respondWith(seen(request));
});

/** @param {Request} request */
async function shell(request) {
  const cache = await caches.open(SHELL);
  return (await cache.match(request)) ?? fetch(request);
}

/** From the service; what was last seen only if it cannot be reached. @param {Request} request */
async function seen(request) {
  const cache = await caches.open(SEEN);
  // Answers depend on who asks: each token has its own.
  const key = new Request(`${request.url}${request.url.includes("?") ? "&" : "?"}who=${await digest(request.headers.get("Authorization") || "")}`);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      await cache.put(key, answer.clone());
      const keys = await cache.keys();
      if (keys.length > MOST_SEEN) await cache.delete(keys[0]);
    }
    return answer;
  } catch (error) {
    const kept = await cache.match(key);
    if (!kept) throw error;
    const headers = new Headers(kept.headers);
    headers.set("X-Kept", "1");
    return new Response(await kept.blob(), { status: 200, headers });
  }
}

/** @param {string} text */
async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes).slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
