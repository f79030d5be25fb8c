// From offers to orders: which choices there are, what of them is still open, and how they read. No rule is known here.

/** @typedef {import("./api.js").Schemas["OptionListing"]} Offer */
/** @typedef {import("./api.js").Schemas["Options"]} Options */
/** @typedef {Record<string, any>} Move */
/** @typedef {"one_of" | "range" | "pick" | "bag" | "way"} Kind */

/**
 * A field of an offer. `steps` are all that a way may be made of; `isOptional`: the referee fills it in as best it knows.
 * @typedef {{ name: string, kind: Kind, domain: Record<string, any>, isOptional: boolean, steps: string[] }} Field
 */
/** @typedef {{ key: string, offer: Offer, fields: Field[], open: Field[] }} Choice */
/** An order that can be sent as it is. @typedef {{ choice: Choice, move: Move, label: string, hint: string }} Ready */

/** @param {Record<string, any>} domain @returns {Kind} */
export function kindOf(domain) {
  if ("one_of" in domain) return "one_of";
  if ("from" in domain) return "range";
  if ("pick_from" in domain) return "pick";
  if ("bag_of" in domain) return "bag";
  return "way";
}

/** @param {Options} options @returns {Choice[]} */
export function choicesOf(options) {
  const schemas = /** @type {any} */ (options.schema).anyOf || [];
  return options.offers.map((offer, number) => {
    const schema = schemas[number] || {};
    const required = new Set(schema.required || []);
    const fields = Object.entries(offer.fields).map(([name, domain]) => ({
      name,
      kind: kindOf(/** @type {any} */ (domain)),
      domain: /** @type {Record<string, any>} */ (domain),
      isOptional: !required.has(name),
      steps: schema.properties?.[name]?.items?.enum || [],
    }));
    const open = fields.filter((field) => !field.isOptional && onlyValue(field) === undefined);
    return { key: `${number}-${offer.type}`, offer, fields, open };
  });
}

/** The value of a field that leaves no choice. @param {Field} field @returns {any} */
export function onlyValue({ kind, domain }) {
  if (kind === "one_of" && domain.one_of.length === 1) return domain.one_of[0];
  if (kind === "range" && domain.from === domain.to) return domain.from;
  if (kind === "bag" || kind === "pick") {
    const all = kind === "bag" ? bagItems(domain) : domain.pick_from;
    if (domain.at_most === 0) return [];
    if (all.length === 1 && domain.at_least === 1) return [all[0]];
  }
  if (kind === "way" && Object.keys(domain.way_to).length === 1 && domain.at_most === 1) return Object.values(domain.way_to)[0];
  return undefined;
}

/** @param {Record<string, any>} domain @returns {string[]} */
function bagItems(domain) {
  return Object.entries(domain.bag_of).flatMap(([item, limit]) => Array(limit).fill(item));
}

/** What a form begins with: values that leave no choice, and the least of what has to be chosen. @param {Choice} choice */
export function begin(choice) {
  /** @type {Move} */
  const values = {};
  for (const field of choice.fields) {
    const only = onlyValue(field);
    if (only !== undefined && !field.isOptional) values[field.name] = only;
    else if (field.kind === "range" && !field.isOptional) values[field.name] = field.domain.from;
  }
  return values;
}

/** Whether a value is one that the field offers. A way is judged by the referee. @param {Field} field @param {any} value */
export function fits({ kind, domain }, value) {
  if (value === undefined) return false;
  if (kind === "one_of") return domain.one_of.some((/** @type {any} */ one) => same(one, value));
  if (kind === "range") return Number.isInteger(value) && domain.from <= value && value <= domain.to;
  if (kind === "way") return Array.isArray(value) && value.length > 0 && value.length <= domain.at_most;
  return Array.isArray(value) && domain.at_least <= value.length && value.length <= domain.at_most;
}

