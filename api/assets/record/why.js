// The reason why a line is no move, in the words of the service, and the acts if it was played all the same.
import {h} from "../dom.js";
import {say} from "../say.js";
import {facts, path, told, withNames} from "../replay/story.js";
import {chips} from "./legal.js";
import {spoken} from "./line.js";

let call = () => {};

/** Sets the function that calls an arbiter: `(claim, line, position)`. */
export const whenCalled = done => (call = done);

/** Calls one. `line`: {seat, text} of a line that the rules refuse; `position`: what it is about, where that is not the last move. */
export const claimed = (claim, line = null, position = undefined) => call(claim, line, position);

/** The service's answer about a line, with its rules; an illegal move may have stood. */
export function why({reading, says, rules = []}, text, seat) {
  if (reading === "move" || reading === "tell") return null;
  const cited = rules.flatMap(rule => [" ", h("a", {href: `/rules/${facts.ruleset}#${rule}`, target: "_blank"}, rule)]);
  const claim = `${spoken.mentioned(text)}: ${says}`;
  const bare = rules.length ? says.replace(/ \([^()]*\)$/, "") : (says ?? "");
  return [bare, ...cited, ...(reading === "impossible" ? [" ", h("button", {type: "button", onclick: () => claimed(claim, {seat, text})}, say("record.stood"))] : [])];
}

/** {reading, list}: the service's reading of a line, and the moves that it may mean. Raises Refused and Offline. */
export async function meaning(position, seat, text) {
  const found = await told(path("legal-moves", {position, seat, text, said: true, effects: true, limit: 50}));
  return {reading: {...found.reading, says: withNames(found.reading.says)}, list: chips(found)};
}
