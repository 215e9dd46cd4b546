// What was entered on this page and is not in the story yet, and the table as it is with it.
import {shout, story, table} from "../replay/story.js";
import {fold, masked} from "../zones.js";

let waiting = [];

/** Entries that the story does not tell yet: {at, words, effects, state}; `at` is the position that each is to have. */
export const entered = () => waiting.filter(({at}) => at > told());

const told = () => story.frames.at(-1)?.position ?? 0;

/** An entry that is drawn at once; `effects` null where nobody can know yet what it does. */
export function enter(words, effects) {
  waiting = [...entered(), {at: next(), words, effects, state: "sending"}];
  shout("entered");
}

/** The position of the next entry. */
export const next = () => (entered().at(-1)?.at ?? told()) + 1;

/** What the outbox holds, as it says: entries that it holds no more are recorded, or were left. */
export function hold(states) {
  waiting = entered().map((one, place, all) => ({...one, state: states[place - (all.length - states.length)] ?? "recorded"}));
  shout("entered");
}

/** Nothing that was entered counts any more. */
export function forget() {
  waiting = [];
  shout("entered");
}

/** The table with all that was entered, as far as it is known. */
export function expected() {
  const last = table(story.frames.length - 1);
  return entered().reduce((now, {effects}) => (effects ? masked(fold(now, effects), now.sees) : now), last);
}

/** Whether the next move can be known: every entry says what it does. */
export const isKnown = () => entered().every(({effects}) => effects);
