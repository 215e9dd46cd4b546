// The meaning of a line while legal moves are loaded: read here among the moves of the page; if that is not sure, the service is asked after a pause.
import {by} from "../dom.js";
import {say} from "../say.js";
import {TOUCHED, refresh, spoken} from "./line.js";
import {read} from "./notation.js";

const PAUSE = 250;

/**
 * For give() of the line. `cut`: there are more moves than `list` holds; `record(item)`; `still()`: whether this is what the line is for.
 * `again`: what was taken back, which comes first; `stuck`: {text, says}, where that fits no more.
 */
export function offer({list, cut, position, seat, who, record, still, again = [], stuck = null}) {
  const all = [...again, ...list];
  let timer, answer = stuck;

  /** A line without a meaning here, or with an uncertain one. */
  function here(text) {
    const {meant, longer} = read(text, list), typed = text.trim();
    const sure = !cut || !typed || meant.some(place => list[place].written === typed);
    if (typed && !(meant.length && sure)) timer = setTimeout(ask, PAUSE, text);
    const says = meant.length > 1 ? say(TOUCHED.matches ? "record.which.tapped" : "record.which") : meant.length ? null : say(!typed ? "record.what" : longer.length ? "record.more" : "record.nothing", {who});
    const places = [...meant, ...longer].map(place => place + again.length);
    if (!typed && again.length) return {places: [...again.keys(), ...places], meant: 0, says: stuck?.says};
    return {places, meant: meant.length === 1 && sure ? places[0] : null, says: !typed && stuck ? stuck.says : says};
  }

  async function ask(text) {
    clearTimeout(timer);
    const {meaning, why} = await import("./why.js");
    const found = await meaning(position, seat, text).catch(() => null);
    if (!found || !still()) return null;
    const {reading, known, lacks} = found.reading, is = reading === "move" || reading === "tell", told = (known || lacks) && {known, lacks};
    const moves = reading === "tell" ? [{words: say("record.tells"), chip: say("record.tells"), tells: true}] : found.list;
    const list = moves.map((one, place) => (place || !told ? one : {...one, told, asks: [], effects: null}));
    answer = {text, list, places: list.map((_, place) => place), meant: is ? 0 : null, says: why(found.reading, text, seat)};
    if (spoken.numbered(by("line").value) === text) refresh();
    return is ? list[0] : null;
  }

  return {
    who,
    list: all,
    read(text) {
      clearTimeout(timer);
      return answer?.text === text ? answer : here(text);
    },
    async enter(item, text) {
      const meant = item ?? (text.trim() && answer?.text !== text ? await ask(text) : null);
      return meant ? record(meant) : false;
    },
  };
}
