// A hand that was dealt, as one line: card by card, with dots, or suit by suit (docs/notation.md, "Deals").
import {cuts, trim} from "./reading.js";
import {spellLine} from "./spoken.js";

/** The cards of a line, "?" for each unseen one; null where they mean nothing, or are ambiguous. Words are tried where letters mean nothing. */
export function read(text, notation) {
  const line = trim(text.split(";")[0]), letters = each => readLetters(each.replace(/[,:]/g, " "), notation);
  return letters(text) || letters(line) || letters(spellLine(line, notation.words)); // first as it is: a dot at the end may be a suit without cards
}

function readLetters(text, notation) {
  const line = text.replace(/\?(\d{1,3})/g, (_, count) => "?".repeat(count)).split(";")[0].trim().toLowerCase();
  const lettered = line.replace(/([a-z])(\d{2,})/g, (whole, letter, numbers) => (notation.typed.has(whole) ? whole : [...numbers].map(one => letter + one).join(" ")));
  return faces(notation.hands ? line : lettered, notation) ?? (notation.hands && (line.includes(".") ? readDotted(line, notation) : bySuits(line, notation))) ?? null;
}

function readDotted(line, notation) {
  const [last, ...others] = line.split(".").map(part => part.trim()).reverse(), suits = [...notation.hands];
  const [tail, more = ""] = last.split(/\s+(?=\*|\?)/);
  const holdings = [...others.reverse(), tail];
  if (holdings.length !== suits.length) return null;
  const cards = holdings.map((text, place) => holding(text, suits[place], notation));
  const rest = more && faces(more, notation);
  return cards.includes(null) || rest === null ? null : [...cards.flat(), ...(rest || [])];
}

/** Suit and holding in strict turn, so that a letter in the place of a suit is one. */
function bySuits(line, notation) {
  const found = [];
  const parts = line.split(/\s+/);
  for (let at = 0; at < parts.length; at += 2) {
    if (/^[*?]/.test(parts[at])) return faces(parts.slice(at).join(""), notation)?.reduce((all, one) => [...all, one], found) ?? null;
    const suit = Object.entries(notation.suits).find(([, letters]) => letters.toLowerCase().split(" ").includes(parts[at]))?.[0];
    const cards = suit && holding(parts[at + 1] ?? "", suit, notation);
    if (!cards) return null;
    found.push(...cards);
  }
  return found;
}

function holding(text, suit, notation) {
  if (text === "" || text === "-") return [];
  const ranks = new Map([...notation.typed].filter(([form]) => isRank(form, notation)).map(([form, codes]) => [form, new Set([...codes].filter(code => notation.cards[code][1] === suit))]));
  const ways = cuts(text, {typed: new Map([...ranks].filter(([, codes]) => codes.size)), signs: {}, numbered: [], bare: false});
  const read = [...new Set(ways.map(cut => cut.map(({faces: [code]}) => code).join(" ")))];
  return read.length === 1 ? read[0].split(" ") : null;
}

const isRank = (form, {ranks}) => Object.values(ranks).some(letters => letters.toLowerCase().split(" ").includes(form));

/** Faces that are typed card by card, each with its suit, "?" for an unseen one; null where they mean nothing or are ambiguous. */
function faces(text, {typed}) {
  const sure = new Map([...typed].filter(([, codes]) => codes.size === 1));
  const ways = cuts(text.replace(/\?(\d{1,3})/g, (_, count) => "?".repeat(count)), {typed: sure, signs: {"?": "?"}, numbered: [], bare: false});
  const read = new Set(ways.map(cut => cut.map(({faces: [code] = [], sign}) => sign ?? code).join(" ")));
  if (read.size !== 1) return null;
  return [...read][0].split(" ").filter(Boolean);
}
