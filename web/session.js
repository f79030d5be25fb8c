// Who plays here: a token, kept in this browser, and the player whom it belongs to.

import { Problem, get, newKey, post, useToken } from "./api.js";
import { guestNames } from "./words.js";

/** @typedef {import("./api.js").Schemas["Player"]} Player */

const PLACE = "waybill.token";

/** @type {{ me: Player | null }} */
export const session = { me: null };

/** Reads what this browser has kept. A token that is good no longer is forgotten. */
export async function restore() {
  const token = localStorage.getItem(PLACE);
  useToken(token);
  if (!token) return;
  try {
    session.me = await get("/me");
  } catch (error) {
    if (!(error instanceof Problem) || ![401, 403].includes(error.status)) throw error;
    forget();
  }
}

/** @param {{ token: string, player: Player }} answer */
export function remember(answer) {
  localStorage.setItem(PLACE, answer.token);
  useToken(answer.token);
  session.me = answer.player;
}

export function forget() {
  localStorage.removeItem(PLACE);
  navigator.serviceWorker?.controller?.postMessage("forget");
  useToken(null);
  session.me = null;
}

export async function reload() {
  session.me = await get("/me");
}

/** Somebody who only wants to play: a name that is free, to be changed and kept later. */
export async function signUpAsGuest() {
  for (let attempt = 0; ; attempt++) {
    try {
      remember(await post("/players", { name: guestNames.draw() }, { key: newKey() }));
      return;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 409 || attempt > 5) throw error;
    }
  }
}

/** @param {string} name @param {string} email */
export async function signUp(name, email) {
  remember(await post("/players", email ? { name, email } : { name }, { key: newKey() }));
}

/** A guest has no address, proved or named: who loses this browser loses the games. */
export function isGuest() {
  return session.me !== null && !session.me.email && !session.me.unproved_email;
}
