// The score sheet at the position that is shown.
import {h} from "../dom.js";
import {say} from "../say.js";
import {facts, load, path, story} from "./story.js";
import {sitting} from "./words.js";

/** Fills `room` with the sheet; a late response is dropped. */
export async function sheet(room) {
  const {position, names} = story.frames[story.at];
  const found = await load(path("score-sheet", {position})).catch(fault => fault);
  if (position !== story.frames[story.at].position) return;
  if (found instanceof Error) return room.replaceChildren(h("p", {role: "alert"}, found.message));
  const {href} = Object.assign(document.createElement("a"), {href: path("score-sheet", {position, format: "html"})});
  room.replaceChildren(
    h("div", {class: "scrolls"}, h("table", {}, h("caption", {}, say("replay.as_of", {position})), heads(found, names), found.hands.map(hand => lines(hand, found)), others(found), totals(found))),
    ...(found.taken_back ?? []).map(({hand, times}) => h("p", {class: "quiet"}, say("replay.taken_back", {hand, times}))),
    h("p", {}, h("a", {href}, say("replay.print"))),
  );
}

const figures = points => points.map(one => h("td", {class: "number"}, one));
const words = (kind, id) => facts.words[`${kind}.${id}`] ?? id;

const heads = ({parties}, names) => h("thead", {}, h("tr", {}, h("td"), parties.map(seats => h("th", {scope: "col", class: "number"}, sitting(seats, names)))));

/** A hand: its rows, its points, and the totals after it. */
function lines({hand, rows, points, end}, {rows: order}) {
  const told = order.filter(row => rows[row]?.some(Boolean));
  return h(
    "tbody",
    {},
    h("tr", {}, h("th", {scope: "rowgroup"}, say("replay.hand", {hand}), " ", h("small", {}, words("end", end))), figures(points)),
    told.length > 1 && told.map(row => h("tr", {class: "row"}, h("th", {scope: "row"}, words("row", row)), figures(rows[row]))),
  );
}

/** Points that officials gave or took; those that do not count any more are struck out. */
function others({parties, adjustments = [], struck = [], lifted = []}) {
  const placePoints = ({party, points}) => parties.map((_, one) => (one === party ? points : ""));
  const line = (name, points, gone) => h("tr", {class: gone ? "gone" : null}, h("th", {scope: "row"}, gone ? h("s", {}, name) : name), gone ? points.map(one => h("td", {class: "number"}, h("s", {}, one))) : figures(points));
  const rows = [
    ...adjustments.map(one => line(one.reason ?? say("replay.adjusted"), placePoints(one))),
    ...lifted.map(one => line(one.reason ?? say("replay.adjusted"), placePoints(one), true)),
    ...struck.map(one => line(say("replay.hand", {hand: one.hand}), one.points, true)),
  ];
  return rows.length > 0 && h("tbody", {}, rows);
}

const totals = ({totals: sums}) => h("tfoot", {}, h("tr", {}, h("th", {scope: "row"}, say("replay.totals")), figures(sums)));
