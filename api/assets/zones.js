// The fold of effects a second time, for pages: docs/replay.md, "Folding frames". The top of a zone is its LAST card. What an event left
// alone is the same object after it.
export const HIDDEN = "?";

/** Before the first frame. */
export const EMPTY = {zones: {}, marks: {}, blocks: [], phase: "no_hand", turn: null, to_act: [], sees: "nothing", stand: null};

/** Whether a hand, or the game, is over on the table. */
export const isOver = ({phase}) => phase.endsWith("_over");

/** The table after a frame, made from the one after the frame before. */
export function follow(table, {start = table, effects, stand}) {
  const folded = fold(start, effects);
  return mask(stand ? {...folded, stand: stand.after} : folded, start.sees);
}

/** The table after the effects; it is to be masked then. */
export const fold = (table, effects) => effects.reduce((after, [word, ...args]) => STEPS[word](follows(after, word, args), ...args), table);

/** The block at this place of a zone, 0 the next card to leave: {faces, places}; undefined where there is none. */
export const blockAt = ({blocks = []}, zone, place) => blocks.find(({places}) => places[zone]?.includes(place));

/** The table as seen by `sees`: "all", "public", "seat:1" or "nothing". */
export function mask(table, sees) {
  if (sees === "all") return table;
  if (sees === "nothing") return {...table, zones: {}, marks: {}, phase: "covered", turn: null, to_act: []};
  const zones = {...table.zones};
  for (const name in zones) {
    const cards = maskCards(zones[name], sees), marks = maskMarks(zones[name], sees);
    if (cards !== zones[name].cards || marks !== zones[name].marks) zones[name] = {...zones[name], cards, marks};
  }
  return {...table, zones};
}

/** The marks of a zone as they are seen: what only its owner sees has marks that only its owner sees. */
const maskMarks = ({sight, owner, marks}, sees) => (sight === "owner" && sees !== `seat:${owner}` && Object.keys(marks).length ? {} : marks);

/** The cards of a zone as they are seen. */
export function maskCards({sight, owner, cards}, sees) {
  const owns = sees === `seat:${owner}`;
  const whole = sees === "all" || sight === "all" || (owns && sight === "owner");
  const open = whole ? cards.length : Number(sight === "top" || (owns && sight === "owner-top"));
  const covered = cards.length - open;
  return cards.every((card, place) => place >= covered || card === HIDDEN) ? cards : cards.map((card, place) => (place < covered ? HIDDEN : card));
}

/** The number of cards that the effects brought to each zone, [on top, beneath]; none where a hand begins. */
export function litBy(effects) {
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
  zone: (table, name, sight, owner, cards) => layZone(table, name, {sight, owner, cards, marks: {}}),
  sight: (table, name, sight) => changeZone(table, name, () => ({sight})),
  moved(table, cards, source, target, under) {
    const left = changeZone(table, source, zone => ({cards: without(zone.cards, cards)}));
    const zone = left.zones[target] ?? {sight: "none", owner: null, cards: [], marks: {}};
    return layZone(left, target, {...zone, cards: under ? [...cards, ...zone.cards] : [...zone.cards, ...cards]});
  },
  known: (table, name, codes) => changeZone(table, name, ({cards}) => ({cards: cards.map((card, place) => codes.at(place - cards.length) ?? card)})),
  mark(table, mark, value, name) {
    const put = ({marks: {[mark]: _, ...others}}) => ({marks: value === null ? others : {...others, [mark]: value}});
    return name === null ? {...table, ...put(table)} : changeZone(table, name, put);
  },
  block: table => table,
  said: table => table,
  scored: table => table,
  turn: (table, phase, turn, to_act) => ({...table, phase, turn, to_act}),
  closed: table => ({...table, phase: "hand_over", turn: null, to_act: []}),
  over: table => ({...table, phase: "game_over", turn: null, to_act: []}),
};

/** The table with blocks as they lie after the effect: cards whose order nobody recorded keep their places through every move. */
function follows(table, word, args) {
  if (!BLOCKS[word] || !(table.blocks?.length || word === "block")) return table;
  return {...table, blocks: BLOCKS[word](table.blocks ?? [], table.zones, ...args).filter(({faces}) => faces.length)};
}

const BLOCKS = {
  hand: () => [],
  block: (blocks, _, faces, places) => [...blocks.filter(one => !one.faces.some(face => faces.includes(face))), {faces, places}],
  known(blocks, _, zone, cards) {
    const codes = cards.toReversed(), goes = place => (codes[place] ?? HIDDEN) !== HIDDEN;
    return blocks.map(block => without_named(block, zone, goes, codes));
  },
  moved(blocks, zones, cards, source, target, under) {
    const lying = zones[source]?.cards ?? [], gone = pick(lying, cards).map(place => lying.length - 1 - place);
    const size = (zones[target]?.cards.length ?? 0) - (source === target ? cards.length : 0), shift = under ? 0 : cards.length;
    const arrives = place => (under ? size : 0) + cards.length - 1 - gone.indexOf(place);
    const isKnown = place => gone.includes(place) && cards[gone.indexOf(place)] !== HIDDEN;
    return blocks.map(block => {
      const left = without_named(block, source, isKnown, cards), at = {...left.places}, leaving = at[source] ?? [];
      at[source] = leaving.filter(place => !gone.includes(place)).map(place => place - gone.filter(other => other < place).length);
      at[target] = [...(at[target] ?? []).map(place => place + shift), ...leaving.filter(place => gone.includes(place)).map(arrives)];
      return {...left, places: tidy(at)};
    });
  },
};

/** A block without the places of a zone that are named, and without their faces. */
function without_named(block, zone, named, faces) {
  const told = (block.places[zone] ?? []).filter(named);
  if (!told.length) return block;
  const places = tidy({...block.places, [zone]: block.places[zone].filter(place => !named(place))});
  return {faces: block.faces.filter(face => !faces.includes(face)), places};
}

const tidy = places => Object.fromEntries(Object.entries(places).map(([zone, list]) => [zone, list.toSorted((one, other) => one - other)]).filter(([, list]) => list.length));

const layZone = (table, name, zone) => ({...table, zones: {...table.zones, [name]: zone}});

/** Damaged history may name a zone that was never laid. */
function changeZone(table, name, change) {
  const zone = table.zones[name];
  return zone ? layZone(table, name, {...zone, ...change(zone)}) : table;
}

/** Of equal copies the one nearest the top goes; a face that does not lie there was a hidden card. */
function without(lying, cards) {
  const gone = pick(lying, cards);
  return lying.filter((_, place) => !gone.includes(place));
}

/** The places of the cards that go, counted from below; -1 for one that does not lie there. */
function pick(lying, cards) {
  const left = [...lying], places = [];
  for (const number of [...cards.keys()].reverse().sort((one, other) => (cards[one] === HIDDEN) - (cards[other] === HIDDEN))) {
    const place = left.includes(cards[number]) ? left.lastIndexOf(cards[number]) : left.lastIndexOf(HIDDEN);
    if (place >= 0) left[place] = null;
    places[number] = place;
  }
  return places;
}
