// The form to rectify the table: cards that move from one zone to another, and the next seat to act. All are chosen by words.
import {h} from "../dom.js";
import {say} from "../say.js";
import {cardWords, zoneWords} from "../zone_words.js";
import {cardPicker} from "./places.js";
import {drawTappable} from "./taps.js";

/** {field, value: () => effects in the terms of docs/events.md}. `made`: the seat and the move with which it begins. */
export function effectsEditor(state, made = null) {
  const {now, game} = state, lines = h("ol", {class: "lines"}), {zones, phase} = now(), words = zoneWords(zones, game), called = zoneWords(zones, game, false);
  const zone = (name, value) => h("select", {name}, Object.entries(words).map(([one, told]) => h("option", {value: one, selected: one === value}, told)));
  const add = (source, picked, target = "board") => {
    const from = zone("from", source), to = zone("zone_to", target), room = h("div");
    let picker;
    const refill = chosen => room.replaceChildren((picker = cardPicker(zones, from.value, game, chosen)).field);
    from.addEventListener("change", () => refill([]));
    refill(picked);
    const line = h("li", {}, h("label", {}, say("desk.from"), from), room, h("label", {}, say("desk.into"), to), h("button", {type: "button", onclick: () => removeLine(line)}, say("desk.remove")));
    line.effect = () => ["moved", picker.value(), from.value, to.value];
    lines.append(line);
  };
  const tell = () => lines.dispatchEvent(new Event("input", {bubbles: true}));
  const removeLine = line => {
    line.remove();
    tell();
  };
  const moveTapped = (from, cards, to) => {
    for (const line of [...lines.children]) if (!line.effect()[1].length) line.remove();
    add(from, cards, to);
    tell();
    return `${cards.map(code => cardWords(code, game.deck)).join(", ")}: ${say("desk.goes", {from: called[from], to: called[to]})}`;
  };
  const turn = h("select", {name: "turn"}, h("option", {value: ""}, say("desk.turn_stays")), game.names.map((name, seat) => h("option", {value: seat}, name)));
  const value = () => {
    const moved = [...lines.children].map(line => line.effect()).filter(([, cards]) => cards.length);
    return turn.value === "" ? moved : [...moved, ["turn", phase, Number(turn.value), [Number(turn.value)]]];
  };
  add(made && `hand:${made.seat}`, [made?.move.card ?? []].flat());
  const field = h("fieldset", {class: "effects"}, h("legend", {}, say("desk.effects")), drawTappable(state, moveTapped), lines,
    h("button", {type: "button", onclick: () => add(null, [])}, say("desk.another")), h("label", {}, say("desk.turn"), turn));
  return {field, value};
}
