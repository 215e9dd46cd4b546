// What a dispute or a note can be about: one of the last moves, the count of a hand, the deal. Never another act of an official.
import {h} from "../dom.js";
import {say} from "../say.js";
import {story} from "./story.js";
import {lines} from "./words.js";

const LAST = 5;

/** The sentence of the event at a position; nothing for one that is not known. */
export const wordsAt = wanted => lines(story.frames.find(({position}) => position === wanted) ?? {caption: ""})[0];

/** {position, words; count: whether it is the count of a hand} each, the latest first; nothing later than `upto`. */
function subjects(upto) {
  const standing = story.frames.filter(({void: gone, position}) => !gone && position <= upto), latest = fits => standing.filter(fits).slice(-1);
  const moves = standing.filter(({name}) => name.startsWith("move.")).slice(-LAST);
  const deals = latest(({name}) => name.startsWith("hand.")), counts = latest(({effects}) => effects?.some(([word]) => word === "closed"));
  const found = [...deals, ...moves].reverse().map(frame => ({position: frame.position, words: lines(frame)[0]}));
  const all = [...found, ...counts.map(({position, hand}) => ({position, words: say("about.count", {hand}), count: true}))];
  return all.length ? all.sort((one, other) => other.position - one.position) : [{position: 1, words: wordsAt(1)}];
}

/** A select of the subjects: {field, value: () => position, claim: text => the claim, which says that it is about a count: the position does not}. */
export function subjectPicker(upto = Infinity) {
  const found = subjects(upto);
  const field = h("select", {name: "about", "aria-label": say("about.what")}, found.map(({words, count, position}, index) => h("option", {value: index, selected: count && position === upto}, words)));
  const findChosen = () => found[field.value];
  const claim = text => (!findChosen().count || text.startsWith(findChosen().words) ? text : [findChosen().words, text].filter(Boolean).join(". "));
  return {field, value: () => findChosen().position, claim};
}
