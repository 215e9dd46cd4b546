// The letters and signs of this game, and the reader of lines that uses them.
import {card} from "../cards.js";
import {by} from "../dom.js";
import {facts} from "../replay/story.js";
import {forms} from "./cutting.js";
import {reader} from "./reading.js";

const given = JSON.parse(by("game").dataset.notation) ?? {cards: {}, ranks: {}, suits: {}, signs: {}, numbered: [], order: [], hands: "", words: {}, laid: []};

/** The notation of the page, and `typed`: the cards by the text that may be typed for them. */
export const notation = {...given, typed: forms(given)};

/** Reads a line among legal moves. */
export const {read} = reader(given);

const first = letters => letters.split(" ")[0].toLowerCase();

/** The typed form of a rank. */
export const letter = rank => first(given.ranks[rank] ?? rank);

/** The typed form of a card with all its suits. */
export function written(code) {
  const [rank, suits] = given.cards[code] ?? [code, ""];
  return letter(rank) + [...suits].map(suit => first(given.suits[suit])).join("");
}

/** Cards by their names; those of a Quartett by their codes. */
export const called = cards => cards.map(code => (Object(facts.deck) === facts.deck ? code : card(code, {deck: facts.deck}).firstChild.ariaLabel)).join(", ");
