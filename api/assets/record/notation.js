// The letters and signs of this game, and the reader of lines that uses them.
import {card} from "../cards.js";
import {by} from "../dom.js";
import {facts} from "../replay/story.js";
import {TOUCH} from "./line.js";
import {forms, reader} from "./reading.js";

const data = JSON.parse(by("game").dataset.notation) ?? {cards: {}, ranks: {}, suits: {}, signs: {}, numbered: [], order: [], hands: "", words: {}, laid: []};

/** The notation of the page, and `typed`: the cards by the text that may be typed for them. */
export const notation = {...data, typed: forms(data)};

/** Reads a line among legal moves. */
export const read = reader(data).read;

const first = letters => letters.split(" ")[0].toLowerCase(), sign = letters => letters.split(" ").find(one => /[♠♥♦♣]/.test(one));

/** The typed form of a rank. */
export const letter = rank => first(data.ranks[rank] ?? rank);

/** A rank as people write it. */
export function label(rank) {
  const typed = (data.ranks[rank] ?? rank).split(" ");
  return typed.find(one => /^\d+$/.test(one)) ?? typed[0].toUpperCase();
}

/** The typed form of a card with all its suits; where it is tapped with its sign, which people read, and which means nothing else: 5x also takes with a five. */
export function spell(code) {
  const [rank, of] = data.cards[code] ?? [code, ""], suits = [...of].map(suit => data.suits[suit]);
  return TOUCH.matches && suits.some(sign) ? label(rank) + suits.map(sign).join("") : letter(rank) + suits.map(first).join("");
}

/** The parts of a line, each card as it is written here. */
export const parts = line => line.trim().split(/\s+/).map(part => {
  const codes = notation.typed.get(part.toLowerCase());
  return codes?.size === 1 ? spell([...codes][0]) : part;
});

/** Cards by their names; those of a Quartett by their codes. */
export const nameCards = cards => cards.map(code => (Object(facts.deck) === facts.deck ? code : card(code, {deck: facts.deck}).firstChild.ariaLabel)).join(", ");
