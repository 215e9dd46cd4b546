// Sends acts for the position that was looked at, with an Idempotency-Key, and shows refusals.
import {h} from "../dom.js";
import {say} from "../say.js";

/** The headers of an act that is sent once, for this position. */
export const makeHeaders = position => ({"If-Match": `"${position}"`, ...once()});

/** The header of an act that is sent once. */
export function once() {
  const chance = crypto.getRandomValues(new Uint8Array(16));
  return {"Idempotency-Key": [...chance].map(byte => byte.toString(16).padStart(2, "0")).join("")};
}

/** The reason why an act was not recorded, with the rules it breaks; after a conflict, how to look again. */
export function refusal({status, data}, state) {
  if (status === 412) return h("div", {class: "warning", role: "alert"}, h("p", {}, say("desk.stale")), h("button", {type: "button", onclick: state.read}, say("desk.again")));
  const numbers = (data?.rules ?? []).map(rule => rule.number ?? rule);
  return h("div", {class: "warning", role: "alert"}, h("p", {}, data?.detail ? (state.inWords?.(data.detail) ?? data.detail) : say("desk.unread")),
    numbers.length ? h("p", {}, numbers.map(number => h("a", {href: `/rules/${state.game.ruleset}#${number}`, target: "_blank"}, `${number} `))) : null);
}
