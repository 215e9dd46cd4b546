// The other acts of the desk: raise a dispute here, suspend and resume, appeal, withdraw, let a move stand, rule unasked.
import {act, forPosition} from "../acts.js";
import {tryAsk} from "../api.js";
import {h} from "../dom.js";
import {say} from "../say.js";
import {subjectPicker} from "../replay/subjects.js";
import {effectsEditor} from "./effects.js";
import {cardsThatMove, remarks} from "./preview.js";
import {refusal} from "./refusal.js";

/** Buttons for all that may be done now; each opens its own small form. */
export function acts(state) {
  const {state: standing, disputes} = state.found, arbiter = state.game.decides.unasked.length > 0;
  const ruled = disputes.filter(one => one.state === "ruled"), open = disputes.filter(one => ["open", "appealed"].includes(one.state));
  const wanted = [
    ["raise", standing !== "annulled"], ["unasked", arbiter], ["stand", arbiter && standing === "open"], ["suspend", arbiter && standing === "open"],
    ["resume", arbiter && standing === "suspended"], ["appeal", ruled.length > 0], ["withdraw", open.length > 0],
  ];
  return [h("h3", {}, say("desk.more")), h("p", {class: "acts"}, wanted.filter(([, may]) => may).map(([name]) => h("button", {type: "button", onclick: event => start(state, name, event)}, say(`desk.act.${name}`)))), h("div", {class: "act"})];
}

function start(state, name, event) {
  if (name === "unasked") return state.open(null);
  const place = event.target.closest(".more").querySelector(".act");
  const {method, path, fields, body, tries, unclear} = FORMS[name](state), result = h("div", {"aria-live": "polite"}), send = h("button", {class: "main"});
  let tried, turn = 0;
  const look = done => {
    tried = done;
    send.textContent = say(done ? `desk.do.${name}` : "desk.preview");
  };
  const submit = async sent => {
    sent.preventDefault();
    const now = ++turn, records = tried;
    const to = `/v1/games/${state.game.id}/${path()}`, wanted = {method, body: body(), headers: forPosition(state.found.position)};
    const answer = await (records ? act(sent.target, to, wanted) : tryAsk(`${to}?dry_run=true`, wanted));
    if (!records && now !== turn) return; // a preview of another form
    if (answer.data?.code === "effects_unclear") unclear();
    if (!answer.ok) return result.replaceChildren(refusal(answer, state));
    if (records) return state.showRecorded(say("desk.recorded"), answer);
    result.replaceChildren(...remarks(answer.data), cardsThatMove(answer.data, state));
    look(true);
  };
  const dropPreview = () => {
    turn++;
    result.replaceChildren();
    look(!tries);
  };
  look(!tries);
  place.replaceChildren(h("form", {onsubmit: submit, oninput: dropPreview}, h("h4", {}, say(`desk.act.${name}`)), ...fields,
    result, h("p", {class: "acts"}, send, h("button", {type: "button", onclick: () => place.replaceChildren()}, say("desk.cancel")))));
  place.querySelector("input, select, textarea")?.focus();
}

const words = (label, required) => h("textarea", {name: "reason", rows: 2, maxlength: 2000, required, "aria-label": say(label), placeholder: say(label)});
const tick = (label, checked) => h("label", {class: "tick"}, h("input", {type: "checkbox", checked}), say(label));
const isTicked = label => label.querySelector("input").checked;
const seats = (state, none) => h("select", {"aria-label": say("desk.who")}, none ? h("option", {value: ""}, say("desk.official")) : null, state.game.names.map((name, seat) => h("option", {value: seat}, name)));
const numbers = disputes => h("select", {"aria-label": say("desk.which")}, disputes.map(one => h("option", {value: one.number}, say("desk.dispute", {number: one.number}))));
const seat = select => (select.value === "" ? null : Number(select.value));
const reasonOf = area => (area.value.trim() ? {reason: area.value.trim()} : {});

const FORMS = {
  raise(state) {
    const claim = words("desk.claim", true), who = seats(state, true), stop = tick("desk.suspends", true), about = subjectPicker(state.shown.position);
    return {path: () => "disputes", fields: [about.field, who, claim, stop],
      body: () => ({claim: about.claim(claim.value.trim()), seat: seat(who), position: about.value(), suspends: isTicked(stop)})};
  },
  suspend(state) {
    const reason = words("desk.reason", false);
    return {method: "PUT", path: () => "suspension", fields: [reason], body: () => reasonOf(reason)};
  },
  resume(state) {
    const reason = words("desk.reason", false);
    return {method: "DELETE", path: () => "suspension", fields: [reason], body: () => reasonOf(reason)};
  },
  appeal(state) {
    const which = numbers(state.found.disputes.filter(one => one.state === "ruled")), who = seats(state, true), reason = words("desk.reason", false), stop = tick("desk.suspends", false);
    return {path: () => `disputes/${which.value}/appeals`, fields: [which, who, reason, stop], body: () => ({seat: seat(who), suspends: isTicked(stop), ...reasonOf(reason)})};
  },
  withdraw(state) {
    const which = numbers(state.found.disputes.filter(one => ["open", "appealed"].includes(one.state))), reason = words("desk.reason", false);
    return {path: () => `disputes/${which.value}/withdrawal`, fields: [which, reason], body: () => reasonOf(reason)};
  },
  stand(state) {
    const who = seats(state, false), line = h("input", {name: "line", required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": say("desk.move"), placeholder: say("desk.move")});
    const editor = effectsEditor(state), otherwise = tick("desk.stood.otherwise", false), reason = words("desk.reason", false);
    const show = () => { editor.field.hidden = editor.field.disabled = !isTicked(otherwise); };
    otherwise.addEventListener("change", show);
    show();
    const unclear = () => {
      otherwise.querySelector("input").checked = true;
      show();
    };
    const readEffects = () => (isTicked(otherwise) ? {effects: editor.value()} : {});
    return {tries: true, unclear, path: () => "stood-moves", fields: [who, line, otherwise, editor.field, reason], body: () => ({seat: seat(who), text: line.value.trim(), ...readEffects(), ...reasonOf(reason)})};
  },
};
