// The fields of each decision besides its reason: a position, points, or effects on the table.
import {h} from "../dom.js";
import {figure, say} from "../say.js";
import {story} from "../replay/story.js";
import {wordsAt} from "../replay/subjects.js";
import {effectsEditor} from "./effects.js";

/** The fields of an order, and its value: {fields: HTMLElement[], value: () => object}. A closed list: one for each decision. */
export const orderOf = (decision, state, dispute) => ORDERS[decision](state, dispute);

const nothing = () => ({fields: [], value: () => ({})});

/** The move that the rules refused is recorded as it was made; or the cards went otherwise; or it was never made. */
function letStand(state, {seat, move}) {
  const editor = effectsEditor(state, {seat, move}), ways = ["made", "otherwise", "nothing"];
  const way = h("select", {name: "stood"}, ways.map(one => h("option", {value: one}, say(`desk.stood.${one}`))));
  const show = () => { editor.field.hidden = editor.field.disabled = way.value !== "otherwise"; };
  way.addEventListener("change", show);
  show();
  const unclear = () => {
    way.value = "otherwise";
    show();
  };
  const value = () => (way.value === "nothing" ? {} : {stood: {seat, move, ...(way.value === "otherwise" && {effects: editor.value()})}});
  return {fields: [h("label", {}, say("desk.stood", {who: state.game.names[seat]}), way), editor.field], value, unclear, stands: () => way.value !== "nothing"};
}

const ORDERS = {
  stands: (state, dispute) => (dispute?.refused_move ? letStand(state, dispute.refused_move) : nothing()),
  annul: nothing,
  overturn: nothing,
  rewind(state, dispute) {
    const before = dispute?.position ?? state.shown.position + 1;
    const all = story.frames.filter(({void: gone, position}) => !gone && position < state.found.position).reverse();
    const wanted = all.find(({position}) => position < before)?.position;
    const to = h("select", {name: "to", required: true}, all.map(({position}) => h("option", {value: position, selected: position === wanted}, wordsAt(position))));
    return {fields: [h("label", {}, say("desk.to"), to)], value: () => ({to: Number(to.value)})};
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
