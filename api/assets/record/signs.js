// The signs of the game, to be tapped into the line: they say what can be typed, and spare a phone its second keyboard.
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {notation} from "./notation.js";

/** `write(text)` puts one into the line, with a blank between it and what comes next. */
export function signs(write) {
  const first = {};
  for (const [typed, sign] of Object.entries(notation.signs)) first[sign] ??= typed;
  const button = ([sign, typed]) => h("button", {type: "button", onclick: () => write(`${typed} `)}, h("kbd", {}, typed), " ", say(`record.sign.${sign}`));
  by("signs").append(...Object.entries(first).filter(([sign]) => sign !== ".").map(button));
}
