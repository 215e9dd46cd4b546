// The form to rectify the table: a list of cards that move from one zone to another, and the next seat to act.
import {h} from "../dom.js";
import {say} from "../say.js";

/** {field, value: () => effects in the terms of docs/events.md}. Zones and cards are those of the table that is shown. */
export function effectsEditor(state) {
  const lines = h("ol", {class: "lines"}), table = state.shown.table;
  const zones = Object.keys(table?.zones ?? {}).sort();
  const zone = (name, value) => h("select", {name}, zones.map(one => h("option", {value: one, selected: one === value}, one)));
  const add = () => {
    const from = zone("from", zones[0]), to = zone("zone_to", zones[1]), cards = h("select", {name: "cards", multiple: true, size: 4});
    const refill = () => cards.replaceChildren(...table.zones[from.value].cards.map(code => h("option", {value: code}, code)));
    from.addEventListener("change", refill);
    refill();
    const line = h("li", {}, h("label", {}, say("desk.from"), from), h("label", {}, say("desk.cards"), cards), h("label", {}, say("desk.into"), to),
      h("button", {type: "button", onclick: () => gone(line)}, say("desk.remove")));
    line.effect = () => ["moved", [...cards.selectedOptions].map(option => option.value), from.value, to.value];
    lines.append(line);
  };
  const gone = line => {
    const parent = line.parentElement;
    line.remove();
    parent.dispatchEvent(new Event("input", {bubbles: true}));
  };
  const turn = h("select", {name: "turn"}, h("option", {value: ""}, say("desk.turn_stays")), state.game.names.map((name, seat) => h("option", {value: seat}, name)));
  const value = () => {
    const moved = [...lines.children].map(line => line.effect()).filter(effect => effect[1].length);
    return turn.value === "" ? moved : [...moved, ["turn", table.phase, Number(turn.value), [Number(turn.value)]]];
  };
  add();
  const field = h("fieldset", {class: "effects"}, h("legend", {}, say("desk.effects")), lines,
    h("button", {type: "button", onclick: add}, say("desk.another")), h("label", {}, say("desk.turn"), turn));
  return {field, value};
}
