// A pad for cards that cannot be tapped on the table: first a rank, then one of its cards.
import {card} from "../cards.js";
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {facts, hear} from "../replay/story.js";
import {expected} from "./entered.js";
import {notation, written} from "./notation.js";
import {add} from "./taps.js";

const pad = by("pad");
let rank = null, claims = {}, first = [];
for (const news of ["told", "line"]) hear(news, draw);

/** Shows it while anybody wants it: `who` names the purpose; `faces` are offered before all ranks. */
export function want(who, on, faces = []) {
  if (!faces.length && Boolean(claims[who]) === on) return; // a rank that was tapped stays open while an entry is sent again
  claims[who] = on;
  first = on ? faces : [];
  rank = null;
  draw();
}

/** Shows it for the hand that is to act, or hides it again. */
export const turn = () => want("hand", !claims.hand);

/** How often each card is nowhere to be seen: neither on the table nor in the line. */
function unseen() {
  const {zones, blocks = [], to_act: due} = expected(); // between two hands those of the last one still lie there
  const lying = due.length ? [...Object.values(zones).flatMap(({cards}) => cards), ...blocks.flatMap(({faces}) => faces)] : [], typed = by("line").value.split(/\s+/);
  const seen = code => lying.filter(one => one === code).length + typed.filter(one => one === written(code)).length;
  return new Map(Object.entries(notation.cards).map(([code, [, , copies]]) => [code, copies - seen(code)]));
}

/** Keys keep their places whatever was seen or typed. */
function draw() {
  pad.hidden = !Object.values(claims).some(Boolean);
  if (pad.hidden) return;
  pad.dataset.used = ""; // from now on it keeps its place, so that the table never jumps
  const left = unseen(), ranks = Map.groupBy(left.keys(), code => notation.cards[code][0]);
  const key = code => face(code, left.get(code) < 1);
  pad.replaceChildren(...(rank ? [back(), ...ranks.get(rank).map(key)] : [...first.map(likely), ...[...ranks].map(([one, codes]) => button(one, codes, left))]));
}

/** A rank; its card at once where no other one of it is left. */
function button(one, codes, left) {
  const open = codes.filter(code => left.get(code) > 0);
  if (codes.length === 1 || open.length === 1) return face(open[0] ?? codes[0], !open.length);
  const letters = (notation.ranks[one] ?? one).split(" ");
  return h("button", {type: "button", disabled: !open.length, onclick: () => show(one)}, letters.find(letter => /^\d+$/.test(letter)) ?? letters[0].toUpperCase());
}

const back = () => h("button", {type: "button", "aria-label": say("record.pad.ranks"), onclick: () => show(null)}, "‹");
const likely = code => face(code, by("line").value.split(/\s+/).includes(written(code)));
const face = (code, disabled) => h("button", {type: "button", disabled, onclick: () => type(code)}, card(code, {deck: facts.deck}));

function show(one) {
  rank = one;
  draw();
}

function type(code) {
  rank = null;
  add(written(code));
}
