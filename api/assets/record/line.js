// The line and its chips: a combobox. The act of the Enter key is always shown as a sentence.
import {by, h} from "../dom.js";
import {shout} from "../replay/story.js";

const MOST = 40, FEW = 12, LEAST = 4;
export const TOUCH = matchMedia("(pointer: coarse)");
const line = by("line"), items = by("choices"), will = by("will"), go = by("go");
/** Lines with names behind @, once mentions.js is loaded. */
export const spoken = {toNumbers: line => line, toNames: line => line, completions: () => []};

let now = {list: [], waits: true}, shown = [], lit = null, chosen = false, busy = null, ahead = [], begun = "", whole = false, tapped = false;

/** Listens. `keys`: functions by the name of a key, true where the key was meant for them. */
export function open(keys) {
  by("form").addEventListener("submit", event => {
    event.preventDefault();
    enter();
  });
  line.addEventListener("input", () => {
    tapped = false;
    refresh();
  });
  document.addEventListener("keydown", event => {
    if (event.target.closest("dialog, #room, #trouble")) return;
    const step = event.target === line && {ArrowDown: 1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1}[event.key];
    if (step ? turn(step, event.key === "Tab") : keys(event, line.value)) event.preventDefault();
  });
  addEventListener("beforeunload", event => ahead.length && event.preventDefault());
  items.addEventListener("click", event => {
    const place = [...items.children].indexOf(event.target.closest("[role=option]"));
    if (place >= 0) take(shown[place]);
  });
}

/**
 * The purpose of the line from here on. `who`: before the line; `list`: {chip, words} each; `read(text)`: {list, places, meant, says}, the
 * places of what it may be, the one that Enter takes, else what to say; `whole`: it can mean nothing else, and nothing longer; `alone`: it is
 * only left to choose among them, so that the pad is away; `enter(item, text)`, which
 * answers false where it was not taken; `waits`: not known yet, lines are kept until it
 * is; `asks`: any text is an answer; `shut`: nothing can be entered; `says`: why.
 */
export function give(next) {
  now = {list: [], read: () => ({places: []}), ...next};
  busy = null;
  by("who").textContent = now.who ?? "";
  line.readOnly = by("signs").inert = Boolean(now.shut);
  refresh();
  goOn();
}

/** Appends to the line. */
export const write = text => put(`${line.value}${spoken.toNames(text)}`);

/** Puts another text into the line. */
export function put(text) {
  tapped = false;
  line.value = text;
  begin("");
  attend();
}

/** Offers what a rank begins, whose card is still to be chosen; the line stays as it is. */
export function begin(rank) {
  begun = rank;
  refresh();
}

/** What was tapped needs no Enter where the line can mean nothing else, as soon as that is known. */
export function settle() {
  tapped = Boolean(now.waits || busy);
  if (whole && TOUCH.matches && !tapped) enter();
}

export const clear = () => put("");

/** The keyboard belongs to the line; on a phone, showing it would hide the table. */
export function attend() {
  if (!TOUCH.matches) line.focus({preventScroll: true});
}

/** Takes what was entered, and settles what was tapped, before the moves were there. */
function goOn() {
  catchUp();
  if (tapped) settle();
}

/** Takes what was entered before the moves were there; text that is being typed stays in the line. */
function catchUp() {
  if (busy || now.waits || now.shut || !ahead.length) return;
  const typed = line.value;
  line.value = ahead.shift();
  refresh();
  take(lit === null ? null : shown[lit]);
  line.value ||= typed;
  refresh();
}

function enter() {
  if (now.shut) return;
  if (!now.waits && !busy) return void take(lit === null ? null : shown[lit]);
  ahead.push(line.value);
  line.value = "";
  refresh();
}

/** Keeps lines until it is done; a refused one comes back, and entries after it are dropped. */
async function take(item) {
  tapped = false;
  if (item?.completed) {
    line.value = item.completed;
    refresh();
    return attend();
  }
  const text = line.value;
  const mine = (busy = {});
  line.value = begun = "";
  const done = now.enter(item, spoken.toNumbers(text));
  refresh();
  attend();
  const ok = await done;
  if (busy === mine) busy = null; // else the next one is being taken already
  line.ariaBusy = Boolean(busy || now.waits);
  if (ok === false) {
    [ahead, tapped] = [[], false];
    line.value = text;
    refresh();
  } else goOn();
}

/** Lights another chip; with Tab one leaves the line behind the last one. */
function turn(step, leaves) {
  if (!shown.length || (leaves && !line.value && !chosen)) return false;
  const next = (lit ?? (step > 0 ? -1 : shown.length)) + step;
  if (leaves && (next < 0 || next >= shown.length)) return false;
  light((next + shown.length) % shown.length);
  return true;
}

function light(place) {
  chosen = true;
  lit = place;
  draw(null);
}

/** Reads the line again. */
export function refresh() {
  chosen = false;
  const ends = now.waits || now.shut ? [] : spoken.completions(line.value), open = {list: ends, places: [...ends.keys()], meant: ends.length === 1 ? 0 : null};
  const read = text => (now.waits || now.shut ? {says: now.says} : ends.length ? open : now.read(spoken.toNumbers(text)));
  const begins = begun ? read(line.value + begun) : null, is = read(line.value);
  const {list, places = [], meant = null} = begins ? {...begins, meant: null} : is, {says = null} = is;
  const all = list ?? now.list, offered = places.filter(place => place === meant || (by("pad").hidden && places.length <= LEAST) || !isTapped(all[place])).slice(0, begun ? FEW : MOST);
  whole = Boolean(is.whole && !begun);
  shown = offered.map(place => all[place]);
  lit = meant === null ? null : offered.indexOf(meant);
  draw(says);
  shout("line", {begun, alone: is.alone});
}

/** Whether a card is tapped first, on a phone: only then are its moves offered, but for one that was taken back; where the pad is away, a few are offered at once. */
const isTapped = ({units = [], repeated}) => TOUCH.matches && !line.value && !begun && !repeated && units.some(({card}) => card !== undefined);

function draw(says) {
  line.ariaBusy = Boolean(busy || now.waits);
  items.replaceChildren(...shown.map(chip));
  line.setAttribute("aria-expanded", shown.length > 0);
  if (lit === null) line.removeAttribute("aria-activedescendant");
  else line.setAttribute("aria-activedescendant", `o${lit}`);
  by("clear").disabled = !line.value;
  go.disabled = !now.waits && (Boolean(now.shut) || (lit === null && !line.value));
  const item = lit === null ? null : shown[lit];
  const queue = ahead.length ? [h("kbd", {}, ahead.join(" ↵ ")), " "] : [];
  will.replaceChildren(...queue, ...(item ? [h("kbd", {"aria-hidden": "true"}, "↵"), " ", h("b", {}, item.words ?? item.chip), " "] : []), ...[says ?? ""].flat());
  if (lit !== null) items.children[lit].scrollIntoView({block: "nearest", inline: "nearest"});
}

function chip({chip: words}, index) {
  return h("div", {role: "option", id: `o${index}`, "aria-selected": String(index === lit), class: "chip"}, words);
}
