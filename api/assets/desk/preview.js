// Preview of a ruling, from a dry run: the totals of the sheet, and the moves in the standings.
import {tryAsk} from "../api.js";
import {h} from "../dom.js";
import {figure, say} from "../say.js";
import {effectLines} from "./places.js";

/** Elements that show the result of a dry run. */
export async function preview(tried, state, decision) {
  const {before, after} = tried.score_sheets;
  const parts = [h("h4", {}, say("desk.would")), cardsThatMove(tried, state), totals(before, after, state)];
  parts.push(...remarks(tried));
  if (!state.game.tournament) return parts;
  const body = {game: state.game.id, totals: after.totals, places: after.places ?? null, annulled: decision === "annul"};
  const answer = await tryAsk(`/v1/tournaments/${encodeURIComponent(state.game.tournament)}/standings/trial`, {body});
  if (answer.ok) parts.push(standings(answer.data));
  else parts.push(h("p", {class: "warning"}, answer.data?.detail ?? say("desk.unread")));
  return parts;
}

/** The remarks of an answer, each in a sentence. */
export const remarks = ({remarks = []}) => remarks.map(({sentence}) => h("p", {class: "warning"}, sentence));

/** Where the cards go that the tried events move. */
export function cardsThatMove({events}, {now, game}) {
  const lines = effectLines(events.flatMap(({body}) => body?.effects ?? []), now(), game);
  return lines.length ? h("ul", {class: "moves"}, lines) : "";
}

function totals(before, after, {game}) {
  const row = (seats, party) => h("tr", {}, h("th", {scope: "row"}, seats.map(seat => game.names[seat]).join(" & ")),
    cell(before.totals[party]), cell(after.totals[party]), cell(after.totals[party] - before.totals[party], true));
  return h("table", {}, h("caption", {}, say("desk.sheet")), head("desk.party", "desk.before", "desk.after", "desk.change"), h("tbody", {}, game.parties.map(row)));
}

function standings({moved, tables}) {
  if (!moved.length) return h("p", {class: "quiet"}, say(tables.length ? "desk.nobody_moves" : "desk.no_standings"));
  const row = one => h("tr", {}, h("th", {scope: "row"}, one.shown.join(" & ")),
    cell(one.before?.place), cell(one.after?.place), cell(one.after && one.before ? one.after.score - one.before.score : null, true));
  return h("table", {}, h("caption", {}, say("desk.standings")), head("desk.player", "desk.place_before", "desk.place_after", "desk.score_change"), h("tbody", {}, moved.map(row)));
}

const head = (first, ...others) => h("thead", {}, h("tr", {}, h("th", {scope: "col"}, say(first)), others.map(key => h("th", {scope: "col", class: "number"}, say(key)))));

function cell(value, signed = false) {
  if (value == null) return h("td", {class: "number"}, "–");
  const changed = signed && value !== 0;
  return h("td", {class: "number", "data-sign": changed ? Math.sign(value) : null}, changed && value > 0 ? `+${figure(value)}` : figure(value));
}
