// Names after @ in a typed line: they are completed and shown here, and the service gets the number of the seat.
import {names} from "../replay/story.js";
import {spoken} from "./line.js";

const NAMED = /@\s*(\p{L}[\p{L}\p{M}\p{N}'’.-]*)/gu, OPEN = /@\s*([\p{L}\p{M}\p{N}'’.-]*)$/u;
const plain = text => text.normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** The seats whose names begin so, or the one whose name it is. */
function seatsOf(text) {
  const all = [...names().keys()].filter(seat => plain(names()[seat]).startsWith(plain(text)));
  const whole = all.filter(seat => plain(names()[seat]) === plain(text));
  return whole.length === 1 ? whole : all;
}

/** What is typed for a seat: its name without blanks, or its number where the name means no seat alone. */
function mention(seat) {
  const name = names()[seat].replace(/[^\p{L}\p{M}\p{N}'’.-]/gu, "");
  return `@${/^\p{L}/u.test(name) && seatsOf(name).length === 1 ? name : seat} `;
}

/** The line with numbers in the place of names that mean one seat. */
const toNumbers = line =>
  line.replace(NAMED, (whole, text) => {
    const [seat, ...more] = seatsOf(text);
    return seat === undefined || more.length ? whole : `@${seat}`;
  });

/** The line with names in the place of numbers. */
const toNames = line => line.replace(/@\s*(\d+)\s*/g, (whole, seat) => (names()[seat] ? mention(Number(seat)) : whole));

/** The names that the end of the line may mean: {chip, completed} each, the whole line with the name. */
function completions(line) {
  const [open, text] = OPEN.exec(line) ?? [];
  if (open === undefined || /^\d/.test(text)) return [];
  return seatsOf(text).map(seat => ({chip: names()[seat], completed: `${line.slice(0, -open.length)}${mention(seat)}`}));
}

Object.assign(spoken, {toNumbers, toNames, completions});
