// French cards: ranks A K Q J T 9 … 2 and suits S H D C, as in QH; the joker is JK.
import {say} from "../say.js";
import {court, joker} from "./courts.js";
import {at, corners, path, rank} from "./ink.js";

const PIPS = {
  S: "M0-47C10-29 46-9 46 14A23 23 0 0 1 5 26C6 36 9 42 18 47H-18C-9 42-6 36-5 26A23 23 0 0 1-46 14C-46-9-10-29 0-47Z",
  H: "M0 46C-10 28-46 10-46-17A24 24 0 0 1 0-26 24 24 0 0 1 46-17C46 10 10 28 0 46Z",
  D: "M0-48C10-28 24-12 38 0 24 12 10 28 0 48-10 28-24 12-38 0-24-12-10-28 0-48Z",
  C: "M0-47A22 22 0 0 1 16-11 22 22 0 1 1 5 22C6 35 9 42 18 47H-18C-9 42-6 35-5 22A22 22 0 1 1-16-11 22 22 0 0 1 0-47Z",
};
const ROWS = {0: [], 1: [70], 2: [28, 112], 3: [28, 70, 112], 4: [28, 56, 84, 112]};
// The number of rows of two, and the pips in the middle.
const SPOTS = {
  2: [0, ROWS[2]],
  3: [0, ROWS[3]],
  4: [2, []],
  5: [2, [70]],
  6: [3, []],
  7: [3, [49]],
  8: [3, [49, 91]],
  9: [4, [70]],
  T: [4, [42, 98]],
};

const pip = (suit, x, y, size, turn) => at(x, y, size, path(PIPS[suit]), turn);

/** The drawing and the name of a card; nothing if it is no French card. */
export function french(code) {
  if (code === "JK") return {tone: "joker", ...joker(), words: say("card.french.JK")};
  const [, value, suit] = /^([AKQJT2-9])([SHDC])$/.exec(code) ?? [];
  if (!suit) return;
  const shown = nameRank(value, "letter");
  return {
    tone: `suit-${suit}`,
    full: [body(value, suit), corners(() => [rank(shown, 10, 15.5, 16, 12.5), pip(suit, 10, 34, 13)])],
    small: [rank(shown, 50, 40, 52, 66), pip(suit, 50, 102, 54)],
    words: say("card.french", {rank: nameRank(value, "rank"), suit: say(`card.suit.${suit}`)}),
  };
}

function body(value, suit) {
  if (value === "A") return pip(suit, 50, 70, 50);
  if (!SPOTS[value]) return court(value, suit, (x, y, size) => pip(suit, x, y, size));
  const [rows, middle] = SPOTS[value];
  const spots = [...ROWS[rows].flatMap(y => [[32.5, y], [67.5, y]]), ...middle.map(y => [50, y])];
  return spots.map(([x, y]) => pip(suit, x, y, rows < 4 ? 21 : 18, y > 70 ? "rotate(180)" : ""));
}

/** The rank as its "letter" or as its "rank" in words. */
const nameRank = (value, how) => (value === "T" ? "10" : value > 1 ? value : say(`card.${how}.${value}`));
