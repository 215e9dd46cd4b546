// The choice of rules by number and by words: typing narrows the list, chosen rules are shown as a row of numbers.
import {ask} from "../api.js";
import {h} from "../dom.js";
import {say} from "../say.js";

const MOST = 8;
const kept = new Map();

/** The description of a ruleset in the language of the page, fetched once. */
export async function about(ruleset) {
  if (!kept.has(ruleset)) kept.set(ruleset, ask(`/v1/rulesets/${ruleset}`).then(answer => (answer.ok ? answer.data : {rules: [], deck: []})));
  return kept.get(ruleset);
}

/** {field, chosen: () => numbers}; `first`: those that are chosen at the beginning. */
export function rulePicker(game, first = []) {
  const numbers = new Set(first), row = h("ul", {class: "chips", "aria-label": say("desk.rules")}), list = h("ul", {class: "found"});
  const search = h("input", {type: "search", autocomplete: "off", placeholder: say("desk.rules_hint")});
  const show = () => row.replaceChildren(...[...numbers].map(number => h("li", {}, h("a", {href: `/rules/${game.ruleset}#${number}`, target: "_blank"}, number),
    h("button", {type: "button", "aria-label": say("desk.remove_rule", {number}), onclick: () => flip(number)}, "×"))));
  const flip = number => {
    numbers.has(number) ? numbers.delete(number) : numbers.add(number);
    show();
    search.value = "";
    list.replaceChildren();
    search.dispatchEvent(new Event("change", {bubbles: true}));
  };
  show();
  search.addEventListener("input", async () => {
    const wanted = search.value.trim().toLowerCase(), {rules} = await about(game.ruleset);
    if (wanted !== search.value.trim().toLowerCase()) return;
    const fits = wanted ? rules.filter(rule => wanted.split(/\s+/).every(word => `${rule.number} ${rule.text}`.toLowerCase().includes(word))) : [];
    list.replaceChildren(...fits.slice(0, MOST).map(rule => h("li", {}, h("button", {type: "button", onclick: () => flip(rule.number)}, h("b", {}, rule.number), ` ${rule.text}`))));
  });
  return {field: h("div", {class: "rules"}, h("label", {}, say("desk.rules"), search), list, row), chosen: () => [...numbers]};
}
