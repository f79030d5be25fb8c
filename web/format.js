// Times and numbers as people say them.

import { t } from "./words.js";

/** @param {number} seconds */
export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 90) return t("time.seconds", { n: s });
  if (s < 90 * 60) return t("time.minutes", { n: Math.round(s / 60) });
  if (s < 36 * 3600) return t("time.hours", { n: Math.round(s / 3600) });
  return t("time.days", { n: Math.round(s / 86400) });
}

/** How long there is until a moment, or how late it is. @param {string | null} moment @param {number} [now] */
export function until(moment, now = Date.now()) {
  if (!moment) return "";
  const left = (new Date(moment).getTime() - now) / 1000;
  return left >= 0 ? t("time.left", { time: duration(left) }) : t("time.over", { time: duration(-left) });
}

/** @param {string | null} moment @param {number} [now] */
export function ago(moment, now = Date.now()) {
  return moment ? t("time.ago", { time: duration((now - new Date(moment).getTime()) / 1000) }) : "";
}

const clockFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @param {string} moment */
export function when(moment) {
  return clockFormat.format(new Date(moment));
}

/** A running clock: 2 d 4 h, 3 h 12 min, 4:05. @param {number} seconds */
export function countdown(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  const days = Math.floor(s / 86400), hours = Math.floor((s % 86400) / 3600), minutes = Math.floor((s % 3600) / 60);
  if (days) return t("time.dh", { d: days, h: hours });
  if (hours) return t("time.hm", { h: hours, m: minutes });
  return `${minutes}:${String(s % 60).padStart(2, "0")}`;
}

/** @param {string[]} items */
export function list(items) {
  return items.length > 1 ? `${items.slice(0, -1).join(", ")} ${t("and")} ${items[items.length - 1]}` : items.join("");
}
