// What happens, as it happens: server-sent events by a ticket; where they do not come, asking every few seconds.

import { get, hasToken, post } from "./api.js";

const PAUSE = 2000; // milliseconds before a lost stream is asked for again
const POLL = 4000;
const PATIENCE = 6000; // for a stream to open

/** @typedef {"live" | "polling" | "offline"} State */

/** A game followed, or all games of a player (`/events`). */
export class Follower {
  /**
   * @param {string} path `/games/{id}/events` or `/events`
   * @param {(kind: string, data: any) => void} onEvent
   * @param {(state: State) => void} onState
   * @param {() => Promise<void>} poll what to do instead, while nothing streams
   */
  constructor(path, onEvent, onState, poll) {
    this.path = path;
    this.onEvent = onEvent;
    this.onState = onState;
    this.poll = poll;
    /** @type {State} */
    this.state = "polling";
    /** @type {EventSource | null} */
    this.source = null;
    this.isClosed = false;
    /** @type {string | null} */
    this.last = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.run();
    this.pollOn();
  }

  close() {
    this.isClosed = true;
    this.source?.close();
    clearTimeout(this.timer);
  }

  /** @param {State} state */
  set(state) {
    if (this.state !== state && !this.isClosed) {
      this.state = state;
      this.onState(state);
    }
  }

  async run() {
    while (!this.isClosed) {
      try {
        await this.stream(await this.address());
      } catch {
        // No ticket: the service is away, or busy. Polling says which.
      }
      if (!this.isClosed && this.state === "live") this.set("polling");
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  async address() {
    /** @type {Record<string, string>} */
    const query = this.last === null ? {} : { after: this.last };
    if (!hasToken()) return `/v1${this.path}?${new URLSearchParams(query)}`;
    const { ticket, url } = await post("/events/tickets", undefined, { key: null, patient: false });
    return `${url}/v1${this.path}?${new URLSearchParams({ ...query, ticket })}`;
  }

  /** One connection, until it is lost. @param {string} address @returns {Promise<void>} */
  stream(address) {
    return new Promise((done) => {
      const source = (this.source = new EventSource(address));
      const end = () => {
        clearTimeout(patience);
        source.close();
        done();
      };
      const patience = setTimeout(end, PATIENCE);
      source.onopen = () => {
        clearTimeout(patience);
        this.set("live");
        this.poll().catch(() => {}); // what happened before the stream was there
      };
      source.onerror = end;
      for (const kind of ["position", "row", "game", "notice", "bye"]) {
        source.addEventListener(kind, (event) => {
          this.last = event.lastEventId || this.last;
          if (kind === "bye") end();
          else this.onEvent(kind, JSON.parse(event.data));
        });
      }
    });
  }

  /** Asks every few seconds as long as nothing streams. */
  pollOn() {
    this.timer = setTimeout(async () => {
      if (this.isClosed) return;
      if (this.state !== "live") {
        try {
          await this.poll();
          if (this.state === "offline") this.set("polling");
        } catch {
          this.set("offline");
        }
      }
      this.pollOn();
    }, this.state === "offline" ? POLL / 2 : POLL);
  }
}

/** The rows after one, all of them. @param {string} gameId @param {number} after @returns {Promise<any[]>} */
export async function rowsAfter(gameId, after) {
  const found = [];
  for (;;) {
    const { rows } = await get(`/games/${gameId}/log?${after < 0 ? "" : `after=${after}&`}limit=500`);
    found.push(...rows);
    if (rows.length < 500) return found;
    after = rows[rows.length - 1].row;
  }
}
