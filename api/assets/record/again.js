// What was taken back is offered again, one entry after the other; after a line was put right, the rest is entered by the rules as far as it fits.
import {say} from "../say.js";
import {facts, hear, names, story} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {tableNow, pending} from "./entered.js";
import {copyFaces, isDeal, isMove, isSameMove, repeats} from "./repeats.js";
import {isEntry} from "./undo.js";
import {meaning, why} from "./why.js";

const NAMES = {moves: "move.played", tellings: "cards.told", hands: "hand.dealt", rewinds: "game.rewound"}, PLAYS = ["moves", "tellings"];

/** By the position of a line, how it is put right. */
const fixes = new Map();
/** "mend": the next entry puts a line right; "runs": what follows it is entered; null: each is offered. */
let course = null, head, start = null;

hear("leave", () => (course = null));
hear("undone", dropped => {
  course = null;
  if (!PLAYS.includes(dropped?.path)) return;
  const {position, words, line, body} = dropped;
  start = {after: position, due: [{...asFrame({...dropped, at: position + 1}), words, written: line ?? body.text, was: body.seat}, ...due()]};
});

/** A line is put right: "out" or "stays" (repeats.js). */
export function mend(frame, how) {
  fixes.set(frame.position, how);
  course = "mend";
}

/** Somebody entered something: what follows it can be entered. */
export const resume = () => (course &&= "runs");

/** Somebody has to decide first. */
export const pause = () => (course &&= "mend");

/** The entries that are due, also after those that wait. */
export const due = () => repeats([...story.frames, ...pending().map(asFrame)], isEntry, facts.seats, fixes, start);

const asFrame = ({at, path, body, effects}) => ({position: at, name: NAMES[path], seat: body.seat, body, effects});

/** The seat for which the first of them is due, once, so that the line is for it where several may act; null where it may not act. */
export function leadSeat(able) {
  const [first] = due(), before = head;
  head = first?.position;
  return head !== before && able.includes(first?.seat) ? first.seat : null;
}

/**
 * What of it fits now, for the line of `seat`: {again, runs, stuck}. `again`: at most two items of the line, the second where the first is
 * left out. `runs`: the item that is entered at once; `stuck`: what the line says where the first fits no more; `ran`: it is to be put right.
 */
export async function fitting({list, cut, position, seat}) {
  const able = tableNow().to_act, [first, second] = due().map(one => ({...one, seat: able.includes(one.seat) ? one.seat : seat}));
  if (!first) course = null;
  if (!first || isDeal(first) || first.seat !== seat) return {};
  const find = async one => (isMove(one) ? (findMove(one, list) ?? (cut || !one.body.move ? readWritten(one, position) : null)) : item(one, {words: sentence(one), chip: sentence(one), tells: true}));
  const [is, next] = await Promise.all([find(first), second?.seat === seat && !isDeal(second) ? find(second) : null]);
  const again = [is, next].filter(Boolean);
  return is ? {again, runs: course === "runs" ? is : null} : {again, stuck: await stuck(first, position)};
}

const sentence = frame => frame.words ?? lines({...frame, names: names()})[0];

/** An item of the line that enters one again, with the cards that were told with it. */
function item(one, {words, chip, ...move}) {
  const faces = copyFaces(one), any = Object.keys(faces).length > 0, own = any && one.seat === one.was && sentence(one);
  return {...move, repeated: true, sentence: own || words, words: say("record.again", {words: own || words}), chip: say("record.again", {words: own || chip}), ...(any && {faces, asks: [], effects: null})};
}

function findMove(one, list) {
  const found = list.find(({move}) => isSameMove(move, one.body.move));
  return found && item(one, found);
}

/** Where there are more moves than the page holds, or it is a line that was kept as it was typed. */
async function readWritten(one, position) {
  const {reading, list} = await meaning(position, one.seat, one.written ?? "");
  return reading.reading === "move" && isSameMove(list[0].move, one.body.move ?? list[0].move) ? item(one, list[0]) : null;
}

/** The first that fits no more, as the line reads it. */
async function stuck(one, position) {
  const text = one.written ?? "", {reading, list} = await meaning(position, one.seat, text);
  const says = [say("record.again.stuck", {words: sentence(one)}), " ", why(reading, text, one.seat)].flat();
  return {text, list, places: [...list.keys()], meant: null, says, ran: course === "runs"};
}

/** Without a connection nobody can say whether it fits: an item that enters the first as it was; null where there is none. */
export function unread() {
  const [first] = due();
  if (!first || isDeal(first)) return null;
  const words = sentence(first), says = say("record.again", {words}), {seat, was} = first;
  const {move, text} = first.body, body = text ? {seat, text} : isMove(first) ? {seat, move, ...copyFaces(first)} : copyFaces(first);
  const entry = {path: isMove(first) ? "moves" : "tellings", body, words, line: first.written};
  return {chip: says, words: says, runs: course === "runs", entry, effects: seat === was ? first.effects : null};
}
