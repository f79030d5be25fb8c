// Messages in this browser while the page is closed: switching them on and off. The service worker shows them.

import { get, post, remove } from "./api.js";
import { t } from "./words.js";

const PLACE = "waybill.push"; // the number of this browser's subscription

export function isPossible() {
  return isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** The number under which the service knows this browser, if it is told. */
export function thisBrowser() {
  return Number(localStorage.getItem(PLACE)) || null;
}

/** Asks the browser, and tells the service where to reach it. @param {string} key the service's */
export async function switchOn(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(t("push.denied"));
  if (!(await navigator.serviceWorker.getRegistration())) throw new Error(t("push.failed", { why: "service worker" }));
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await pushManager.subscribe(options).catch(async (error) => {
    // With a key that the service has no longer: begin anew.
    const former = await pushManager.getSubscription();
    if (!former) throw new Error(t("push.failed", { why: error.message }));
    await former.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint, keys } = subscription.toJSON();
  const made = await post("/push-subscriptions", { endpoint, keys, label: browserName() });
  localStorage.setItem(PLACE, String(made.id));
}

/** Also before somebody signs out: what is theirs is not to be shown here any more. */
export async function switchOff() {
  const known = thisBrowser();
  localStorage.removeItem(PLACE);
  if (known) await remove(`/push-subscriptions/${known}`).catch(() => {});
  if (!isPossible()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Browsers end a subscription, or give it another address, when they like: then it is made anew. */
export async function renew() {
  if (!thisBrowser() || !isPossible() || Notification.permission !== "granted") return;
  const { key, subscriptions } = await get("/push-subscriptions");
  const registration = await navigator.serviceWorker.ready;
  const isThere = (await registration.pushManager.getSubscription()) !== null;
  const isKnown = subscriptions.some((/** @type {{ id: number }} */ one) => one.id === thisBrowser());
  if (key && !(isThere && isKnown)) await switchOn(key);
}

/** The games that wait, as a number on the app's icon. @param {number} waiting */
export function badge(waiting) {
  if (!("setAppBadge" in navigator)) return;
  (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
}

/** "Firefox on Android", for the list of browsers. */
function browserName() {
  const said = navigator.userAgent;
  const browser = [["Edg", "Edge"], ["OPR", "Opera"], ["Firefox", "Firefox"], ["Chrome", "Chrome"], ["Safari", "Safari"]].find(([word]) => said.includes(word))?.[1];
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"].find((word) => said.includes(word));
  return t("push.name", { browser: browser ?? t("push.somebrowser"), system: system ?? "?" });
}
