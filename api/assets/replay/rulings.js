// Rulings of officials, as cards in the list at their event: decision, rules, reason for those who may read it, the score before and after.
import {h} from "../dom.js";
import {say} from "../say.js";
import {felt} from "./stage.js";
import {facts, load, path, story, table} from "./story.js";

/** Puts the cards of all rulings into their lines. `lineAt(position)` is the line of the list. */
export async function rulings(lineAt) {
  const {rulings: all} = await load(path("disputes"));
  for (const ruling of all) {
    const line = lineAt(ruling.position);
    line?.querySelector(".decision")?.remove();
    line?.append(cardOf(ruling));
  }
}

function cardOf({number, position, instance, decision, rules, reason, lifted_by: lifted}) {
  const first = story.frames.findIndex(frame => frame.position === position);
  const last = story.frames.findLastIndex(({position: at, body}) => at === position || body?.ruling === number);
  const stands = story.frames.slice(first, last + 1).flatMap(({stand}) => stand ?? []);
  return h(
    "div",
    {class: "decision"},
    h("p", {}, h("b", {}, say(`desk.decision.${decision}`)), " ", instance === "committee" && h("span", {class: "tag"}, say("replay.committee"))),
    reason && h("p", {}, h("q", {}, reason)),
    rules.length > 0 && h("p", {}, rules.map(rule => [h("a", {href: `/rules/${facts.ruleset}#${rule}`}, rule), " "])),
    stands.length > 0 && h("p", {class: "score"}, `${score(stands[0].before)} → ${score(stands.at(-1).after)}`),
    lifted && h("p", {class: "quiet"}, say("replay.lifted")),
    story.frames.slice(first, last + 1).some(({effects}) => effects.length) && h("button", {onclick: () => compare(first, last)}, say("replay.compare")),
  );
}

const score = ({totals}) => totals.join(" : ");

/** Both tables side by side: before the ruling as recorded, after it as corrected. */
function compare(first, last) {
  const side = (words, index) => {
    const shown = table(index);
    return h("section", {}, h("h2", {}, `${say(words)} · ${score(shown.stand)}`), felt(shown, story.frames[Math.max(index, 0)]));
  };
  const dialog = h(
    "dialog",
    {class: "compare", "aria-label": say("replay.compare"), onclose: () => dialog.remove()},
    h("form", {method: "dialog"}, h("button", {class: "main"}, say("replay.close"))),
    h("div", {}, side("replay.recorded", first - 1), side("replay.corrected", last)),
  );
  document.body.append(dialog);
  dialog.showModal();
}
