// The sentences of events, with the names of seats.
import {lang} from "../say.js";

const JOINED = new Intl.ListFormat(lang);

/** The caption of a frame in lines: the first says what happened, others which cards the seats hold. */
export function lines({said, caption, names}) {
  if (!said) return caption.split("\n");
  return said.map(piece => (typeof piece === "string" ? piece : sitting(piece.seats, names))).join("").split("\n");
}

const NUMBERED = /\b(?:(party|partei)|seats?|(?:den )?sitz(?:en?)?) (\d+(?:(?:, | and | or | und | oder )\d+)*)/gi;

/** A sentence of the service, which counts seats and parties from 0, with their names. */
export function insertNames(sentence, names, parties) {
  return sentence.replace(NUMBERED, (whole, party, numbers) => {
    const text = numbers.replace(/\d+/g, number => (party ? parties[number] && sitting(parties[number], names) : names[number]) ?? "?");
    return text.includes("?") ? whole : text;
  });
}

/** The names of these seats, joined as the language does. */
export const sitting = (seats, names) => JOINED.format(seats.map(seat => names[seat]));
