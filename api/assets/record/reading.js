// The meaning of a line among the legal moves of the page, as the service reads it (NOT-2 to NOT-7). A truncated list proves nothing.

/** A reader of lines. `notation`: {cards, ranks, suits, signs, numbered, bare, plain, order, own}, of one language. */
export function reader(notation) {
  const whole = {...notation, typed: forms(notation)};
  return {typed: whole.typed, read: (line, list) => read(line.trim(), list, whole)};
}

/**
 * Moves as places in the list, the usual ones first: `meant` fit equally, `longer` ones a longer line would mean.
 * `list`: [{move, written, units}].
 */
function read(line, list, notation) {
  const text = trim(line.split(";")[0].trim());
  const exact = list.findIndex(({written}) => written === text);
  if (text === "" || text === ".") return nextStep(list, notation);
  const ways = cuts(text, notation);
  const found = ways.map(cut => fitting(cut, list, notation));
  const meant = usual(found.flatMap(one => one.meant), list, notation);
  const longer = usual(found.flatMap(one => one.longer), list, notation);
  if (exact >= 0 && meant.includes(exact)) return {meant: [exact], longer: [...meant, ...longer].filter(one => one !== exact), readable: true};
  return {meant, longer: longer.filter(one => !meant.includes(one)), readable: ways.length > 0};
}

/** NOT-5: the plain next step, or the only legal move; a move that has to be spelled out is never meant by it. */
function nextStep(list, {plain}) {
  const all = list.map((_, place) => place), step = list.findIndex(({move}) => move.type === plain);
  const first = step >= 0 ? [step] : all;
  const is = first.length === 1 && !list[first[0]].units.some(({stays}) => stays);
  return {meant: is ? first : [], longer: all.filter(place => !is || place !== first[0]), readable: true};
}

function fitting(cut, list, notation) {
  const found = {all: [], none: [], some: []};
  list.forEach(({units}, place) => {
    const how = fit(cut, units, notation.own);
    if (how) found[how].push(place);
  });
  if (notation.own) return freely(cut, list, found);
  const [meant, ...longer] = found.all.length ? [found.all, found.none, found.some] : [found.none, found.some];
  return {meant, longer: longer.flat()};
}

/** Cards in any order: a single card is the one that is played, and may do anything; with a bare x it takes all it can. */
function freely(cut, list, {all, none, some}) {
  const alone = cut.length === 1 && cut[0].faces;
  if (alone) return {meant: [...all, ...none, ...some].filter(place => plays(list[place])), longer: []};
  const names = cut.some(({faces}) => faces) || cut[0].sign === "x";
  if (!names) [all, none] = [all, none].map(places => places.filter(place => plays(list[place]) || !listUsed(list[place]).length));
  const takes = cut.length === 2 && cut[0].faces && cut[1].sign === "x" ? largest([...all, ...none, ...some], list) : [];
  const meant = takes.length ? takes : all.length ? all : more([...none], list);
  return {meant, longer: [...all, ...none, ...some].filter(place => !meant.includes(place))};
}

const plays = ({units}) => units.some(({role}) => role === "played");
const listUsed = ({units}) => units.filter(({card, number, role}) => (card || number !== undefined) && role === "used");
const more = (places, list) => places.sort((one, other) => listUsed(list[other]).length - listUsed(list[one]).length || one - other);

/** For each card, the capture that includes all others with it, if there is one. */
function largest(places, list) {
  const by = Map.groupBy(places, place => list[place].units.find(({role}) => role === "played")?.card);
  return [...by.values()].flatMap(group => {
    const nameUsed = place => listUsed(list[place]).map(({card, number}) => card ?? `#${number}`);
    const holds = (whole, part) => nameUsed(part).every(one => nameUsed(whole).includes(one));
    return group.filter(place => group.every(other => holds(place, other))).slice(0, 1);
  });
}

/** How many of the cards of a move are named: "all", "none" or "some"; null where the line does not fit it. */
export function fit(cut, units, free) {
  const ordered = free ? [...cut].sort(cardsFirst) : cut, spelled = free ? [...units].sort(cardsFirst) : units;
  if (!inOrder(ordered, spelled)) return null;
  if (!units.every(({sign, stays}) => !stays || cut.some(token => token.sign === sign))) return null;
  if (free && !says(cut, units)) return null;
  let tokens = cut.filter(({faces}) => faces);
  const cards = units.filter(({card}) => card !== undefined), typed = tokens.length > 0;
  const played = cards.find(({role}) => role === "played");
  if (typed && played) {
    if (!tokens[0].faces.has(played.card)) return null;
    tokens = tokens.slice(1);
  }
  const ranks = cut.some(({sign}) => sign === "+" || sign === "="), uses = cards.filter(({role}) => role === "used");
  const left = match(tokens, [...uses, ...cards.filter(({role}) => ranks && role === "free")]);
  if (left === null) return null;
  const numbers = units.filter(({number, role}) => number !== undefined && role === "used").length, wanted = uses.length;
  const named = wanted - left.filter(({role}) => role === "used").length + (numbers ? cut.filter(({number}) => number !== undefined).length : 0);
  if (named >= wanted + numbers) return typed || !played ? "all" : "none";
  return named ? "some" : "none";
}

