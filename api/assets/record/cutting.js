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
