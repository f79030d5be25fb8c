// Checking a record in the browser, by nothing but WebCrypto: the chain, the commitment, every draw, every envelope.

/** @typedef {{ rows: number, draws: number, envelopes: import("./receipts.js").Receipt[], isWhole: boolean, forkedFrom: { game: string, row: number } | null }} Proof */

/** Something in the record is not as it must be. */
export class NotProved extends Error {
  /** @param {string} what `chain`, `end`, `commitment`, `salt`, `draw`, `envelope`, `start` @param {number} row */
  constructor(what, row) {
    super(`${what} ${row}`);
    this.what = what;
    this.row = row;
  }
}

const encoder = new TextEncoder();
const WORDS = 2 ** 32;

/** @param {ArrayBuffer | Uint8Array} bytes */
const hex = (bytes) => Array.from(new Uint8Array(/** @type {ArrayBuffer} */ (bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
/** @param {string | Uint8Array} data */
const sha256 = async (data) => hex(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (typeof data === "string" ? encoder.encode(data) : data)));

/** JSON in its one spelling: keys sorted, no white space. @param {any} thing @returns {string} */
export function canonical(thing) {
  if (Array.isArray(thing)) return `[${thing.map(canonical).join(",")}]`;
  if (thing && typeof thing === "object") {
    return `{${Object.keys(thing).sort().map((key) => `${JSON.stringify(key)}:${canonical(thing[key])}`).join(",")}}`;
  }
  return JSON.stringify(thing);
}

/** HMAC-SHA-256 under one key. @param {Uint8Array} secret */
async function keyed(secret) {
  const key = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (/** @type {string} */ message) => new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(message)));
}

/** Numbers below a bound, as the referee draws them: words of four bytes of HMAC in counter mode, some thrown away. */
class Stream {
  /** @param {(message: string) => Promise<Uint8Array>} sign @param {string} label */
  constructor(sign, label) {
    this.sign = sign;
    this.label = label;
    this.block = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /** @param {number} bound */
  async below(bound) {
    const limit = WORDS - (WORDS % bound);
    for (;;) {
      while (this.words.length) {
        const word = /** @type {number} */ (this.words.shift());
        if (word < limit) return word % bound;
      }
      const bytes = new DataView((await this.sign(`${this.label}/${this.block++}`)).buffer);
      this.words = Array.from({ length: 8 }, (_, n) => bytes.getUint32(4 * n));
    }
  }
}

/** @param {(message: string) => Promise<Uint8Array>} sign @param {number} row @param {any} draw */
async function redraw(sign, row, draw) {
  const stream = new Stream(sign, `${row}/${draw.label}`);
  if (draw.kind === "below") return [await stream.below(draw.size)];
  if (draw.kind === "roll") {
    const faces = [];
    for (let n = 0; n < draw.result.length; n++) faces.push((await stream.below(draw.size)) + 1);
    return faces;
  }
  const order = Array.from({ length: draw.size }, (_, n) => n);
  for (let last = order.length - 1; last > 0; last--) {
    const other = await stream.below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** What stands in a line under a name, letter by letter: that is what was hashed. @param {string} line @param {string} name */
function spelled(line, name) {
  const begin = line.indexOf(`"${name}":`);
  return line.slice(begin + name.length + 3, -1);
}

/**
 * Checks a record: JSON Lines as the service gives them. Raises NotProved with what does not hold.
 * @param {string} record @param {(done: number) => void} [onRow] @returns {Promise<Proof>}
 */
export async function verify(record, onRow = () => {}) {
  const lines = record.split("\n").filter(Boolean);
  const header = JSON.parse(lines[0]).header;
  const last = JSON.parse(lines[lines.length - 1]);
  const end = last.end ?? null;
  const rows = lines.slice(1, end ? -1 : undefined);
  const seed = end ? unhex(end.seed) : null;
  if (seed && (await sha256(new Uint8Array([...encoder.encode("waybill seed\n"), ...seed]))) !== header.commitment) throw new NotProved("commitment", 0);
  const sign = seed ? await keyed(await (await keyed(seed))(`waybill key\n${JSON.stringify(header.entropy)}`)) : null;
  let head = await sha256(spelled(lines[0], "header"));
  /** @type {import("./receipts.js").Receipt[]} */
  const envelopes = [];
  let draws = 0, forkedFrom = null;
  for (const line of rows) {
    const { hash, row } = JSON.parse(line);
    head = await sha256(`${head}\n${spelled(line, "row")}`);
    if (head !== hash) throw new NotProved("chain", row.row);
    if (sign) {
      if (hex(await sign(`salt/${row.row}`)) !== row.salt) throw new NotProved("salt", row.row);
      for (const draw of row.draws) {
        if (canonical(await redraw(sign, row.row, draw)) !== canonical(draw.result)) throw new NotProved("draw", row.row);
        draws++;
      }
    }
    if (row.phase === "fork") {
      const [start] = row.events; // in place of a setup: no seed leads to it, so it is told whole
      if ((await sha256(`${row.salt}\n${canonical(start.position)}`)) !== row.position) throw new NotProved("start", row.row);
      forkedFrom = { game: start.game, row: start.row };
    }
    for (const order of row.orders) {
      if (!order.commitment) continue;
      if ((await sha256(`${order.nonce}\n${canonical(order.move)}`)) !== order.commitment) throw new NotProved("envelope", row.row);
      envelopes.push({ seat: order.seat, row: row.row, commitment: order.commitment });
    }
    onRow(row.row);
  }
  if (end && end.head !== head) throw new NotProved("end", rows.length - 1);
  return { rows: rows.length, draws, envelopes, isWhole: end !== null, forkedFrom };
}
