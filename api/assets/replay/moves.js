// The list of events, a section per hand: moves in notation, or all in sentences. It is made once; a step marks one line of it and no more.
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {noteMove} from "./notation.js";
import {hear, indexOf, show, story} from "./story.js";
import {lines} from "./words.js";

const list = by("moves"), items = new Map();
const OFFICIAL = /^(dispute|points|table|order|note)\.|^game\.(?!opened)|^(move\.stood|hand\.stopped)/;
const HEAD = 40; // pixels that the heading of a hand covers
let section, hand, current;

/** Makes the list of what was read, and keeps it. */
export function open() {
  list.setAttribute("role", "tabpanel");
  list.setAttribute("aria-labelledby", "tab-moves");
  list.addEventListener("click", choose);
  by("sentences").addEventListener("change", renew);
  by("corrected").addEventListener("change", () => {
    story.corrected = by("corrected").checked;
    renew();
  });
  hear("told", ({fresh, anew}) => (anew ? renew() : add(story.frames.slice(-fresh))));
  hear("position", ({position}) => mark(items.get(position)));
  renew();
}

/** The line of a position. */
export const lineAt = position => items.get(position);

function renew() {
  items.clear();
  hand = undefined;
  list.replaceChildren();
  add(story.frames);
  mark(items.get(story.frames[story.at]?.position));
}

function add(frames) {
  for (const run of runs(frames.filter(frame => !(story.corrected && frame.void)))) {
    if (run[0].hand !== hand) begin(run[0].hand);
    section.append(run.length > 1 || run[0].void ? foldRun(run) : line(run[0]));
  }
  by("corrected").parentElement.hidden = !story.frames.some(frame => frame.void);
  if (frames.some(frame => frame.name.startsWith("dispute.ruled"))) import("./rulings.js").then(({rulings}) => rulings(lineAt));
}

/** Frames that were taken back one after the other are one run, with the taking back, unless a ruling did it; any other frame is one alone. */
function runs(frames) {
  const found = [];
  for (const frame of frames) {
    const before = found.at(-1), taken = before?.at(-1).void && frame.hand === before[0].hand;
    if (taken && (frame.void || (frame.name.startsWith("game.rewound") && !frame.body?.ruling))) before.push(frame);
    else found.push([frame]);
  }
  return found;
}

function begin(number) {
  hand = number;
  section = h("ol");
  const title = number ? say("replay.hand", {hand: number}) : say("replay.before");
  list.append(h("section", {class: "hand"}, h("h2", {}, title), section));
}

/** One line for a run that was taken back; it opens. */
function foldRun(run) {
  const moves = run.filter(({name, void: gone}) => gone && name.startsWith("move.")).length, count = moves || run.filter(frame => frame.void).length;
  const says = say(`replay.void.${moves ? "move" : "line"}${count === 1 ? "" : "s"}`, {count});
  const whole = h("summary", {}, h("span", {class: "at"}, "↶"), " ", says);
  return h("li", {class: "fold"}, h("details", {}, whole, h("ol", {}, run.map(line))));
}

/** The line of a frame. */
function line(frame) {
  const {position} = frame;
  const classes = [frame.void && "void", OFFICIAL.test(frame.name) && "official"].filter(Boolean).join(" ");
  const link = h("a", {href: `#p${position}`, tabindex: "-1"}), item = h("li", {class: classes || null}, link);
  items.set(position, item);
  tell(link, frame, by("sentences").checked);
  return item;
}

/** Puts the words of a frame into its line: the move in notation, or the sentence. */
function tell(link, frame, sentence) {
  const says = lines(frame)[0], short = !sentence && noteMove(frame), words = short || h("span", {}, says);
  link.title = short ? says : "";
  link.replaceChildren(h("span", {class: "at"}, frame.position), " ", frame.void ? h("s", {}, words) : words);
}

function mark(item) {
  const before = current?.querySelector("a");
  before?.removeAttribute("aria-current");
  before?.setAttribute("tabindex", "-1");
  current?.closest(".fold")?.classList.remove("here");
  current = item;
  const link = item?.querySelector("a");
  link?.setAttribute("aria-current", "step");
  link?.removeAttribute("tabindex");
  item?.closest(".fold")?.classList.add("here");
  if (item) requestAnimationFrame(() => bring(item));
}

/** Scrolls the list alone: the page stays where it is. The height of hands that were not visible yet is known only then: so twice. */
function bring(item, again = true) {
  if (item !== current || list.scrollHeight <= list.clientHeight) return;
  const seen = item.closest("details:not([open])") ?? item, box = list.getBoundingClientRect(), line = seen.getBoundingClientRect();
  if (line.top < box.top + line.height || line.bottom > box.bottom) list.scrollTop += line.top - box.top - Math.max(HEAD, (box.height - line.height) / 2);
  else return;
  if (again) requestAnimationFrame(() => requestAnimationFrame(() => bring(item, false)));
}

/** Goes to a position; of the one that is shown it says the sentence, or the move again. */
function choose(event) {
  const link = event.target.closest("a[href^='#p']");
  if (!link) return;
  event.preventDefault();
  const index = indexOf(Number(link.hash.slice(2)));
  if (index === story.at) tell(link, story.frames[index], Boolean(link.title));
  else show(index);
}
