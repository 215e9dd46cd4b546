// The sentences of events, with names where seats have some.
import {lang, say} from "../say.js";

const JOINED = new Intl.ListFormat(lang);

/** The caption of a frame in lines: the first says what happened, others which cards the seats hold. */
export function lines({said, caption, names = []}) {
  if (!said) return caption.split("\n");
  return said.map(piece => (typeof piece === "string" ? piece : who(piece, names))).join("").split("\n");
}

/** Several are joined as the language does; where one has no name, the words stay. */
function who({seats, words}, names) {
  return seats.length && seats.every(seat => names[seat]) ? JOINED.format(seats.map(seat => names[seat])) : words;
}

/** The players on these seats, by name where there is one. */
export const sitting = (seats, names = []) => JOINED.format(seats.map(seat => names[seat] ?? say("replay.seat", {seat})));
