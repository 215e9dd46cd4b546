// The back of all cards: a lapwing (Kiebitz).
import {svg} from "../dom.js";
import {at, path, paths} from "./ink.js";

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
