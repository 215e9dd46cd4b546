// The meaning of a line while legal moves are loaded: read here among the moves of the page; if that is not sure, the service is asked after a pause.
import {by} from "../dom.js";
import {say} from "../say.js";
import {names} from "../replay/story.js";
import {TOUCH, refresh, spoken} from "./line.js";
import {nameCards, notation, parts, read, spell} from "./notation.js";

const PAUSE = 250;
const ANSWERS = {"!": "yes", "~": "no", "!=": "quartet"};

/**
 * For give() of the line. `cut`: there are more moves than `list` holds; `record(item)`; `still()`: whether this is what the line is for.
 * `again`: what was taken back, which comes first; `stuck`: {text, says}, where that fits no more.
 */
export function offer({list, cut, position, seat, who, record, still, again = [], stuck = null}) {
  const all = [...again, ...list], variants = list.map(one => answers(one)?.map(item => all.push(item) - 1));
  let timer, answer = stuck;

  /** A line without a meaning here, or with an uncertain one. */
  function here(text) {
    const {meant, longer} = read(text, list), typed = text.trim();
    const sure = !cut || !typed || meant.some(place => list[place].written === typed);
    const laid = meant.length + longer.length ? [] : laying(typed, list);
    if (laid.length) return {list: laid, places: [...laid.keys()], meant: laid.length === 1 ? 0 : null, says: laid.length > 1 ? which() : null};
    if (typed && !(meant.length && sure)) timer = setTimeout(ask, PAUSE, text);
    const says = meant.length > 1 ? which() : meant.length ? null : !typed ? what(list, who) : say(longer.length ? "record.more" : "record.nothing", {who});
    const places = [...meant, ...longer].flatMap(place => (typed ? variants[place] : null) ?? place + again.length);
    if (!typed && again.length) return {places: [...again.keys(), ...places], meant: 0, says: stuck?.says};
    if (typed && places.length > (TOUCH.matches ? 1 : 2) && places.every(place => isNamed(typed, all[place]))) return choosing(places.map(place => all[place]), who);
    return {places, meant: meant.length === 1 && sure ? meant[0] + again.length : null, whole: Boolean(typed) && !cut && places.length === 1 && list.filter(one => isIn(typed, one)).length === 1, says: !typed && stuck ? stuck.says : says};
  }

  async function ask(text) {
    clearTimeout(timer);
    const {meaning, why} = await import("./why.js");
    const found = await meaning(position, seat, text).catch(() => null);
    if (!found || !still()) return null;
    const {reading, known, lacks} = found.reading, is = reading === "move" || reading === "tell", faces = (known || lacks) && {known, lacks};
    const moves = reading === "tell" ? [{words: say("record.tells"), chip: say("record.tells"), tells: true}] : found.list;
    const list = moves.map((one, place) => (place || !faces ? one : {...one, faces, asks: [], effects: null}));
    answer = {text, list, places: list.map((_, place) => place), meant: is ? 0 : null, says: why(found.reading, text, seat)};
    if (spoken.toNumbers(by("line").value) === text) refresh();
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

/** The choice among moves whose cards all stand in the line, which their chips need not repeat where no two read alike then. */
function choosing(list, who) {
  const bare = new Set(list.map(one => one.bare)), chips = bare.size === list.length ? list.map(one => ({...one, chip: one.bare ?? one.chip})) : list;
  return {list: chips, places: [...list.keys()], alone: true, says: wordMoves("which", list, who) ?? which()};
}

/** What moves of one kind choose, in words; nothing for others. */
function wordMoves(begin, list, who) {
  const key = `record.${begin}.${[...new Set(list.map(({move}) => move.type))].join()}`, words = say(key, {who});
  return words === key ? null : words;
}

/** What is asked while nothing stands in the line, and where to tap while the pad is away. */
function what(list, who) {
  const words = wordMoves("what", list, who) ?? say("record.what", {who});
  return TOUCH.matches && by("pad").hidden && list.length ? `${words} ${say("record.what.tap")}` : words;
}

const which = () => say(TOUCH.matches ? "record.which.tapped" : "record.which");

/** Whether a line names all cards of a move, none of which the deck has twice: only a choice is left. */
const isNamed = (typed, {units}) => units.every(({card}) => !card || (notation.cards[card]?.[2] === 1 && parts(typed).includes(spell(card))));

/** Whether a move names all cards of a line. */
const isIn = (typed, {units}) => parts(typed).every(part => units.some(({card}) => card && spell(card) === part));

/** A question that is tapped, with each answer that it may have had, all in the same words, so that no question follows; null for other moves. */
function answers(item) {
  const {asks, written, move, effects} = item, isOpen = asks.length === 1 && Boolean(asks[0].face);
  if (!TOUCH.matches || move.type !== "ask" || (asks.length && !isOpen)) return null;
  const chip = answer => say("record.answer", {who: names()[move.target], answer: say(`record.${answer}`)});
  const reply = sign => ({...item, asks: [], effects: null, bare: null, line: `${written}${sign}`, chip: chip(ANSWERS[sign])});
  if (isOpen) return Object.keys(ANSWERS).map(reply);
  const isGiven = moves(effects, "hand"), isLaid = moves(effects, "laid");
  const known = {...item, bare: null, chip: chip(isLaid ? "quartet" : isGiven ? "yes" : "no")};
  return isGiven && !isLaid ? [known, reply("!=")] : [known];
}

const moves = (effects, kind) => Boolean(effects?.some(([word, , , to]) => word === "moved" && to.startsWith(`${kind}:`)));

/** The plain next step with cards that are laid as soon as they are drawn, once for each that the end of the line may mean. */
function laying(text, list) {
  const plain = list.find(({move}) => move.type === notation.plain), typed = text.split(/\s+/).filter(Boolean);
  const meant = typed.map(one => notation.laid.flat().filter(code => notation.typed.get(one)?.has(code)));
  if (!plain || !typed.length || meant.some(codes => !codes.length)) return [];
  return meant.at(-1).map(code => {
    const cards = [...meant.slice(0, -1).map(([one]) => one), code];
    const chip = say("record.laid.drawn", {words: plain.chip, cards: nameCards(cards)});
    return {...plain, asks: [], effects: null, chip, words: chip, line: `${plain.written} !${cards.map(spell).join("")}`};
  });
}
