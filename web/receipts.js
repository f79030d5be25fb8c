// The receipts of one's own sealed moves: kept in this browser, and held against the log when the game is over.

/** @typedef {{ seat: number, row: number, commitment: string }} Receipt */

const place = (/** @type {string} */ gameId) => `waybill.receipts.${gameId}`;

/** The receipts that this browser has, the last of each row: a sealed move may be replaced. @param {string} gameId @returns {Receipt[]} */
export function receiptsOf(gameId) {
  try {
    return Object.values(JSON.parse(localStorage.getItem(place(gameId)) || "{}"));
  } catch {
    return [];
  }
}

/** @param {string} gameId @param {Receipt} receipt */
export function keepReceipt(gameId, { seat, row, commitment }) {
  const kept = Object.fromEntries(receiptsOf(gameId).map((one) => [one.row, one]));
  localStorage.setItem(place(gameId), JSON.stringify({ ...kept, [row]: { seat, row, commitment } }));
}

/**
 * Which receipts the log does not have. A row of the log may lack one for a good reason: the move was replaced elsewhere.
 * @param {Receipt[]} receipts @param {Receipt[]} envelopes as the log has them
 */
export function missing(receipts, envelopes) {
  const known = new Set(envelopes.map(({ seat, row, commitment }) => `${row} ${seat} ${commitment}`));
  return receipts.filter(({ seat, row, commitment }) => !known.has(`${row} ${seat} ${commitment}`));
}
