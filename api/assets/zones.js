// The fold of effects a second time, for pages: docs/replay.md, "Folding frames". The top of a zone is its LAST card. What an event left
// alone is the same object after it.
export const HIDDEN = "?";

/** Before the first frame. */
export const EMPTY = {zones: {}, marks: {}, phase: "no_hand", turn: null, to_act: [], sees: "nothing", stand: null};

/** The table after a frame, made from the one after the frame before. */
export function follow(table, {start = table, effects, stand}) {
  const folded = fold(start, effects);
  return masked(stand ? {...folded, stand: stand.after} : folded, start.sees);
}

/** The table after the effects; it is to be masked then. */
export const fold = (table, effects) => effects.reduce((after, [word, ...told]) => STEPS[word](after, ...told), table);

/** The table as seen by `sees`: "all", "public", "seat:1" or "nothing". */
export function masked(table, sees) {
  if (sees === "all") return table;
  if (sees === "nothing") return {...table, zones: {}, marks: {}, phase: "covered", turn: null, to_act: []};
  const zones = {...table.zones};
  for (const name in zones) {
    const cards = seen(zones[name], sees), marks = marked(zones[name], sees);
    if (cards !== zones[name].cards || marks !== zones[name].marks) zones[name] = {...zones[name], cards, marks};
  }
  return {...table, zones};
}

/** The marks of a zone as they are seen: what only its owner sees has marks that only its owner sees. */
const marked = ({sight, owner, marks}, sees) => (sight === "owner" && sees !== `seat:${owner}` && Object.keys(marks).length ? {} : marks);

/** The cards of a zone as they are seen. */
export function seen({sight, owner, cards}, sees) {
  const owns = sees === `seat:${owner}`;
  const whole = sees === "all" || sight === "all" || (owns && sight === "owner");
  const open = whole ? cards.length : Number(sight === "top" || (owns && sight === "owner-top"));
  const covered = cards.length - open;
  return cards.every((card, place) => place >= covered || card === HIDDEN) ? cards : cards.map((card, place) => (place < covered ? HIDDEN : card));
}

/** The number of cards that the effects brought to each zone, [on top, beneath]; none where a hand begins. */
export function brought(effects) {
  const lit = {};
  for (const [word, cards, source, target, under] of effects) {
    if (word === "hand") return {};
    if (word !== "moved") continue;
    if (lit[source]) lit[source][0] = Math.max(lit[source][0] - cards.length, 0);
    (lit[target] ??= [0, 0])[Number(under)] += cards.length;
  }
  return lit;
}

const STEPS = {
  hand: table => ({...table, zones: {}, marks: {}}),
  zone: (table, name, sight, owner, cards) => laid(table, name, {sight, owner, cards, marks: {}}),
  sight: (table, name, sight) => changed(table, name, () => ({sight})),
  moved(table, cards, source, target, under) {
    const left = changed(table, source, zone => ({cards: without(zone.cards, cards)}));
    const zone = left.zones[target] ?? {sight: "none", owner: null, cards: [], marks: {}};
    return laid(left, target, {...zone, cards: under ? [...cards, ...zone.cards] : [...zone.cards, ...cards]});
  },
  known: (table, name, told) => changed(table, name, ({cards}) => ({cards: cards.map((card, place) => told.at(place - cards.length) ?? card)})),
  mark(table, mark, value, name) {
    const put = ({marks: {[mark]: _, ...others}}) => ({marks: value === null ? others : {...others, [mark]: value}});
    return name === null ? {...table, ...put(table)} : changed(table, name, put);
  },
  said: table => table,
  scored: table => table,
  turn: (table, phase, turn, to_act) => ({...table, phase, turn, to_act}),
  closed: table => ({...table, phase: "hand_over", turn: null, to_act: []}),
  over: table => ({...table, phase: "game_over", turn: null, to_act: []}),
};

const laid = (table, name, zone) => ({...table, zones: {...table.zones, [name]: zone}});

/** Damaged history may name a zone that was never laid. */
function changed(table, name, change) {
  const zone = table.zones[name];
  return zone ? laid(table, name, {...zone, ...change(zone)}) : table;
}

/** Of equal copies the one nearest the top goes; a face that does not lie there was a hidden card. */
function without(lying, cards) {
  const left = [...lying];
  for (const card of cards.toReversed().sort((one, other) => (one === HIDDEN) - (other === HIDDEN))) {
    const place = left.includes(card) ? left.lastIndexOf(card) : left.lastIndexOf(HIDDEN);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
