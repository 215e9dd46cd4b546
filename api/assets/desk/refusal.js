// Shows why an act was refused.
import {h} from "../dom.js";
import {say} from "../say.js";

/** The reason why an act was not recorded, with the rules it breaks; after a conflict, how to look again. */
export function refusal({status, data}, state) {
  if (status === 412) return h("div", {class: "warning", role: "alert"}, h("p", {}, say("desk.stale")), h("button", {type: "button", onclick: state.read}, say("desk.again")));
  const numbers = (data?.rules ?? []).map(rule => rule.number ?? rule);
  return h("div", {class: "warning", role: "alert"}, h("p", {}, data?.detail ? (state.inWords?.(data.detail) ?? data.detail) : say("desk.unread")),
    numbers.length ? h("p", {}, numbers.map(number => h("a", {href: `/rules/${state.game.ruleset}#${number}`, target: "_blank"}, `${number} `))) : null);
}
