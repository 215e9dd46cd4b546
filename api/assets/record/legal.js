// The legal moves of a seat with their lines, sentences and effects, in one request.
import {lang, say} from "../say.js";
import {facts, load, names, path} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {tableNow} from "./entered.js";

const MOST = 600;

/** {list, cut}: the moves as chips() makes them, and whether there are more than the page holds. Raises Refused and Offline. */
export async function legal(position, seat) {
  const found = await load(path("legal-moves", {position, seat, written: true, said: true, effects: true, limit: MOST}));
  return {list: chips(found), cut: found.next !== null};
}

/** {move, written, units, effects, asks, words, chip} each: `words` the sentence, `chip` the same without its subject. */
export function chips({moves, written, units, said, effects = [], asks = []}) {
  return tellApart(moves.map((move, place) => {
    const pieces = said[place], [words] = lines({said: pieces, names: names()});
    const [bare] = lines({said: typeof pieces[0] === "string" ? pieces : pieces.slice(1), names: names()});
    return {move, written: written[place], units: units[place], effects: effects[place] ?? null, asks: asks[place] ?? [], words, chip: capital(bare.trim().replace(/\.$/, ""))};
  }));
}

/** Moves whose sentences read alike, each with the cards or places that not all of them name; `bare`: the chip without. */
function tellApart(list) {
  const alike = Map.groupBy(list, ({words}) => words), key = unit => JSON.stringify(unit), keys = new Map(list.map(one => [one, new Set(one.units.map(key))]));
  return list.map(one => {
    const group = alike.get(one.words), own = group.length > 1 ? one.units.filter(unit => !group.every(other => keys.get(other).has(key(unit)))).map(nameUnit).filter(Boolean) : [];
    if (!own.length) return one;
    const more = ` (${own.join(" ")})`;
    return {...one, words: one.words.replace(/\.?$/, `${more}$&`), chip: `${one.chip}${more}`, bare: one.chip};
  });
}

/** A card, a build or a place of a line in words; undefined for a sign. */
function nameUnit({card, number, role}) {
  if (card !== undefined) return role === "free" ? say("record.apart.to", {card: short(card)}) : short(card);
  if (number === undefined) return undefined;
  const {zones} = tableNow(), kind = Object.keys(zones).some(zone => zone.startsWith("down:")) ? "left" : "place";
  const build = Object.entries(zones).flatMap(([zone, {cards}]) => (zone.startsWith(`build:${number}:`) ? cards : []));
  return build.length ? build.map(short).join(" ") : say(`record.apart.${kind}`, {number});
}

const SUITS = {S: "♠", H: "♥", D: "♦", C: "♣"};
/** A card as sentences name it. */
export const short = card => (facts.deck === "french" ? card.replace(/^T/, "10").replace(/[SHDC]$/, suit => SUITS[suit]) : card);

const capital = text => text.charAt(0).toLocaleUpperCase(lang) + text.slice(1);
