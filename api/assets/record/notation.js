// The letters and signs of this game, and what reads lines by them.
import {by} from "../dom.js";
import {forms} from "./cutting.js";
import {reader} from "./reading.js";

const given = JSON.parse(by("game").dataset.notation) ?? {cards: {}, ranks: {}, suits: {}, signs: {}, numbered: [], order: [], hands: ""};

/** As it was told, and `typed`: by what may be typed the cards that it may mean. */
export const notation = {...given, typed: forms(given)};

/** Reads a line among legal moves. */
export const {read} = reader(given);

/** How a card is typed with all its suits. */
export function written(code) {
  const [rank, suits] = given.cards[code] ?? [code, ""], first = letters => letters.split(" ")[0].toLowerCase();
  return first(given.ranks[rank] ?? rank) + [...suits].map(suit => first(given.suits[suit])).join("");
}
