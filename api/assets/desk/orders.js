// The fields of each decision besides its reason: a position, points, or effects on the table.
import {h} from "../dom.js";
import {figure, say} from "../say.js";
import {effectsEditor} from "./effects.js";

/** The fields of an order, and its value: {fields: HTMLElement[], value: () => object}. A closed list: one for each decision. */
export const orderOf = (decision, state, dispute) => ORDERS[decision](state, dispute);

const nothing = () => ({fields: [], value: () => ({})});

const ORDERS = {
  stands: nothing,
  annul: nothing,
  overturn: nothing,
  rewind(state, dispute) {
    const to = h("input", {type: "number", name: "to", min: 1, max: state.found.position, required: true, value: Math.max(1, (dispute?.position ?? state.shown.position) - 1)});
    const here = h("button", {type: "button", onclick: () => {
      to.value = state.shown.position;
      to.dispatchEvent(new Event("input", {bubbles: true}));
    }}, say("desk.to_shown"));
    return {fields: [h("label", {}, say("desk.to"), to), here], value: () => ({to: to.valueAsNumber})};
  },
  rectify(state) {
    const editor = effectsEditor(state);
    return {fields: [editor.field], value: () => ({effects: editor.value()})};
  },
  adjust: points,
  penalty: points,
};

function points(state) {
  const given = state.game.parties.map((seats, party) => h("input", {type: "number", name: `points${party}`, step: 1, min: -1000000, max: 1000000, placeholder: figure(0)}));
  const hand = h("input", {type: "number", name: "hand", min: 1});
  const value = () => ({adjustments: given.flatMap((input, party) => (input.value && input.valueAsNumber
    ? [{party, points: input.valueAsNumber, ...(hand.value ? {hand: hand.valueAsNumber} : {})}] : []))});
  const names = seats => seats.map(seat => state.game.names[seat]).join(" & ");
  return {fields: [
    h("fieldset", {class: "points"}, h("legend", {}, say("desk.points")), state.game.parties.map((seats, party) => h("label", {}, names(seats), given[party]))),
    h("label", {}, say("desk.hand"), hand),
  ], value};
}
