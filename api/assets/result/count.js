// What a hand brought, as words and figures of a result card. Everything comes from the score sheet as the service sends it.
import {say} from "../say.js";
import {sitting} from "../replay/words.js";

/**
 * The content of the card for a hand, or null where it is not on the sheet. `names` by seat; `words` of the ruleset, by kind and id.
 * @returns {?{title: string, says: string, sides: string[], lines: {name: string, figures: (number|string)[], kind: ?string}[]}}
 */
export function describe(sheet, number, names, words) {
  const {parties, rows, hands, totals, finished, adjustments = []} = sheet, hand = hands.find(one => one.hand === number);
  if (!hand && !finished) return null;
  const lookUp = (kind, id) => words[`${kind}.${id}`] ?? id, sides = parties.map(seats => sitting(seats, names));
  const counted = hand ? rows.filter(row => hand.rows[row]?.some(Boolean)) : [];
  const ended = hand?.end === "reported" ? say("replay.hand", {hand: number}) : say("result.hand", {hand: number, end: lookUp("end", hand?.end)});
  const given = adjustments.filter(one => one.hand === null || one.hand === number);
  const lines = [
    ...counted.map(row => ({name: lookUp("row", row), figures: hand.rows[row], kind: null})),
    ...(hand ? [{name: ended, figures: hand.points, kind: "points"}] : []),
    ...given.map(one => ({name: one.reason ?? say("replay.adjusted"), figures: parties.map((_, party) => (party === one.party ? one.points : "")), kind: null})),
    {name: say("replay.totals"), figures: totals, kind: "totals"},
  ];
  return {title: finished ? over(sheet, names) : ended, says: finished ? "" : leading(sheet, names), sides, lines};
}

/** That the game is over, and who has won. */
function over({parties, winners}, names) {
  const won = winners.flatMap(party => parties[party]);
  if (!won.length) return say("result.lost");
  return say(won.length > 1 ? "result.win" : "result.wins", {who: sitting(won, names)});
}

/** Who has the most points so far; nothing where somebody plays alone. */
function leading({parties, totals}, names) {
  const first = parties.filter((_, party) => totals[party] === Math.max(...totals));
  if (parties.length < 2) return "";
  return first.length === parties.length ? say("result.level") : say("result.leads", {who: sitting(first.flat(), names)});
}
