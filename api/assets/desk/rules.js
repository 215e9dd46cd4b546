// The choice of rules by number and by words: typing narrows the list, chosen rules are shown as a row of numbers.
import {tryAsk} from "../api.js";
import {h} from "../dom.js";
import {say} from "../say.js";

const MOST = 8;
const kept = new Map();

/** The description of a ruleset in the language of the page, fetched once. */
export async function about(ruleset) {
  if (!kept.has(ruleset)) {
    const answer = await tryAsk(`/v1/rulesets/${ruleset}`);
    if (!answer.ok) return {rules: [], deck: []};
    kept.set(ruleset, answer.data);
  }
  return kept.get(ruleset);
}

/** Shows the newest rulings of other games that cite one of these rules. */
async function showPrecedents(game, rules, place) {
  place.dataset.rules = rules;
  const answer = rules && (await tryAsk(`/v1/rulings?ruleset=${game.ruleset}&rules=${rules}&limit=4`));
  if (place.dataset.rules !== rules) return; // another rule was chosen meanwhile
  const cases = answer?.ok ? answer.data.items.filter(one => one.game !== game.id).slice(0, 3) : [];
  place.replaceChildren(...(cases.length
    ? [h("p", {}, h("a", {href: `/rulings?ruleset=${game.ruleset}&rules=${rules}`, target: "_blank"}, say("desk.ruled_before"))), h("ul", {class: "cases"}, cases.map(caseLine))]
    : []));
}

const caseLine = one => h("li", {}, h("a", {href: `/g/${one.game}#p${one.position}`, target: "_blank"}, say(`desk.decision.${one.decision}`)),
  one.points.length > 0 && ` ${one.points.map(({points}) => (points > 0 ? `+${points}` : points)).join(", ")}`, one.reason && [" ", h("q", {}, one.reason)]);

/** {field, numbers: () => numbers}; `first`: those that are chosen at the beginning. */
export function rulePicker(game, first = []) {
  const numbers = new Set(first), row = h("ul", {class: "chips", "aria-label": say("desk.rules")}), list = h("ul", {class: "found"});
  const search = h("input", {type: "search", autocomplete: "off", placeholder: say("desk.rules_hint")});
  const before = h("div", {class: "before"});
  const show = () => {
    row.replaceChildren(...[...numbers].map(number => h("li", {}, h("a", {href: `/rules/${game.ruleset}#${number}`, target: "_blank"}, number),
      h("button", {type: "button", "aria-label": say("desk.remove_rule", {number}), onclick: () => flip(number)}, "×"))));
    showPrecedents(game, [...numbers].join(), before);
  };
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
  return {field: h("div", {class: "rules"}, h("label", {}, say("desk.rules"), search), list, row, before), numbers: () => [...numbers]};
}
