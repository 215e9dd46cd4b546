// A pad for cards that cannot be tapped on the table: first a rank, then one of its cards.
import {card} from "../cards.js";
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {facts, hear} from "../replay/story.js";
import {expected} from "./entered.js";
import {clear, write} from "./line.js";
import {notation, written} from "./notation.js";

const pad = by("pad");
let rank = null, claims = {}, first = [];
hear("told", draw);

/** Shows it while anybody wants it: `who` names the purpose; `faces` are offered before all ranks. */
export function want(who, on, faces = []) {
  claims[who] = on;
  first = on ? faces : [];
  rank = null;
  draw();
}

/** Shows it for the hand that is to act, or hides it again. */
export const turn = () => want("hand", !claims.hand);

/** By rank, the cards that are not all visible somewhere or in the line. */
function unseen() {
  const {zones, blocks = [], to_act: due} = expected(); // between two hands those of the last one still lie there
  const lying = due.length ? [...Object.values(zones).flatMap(({cards}) => cards), ...blocks.flatMap(({faces}) => faces)] : [], typed = by("line").value.split(" ");
  const seen = code => lying.filter(one => one === code).length + typed.filter(one => one === written(code)).length;
  const ranks = Map.groupBy(Object.keys(notation.cards), code => notation.cards[code][0]);
  return new Map([...ranks].map(([one, codes]) => [one, codes.filter(code => seen(code) < notation.cards[code][2])]).filter(([, codes]) => codes.length));
}

function draw() {
  pad.hidden = !Object.values(claims).some(Boolean);
  if (pad.hidden) return;
  const ranks = unseen(), cards = ranks.get(rank), back = cards ? sign("‹", "ranks", () => open(null)) : by("line").value && sign("⌫", "clear", shorten);
  const typed = by("line").value.split(" "), likely = cards ? [] : first.filter(code => !typed.includes(written(code)));
  pad.replaceChildren(...[back].filter(Boolean), ...likely.map(face), ...(cards?.map(face) ?? [...ranks].map(([one, [only, ...more]]) => (more.length ? button(one) : face(only)))));
}

function button(one) {
  const letters = (notation.ranks[one] ?? one).split(" ");
  return h("button", {type: "button", onclick: () => open(one)}, letters.find(letter => /^\d+$/.test(letter)) ?? letters[0].toUpperCase());
}

const sign = (shown, word, onclick) => h("button", {type: "button", "aria-label": say(`record.pad.${word}`), onclick}, shown);
const face = code => h("button", {type: "button", onclick: () => type(code)}, card(code, {deck: facts.deck}));

function open(one) {
  rank = one;
  draw();
}

/** Without the card that was typed last. */
function shorten() {
  const shorter = by("line").value.replace(/\s*\S+\s*$/, "");
  clear();
  if (shorter) write(`${shorter} `);
  draw();
}

function type(code) {
  write(`${written(code)} `);
  open(null);
}
