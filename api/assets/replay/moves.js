// The list of events, a section per hand. It is made once; a step marks one line of it and no more.
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {indexOf, show, story, hear} from "./story.js";
import {lines} from "./words.js";

const list = by("moves"), items = new Map();
const OFFICIAL = /^(dispute|points|table|order|note)\.|^game\.(?!opened)|^(move\.stood|hand\.stopped)/;
let section, hand, current;

/** Makes the list, and keeps it. */
export function open() {
  list.setAttribute("role", "tabpanel");
  list.setAttribute("aria-labelledby", "tab-moves");
  list.addEventListener("click", choose);
  hear("told", ({fresh, anew}) => (anew ? renew() : add(story.frames.slice(-fresh))));
  hear("position", ({position}) => mark(items.get(position)));
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
  for (const frame of frames) {
    if (frame.hand !== hand) begin(frame.hand);
    const item = line(frame);
    items.set(frame.position, item);
    section.append(item);
  }
  by("corrected").parentElement.hidden = !story.frames.some(frame => frame.void);
  if (frames.some(frame => frame.name.startsWith("dispute.ruled"))) import("./rulings.js").then(({rulings}) => rulings(lineAt));
}

function begin(number) {
  hand = number;
  section = h("ol");
  const title = number ? say("replay.hand", {hand: number}) : say("replay.before");
  list.append(h("section", {class: "hand"}, h("h2", {}, title), section));
}

/** The line of a frame. */
function line(frame) {
  const words = lines(frame)[0], {position} = frame;
  const classes = [frame.void && "void", OFFICIAL.test(frame.name) && "official"].filter(Boolean).join(" ");
  return h(
    "li",
    {class: classes || null},
    h("a", {href: `#p${position}`, tabindex: "-1"}, h("span", {class: "at"}, position), " ", frame.void ? h("s", {}, words) : h("span", {}, words)),
  );
}

function mark(item) {
  const before = current?.querySelector("a");
  before?.removeAttribute("aria-current");
  before?.setAttribute("tabindex", "-1");
  current = item;
  const link = item?.querySelector("a");
  link?.setAttribute("aria-current", "step");
  link?.removeAttribute("tabindex");
  if (item) requestAnimationFrame(() => bring(item));
}

/** Scrolls the list alone: the page stays where it is. The height of hands that were not visible yet is known only then: so twice. */
function bring(item, again = true) {
  if (item !== current || list.scrollHeight <= list.clientHeight) return;
  const box = list.getBoundingClientRect(), line = item.getBoundingClientRect();
  if (line.top < box.top + line.height || line.bottom > box.bottom) list.scrollTop += line.top - box.top - box.height / 2;
  else return;
  if (again) requestAnimationFrame(() => requestAnimationFrame(() => bring(item, false)));
}

function choose(event) {
  const link = event.target.closest("a[href^='#p']");
  if (!link) return;
  event.preventDefault();
  show(indexOf(Number(link.hash.slice(2))));
}
