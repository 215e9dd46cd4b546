// Entries of this device that the story does not show yet, and the table after them (optimistic update).
import {shout, story, table} from "../replay/story.js";
import {fold, mask} from "../zones.js";

let waiting = [];

/** Entries that are not in the story yet: {from, at, words, path, body, effects, laid, state}; `at` is the position that each is to have, `from` the one before it. */
export const pending = () => waiting.filter(({at}) => at > end());

const end = () => story.frames.at(-1)?.position ?? 0;

/** An entry that is drawn at once; `effects` null while they are unknown; `laid`: the table that it lays anew. */
export function enter({words, path, body}, effects, laid = null) {
  waiting = [...pending(), {from: next() - 1, at: next(), words, path, body, effects, laid, state: "sent"}];
  shout("entered");
}

/** The position of the next entry. */
export const next = () => (pending().at(-1)?.at ?? end()) + 1;

/** The outbox holds these entries, and `recorded` is the last position of a response. Entries that it does not hold any more were dropped. */
export function hold(entries, recorded) {
  const ours = pending(), find = entry => ours.find(({n, at, words}) => (n === undefined ? at === entry.position + 1 && words === entry.words : n === entry.n));
  const own = entries.map(entry => ({...find(entry), n: entry.n, from: entry.position, at: entry.position + entry.events, words: entry.words, path: entry.path, body: entry.body, effects: find(entry)?.effects ?? null, laid: find(entry)?.laid ?? null, state: entry.state}));
  const others = ours.filter(one => !entries.some(entry => find(entry) === one)).filter(({n, at}) => n === undefined || at <= recorded);
  waiting = [...others.map(one => (one.at <= recorded ? {...one, state: "recorded"} : one)), ...own].sort((one, other) => one.at - other.at);
  shout("entered");
}

/** The table with all that was entered, as far as it is known. */
export const tableNow = () => tableAfter(pending());

/** The table with what was entered before this entry. */
export const tableBefore = entry => tableAfter(pending().slice(0, pending().indexOf(entry)));

const tableAfter = entries => entries.reduce((now, {effects, laid}) => laid ?? (effects ? mask(fold(now, effects), now.sees) : now), table(story.frames.length - 1));

/** Whether the next move can be known: the effects of every entry are known. */
export const isKnown = () => pending().every(({effects}) => effects);

/** Whether all entries are recorded. */
export const isRecorded = () => pending().every(({state}) => state === "recorded");
