// Zones, cards and effects in the words of the table: nobody reads a code.
import {card} from "../cards.js";
import {h} from "../dom.js";
import {say} from "../say.js";
import {cardWords, zoneWords} from "../zone_words.js";
import {HIDDEN} from "../zones.js";
import {about} from "./rules.js";

const NEW = {sight: "all", owner: null, cards: [], marks: {}};

/** What the effects do to cards and turn, a line each. */
export function effectLines(effects, {zones}, game) {
  const laid = Object.fromEntries(effects.filter(([word]) => word === "zone").map(([, name]) => [name, NEW]));
  const words = zoneWords({...laid, ...zones}, game, false);
  return effects.map(effect => LINES[effect[0]]?.(effect, words, game)).filter(Boolean);
}

const LINES = {
  moved: ([, cards, from, to], words, {deck}) => h("li", {class: "move"}, h("span", {class: "cards"}, cards.map(code => card(code, {deck}))), h("span", {}, say("desk.goes", {from: words[from], to: words[to]}))),
  turn: ([, , seat], words, {names}) => seat !== null && h("li", {}, say("desk.turn_then", {who: names[seat]})),
};

/** The cards of a zone, to pick from: {field, value: () => codes}. Of cards that nobody knows: which they were, or how many. `picked`: those that are chosen first. */
export function cardPicker(zones, source, game, picked = []) {
  const {deck} = game, known = zones[source].cards.filter(code => code !== HIDDEN), unknown = zones[source].cards.length - known.length, left = [...picked];
  const takeOne = code => left.includes(code) && Boolean(left.splice(left.indexOf(code), 1));
  const pick = (code, checked) => h("label", {class: "pick"}, h("input", {type: "checkbox", name: "cards", value: code, checked}), card(code, {deck}));
  const boxes = h("div", {class: "cards"}, known.map(code => pick(code, takeOne(code))));
  const number = h("input", {type: "number", name: "unknown", min: 0, max: unknown, value: 0});
  const other = h("select", {name: "other"}, h("option", {value: ""}, say("desk.other")));
  other.addEventListener("change", () => {
    boxes.append(pick(other.value, true));
    other.value = "";
  });
  if (unknown) {
    boxes.append(...left.map(code => pick(code, true)));
    unseen(zones, game).then(codes => other.append(...codes.map(code => h("option", {value: code}, cardWords(code, deck)))));
  }
  const field = h("fieldset", {}, h("legend", {}, say("desk.cards")), boxes, unknown > 0 && [h("label", {}, say("desk.told"), other), h("label", {}, say("desk.unknown"), number)]);
  const readTicks = () => [...boxes.querySelectorAll(":checked")].map(box => box.value);
  return {field, value: () => [...readTicks(), ...Array((unknown && number.valueAsNumber) || 0).fill(HIDDEN)]};
}

/** The cards of the deck that lie nowhere in sight, each once. */
async function unseen(zones, {deck, ruleset}) {
  const all = deck?.cards?.map(({id}) => id) ?? (await about(ruleset)).deck, seen = Object.values(zones).flatMap(({cards}) => cards);
  const copies = (cards, code) => cards.filter(one => one === code).length;
  return [...new Set(all)].filter(code => copies(all, code) > copies(seen, code));
}
