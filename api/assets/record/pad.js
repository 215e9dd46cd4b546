// A pad for cards that cannot be tapped on the table: first a rank, then one of its cards.
import {card} from "../cards.js";
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {facts, hear} from "../replay/story.js";
import {tableNow} from "./entered.js";
import {begin, clear, put} from "./line.js";
import {label, letter, notation, parts, spell} from "./notation.js";
import {add} from "./taps.js";

const pad = by("pad");
const RANKS = [...new Set(Object.values(notation.cards).map(([of]) => of))];
let rank = null, claims = {}, first = [], counts = null;
hear("told", draw);
hear("line", ({begun, alone}) => {
  if (!begun) rank = null;
  pad.hidden = alone || !isWanted();
  draw();
});

/** Shows it while anybody wants it: `who` names the purpose; `faces` are offered before all ranks; `worth`: first figures are. */
export function want(who, on, faces = [], worth = false) {
  if (!faces.length && !worth && Boolean(claims[who]) === on) return; // a rank that was tapped stays open while an entry is sent again
  claims[who] = on;
  first = on ? faces : [];
  counts = worth ? "figures" : null;
  pad.hidden = !isWanted();
  show(null);
}

const isWanted = () => Object.values(claims).some(Boolean);

/** Shows it for the hand that is to act, or hides it again. */
export const turn = () => want("hand", !claims.hand);

/**
 * How often each card may still be played: it neither lies on the table nor stands in the line. Hands are left out, for from them it is played; a
 * question is for other cards. Between two hands those of the last one still lie there.
 */
function unseen() {
  const {zones, blocks = [], to_act: due} = tableNow(), typed = parts(by("line").value), open = due.length ? Object.values(zones).filter(({sight, owner}) => sight !== "owner" || (claims.question && due.includes(owner))) : [];
  const count = (some, sought) => some.filter(one => one === sought).length;
  const lying = [...open.flatMap(({cards}) => cards), ...(due.length ? blocks.filter(block => !mayComeUp(block, zones)).flatMap(({faces}) => faces) : [])];
  const countSeen = code => count(lying, code) + count(typed, spell(code));
  return new Map(Object.entries(notation.cards).map(([code, [, , copies]]) => [code, copies - countSeen(code)]));
}

/** Whether cards that went under a stack together may be shown next: they lie on top of one, or among the last three, of which their owner chooses. */
const mayComeUp = ({places}, zones) => Object.entries(places).some(([zone, at]) => at.includes(0) || zones[zone].cards.length <= 3);

/** Keys keep their places whatever was seen or typed. */
function draw() {
  if (pad.hidden) return;
  pad.dataset.used = ""; // from now on it keeps its place, so that the table never jumps
  const left = unseen(), ranks = Map.groupBy(left.keys(), code => notation.cards[code][0]);
  if (counts) return pad.replaceChildren(...KEYS[counts]());
  pad.replaceChildren(...(rank ? [back(), ...ranks.get(rank).map(code => face(code, left.get(code) < 1))] : [...first.map(likely), ...[...ranks].map(([one, codes]) => button(one, codes, left))]));
}

/** A rank; its card at once where no other one of it is left. */
function button(one, codes, left) {
  const open = codes.filter(code => left.get(code) > 0);
  if (codes.length === 1 || open.length === 1) return face(open[0] ?? codes[0], !open.length);
  return key(label(one), () => show(one), {disabled: !open.length});
}

/** For a hand that is only counted: what it is worth, by figures or by what its cards bring; or its ranks. */
const KEYS = {
  figures: () => [
    ...[..."1234567890"].map(figure => key(figure, () => put(by("line").value.trim() + figure))),
    ...[5, 10, 20, 50, 100].map(worth => key(`+${worth}`, () => put(`${(Number(by("line").value) || 0) + worth}`))),
    key(["A", "K", "Q"].map(label).join(""), () => turnTo("ranks")),
  ],
  ranks: () => [key("123", () => turnTo("figures")), ...RANKS.map(one => (notation.cards[one] ? face(one) : key(label(one), () => add(label(one)))))],
};

function turnTo(keys) {
  counts = keys;
  clear();
}

const key = (words, onclick, more = {}) => h("button", {type: "button", class: words.length > 3 ? "long" : null, onclick, ...more}, words);
const back = () => key("‹", () => show(null), {"aria-label": say("record.pad.ranks")});
const likely = code => face(code, parts(by("line").value).includes(spell(code)));
const face = (code, disabled) => h("button", {type: "button", disabled, onclick: () => add(spell(code))}, card(code, {deck: facts.deck}));

/** The cards of a rank, and beside them what it begins. */
function show(one) {
  rank = one;
  begin(one ? letter(one) : "");
}

