// The legal moves of a seat with their lines, sentences and effects, in one request.
import {lang} from "../say.js";
import {names, path, told} from "../replay/story.js";
import {lines} from "../replay/words.js";

const MOST = 600;

/** {list, cut}: the moves as chips() makes them, and whether there are more than the page holds. Raises Refused and Offline. */
export async function legal(position, seat) {
  const found = await told(path("legal-moves", {position, seat, written: true, said: true, effects: true, limit: MOST}));
  return {list: chips(found), cut: found.next !== null};
}

/** {move, written, units, effects, asks, words, chip} each: `words` the sentence, `chip` the same without its subject. */
export function chips({moves, written, units, said, effects = [], asks = []}) {
  return moves.map((move, place) => {
    const pieces = said[place], [words] = lines({said: pieces, names: names()});
    const [bare] = lines({said: typeof pieces[0] === "string" ? pieces : pieces.slice(1), names: names()});
    return {move, written: written[place], units: units[place], effects: effects[place] ?? null, asks: asks[place] ?? [], words, chip: capital(bare.trim().replace(/\.$/, ""))};
  });
}

const capital = text => text.charAt(0).toLocaleUpperCase(lang) + text.slice(1);
