// A bot in Node 18 or newer, without a package: node bot.mjs [ruleset] [address of the service]
import { randomUUID } from "node:crypto";

const ruleset = process.argv[2] ?? "airlines-europe";
const url = process.argv[3] ?? "http://127.0.0.1:8000";
let token = null;

const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const any = (list) => list[Math.floor(Math.random() * list.length)];
const some = (list, least, most) => {
  const mixed = list.map((item) => [Math.random(), item]).sort((a, b) => a[0] - b[0]);
  return mixed.slice(0, least + Math.floor(Math.random() * (most - least + 1))).map(([, item]) => item);
};

// One request, sent until it is answered; under one key, so that it is done once.
async function ask(path, body, headers = {}) {
  const options = { headers: { "Idempotency-Key": randomUUID(), ...headers } };
  if (token) options.headers.Authorization = `Bearer ${token}`;
  if (body) {
    Object.assign(options, { method: "POST", body: JSON.stringify(body) });
    options.headers["Content-Type"] = "application/json";
  }
  for (;;) {
    const answer = await fetch(`${url}/v1${path}`, options).catch(() => null);
    if (answer?.ok) return answer.json();
    if (answer && ![429, 502, 503, 504].includes(answer.status)) {
      const problem = await answer.json();
      throw Object.assign(new Error(problem.detail), { status: answer.status });
    }
    await sleep(Number(answer?.headers.get("Retry-After") ?? 1));
  }
}

function draw(field) {
  if (field.one_of) return any(field.one_of);
  if ("from" in field) return field.from + Math.floor(Math.random() * (field.to - field.from + 1));
  if (field.way_to) return any(Object.values(field.way_to));
  const bag = Object.entries(field.bag_of ?? {}).flatMap(([item, limit]) => Array(limit).fill(item));
  const choices = field.pick_from ?? bag;
  return some(choices, field.at_least, Math.min(field.at_most, choices.length));
}

// Any legal move: choose an offer, then a value for each field that is needed.
function choose(options) {
  const number = Math.floor(Math.random() * options.offers.length);
  const { type, fields } = options.offers[number];
  const needed = options.schema.anyOf[number].required.filter((name) => name !== "type");
  return { type, ...Object.fromEntries(needed.map((name) => [name, draw(fields[name])])) };
}

token = (await ask("/players", { name: `bot ${randomUUID().slice(0, 8)}` })).token;
const { seats } = await ask(`/rulesets/${ruleset}`);
const bots = Array(Math.min(...seats) - 1).fill({ kind: "bot" });
const { game: opened } = await ask("/games", { ruleset, seats: [{ kind: "me" }, ...bots] });

for (;;) {
  const game = await ask(`/games/${opened.id}`);
  if (game.status === "over") {
    console.log(`${ruleset} ${game.id}: ${game.ending} after ${game.sequence} moves`);
    break;
  }
  if (game.status === "running" && game.to_act.includes(game.you)) {
    const options = await ask(`/games/${game.id}/options`);
    try {
      await ask(`/games/${game.id}/moves`, { moves: [choose(options)] }, { "If-Match": `"${options.sequence}"` });
    } catch (error) {
      if (error.status !== 412) throw error; // the game has moved on: look again
    }
  } else {
    // A long poll: answered as soon as there is something new.
    await ask(`/games/${game.id}/events?after=${game.sequence}&wait=5`);
  }
}
