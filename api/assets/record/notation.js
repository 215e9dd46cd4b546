// The letters and signs of this game, and the reader of lines that uses them.
import {by} from "../dom.js";
import {forms} from "./cutting.js";
import {reader} from "./reading.js";

const given = JSON.parse(by("game").dataset.notation) ?? {cards: {}, ranks: {}, suits: {}, signs: {}, numbered: [], order: [], hands: "", words: {}};

/** The notation of the page, and `typed`: the cards by the text that may be typed for them. */
export const notation = {...given, typed: forms(given)};

/** Reads a line among legal moves. */
export const {read} = reader(given);

/** The typed form of a card with all its suits. */
export function written(code) {
  const [rank, suits] = given.cards[code] ?? [code, ""], first = letters => letters.split(" ")[0].toLowerCase();
  return first(given.ranks[rank] ?? rank) + [...suits].map(suit => first(given.suits[suit])).join("");
}