/** A sign names the act of the played card: a move with another sign of its own besides is not meant without that. */
function says(cut, units) {
  const own = units.find(({sign}) => sign && sign !== "#")?.sign, signs = cut.flatMap(({sign}) => (sign && sign !== "#" ? sign : []));
  return !signs.length || !plays({units}) || signs.includes(own);
}

const cardsFirst = (one, other) => Number(one.faces === undefined && one.card === undefined) - Number(other.faces === undefined && other.card === undefined);

function inOrder(cut, units) {
  let at = 0;
  return cut.every(token => {
    while (at < units.length && !alike(token, units[at])) at += 1;
    return at++ < units.length;
  });
}

const alike = (token, unit) => (token.faces ? unit.card !== undefined : token.sign ? token.sign === unit.sign : token.number === unit.number);

/** The units that no token names, if each token can be one of its own; else null. A free one is a rank alone, and takes a token without suit. */
function match(tokens, units) {
  if (tokens.length > units.length) return null;
  const [first, ...others] = [...tokens].sort((one, other) => one.faces.size - other.faces.size);
  if (!first) return units;
  const bare = first.faces.size > 1 && [...first.faces][0][0];
  for (const [place, {card, role}] of units.entries()) {
    const left = (first.faces.has(card) || (role === "free" && card === bare)) && match(others, units.toSpliced(place, 1));
    if (left) return left;
  }
  return null;
}

/** Each play once: in which groups the same cards are named makes no difference; the usual types first. */
function usual(places, list, {order}) {
  const once = new Map();
  for (const place of places) {
    const key = alikeness(list[place]);
    if (!once.has(key)) once.set(key, place);
  }
  const rank = place => (order.includes(list[place].move.type) ? order.indexOf(list[place].move.type) : order.length);
  return [...once.values()].sort((one, other) => rank(one) - rank(other));
}

function alikeness({move, units}) {
  const cards = units.map(({card, role}) => card && `${card}${role === "played" ? "!" : ""}`).filter(Boolean).sort();
  return JSON.stringify([move.type, cards, units.flatMap(({sign, number}) => sign ?? number ?? [])]);
}

// All ways to cut a typed line into cards, signs and numbers, the preferred way first (NOT-1 of docs/notation.md).

const MOST = 500;
const ALIKE = {"–": "-", "−": "-", "×": "x", ",": " ", ":": " "};

/** The text that may be typed for each card: by the form, in small letters, the codes that it may mean. */
export function forms({cards, ranks, suits}) {
  const typed = new Map();
  for (const [code, [rank, of]] of Object.entries(cards)) {
    for (const some of orders([...of])) {
      const letters = [ranks[rank], ...some.map(suit => suits[suit])].map(each => each.toLowerCase().split(" "));
      for (const form of letters.reduce((made, each) => made.flatMap(begun => each.map(letter => begun + letter)), [""])) {
        if (!typed.has(form)) typed.set(form, new Set());
        typed.get(form).add(code);
      }
    }
  }
  return typed;
}

/** Every order of any subset, the empty one and the whole as well. */
const orders = all => [[], ...all.flatMap((one, place) => orders(all.toSpliced(place, 1)).map(others => [one, ...others]))];

/** The line without a final stop; a lone one is a sign. */
export const trim = line => line.replace(/(?<=[^\s.])\s*\.\s*$/, "");

/** The cuts of a line; none where a part of it means nothing. `notation`: {typed, signs, numbered, bare}. */
export function cuts(line, notation) {
  const found = [];
  const text = [...line.toLowerCase()].map(letter => ALIKE[letter] ?? letter).join("");
  follow(text, 0, [], notation, found, new Set());
  return found;
}

/** Whether anything was found from this place on; a dead end is visited once. */
function follow(text, place, before, notation, found, dead) {
  let at = place;
  while (at < text.length && /\s/.test(text[at])) at += 1;
  if (at === text.length) return found.push(before) > 0;
  const counted = notation.numbered.includes(before.at(-1)?.sign), key = `${at} ${counted}`;
  if (dead.has(key)) return false;
  let led = false;
  for (const [end, token] of tokens(text, at, counted, notation)) {
    if (found.length >= MOST) return true;
    led = follow(text, end, [...before, token], notation, found, dead) || led;
  }
  if (!led) dead.add(key);
  return led;
}

function* tokens(text, at, counted, {typed, signs, bare}) {
  const digits = at + /^[0-9]*/.exec(text.slice(at))[0].length;
  if (counted && digits > at) return yield [digits, {number: Number(text.slice(at, digits))}];
  for (let end = Math.min(at + 8, text.length); end > at; end -= 1) {
    const form = text.slice(at, end);
    if (typed.has(form)) yield [end, {faces: typed.get(form)}];
  }
  for (let end = digits; bare && end > at; end -= 1) yield [end, {number: Number(text.slice(at, end))}];
  for (const [form, sign] of Object.entries(signs)) if (text.startsWith(form, at)) yield [at + form.length, {sign}];
}
