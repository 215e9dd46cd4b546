// The form for a ruling: decision, orders, the rules it rests on, the reason; it can be recorded only after the preview.
import {act, forPosition} from "../acts.js";
import {tryAsk} from "../api.js";
import {h} from "../dom.js";
import {say} from "../say.js";
import {orderOf} from "./orders.js";
import {preview} from "./preview.js";
import {rulePicker} from "./rules.js";
import {refusal} from "./refusal.js";

/** The form for a ruling on `dispute`; where that is null, of the official's own motion. */
export function rulingForm(state, dispute) {
  const refused = dispute?.refused_move, path = `/v1/games/${state.game.id}/rulings`;
  const order = h("div", {class: "order"}), result = h("div", {class: "preview", "aria-live": "polite"}), rules = rulePicker(state.game, refused?.rules);
  const decision = h("select", {name: "decision"}, state.game.decides[dispute ? "disputed" : "unasked"].map(name => h("option", {value: name}, say(`desk.decision.${name}`))));
  const reason = h("textarea", {name: "reason", rows: 3, required: true, maxlength: 2000});
  const open = h("input", {type: "checkbox", name: "public"});
  const send = h("button", {class: "main", type: "button", disabled: true}, say("desk.record"));
  let parts = null, tried = null, turn = 0;

  const dropPreview = () => {
    turn++; // a preview that is on its way is of another form
    tried = null;
    send.disabled = true;
    send.textContent = say(parts.stands?.() ? "desk.do.stand" : "desk.record");
    result.replaceChildren();
  };
  /** The reason for a move that stands is there already, unless somebody wrote another one. */
  const suggest = () => {
    if (["", say("desk.stood.reason")].includes(reason.value)) reason.value = parts.stands?.() ? say("desk.stood.reason") : "";
  };
  const chooseOrder = () => {
    parts = orderOf(decision.value, state, dispute);
    order.replaceChildren(h("p", {class: "quiet"}, say(`desk.means.${parts.stands ? "stood" : decision.value}`)), ...parts.fields);
    suggest();
    dropPreview();
  };
  const body = () => ({dispute: dispute?.number, decision: decision.value, reason: reason.value.trim(), public: open.checked, rules: rules.numbers(), ...parts.value()});
  const look = async event => {
    event?.preventDefault();
    const now = ++turn, wanted = {body: body(), headers: forPosition(state.found.position)};
    const answer = await tryAsk(`${path}?dry_run=true`, wanted);
    const shown = answer.ok ? await preview(answer.data, state, decision.value) : [refusal(answer, state)];
    if (now !== turn) return;
    if (answer.data?.code === "effects_unclear") parts.unclear?.();
    result.replaceChildren(...shown);
    if (!answer.ok) return;
    tried = wanted;
    send.disabled = false;
  };
  const record = async () => {
    send.disabled = true;
    const answer = await act(form, path, tried);
    if (answer.ok) return state.showRecorded(say("desk.recorded"), answer);
    result.replaceChildren(refusal(answer, state));
    send.disabled = !tried || answer.status > 0; // a lost response: the same may be sent again
  };
  decision.addEventListener("change", chooseOrder);
  order.addEventListener("change", suggest);
  send.addEventListener("click", record);
  chooseOrder();
  const form = h("form", {onsubmit: look, oninput: dropPreview, onchange: dropPreview},
    h("h3", {}, dispute ? say("desk.rule_on", {number: dispute.number}) : say("desk.rule_unasked")),
    dispute?.claim && h("q", {}, dispute.claim),
    h("label", {}, say("desk.decision"), decision), order, rules.field,
    h("label", {}, say("desk.reason"), reason),
    h("label", {class: "tick"}, open, say("desk.public")),
    result, h("p", {class: "acts"}, h("button", {}, say("desk.preview")), send, h("button", {type: "button", onclick: state.close}, say("desk.cancel"))));
  if (refused) look();
  return form;
}
