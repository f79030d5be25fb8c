// Plays a game of each kind to its end with openapi-fetch, on types that openapi-typescript has made of the document:
// `node play.js ADDRESS RULESET...`. It knows no rules: it draws from the offers, which are a union told apart by `kind`.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Value = string | number | string[] | (string | number)[];

const [address, ...rulesets] = process.argv.slice(2);
if (address === undefined) throw new Error("usage: node play.js ADDRESS RULESET...");

let seed = 7;
function below(bound: number): number {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * bound);
}

function choice<T>(items: readonly T[]): T {
  const item = items[below(items.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

function some<T>(items: readonly T[], least: number, most: number): T[] {
  const left = [...items];
  const size = least + below(Math.min(most, left.length) - least + 1);
  return Array.from({ length: size }, () => left.splice(below(left.length), 1)[0] as T);
}

function draw(domain: Schemas["Domain"]): Value {
  switch (domain.kind) {
    case "one_of":
      return choice(domain.one_of);
    case "range":
      return domain.from + below(domain.to - domain.from + 1);
    case "pick":
      return some(domain.pick_from, domain.at_least, domain.at_most);
    case "bag":
      return some(
        Object.entries(domain.bag_of).flatMap(([item, limit]) => Array<string>(limit).fill(item)),
        domain.at_least,
        domain.at_most,
      );
    case "way":
      return choice(Object.values(domain.way_to));
  }
}

async function play(ruleset: string): Promise<void> {
  const stranger = createClient<paths>({ baseUrl: address! });
  const signedUp = await stranger.POST("/v1/players", {
    body: { name: `node ${process.pid} ${ruleset}`.slice(0, 32) },
    params: { header: { "Idempotency-Key": `sign up ${process.pid} ${ruleset}`.replaceAll(" ", "-") } },
  });
  if (signedUp.error) throw new Error(signedUp.error.detail);
  const headers = { Authorization: `Bearer ${signedUp.data.token}` };
  const client = createClient<paths>({ baseUrl: address!, headers });

  const known = await client.GET("/v1/rulesets/{key}", { params: { path: { key: ruleset } } });
  if (known.error) throw new Error(known.error.detail);
  const bots = Array.from({ length: Math.min(...known.data.seats) - 1 }, () => ({ kind: "bot" as const }));
  const opened = await client.POST("/v1/games", { body: { ruleset, seats: [{ kind: "me" }, ...bots] } });
  if (opened.error) throw new Error(opened.error.detail);
  const path = { game_id: opened.data.game.id };

  for (let turns = 0; ; turns++) {
    const game = await client.GET("/v1/games/{game_id}", { params: { path } });
    if (game.error) throw new Error(game.error.detail);
    if (game.data.status === "over") break;
    if (turns > 3000 || !game.data.to_act.includes(0)) throw new Error(`${ruleset} does not go on`);
    const options = await client.GET("/v1/games/{game_id}/options", { params: { path } });
    if (options.error) throw new Error(options.error.detail);
    // Who cannot pay any more has no other choice than to leave.
    const staying = options.data.offers.filter((one) => !one.leaves_the_game);
    const offer = choice(staying.length ? staying : options.data.offers);
    const move: Record<string, unknown> = { type: offer.type };
    for (const field of offer.required) move[field] = draw(offer.fields[field]!);
    const sent = await client.POST("/v1/games/{game_id}/moves", {
      params: { path, header: { "If-Match": `"${options.data.sequence}"` }, query: { dry_run: false } },
      body: { moves: [move as Schemas["Move"]] },
    });
    if (sent.error) throw new Error(`${ruleset}: ${JSON.stringify(move)}: ${sent.error.detail}`);
  }

  const position = await client.GET("/v1/games/{game_id}/position", { params: { path } });
  if (position.error) throw new Error(position.error.detail);
  const view: Schemas["View"] = position.data;
  // The name of the game tells what lies on its table.
  if (view.game === "airlines-europe") console.error(view.table.players.length, "players");
  const log = await client.GET("/v1/games/{game_id}/log", { params: { path, query: { limit: 500 } } });
  if (log.error) throw new Error(log.error.detail);
  const told = log.data.rows.flatMap((row) => row.events.map((event) => event.type)).length;
  console.log(JSON.stringify({ ruleset, game: path.game_id, ending: view.ending, rows: view.row + 1, events: told }));
}

for (const ruleset of rulesets) await play(ruleset);
