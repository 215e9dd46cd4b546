// Cards that are tapped: they come into the line and out of it again, and are marked on the table while they stand there.
import {by} from "../dom.js";
import {hear} from "../replay/story.js";
import {tableNow} from "./entered.js";
import {put, settle, write} from "./line.js";
import {letter, notation, parts, spell} from "./notation.js";

const line = by("line"), stage = by("stage");
const typedParts = () => parts(line.value);
let turnPad;

/** From now on taps are taken; `turn` is called for an unknown card. */
export function open(turn) {
  turnPad = turn;
  stage.addEventListener("click", tap);
  by("clear").addEventListener("click", () => takeOut());
  for (const news of ["line", "painted"]) hear(news, mark);
  mark();
}

/** Appends a card; before a sign that a number may follow, which would take the rank of the card for it. */
export function add(card) {
  const all = typedParts(), sign = notation.numbered.includes(all.at(-1)) ? all.pop() : "";
  put([...all, card, sign, ""].join(" ").replace(/ +/g, " ").trimStart());
  settle();
}

/** Takes a card or sign out of the line: this one, else the last; of a number its last figure. */
function takeOut(text = typedParts().at(-1)) {
  const all = typedParts();
  if (/^\d\d+$/.test(text)) return put(line.value.trim().slice(0, -1));
  put(all.toSpliced(all.lastIndexOf(text), 1).map(one => `${one} `).join(""));
}

/** A tapped card is typed, or taken out of the line again; for an unknown one the line asks which it is. */
function tap({target}) {
  const card = target.closest("[data-zone] .card");
  if (!card || line.readOnly) return;
  const {counted, face} = spellCard(card);
  if (card.classList.contains("chosen")) takeOut(counted ?? face);
  else if (counted) write(`${counted} `) ?? settle();
  else if (face) add(face);
  else turnPad();
}

/** Of several equal cards the nearest are marked, and none of somebody else's. */
function mark() {
  const left = typedParts(), due = tableNow().to_act.map(String);
  for (const card of [...stage.querySelectorAll("[data-zone] .card")].reverse()) {
    const {seat} = card.closest("[data-seat]")?.dataset ?? {};
    if (seat && notation.cards[card.dataset.code]?.[2] !== 1 && !due.includes(seat)) continue;
    const {counted, face} = spellCard(card), place = left.indexOf(face);
    card.classList.toggle("chosen", left.includes(counted) || place >= 0);
    if (place >= 0) left.splice(place, 1);
  }
}

/** What a card of the table is typed as: `counted`, the number of its build or place, the rank of its meld, a sign for the pile; or `face`; neither for an unknown one. */
function spellCard(card) {
  const {code} = card.dataset, [kind, ...numbers] = card.closest("[data-zone]").dataset.zone.split(":"), lies = Number(numbers.at(-1)) + 1;
  const counted = {pile: "x", build: `#${numbers[0]}`, meld: `${letter(numbers.at(-1) ?? "")}+`, down: `#${lies}`, tier: line.value.trim() ? `-${lies}` : undefined}[kind];
  return {counted, face: code === "?" || counted ? undefined : spell(code)};
}
