// Moves of the list in the notation (docs/notation.md): suits as signs, names in the place of seats, what takes and what it brought marked.
import {h} from "../dom.js";
import {lang} from "../say.js";
import {facts} from "./story.js";
import {lines, sitting} from "./words.js";

const [RANKS, SUITS] = lang === "de" ? ["ABDKT", {p: "♠", h: "♥", k: "♦", x: "♣"}] : ["AJKQT", {s: "♠", h: "♥", d: "♦", c: "♣"}];
const SUITED = RegExp(`(10|[2-9${RANKS}])([${Object.keys(SUITS).join("")}])`, "g");

/** A move in short: who moved, the move, and the totals where it ended a hand; undefined for what is no move of a seat. */
export function noteMove(frame) {
  const {seat, names, said, stand} = frame, [first, ...rest] = said;
  if (seat == null || first.seats?.[0] !== seat) return undefined;
  return h("span", {class: "noted"}, h("span", {class: "who"}, sitting([seat], names)), " ", h("span", {}, writeMove(frame) ?? lines({...frame, said: rest})[0].trim()), " ", showTotals(stand));
}

/** The move in notation; undefined where that names no card, as a lone sign says little, or a category by its number. */
function writeMove({written: line, names, effects}) {
  if (!/[^.~?xYJN]/.test(line ?? "") || (facts.deck?.id && line.includes("="))) return undefined;
  const drawn = facts.deck === "french" ? line.replace(SUITED, (_, rank, suit) => rank + SUITS[suit]) : line;
  const named = drawn.replace(/^@(\d+) /, (_, asked) => `${sitting([asked], names)} `);
  const answer = named !== drawn && ` ${effects.some(([word]) => word === "moved") ? "!" : "~"}`;
  return [named.split(/(?<=^| )x(?= |$)/).flatMap((part, place) => (place ? [h("b", {class: "takes"}, "×"), part] : part)), answer];
}

const showTotals = stand => String(stand?.before.totals) !== String(stand?.after.totals) && h("b", {class: "counted"}, stand.after.totals.join(" : "));
