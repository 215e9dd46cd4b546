// The log: recorded events in sentences, and under them in grey the entries that are not recorded yet.
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {hear, shout, story} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {pending} from "./entered.js";

const MOST = 80;
const list = by("log");
let rows = [];

/** Keeps the log. */
export function open() {
  list.parentElement.setAttribute("role", "log");
  list.addEventListener("click", ({target}) => target.closest("button") && shout("tapped", {position: target.closest("li").value}));
  list.addEventListener("keydown", walk);
  hear("told", ({fresh, anew}) => (anew ? renew() : add(story.frames.slice(-fresh))));
  hear("entered", grey);
  renew();
}

function renew() {
  list.replaceChildren();
  rows = [];
  add(story.frames.slice(-MOST));
}

function add(frames) {
  for (const one of rows) one.remove();
  list.append(...frames.filter(isTold).map(line));
  while (list.childElementCount > MOST) list.firstChild.remove();
  const stand = story.frames.at(-1);
  reach(buttons().find(one => one === document.activeElement) ?? buttons().at(-1));
  if (stand?.stand) by("totals").textContent = stand.stand.after.totals.join(" : ");
  by("hand").textContent = stand?.hand ? `· ${say("replay.hand", {hand: stand.hand})} ` : "";
  grey();
}

/** Not a rewind that another one reaches behind: of ten in a row the last one tells all. */
const isTold = frame => !(frame.void && frame.name.startsWith("game.rewound"));

function line(frame) {
  const [words] = lines(frame), ends = frame.name.startsWith("hand.") ? "deal" : null;
  return h("li", {value: frame.position, class: frame.void ? "void" : ends}, h("button", {type: "button", tabindex: -1, "aria-haspopup": "dialog"}, frame.void ? h("s", {}, words) : words));
}

const buttons = () => [...list.querySelectorAll("button")];

/** Tab reaches one line of the log, ↑ and ↓ the others. */
function walk(event) {
  const step = {ArrowDown: 1, ArrowUp: -1}[event.key], next = buttons()[buttons().indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  reach(next);
  next.focus();
}

function reach(one) {
  for (const other of buttons()) other.tabIndex = other === one ? 0 : -1;
}

function grey() {
  for (const one of rows) one.remove();
  rows = pending().map(({words, state}) => h("li", {class: `grey ${state}`}, words, " ", h("small", {}, say(`record.state.${state}`))));
  list.append(...rows);
  list.parentElement.scrollTop = list.parentElement.scrollHeight;
}
