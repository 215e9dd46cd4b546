// The score over the hands, along the slider: a line for each party. A hand is a button that leads to its deal and says the score after it.
import {by, h, svg} from "../dom.js";
import {say} from "../say.js";
import {facts, hear, show, story} from "./story.js";
import {sitting} from "./words.js";

const graph = by("graph"), HEIGHT = 100;
let shown;

/** From now on the graph follows the story. */
export function open() {
  draw();
  hear("told", draw);
  hear("position", mark);
}

/** The hands that count: {hand, first and last index, totals after it}. */
function hands() {
  const found = [];
  for (const [index, {hand, stand, void: gone}] of story.frames.entries()) {
    if (gone || !hand) continue;
    if (found.at(-1)?.hand !== hand) found.push({hand, first: index, totals: found.at(-1)?.totals});
    Object.assign(found.at(-1), {last: index, ...(stand && {totals: stand.after.totals})});
  }
  return found;
}

function draw() {
  const played = hands(), end = Math.max(story.frames.length - 1, 1);
  graph.hidden = played.length < 2;
  if (graph.hidden) return;
  const all = played.flatMap(({totals}) => totals), least = Math.min(0, ...all), most = Math.max(1, ...all);
  const high = points => HEIGHT * (1 - (points - least) / (most - least));
  const line = party => [`${(played[0].first / end) * 100},${high(0)}`, ...played.map(({last, totals}) => `${(last / end) * 100},${high(totals[party])}`)].join(" ");
  const names = facts.parties.map(seats => sitting(seats, story.frames.at(-1).names));
  const looks = party => `party-${party % 4}`;
  shown = played.map(one => ({...one, button: button(one, names, end)}));
  graph.replaceChildren(
    h("figcaption", {}, names.map((name, party) => h("span", {class: looks(party)}, key(), h("span", {}, name), " ", h("b", {}, played.at(-1).totals[party]), " "))),
    h("div", {class: "plot"}, svg("svg", {viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true"}, names.map((_, party) => svg("polyline", {class: looks(party), points: line(party)}))), shown.map(one => one.button)),
  );
  mark();
}

/** The line of a party beside its name. */
const key = () => svg("svg", {viewBox: "0 0 16 6", "aria-hidden": "true"}, svg("line", {x1: 0, x2: 16, y1: 3, y2: 3}));

function button({hand, first, last, totals}, names, end) {
  const says = `${say("replay.hand", {hand})}: ${names.map((name, party) => `${name} ${totals[party]}`).join(", ")}`;
  const made = h("button", {tabindex: "-1", title: says, "aria-label": says, onclick: () => show(first)});
  made.style.setProperty("--from", first / end);
  made.style.setProperty("--to", last / end);
  return made;
}

function mark() {
  for (const {first, last, button: one} of shown ?? []) {
    if (story.at >= first && story.at <= last) one.setAttribute("aria-current", "step");
    else one.removeAttribute("aria-current");
  }
}
