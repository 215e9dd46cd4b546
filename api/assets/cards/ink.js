// Drawing helpers of all decks. A card is 100 wide and 140 high; a sign is drawn around its middle, from -50 to 50.
import {svg} from "../dom.js";
import {say} from "../say.js";

/** A path of one look (cards.css): `ink` is filled, `line` is stroked. */
export const path = (d, look = "ink", transform) => svg("path", {d, class: look, transform});

/** Several, each as its path and its look. */
export const paths = list => list.map(([d, look]) => path(d, look));

/** A drawing from -50 to 50, moved to the middle (x, y) and scaled to this size. */
export const at = (x, y, size, nodes, turn = "") => svg("g", {transform: `translate(${x} ${y}) scale(${size / 100})${turn}`}, nodes);

export const flip = nodes => svg("g", {transform: "rotate(180 50 70)"}, nodes);

/** The content of the upper left corner, and again of the lower right one. */
export const corners = draw => [draw(), flip(draw())];

// Numbers and letters are strokes of our own, alike on every machine: each with its width, 100 high.
const STROKES = {
  0: [54, "M27 0C9 0 0 20 0 50S9 100 27 100 54 80 54 50 45 0 27 0Z"],
  1: [24, "M0 20 24 0V100"],
  2: [54, "M2 25C4 9 13 0 27 0 42 0 53 11 53 27 53 42 44 52 33 64L0 100H54"],
  3: [54, "M3 0H51L25 40C43 40 54 52 54 69 54 88 42 100 25 100 12 100 4 93 0 83"],
  4: [60, "M44 100V0L0 72H60"],
  5: [54, "M50 0H11L6 46C11 40 18 37 27 37 43 37 54 50 54 68 54 87 43 100 26 100 13 100 4 93 0 84"],
  6: [54, "M44 0C19 12 0 42 0 69 0 88 11 100 27 100S54 88 54 69 43 39 27 39C14 39 4 48 1 62"],
  7: [52, "M0 0H52L18 100"],
  8: [54, "M27 46C13 46 4 36 4 23S13 0 27 0 50 10 50 23 41 46 27 46C11 46 0 57 0 73S11 100 27 100 54 89 54 73 43 46 27 46Z"],
  9: [54, "M10 100C35 88 54 58 54 31 54 12 43 0 27 0S0 12 0 31 11 61 27 61C40 61 50 52 53 38"],
  A: [60, "M0 100 30 0 60 100M11 66H49"],
  K: [54, "M0 0V100M50 0 0 60M17 42 54 100"],
  Q: [60, "M29 0C10 0 0 20 0 50S10 100 29 100 58 80 58 50 48 0 29 0ZM34 70 60 104"],
  J: [40, "M40 0V70C40 90 31 100 19 100 8 100 1 92 0 78"],
  B: [52, "M0 0V100H26C43 100 52 90 52 73S43 46 26 46H0M26 46C40 46 46 37 46 23S40 0 26 0H0"],
  D: [54, "M0 0V100H18C42 100 54 80 54 50S42 0 18 0Z"],
};
const GAP = 22;

/** A number or a letter of a rank with its middle at (x, y), so high and no wider than `room`. */
export function rank(text, x, y, height, room = height) {
  const signs = [...text].map(sign => STROKES[sign]);
  const wide = signs.reduce((sum, [own]) => sum + own + GAP, -GAP);
  let left = -wide / 2;
  const strokes = signs.map(([own, d]) => {
    left += own + GAP;
    return path(d, "rank", `translate(${left - own - GAP} -50)`);
  });
  return svg("g", {transform: `translate(${x} ${y}) scale(${Math.min(height / 100, room / wide)} ${height / 100})`}, strokes);
}

/**
 * Words in the font of the page; `anchor` ("start", "middle", "end") is where x is. Where they would be wider than `room` they are smaller,
 * down to `least`, and then shortened.
 */
export function words(text, x, y, size, {room = 90, least = size * 0.65, anchor = "middle", look = "ink"} = {}) {
  const shown = shorten(text, room / least);
  return svg("text", {x, y, "font-size": fitting([shown], size, room).toFixed(2), "text-anchor": anchor, class: look}, shown);
}

/** The size in which all these texts have room. */
export const fitting = (texts, size, room) => Math.min(size, ...texts.map(text => room / width(text)));

/** In one line or in two, parted where the longer one is shortest. */
export function inLines(text, size, room) {
  if (width(text) * size <= room) return [text];
  const gaps = [...text.matchAll(/(?<=\S)[\s-]+(?=\S)/g)];
  const ways = gaps.map(({0: gap, index}) => [text.slice(0, index) + gap.trim(), text.slice(index + gap.length)]);
  const longer = way => Math.max(...way.map(width));
  return ways.sort((one, other) => longer(one) - longer(other))[0] ?? [text];
}

/** "a", "a and b", "a, b and c". */
export function joinTexts(texts) {
  const last = texts.at(-1);
  return texts.length > 1 ? say("card.and", {some: texts.slice(0, -1).join(", "), last}) : last;
}

/** The text, or as much of it as has room, in font sizes. */
export function shorten(text, room) {
  if (width(text) <= room) return text;
  const signs = [...text];
  while (signs.length && width(signs.join("")) > room - 1) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}

// The greatest width of a sign in any usual font, in font sizes; of other signs it is unknown.
const WIDTHS = [
  [/[ .,:;|'ijlI]/, 0.4],
  [/[frt()/°²³-]/, 0.5],
  [/[a-ln-vx-z0-9ß-ÿ]/, 0.71],
  [/[A-LN-VX-ZÀ-Þ]/, 0.86],
];
const width = text => [...text].reduce((sum, sign) => sum + (WIDTHS.find(([signs]) => signs.test(sign))?.[1] ?? 1.3), 0);

// The back of all cards: a lapwing (Kiebitz).

export const BIRD = [
  ["M-34 50C-36 22-34-4-16-16 0-26 20-22 26-8L48 0 27 6C27 22 20 34 16 50Z"],
  ["M-14-14C-22-26-34-34-48-35M-4-18C-8-32-18-42-32-47", "line w5"],
  ["M4 2C-8 8-14 22-14 50H6C6 34 12 26 22 20 14 18 6 12 4 2Z", "blank"],
  ["M6.5-6a4.5 4.5 0 1 1 9 0 4.5 4.5 0 1 1-9 0Z", "blank"],
];

/** A lapwing before a lattice. */
export function back() {
  const field = inset => svg("rect", {x: inset, y: inset, width: 100 - 2 * inset, height: 140 - 2 * inset, rx: 4, class: "ink"});
  const medal = (r, look) => svg("circle", {cx: 50, cy: 70, r, class: look});
  const threads = Array.from({length: 27}, (_, n) => n * 8 - 128);
  const slope = threads.map(x => `M${Math.max(x, 0)} ${Math.max(-x, 0)}L${Math.min(x + 128, 88)} ${Math.min(128, 88 - x)}`).join("");
  const lattice = [path(slope, "lattice", "translate(6 6)"), path(slope, "lattice", "matrix(-1 0 0 1 94 6)")];
  const bird = size => at(50, 71, size, paths(BIRD));
  return {
    tone: "back",
    full: [field(6), lattice, medal(25, "blank"), medal(22.5, "line w1"), bird(34)],
    small: [field(8), medal(34, "blank"), bird(50)],
  };
}
