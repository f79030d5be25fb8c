// Small pictures of games, one after another: few are drawn at a time, and players who move come first.

import { getText } from "./api.js";

/** @type {Map<string, string>} */
const kept = new Map();
let queue = Promise.resolve();

/**
 * The address of a game's picture, as soon as there is one.
 * @param {string} gameId @param {number} sequence @param {() => void} onDrawn @returns {string}
 */
export function pictureOf(gameId, sequence, onDrawn) {
  const key = `${gameId} ${sequence}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  kept.set(key, "");
  queue = queue.then(async () => {
    const svg = await getText(`/games/${gameId}/board.svg?part=map`);
    kept.set(key, URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })));
    onDrawn();
  }).catch(() => {});
  return "";
}
