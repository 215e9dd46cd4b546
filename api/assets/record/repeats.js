// Entries that were taken back and are due to be entered again, in their order, as the story tells: a reload finds the same.
export const isDeal = ({name}) => name.startsWith("hand.");
export const isMove = ({name}) => name.startsWith("move.");

/**
 * The entries that are due: frames, with the `seat` for which each is due now and the one for which it `was` entered.
 * @param isEntry whether a recorder entered a frame
 * @param seats their number
 * @param start {after, due}: those that were due when the last entry was dropped that nobody had recorded; null for none
 * @param fixes how somebody puts a frame right, by position: "out": it was wrong; "stays": one is missing before it
 */
export function repeats(frames, isEntry, seats, fixes = new Map(), start = null) {
  const preceded = new Set();
  let standing = [], due = [];
  for (const frame of frames) {
    if (start && frame.position > start.after) [due, start] = [start.due, null];
    if (frame.name.startsWith("game.rewound")) {
      const {to, ruling = null} = frame.body, undone = standing.filter(({position}) => position > to && fixes.get(position) !== "out");
      standing = standing.filter(({position}) => position <= to);
      due = ruling === null ? [...undone.map(one => ({...one, was: one.seat})), ...due] : []; // an official decided that it is played anew
    } else if (isEntry(frame)) {
      standing.push(frame);
      if (fixes.get(due[0]?.position) !== "stays" || preceded.has(due[0].position)) due = due.length ? after(frame, due, seats) : due;
      else preceded.add(due[0].position);
    } else if (frame.effects?.length) due = []; // the table lies otherwise than before
  }
  return start?.due ?? due;
}

/** Those that are due after an entry: it is the first of them, or the second without the first, or another in the place of the first. */
function after(frame, due, seats) {
  const place = due.slice(0, 2).findIndex(one => isSame(one, frame));
  if (isDeal(frame) && place < 0) return [];
  const left = place < 0 ? due.slice(Number(takesPlace(frame, due[0]))) : follow(due.slice(place + 1), isMove(frame) ? frame.seat - due[place].seat : 0, seats);
  const deal = left.findIndex(isDeal);
  return !isOver(frame) ? left : deal < 0 ? [] : left.slice(deal);
}

/** Where one was entered for another seat than before, those after it are due for seats as far on: a move too many turns them all. */
const follow = (due, by, seats) => (by ? due.map(one => (isMove(one) ? {...one, seat: (one.seat + by + seats) % seats} : one)) : due);

const takesPlace = (frame, first) => isMove(frame) && isMove(first) && frame.seat === first.seat && (frame.body.move?.type === first.body.move?.type || passes(frame));

/** Whether the turn goes to others, as far as that is known. */
function passes({effects, seat}) {
  const turn = effects?.findLast(([word]) => word === "turn");
  return turn ? !turn[3].includes(seat) : !effects;
}

const isOver = ({effects}) => Boolean(effects?.some(([word]) => word === "closed" || word === "over"));

/** Whether it is the same entry, for whichever seat; a hand may be dealt in another way. */
function isSame(one, {name, seat, body}) {
  if (isDeal(one)) return isDeal({name});
  if (one.name.split("/")[0] !== name.split("/")[0]) return false;
  if (one.body.text !== undefined) return one.seat === seat; // kept as it was typed: nobody knows which move it means
  if (!isMove(one)) return text(one.body.known) === text(body.known);
  return body.text === undefined ? isSameMove(one.body.move, body.move) : body.text.trim() === one.written;
}

export const isSameMove = (one, other) => text(one) === text(other);

const text = value => JSON.stringify(value, (_, one) => (one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one));

/** The cards that were told with one: those of the hand of its seat are told of the hand of the seat now. */
export function copyFaces({body, seat, was}) {
  const zones = some => Object.fromEntries(Object.entries(some).map(([zone, cards]) => [zone === `hand:${was}` ? `hand:${seat}` : zone, cards]));
  return Object.fromEntries(["known", "lacks", "worth"].filter(kind => body[kind]).map(kind => [kind, zones(body[kind])]));
}
