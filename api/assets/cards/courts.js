// The figures on French cards: king, queen and jack, and the joker.
import {svg} from "../dom.js";
import {at, BIRD, corners, flip, path, paths, words} from "./ink.js";

const EYES = "M45 29.5h2.4M52.6 29.5h2.4";

// From the back to the front. What is of paper is cut out of the ink.
const FIGURES = {
  K: [
    ["M37 22C33 30 34 40 38 45H62C66 40 67 30 63 22Z"],
    ["M19 75V59C22 51 31 48 41 46H59C69 48 78 51 81 57V65Z"],
    ["M41 22H59V37H41Z", "blank"],
    ["M41 33C43 37 47 35 50 36.5 53 35 57 37 59 33V38C59 47 54 51 50 55 46 51 41 47 41 38Z"],
    ["M47.5 39.6H52.5", "thread"],
    [`${EYES}M44 26.5l3.6-.6M52.4 25.9l3.6.6M50 29V33.5`, "line w1"],
    ["M37 23.5 34.5 12 42.5 17.5 50 10.5 57.5 17.5 65.5 12 63 23.5Z", "gold"],
    ["M37.5 19.8H62.5", "line w1"],
    ["M31.5 48.5C36 62 46 64 50 64S64 62 68.5 48.5L63 46.7C60 55 55 58.5 50 58.5S40 55 37 46.7Z", "blank"],
    ["M36.5 52.5l1.5 2.4M42 59l1 2.4M50 60.4v2.4M58 59l-1 2.4M63.5 52.5l-1.5 2.4", "line w1"],
    ["M71.2 50V17L73 12.5 74.8 17V50Z", "blank edge"],
    ["M67.5 49.5H78.5V52.5H67.5ZM71.5 58H74.5V62H71.5Z", "gold"],
    ["M69.5 55.5a3.5 3.5 0 1 1 7 0 3.5 3.5 0 1 1-7 0Z", "blank"],
  ],
  Q: [
    ["M19 75V61C22 53 33 51 42 49L50 60 58 49C67 51 78 53 81 59V65Z"],
    ["M38 24C31 32 34 42 30.5 50 29 56 36 59 42 54H58C64 59 71 56 69.5 50 66 42 69 32 62 24Z", "ink cut w1"],
    ["M46 40H54V52H46Z", "blank"],
    ["M43 46.5H57L50 58Z", "blank"],
    ["M41.5 24C41.5 38 44 45 50 45S58.5 38 58.5 24C54 21 46 21 41.5 24Z", "blank"],
    ["M41.5 30C41 26 46 25 50 21 54 25 59 26 58.5 30 60 24 57 19 50 19S40 24 41.5 30Z"],
    [`${EYES}M50 30V34M47.8 38.6C49.2 40 50.8 40 52.2 38.6`, "line w1"],
    ["M39.5 21.5 37.5 12.5 43.5 15.5 46.5 9.5 50 14 53.5 9.5 56.5 15.5 62.5 12.5 60.5 21.5C54 18.5 46 18.5 39.5 21.5Z", "gold"],
    ["M45 50.5C47 54 53 54 55 50.5", "chain"],
    ["M71.5 63C70.5 52 70.5 42 72.5 34", "line w1"],
    ["M72.5 34a4 4 0 1 1-4-4 4 4 0 1 1 4-4 4 4 0 1 1 4 4 4 4 0 1 1-4 4Z", "gold"],
    ["M71 48C66 47 64.5 44 64.5 41 68 42 70.5 44 71 48Z"],
    ["M68 57.5a3.5 3.5 0 1 1 7 0 3.5 3.5 0 1 1-7 0Z", "blank"],
  ],
  J: [
    ["M48 20H61C66 27 66 40 62 47H52Z"],
    ["M19 75V60C22 52 33 49 45 47H57C68 49 78 52 81 58V65Z"],
    ["M43.5 22H55C55 30 57 34 57 38V48H48V44.5C45 45 43.5 44 43.8 41.5L43 39.5 43.6 37.5 42.8 36.3 43.4 35 41 33.5 43.5 28.5Z", "blank"],
    ["M55 22C54 29 57 32 57 38L61 34V22Z"],
    ["M45.3 29.5h2.6M44.5 26.6l4-.4M43.6 38.5h3", "line w1"],
    ["M43.5 45.5H60.5L63 50.5H41.5Z", "gold"],
    ["M36 20C36 12 46 9 57 11 65 12 67.5 17 66 20.5Z"],
    ["M37 18.5H66V22.5H37Z", "gold"],
    ["M59 18C60 9 69 5 78.5 11 72 12 66 14.5 63.5 20.5Z", "gold"],
    ["M73 64V30", "line w1"],
    ["M73 20C77 25 78 29 73 36 68 29 69 25 73 20Z", "blank edge"],
    ["M69.5 57.5a3.5 3.5 0 1 1 7 0 3.5 3.5 0 1 1-7 0Z", "blank"],
  ],
};
// The weave of the robes of each suit.
const WEAVES = {
  S: "M22 62 30 56 38 62M22 67 30 61 38 67M22 72 30 66 38 72",
  H: "M22 59a4 4 0 0 0 8 0 4 4 0 0 0 8 0M22 66a4 4 0 0 0 8 0 4 4 0 0 0 8 0",
  D: "M26 56 30 62 26 68 22 62ZM34 56 38 62 34 68 30 62Z",
  C: "M23 58V73M28 55V72M33 54.5V71.5M38 58V70.5",
};

/** The panel of a court: half a figure, and its double turned. `pip(x, y, size)` draws its suit. */
export function court(value, suit, pip) {
  const half = () => [paths(FIGURES[value]), path(WEAVES[suit], "chain"), pip(27, 18, 12)];
  const panel = look => svg("rect", {x: 19, y: 9, width: 62, height: 122, rx: 3, class: look});
  return [panel("tint"), half(), flip(half()), path("M19 75 81 65", "seam"), panel("line w1")];
}

const BELL = "a4.5 4.5 0 1 1 9 0 4.5 4.5 0 1 1-9 0Z";
const CAP = [
  ["M-20-14C-22-34-34-42-48-28-40-58-12-54-4-30Z", "gold"],
  ["M24-10C26-34 40-40 50-26 46-54 20-58 10-30Z", "gold"],
  ["M-11-20C-14-40-6-50 3-62 12-50 20-38 18-16Z"],
  [`M-54-25${BELL}M46-22${BELL}M-1.5-64${BELL}`, "gold"],
  ["M-22-18C-8-28 14-28 28-12", "band"],
];
const STAR = "M0-48 12-16 46-15 19 6 28 39 0 20-28 39-19 6-46-15-12-16Z";

/** A lapwing in a fool's cap. */
export function joker() {
  const fool = (size, y) => at(50, y, size, paths([...BIRD, ...CAP]));
  return {
    full: [fool(66, 75), words("JOKER", 50, 126, 11), corners(() => at(10, 13, 14, path(STAR)))],
    small: [fool(78, 66), words("JOKER", 50, 130, 24)],
  };
}