/** @param {any} a @param {any} b */
export function same(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The move that the values make, or null while something is missing. @param {Choice} choice @param {Move} values @returns {Move | null} */
export function complete(choice, values) {
  /** @type {Move} */
  const move = { type: choice.offer.type };
  for (const field of choice.fields) {
    const value = values[field.name] ?? (field.isOptional ? undefined : onlyValue(field));
    if (value === undefined && field.isOptional) continue;
    if (!fits(field, value)) return null;
    move[field.name] = value;
  }
  return move;
}

/** @param {Options} options @param {string} field @param {any} value @returns {string} */
export function wordsOf(options, field, value) {
  if (Array.isArray(value)) return value.map((item) => wordsOf(options, field, item)).join(", ");
  return options.words[field]?.[value] ?? String(value).replaceAll("_", " ");
}

/** How an order reads: its notation, with words for its values. @param {Options} options @param {string} notation @param {Move} move */
export function say(options, notation, move) {
  const filled = (/** @type {string} */ text) => text.replace(/\{(\w+)\}/g, (_, name) => wordsOf(options, name, move[name] ?? ""));
  return notation
    .replace(/\s*\[([^\]]*)\]/g, (_, part) => {
      const named = [...part.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
      const isSaid = named.every((name) => move[name] !== undefined && !same(move[name], []));
      return isSaid ? ` ${filled(part)}` : "";
    })
    .replace(/\{(\w+)\}/g, (_, name) => wordsOf(options, name, move[name] ?? "…"))
    .trim();
}

/** The hint for a complete order. @param {Choice} choice @param {Move} move */
export function hintOf({ offer, fields }, move) {
  const said = [offer.hint];
  for (const { name, kind, domain } of fields) {
    if (!domain.hints || move[name] === undefined) continue;
    const items = kind === "way"
      ? Object.keys(domain.way_to).filter((end) => same(domain.way_to[end], move[name]))
      : [].concat(move[name]);
    for (const item of items) said.push(domain.hints[item]);
  }
  return [...new Set(said.filter(Boolean))].join("; ");
}

/** The orders of a choice that need no form: it has one value to choose at most. @param {Options} options @param {Choice} choice @returns {Ready[] | null} */
export function readyOrders(options, choice) {
  const ready = (/** @type {Move} */ values) => {
    const move = complete(choice, values);
    return move ? [{ choice, move, label: say(options, choice.offer.notation, move), hint: hintOf(choice, move) }] : [];
  };
  if (choice.open.length === 0) return ready({});
  if (choice.open.length > 1) return null;
  const [{ name, kind, domain }] = choice.open;
  if (kind === "one_of") return domain.one_of.flatMap((/** @type {any} */ value) => ready({ [name]: value }));
  if (kind === "way") return Object.values(domain.way_to).flatMap((way) => ready({ [name]: way }));
  if (kind === "bag" && domain.at_least === 1 && domain.at_most === 1) {
    return Object.keys(domain.bag_of).flatMap((item) => ready({ [name]: [item] }));
  }
  if (kind === "pick" && domain.at_least === 1 && domain.at_most === 1) {
    return domain.pick_from.flatMap((/** @type {any} */ item) => ready({ [name]: [item] }));
  }
  return null;
}

/** Whether a choice has more to say than its ready orders do. @param {Choice} choice */
export function hasDetails(choice) {
  return choice.fields.some((field) => field.isOptional && onlyValue(field) === undefined);
}

/** The first words of a notation: "buy {route} for {airline}" is about buying. @param {Offer} offer */
export function verbOf(offer) {
  return offer.notation.split(/[{[]/)[0].trim() || offer.type.replaceAll("_", " ");
}

/** The marks of a picture that stand for a value on offer: "route london-paris". @param {Choice} choice @returns {string[]} */
export function marksOf(choice) {
  return choice.fields.flatMap((field) => fieldMarks(field));
}

/** @param {Field} field @returns {string[]} */
export function fieldMarks({ name, kind, domain, steps }) {
  const values = kind === "one_of" ? domain.one_of
    : kind === "pick" ? domain.pick_from
    : kind === "bag" ? Object.keys(domain.bag_of)
    : kind === "way" ? [...new Set([...steps, ...Object.keys(domain.way_to)])]
    : [];
  return values.filter((/** @type {any} */ value) => !Array.isArray(value)).map((/** @type {any} */ value) => `${name} ${value}`);
}

/** The field and the value of a mark. @param {string} mark */
export function readMark(mark) {
  const space = mark.indexOf(" ");
  return { name: mark.slice(0, space), value: mark.slice(space + 1) };
}
