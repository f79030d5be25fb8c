// A bot for `./waybill arena`: reads questions, a line of JSON each, and answers each with a line.
// It takes the first option and a legal value for each of its fields.
import { createInterface } from "node:readline";

/** The first value that a domain accepts (the kinds are those of GET /v1/games/{id}/options). */
function value(domain) {
  if ("one_of" in domain) return domain.one_of[0];
  if ("from" in domain) return domain.from;
  if ("pick_from" in domain) return domain.pick_from.slice(0, domain.at_least);
  if ("way_to" in domain) return Object.values(domain.way_to)[0];
  const items = Object.entries(domain.bag_of).flatMap(([item, limit]) => Array(limit).fill(item));
  return items.slice(0, domain.at_least);
}

function move(option) {
  const fields = Object.entries(option.fields).map(([name, domain]) => [name, value(domain)]);
  return { type: option.type, ...Object.fromEntries(fields) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type !== "question") continue; // "game" comes once, with the board and the settings
  const answer = message.required ? move(message.options[0]) : null;
  process.stdout.write(JSON.stringify({ move: answer, reason: "I take what is offered first." }) + "\n");
}
