// The reason why a line is no move, in the words of the service, and the acts if it was played all the same.
import {problems} from "../api.js";
import {h} from "../dom.js";
import {say} from "../say.js";
import {facts, load, names, path, withNames} from "../replay/story.js";
import {inWords, zoneWords} from "../zone_words.js";
import {tableNow} from "./entered.js";
import {chips, short} from "./legal.js";
import {spoken} from "./line.js";
import {notation} from "./notation.js";

problems.tell = sentence => sentence && inWords(withNames(sentence), tableNow(), here());

const here = () => ({...facts, names: names()});

let call = () => {};

/** Sets the function that calls an arbiter: `(claim, line, position)`. */
export const whenCalled = done => (call = done);

/** Calls one. `line`: {seat, text} of a line that the rules refuse; `position`: what it is about, where that is not the last move. */
export const callArbiter = (claim, line = null, position = undefined) => call(claim, line, position);

/** The service's answer about a line, with its rules, and whom it speaks to; an illegal move may have stood. */
export function why({reading, code, says, rules = []}, text, seat) {
  if (reading === "move" || reading === "tell") return null;
  const cited = rules.flatMap(rule => [" ", h("a", {href: `/rules/${facts.ruleset}#${rule}`, target: "_blank"}, rule)]);
  const claim = `${spoken.toNames(text)}: ${says}`;
  const bare = rules.length ? says.replace(/ \([^()]*\)$/, "") : (says ?? "");
  const to = reading === "impossible" && seat !== null ? [h("b", {}, say("record.to", {who: names()[seat]})), " "] : [];
  return [...to, bare, ...cited, ...(code === "card_not_in_hand" ? lying(says, seat) : []), ...(reading === "impossible" ? [" ", h("button", {type: "button", onclick: () => callArbiter(claim, {seat, text})}, say("record.stood"))] : [])];
}

/** What the recorder can do about a card that lies somewhere else by the record, every copy of it. */
function lying(says, seat) {
  const card = Object.keys(notation.cards).find(one => short(one) === says.split(" ")[0]), {zones} = tableNow();
  const found = Object.keys(zones).flatMap(zone => (zone === `hand:${seat}` ? [] : zones[zone].cards.filter(one => one === card).map(() => zone)));
  if (!found.length || found.length < notation.cards[card][2]) return [];
  return [" ", say("record.lies", {card: short(card), where: zoneWords(zones, here(), false)[found[0]]})];
}

/** {reading, list}: the service's reading of a line, and the moves that it may mean. Raises Refused and Offline. */
export async function meaning(position, seat, text) {
  const found = await load(path("legal-moves", {position, seat, text, said: true, effects: true, limit: 50}));
  return {reading: {...found.reading, says: problems.tell(found.reading.says)}, list: chips(found)};
}
