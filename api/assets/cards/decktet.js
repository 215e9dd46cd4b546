// Cards of the Decktet: rank, hyphen and up to three suits, as in 4-MS. Every suit has a shape of its own.
import {svg} from "../dom.js";
import {say} from "../say.js";
import {at, corners, joinTexts, path, rank} from "./ink.js";

const RING = "M-32-16H32A16 16 0 0 1 32 16H-32A16 16 0 0 1-32-16Z";
const SUITS = {
  M: () => path("M12-46A47 47 0 1 0 45 20 37 37 0 1 1 12-46Z"),
  S: () => [
    svg("circle", {r: 25, class: "ink"}),
    [0, 45, 90, 135, 180, 225, 270, 315].map(angle => path("M-10-31 0-50 10-31Z", "ink", `rotate(${angle})`)),
  ],
  W: () => [-27, 1, 29].map(y => path(`M-44 ${y}C-33 ${y - 22}-20 ${y - 20}-8 ${y - 4}S22 ${y + 18} 44 ${y - 8}`, "line w11")),
  L: () => [
    path("M34-48C48-4 34 36-12 34-40 14-22-32 34-48Z"),
    path("M16-20C4-2-14 18-34 46", "line w7"),
    path("M16-20-8 14", "line w4 cut"),
  ],
  Y: () => [
    path("M-42 30C-18 54 30 46 30 20 30-6-26 4-26-20-26-34-14-40 4-38", "line w12"),
    path("M-4-50C18-52 36-44 47-23L31-27 28-15C18-24 8-26-4-25Z"),
    svg("circle", {cx: 17, cy: -36, r: 4, class: "blank"}),
  ],
  K: () => [path(RING, "line w9"), over(RING, RING, "rotate(90)"), over("M6-16H26", "M2-16H30"), over("M-26 16H-6", "M-30 16H-2")],
};
const FIGURES = {
  CROWN: "M-46-30-20-2 0-42 20-2 46-30 36 26H-36ZM-36 33H36V45H-36Z",
  PAWN: "M0-47A19 19 0 0 1 12-13C14 8 21 20 31 32V46H-31V32C-21 20-14 8-12-13A19 19 0 0 1 0-47Z",
  COURT: "M-46-14 0-46 46-14V-6H-46ZM-38 0H-23V28H-38ZM-8 0H8V28H-8ZM23 0H38V28H23ZM-46 34H46V45H-46Z",
};

/** A line over others, with a little paper on either side of it along `cut`. */
const over = (cut, d, transform) => [path(cut, "line w17 cut butt", transform), path(d, "line w9 butt", transform)];

const sign = (suit, x, y, size) => svg("g", {class: `decktet-${suit}`}, at(x, y, size, SUITS[suit]()));

/** The drawing and the name of a card; nothing if it is no card of the Decktet. */
export function decktet(code) {
  const [, value, letters] = /^([A2-9]|CROWN|PAWN|COURT)-([MSWLYK]{1,3})$/.exec(code) ?? [];
  if (!value) return;
  const suits = [...letters];
  return {
    tone: "decktet",
    full: [body(value, suits), corners(() => [mark(value, 10.5, 16, 16), suits.map((suit, n) => sign(suit, 10.5, 35 + n * 15, 13))])],
    small: small(value, suits),
    words: say("card.decktet", {rank: nameValue(value), suits: joinTexts(suits.map(suit => say(`card.decktet.${suit}`)))}),
  };
}

/** The rank: its figure, or its number. */
function mark(value, x, y, size) {
  if (value in FIGURES) return at(x, y, size, path(FIGURES[value]));
  return rank(value === "A" ? say("card.letter.A") : value, x, y, size);
}

const nameValue = value => (value > 1 ? value : say(`card.decktet.${value}`));

function body(value, [first, second, third]) {
  if (third) return [mark(value, 50, 70, 30), sign(first, 50, 33, 32), sign(second, 35.5, 106, 24), sign(third, 64.5, 106, 24)];
  if (second) return [sign(first, 50, 44, 42), sign(second, 50, 96, 42)];
  return value in FIGURES ? [mark(value, 50, 43, 42), sign(first, 50, 95, 46)] : [sign(first, 50, 70, 58)];
}

function small(value, [first, second, third]) {
  if (third) return [mark(value, 28, 38, 40), sign(first, 73, 38, 42), sign(second, 27, 102, 42), sign(third, 73, 102, 42)];
  if (second) return [mark(value, 50, 38, 50), sign(first, 27, 102, 44), sign(second, 73, 102, 44)];
  return [mark(value, 50, 38, 50), sign(first, 50, 101, 58)];
}
