// Cards of a Quartett, from the definition of their deck (docs/record-format.md). Its texts come from people, so they are text nodes.
import {svg} from "../dom.js";
import {lang, say} from "../say.js";
import {fitting, inLines, joinTexts, path, shorten, words} from "./ink.js";

const HUES = 8;
const DASH = "–";
const NUMBER = {look: "dark", least: 1.5}; // rather tiny than cut off
const [TOP, BOTTOM, TALLEST] = [35, 128, 25];

/**
 * The drawing and the name of a card of the deck; nothing if the deck has no such card. With `lit`, the id of the announced category, the line
 * of it is marked, and the card is called by this line alone.
 */
export function quartett(code, deck, lit) {
  const card = deck.cards.find(one => one.id === code);
  if (!card) return;
  const group = deck.groups.findIndex(one => one.letter === card.group);
  const lines = deck.categories.map(category => line(category, card, deck.cards));
  const chosen = lines[deck.categories.findIndex(category => category.id === lit)];
  const values = (chosen ? [chosen] : lines).map(({name, amount, unit}) => `${name} ${amount ? amount + unit : say("card.quartett.none")}`);
  return {
    tone: `group-${group % HUES}`,
    full: [head(card), rows(lines, chosen), words(nameOf(deck.groups[group]), 50, 135.5, 5.4, {room: 90, look: "faint"})],
    small: small(card, chosen),
    words: say("card.quartett", {card: code, name: nameOf(card), values: joinTexts(values)}),
  };
}

const band = bottom => `M.5 7A6.5 6.5 0 0 1 7 .5H93A6.5 6.5 0 0 1 99.5 7V${bottom}H.5Z`;

/** The name in the language of the page, where the deck has one. */
const nameOf = one => (typeof one[`name_${lang}`] === "string" ? one[`name_${lang}`] : one.name);

/** A category on a card: `amount` in words, none for a dash; `unit` unless the name contains it; `share` from 0, the worst one, to 1. */
function line(category, card, cards) {
  const name = nameOf(category);
  const number = card.values[category.id];
  if (number == null) return {name};
  const label = card.labels?.[category.id];
  const amount = typeof label === "string" ? label : number.toLocaleString(lang, {maximumFractionDigits: 20});
  const unit = category.name.toLowerCase().includes(category.unit.toLowerCase()) ? "" : ` ${category.unit}`;
  return {name, amount, unit, share: share(number, category, cards)};
}

function share(number, {id, better}, cards) {
  const numbers = cards.map(card => card.values[id]).filter(value => value != null);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (least === most) return 1;
  return (better === "low" ? most - number : number - least) / (most - least);
}

function head(card) {
  const names = inLines(nameOf(card), 8.6, 58);
  return [
    path(band(32)),
    words(card.id, 7, 23.5, 20, {room: 28, anchor: "start", look: "blank"}),
    names.map((name, n) => words(name, 94, (names.length > 1 ? 14.5 : 20) + n * 10, 8.6, {room: 58, anchor: "end", look: "blank"})),
  ];
}

function rows(lines, chosen) {
  const tall = Math.min(TALLEST, (BOTTOM - TOP) / lines.length);
  const size = Math.min(7, tall * 0.36);
  const least = size * 0.7;
  const alike = Math.max(least, fitting(lines.map(one => one.name), size, 47));
  return lines.map((one, n) => {
    const y = TOP + n * tall;
    const middle = y + tall * 0.48;
    const rail = {x: 7, y: y + tall * 0.66, height: tall * 0.13, rx: tall * 0.06};
    return [
      one === chosen && svg("rect", {x: 2.5, y: y + 0.6, width: 95, height: tall - 1.2, rx: 2, class: "lit"}),
      one === chosen && path(`M3 ${y + tall / 2 - 3}l3 3-3 3Z`),
      words(one.name, 7, middle, alike, {room: 47, least, anchor: "start", look: "dark name"}),
      words(one.amount ? one.amount + shorten(one.unit, 7) : DASH, 93, middle, size, {...NUMBER, room: 37, anchor: "end"}),
      svg("rect", {...rail, width: 86, class: "rail"}),
      one.amount && svg("rect", {...rail, width: 3 + 83 * one.share, class: "ink"}),
    ];
  });
}

/** Code and name; of an announced category its number in the place of the name. */
function small(card, chosen) {
  const names = inLines(nameOf(card), 25, 90);
  return [
    path(band(72)),
    words(card.id, 50, 56, 56, {look: "blank"}),
    chosen
      ? words(chosen.amount ?? DASH, 50, 117, 40, NUMBER)
      : names.map((name, n) => words(name, 50, (names.length > 1 ? 98 : 113) + n * 29, 25, {look: "dark"})),
  ];
}
