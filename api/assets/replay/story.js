// The game as this page received it: its frames, and the table after each. Other modules hear of it by events of the document:
// "told" ({fresh}: how many frames came; {anew}: all were read again), "position" ({game, frame, position, table; last: the last one}). They say "recorded" where they recorded something.
import {ask, problems} from "../api.js";
import {EMPTY, follow} from "../zones.js";
import {insertNames} from "./words.js";

const BLOCK = 64, KEPT = 12, MANY = 1000; // frames: MANY are read at once
const CHANGING = /^(game\.rewound|order\.lifted|game\.disclosed|game\.annulled)/;

/** The facts of the game: {id, ruleset, seats, parties, over, view, chosen, deck, layout, words, places}; `places`: the names of seats without a player. */
export const facts = JSON.parse(document.getElementById("game").dataset.facts);

/** `frames` as in docs/replay.md, `at` the one that is shown, `known` their number when the end was looked at last. */
export const story = {frames: [], at: 0, known: 0, corrected: false};

/** The names of the seats now. */
export const names = () => story.frames.at(-1)?.names ?? facts.places;

/** A sentence of the service with these names. */
export const withNames = sentence => sentence && insertNames(sentence, names(), facts.parties);

problems.tell = withNames;

/** A refusal of the service: `status`, and `data` is the problem. */
export class Refused extends Error {
  constructor({status, data}) {
    super(data?.detail ?? String(status));
    Object.assign(this, {status, data});
  }
}

/** A path below the game. */
export const path = (room, query = {}) => `/v1/games/${facts.id}/${room}?${new URLSearchParams(query)}`;

/** The response of a path. Raises Refused, and Offline. */
export async function load(address, options) {
  const answer = await ask(address, options);
  if (!answer.ok) throw new Refused(answer);
  return answer.data;
}

/** The browser began to read it with the page. */
const pathOfLast = () => document.querySelector("link[as=fetch]").href;

/** Reads the last frame alone: a page shows the table after it before it reads all frames. None where that fails. */
export async function readLast() {
  const page = await load(pathOfLast()).catch(() => ({frames: []}));
  story.frames = setStart(page).map(nameSeats);
}

/** Reads all frames again. */
export async function read() {
  const frames = [];
  for (let after = 0; after !== null; ) {
    const page = await framesAfter(after);
    for (const frame of setStart(page)) frames.push(nameSeats(frame)); // not push(...): a page is long
    after = page.after;
  }
  tables.clear();
  ends.length = 0;
  if (story.frames.length <= 1) story.known = frames.length;
  Object.assign(story, {frames, at: Math.min(story.at, Math.max(frames.length - 1, 0))});
  shout("told", {fresh: 0, anew: true});
}

/** The position of the last frame. */
export const last = () => story.frames.at(-1)?.position ?? 0;

/** Reads the frames after the end. Frames that a rewind or an opening changes are read again. */
export async function readOn() {
  const after = last(), page = await framesAfter(after);
  if (!page.frames.length || last() !== after) return; // another request was quicker
  await take(page.frames, () => setStart(page));
}

/** Appends frames that follow the last one. `anew`: all of them are read again. A reader at the end stays there. */
export async function take(frames, begin = () => frames, anew = false) {
  const atEnd = story.at >= story.frames.length - 1;
  if (anew || frames.some(frame => frame.start || CHANGING.test(frame.name))) await read();
  else {
    story.frames.push(...begin().map(nameSeats));
    shout("told", {fresh: frames.length, anew: false});
  }
  show(atEnd ? story.frames.length - 1 : story.at);
}

/** The path of the frames after a position. */
export function framesPath(after) {
  const {pathname, searchParams} = new URL(pathOfLast());
  return `${pathname}?${new URLSearchParams({...Object.fromEntries(searchParams), after, limit: MANY})}`;
}

const framesAfter = after => load(framesPath(after), {wait: 15});

/** A page begins with a table of its own: if the eyes differ from those before, that one is right. */
function setStart({frames, start}) {
  if (frames.length) frames[0].start ??= start;
  return frames;
}

/** A frame with a name for each seat: that of its player, else of its place. */
export function nameSeats(frame) {
  return Object.assign(frame, {names: facts.places.map((place, seat) => frame.names?.[seat] ?? place)});
}

/** Shows a frame, the nearest where there is none. */
export function show(index) {
  const last = story.frames.length - 1;
  story.at = Math.max(0, Math.min(index, last));
  if (story.at === last) story.known = story.frames.length;
  const frame = story.frames[story.at];
  if (frame) shout("position", {game: facts.id, frame, position: frame.position, last: story.frames[last].position, table: table(story.at)});
}

/** The index of the frame at a position, or of the next one. */
export function indexOf(position) {
  const found = story.frames.findIndex(frame => frame.position >= position);
  return found < 0 ? story.frames.length - 1 : found;
}

/** The frame `by` steps away; as corrected, those that were taken back are no steps. */
export function step(by) {
  let index = story.at + by;
  while (story.corrected && story.frames[index]?.void) index += by;
  return index;
}

export const shout = (name, detail) => document.dispatchEvent(new CustomEvent(name, {detail}));
export const hear = (name, act) => document.addEventListener(name, event => act(event.detail));

const tables = new Map(), ends = [];

/** The table after a frame. Near tables stay folded, so that unchanged zones stay the same objects. */
export const table = index => (index < 0 ? EMPTY : block(Math.floor(index / BLOCK))[index % BLOCK]);

function block(number) {
  const found = tables.get(number) ?? [], first = number * BLOCK;
  tables.delete(number);
  tables.set(number, found);
  if (tables.size > KEPT) tables.delete(tables.keys().next().value);
  const due = Math.min(BLOCK, story.frames.length - first);
  while (found.length < due) found.push(follow(found.at(-1) ?? before(number), story.frames[first + found.length]));
  return found;
}

const before = number => (number ? (ends[number - 1] ??= block(number - 1).at(-1)) : EMPTY);
