// The other acts of the desk: raise a dispute here, suspend and resume, appeal, withdraw, let a move stand, rule unasked.
import {ask} from "../api.js";
import {h} from "../dom.js";
import {say} from "../say.js";
import {effectsEditor} from "./effects.js";
import {keyed, refusal} from "./sending.js";

/** Buttons for all that may be done now; each opens its own small form. */
export function acts(state) {
  const {standing, disputes} = state.found, arbiter = state.game.decides.unasked.length > 0;
  const ruled = disputes.filter(one => one.stage === "ruled"), open = disputes.filter(one => ["open", "appealed"].includes(one.stage));
  const wanted = [
    ["raise", standing !== "annulled"], ["unasked", arbiter], ["stand", arbiter && standing === "open"], ["suspend", arbiter && standing === "open"],
    ["resume", arbiter && standing === "suspended"], ["appeal", ruled.length > 0], ["withdraw", open.length > 0],
  ];
  return [h("h3", {}, say("desk.more")), h("p", {class: "acts"}, wanted.filter(([, may]) => may).map(([name]) => h("button", {type: "button", onclick: event => start(state, name, event)}, say(`desk.act.${name}`)))), h("div", {class: "act"})];
}

function start(state, name, event) {
  if (name === "unasked") return state.open(null);
  const place = event.target.closest(".more").querySelector(".act");
  const {path, fields, body} = FORMS[name](state), result = h("div", {"aria-live": "polite"});
  const submit = async sent => {
    sent.preventDefault();
    const answer = await ask(`/v1/games/${state.game.id}/${path()}`, {body: body(), headers: keyed(state.found.position)});
    if (answer.ok) await state.recorded(say("desk.recorded"));
    else result.replaceChildren(refusal(answer, state));
  };
  place.replaceChildren(h("form", {onsubmit: submit}, h("h4", {}, say(`desk.act.${name}`)), ...fields,
    h("p", {class: "acts"}, h("button", {class: "main"}, say(`desk.do.${name}`)), h("button", {type: "button", onclick: () => place.replaceChildren()}, say("desk.cancel"))), result));
  place.querySelector("input, select, textarea")?.focus();
}

const words = (label, required) => h("textarea", {name: "reason", rows: 2, maxlength: 2000, required, "aria-label": say(label), placeholder: say(label)});
const tick = (label, checked) => h("label", {class: "tick"}, h("input", {type: "checkbox", checked}), say(label));
const isTicked = label => label.querySelector("input").checked;
const seats = (state, none) => h("select", {"aria-label": say("desk.who")}, none ? h("option", {value: ""}, say("desk.official")) : null, state.game.names.map((name, seat) => h("option", {value: seat}, name)));
const numbers = disputes => h("select", {"aria-label": say("desk.which")}, disputes.map(one => h("option", {value: one.number}, say("desk.dispute", {number: one.number}))));
const seat = select => (select.value === "" ? null : Number(select.value));
const told = area => (area.value.trim() ? {reason: area.value.trim()} : {});

const FORMS = {
  raise(state) {
    const claim = words("desk.claim", true), who = seats(state, true), stop = tick("desk.suspends", true), {position} = state.shown;
    return {path: () => "disputes", fields: [h("p", {class: "quiet"}, say("desk.at", {position})), who, claim, stop],
      body: () => ({claim: claim.value.trim(), seat: seat(who), position, suspends: isTicked(stop)})};
  },
  suspend(state) {
    const reason = words("desk.reason", false);
    return {path: () => "suspension", fields: [reason], body: () => told(reason)};
  },
  resume(state) {
    const reason = words("desk.reason", false);
    return {path: () => "resumption", fields: [reason], body: () => told(reason)};
  },
  appeal(state) {
    const which = numbers(state.found.disputes.filter(one => one.stage === "ruled")), who = seats(state, true), reason = words("desk.reason", false), stop = tick("desk.suspends", false);
    return {path: () => `disputes/${which.value}/appeals`, fields: [which, who, reason, stop], body: () => ({seat: seat(who), suspends: isTicked(stop), ...told(reason)})};
  },
  withdraw(state) {
    const which = numbers(state.found.disputes.filter(one => ["open", "appealed"].includes(one.stage))), reason = words("desk.reason", false);
    return {path: () => `disputes/${which.value}/withdrawal`, fields: [which, reason], body: () => told(reason)};
  },
  stand(state) {
    const who = seats(state, false), move = h("textarea", {name: "move", rows: 3, required: true, spellcheck: "false", "aria-label": say("desk.move")});
    const editor = effectsEditor(state), reason = words("desk.reason", false);
    likeThis(state, move);
    return {path: () => "stood-moves", fields: [who, move, editor.field, reason], body: () => ({seat: seat(who), move: moved(move), effects: editor.value(), ...told(reason)})};
  },
};

/** A move that would be legal here, to write the one that stood after. */
async function likeThis(state, area) {
  const answer = await ask(`/v1/games/${state.game.id}/legal-moves?limit=1`);
  if (answer.ok && answer.data.moves.length && !area.value) area.value = JSON.stringify(answer.data.moves[0]);
}

/** The typed text as JSON; text that is no JSON is left to the service to judge. */
function moved(area) {
  try {
    return JSON.parse(area.value);
  } catch {
    return area.value.trim();
  }
}
