// Undo: takes back what the recorder entered last, as far as the service says. Without a connection it is kept and sent later, as moves are.
import {by} from "../dom.js";
import {say} from "../say.js";
import {indexOf, load, path, Refused, shout, story, table} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {enter, pending, tableBefore} from "./entered.js";
import {isDeal, isMove} from "./repeats.js";

/** The names of events that a recorder enters, and takes back. */
const ENTRIES = new Set(JSON.parse(by("game").dataset.entries));
let reach = {position: 0, earliest: null}, dropped = null;

/** Asks how far a rewind may go back; without a response, or with a late one, the last known value stays. */
export async function readReach() {
  const found = await load(path("rewinds")).catch(fault => (fault instanceof Refused ? {...reach, earliest: null, limit: null} : reach));
  if (found.position >= reach.position) reach = found;
}

/** The same after something may have been taken back: an entry takes nothing back. */
export const readAgain = async () => (isEntry(story.frames.at(-1) ?? {name: ""}) && !isTakenBack() ? undefined : readReach());

/** Whether an undo of this device is not in the story yet. */
const isTakenBack = () => pending().some(({laid}) => laid);

/** The deal or result that was taken back and is to be entered again, as it was sent; null where there is none. It is returned once. */
export function dueAgain() {
  const body = dropped ?? (reach.taken_back || isTakenBack() ? reach.again : null);
  dropped = null;
  return body ?? null;
}

/** Shows on the button what it would take back, or why it cannot. */
export function showUndo(box) {
  const words = (findWaiting(box) ?? target())?.words, button = by("undo");
  button.disabled = !words;
  button.title = words ? say("record.undoes", {words}) : (reach.limit?.sentence ?? "");
  by("undoes").textContent = words ?? "";
}

/** Takes back one entry; returns what to say where there is none. */
export async function takeBack(box) {
  await box.flush();
  const waiting = findWaiting(box);
  shout("undone", waiting);
  if (waiting) {
    if (waiting.path === "hands") dropped = waiting.body;
    if (await box.withdraw(waiting)) return;
    dropped = null;
  }
  const last = target();
  if (!last) return reach.limit?.sentence ?? null;
  if (last.again) dropped = last.again;
  await rewind(last, box);
}

/** Whether the recorder can still take back an entry and all after it. */
export const isWithinReach = frame => isEntry(frame) && !frame.void && reach.earliest !== null && frame.position > Math.max(reach.earliest, findPlayedDeal());

/** The position of the last deal with a move after it, which may have been made since the service was asked; 0 where there is none. */
function findPlayedDeal() {
  const standing = story.frames.filter(one => !one.void), last = pending().some(({path: kind}) => kind === "moves") ? standing.length : standing.findLastIndex(isMove);
  return standing.slice(0, last + 1).findLast(isDeal)?.position ?? 0;
}

/** Takes back an entry, and all that was entered after it. */
export const goBefore = (frame, box) => rewind(ofFrame(frame), box);

async function rewind({to, words, laid}, box) {
  const entry = {path: "rewinds", body: {to}, words: say("record.undo.entry", {words})};
  enter(entry, [], laid());
  await box.add(entry);
}

/** The last waiting entry of this device that is not recorded for certain; an undo does not count. */
function findWaiting(box) {
  const last = box?.entries().at(-1);
  return last && last.path !== "rewinds" && !isPerhapsRecorded(last) ? last : null;
}

/** Whether the service may have recorded it: it is on its way, or its response was lost. */
const isPerhapsRecorded = ({state, tried}) => state === "sent" || (state === "kept" && tried);

/**
 * What an undo takes back: the last entry that was not taken back, in the story or still on its way; null where it is out of reach.
 * `to`: the position before it, `laid`: makes the table there, `again`: the body of a deal that is to be entered again.
 */
function target() {
  let to = Infinity;
  for (const one of pending().toReversed()) {
    if (one.path === "rewinds") to = Math.min(to, one.body.to);
    else if (one.from < to) return {to: one.from, words: one.words, laid: () => tableBefore(one), again: one.path === "hands" ? one.body : null};
  }
  const frame = story.frames.findLast(one => !one.void && isEntry(one) && one.position <= to);
  return frame && isWithinReach(frame) ? ofFrame(frame) : null;
}

function ofFrame(frame) {
  const to = frame.position - 1;
  return {to, words: lines(frame)[0], laid: () => table(indexOf(to))};
}

export const isEntry = ({name}) => ENTRIES.has(name.split("/")[0]);
