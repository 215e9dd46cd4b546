// Cards of alcasan: the numbers 1 to 10, of which 4 is water, and fire, earth and air. A number has as many beads around it.
import {svg} from "../dom.js";
import {say} from "../say.js";
import {at, corners, paths, rank, words} from "./ink.js";

const WATER = "4";
const ELEMENTS = {
  [WATER]: [["M0-48C16-22 35-6 35 14A35 33 0 0 1-35 14C-35-6-16-22 0-48Z"]],
  fire: [
    ["M8-49C10-27 38-14 38 14 38 35 21 48 0 48S-38 34-38 13C-38-3-30-14-22-21-20-11-16-5-9-3-13-22-6-38 8-49Z"],
    ["M3 2C6 14 18 18 18 30 18 40 10 48 0 48S-18 40-18 29C-18 19-6 15 3 2Z", "shade"],
  ],
  earth: [["M-49 40-15-36 7 8 18-12 49 40Z"], ["M-15-36-28-7-20-13-13-3-6-11 3-1Z", "shade"]],
  air: [["M-46-12H12C33-12 33-42 13-42 3-42-2-34 0-27M-46 8H30C52 8 52 40 31 40 21 40 15 33 17 26M-46 28H-8", "line w10"]],
};

/** The drawing and the name of a card; nothing if it is no card of alcasan. */
export function alcasan(code) {
  if (code === WATER) return {tone: "alcasan-4", ...water(), words: say("card.alcasan.4")};
  if (Object.hasOwn(ELEMENTS, code)) return {tone: `alcasan-${code}`, ...element(code), words: say(`card.alcasan.${code}`)};
  if (/^([1-9]|10)$/.test(code)) return {tone: "alcasan", ...number(code), words: code};
}

function number(code) {
  return {
    full: [medal(), beads(Number(code)), numeral(code, 50, 70, 36), corners(() => numeral(code, 12, 17, 16))],
    small: numeral(code, 50, 68, 72),
  };
}

function element(code) {
  const name = words(say(`card.alcasan.${code}`), 50, 124, 12, {room: 64});
  return {
    full: [medal(), icon(code, 50, 69, 46), name, corners(() => icon(code, 12, 15, 17))],
    small: icon(code, 50, 70, 84),
  };
}

function water() {
  return {
    full: [medal(), beads(4), drop(50, 67, 50), corners(() => [rank(WATER, 12, 17, 16), icon(WATER, 12, 36, 14)])],
    small: drop(50, 66, 104),
  };
}

const icon = (code, x, y, size) => at(x, y, size, paths(ELEMENTS[code]));
const drop = (x, y, size) => [icon(WATER, x, y, size), svg("g", {class: "on-ink"}, rank(WATER, x, y + size * 0.13, size * 0.42))];
const medal = () => svg("circle", {cx: 50, cy: 70, r: 32, class: "tint"});

function beads(number) {
  return Array.from({length: number}, (_, n) => {
    const angle = (n / number - 0.25) * 2 * Math.PI;
    return svg("circle", {cx: (50 + 38 * Math.cos(angle)).toFixed(1), cy: (70 + 38 * Math.sin(angle)).toFixed(1), r: 2.6, class: "ink"});
  });
}

/** A number, no wider than its height; 6 and 9 have a line below, so that they cannot be confused. */
function numeral(code, x, y, size) {
  const line = {x: x - size * 0.3, y: y + size * 0.68, width: size * 0.6, height: size * 0.13, class: "ink"};
  return [rank(code, x, y, size), "69".includes(code) && svg("rect", line)];
}
