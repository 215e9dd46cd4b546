// Questions in the line for cards that the record does not know; the answers are sent with the act (COM-73).
import {by, h} from "../dom.js";
import {lang, say} from "../say.js";
import {facts, hear, names} from "../replay/story.js";
import {blockAt} from "../zones.js";
import {read as readHand} from "./hands.js";
import {tableNow} from "./entered.js";
import {TOUCH, give, write} from "./line.js";
import {notation} from "./notation.js";
import {want} from "./pad.js";

/**
 * Asks in the line, and returns what `read(text)` makes of the answer; null where it was left. `options`: {chip, text} each, to be tapped; `cards`:
 * it is answered with cards; `worth`: or with what they are worth. `read` returns {value}, or {says} for an answer without meaning. An option without text comes first, and is what
 * Enter alone answers. `at`: the zone on the felt that is meant. `faces`: cards that the pad offers first. `meant` beside {value}: the answer in words, which Enter takes. `text` is in the line at first.
 */
export function question({words, at = null, who, options = [], cards = false, worth = false, faces = [], read, text: first = ""}) {
  const fitting = text => [...options.keys()].filter(place => !text || options[place].text);
  want("question", cards, faces, worth);
  point(at);
  return new Promise(resolve => {
    left = () => resolve(null);
    give({
      who,
      asks: true,
      list: options,
      read(text) {
        const {meant, whole, says} = text ? read(text) : {};
        if (meant) return {list: [{chip: meant, text: ""}], places: [0], meant: 0};
        return {places: fitting(text), meant: !text && read("").value ? 0 : null, whole, says: [h("strong", {}, words), " ", says ?? ""].filter(Boolean)};
      },
      enter(item, text) {
        const whole = item ? `${text} ${item.text}`.trim() : text, {value} = read(whole);
        if (value === undefined && item) return void write(`${whole} `);
        if (value === undefined) return false;
        left = () => {};
        resolve(value);
        give({who, waits: true, says: say("record.wait")});
      },
    });
    if (first) write(first);
  }).finally(() => {
    want("question", false);
    point(null);
  });
}

/** Marks the zone that a question means on the felt; of a hand its seat. */
function point(zone) {
  const seat = /^hand:(\d+)$/.exec(zone)?.[1], stage = by("stage");
  target = zone;
  for (const one of stage.querySelectorAll(".asked")) one.classList.remove("asked");
  if (zone) stage.querySelector(seat ? `[data-seat="${seat}"]` : `[data-zone="${zone}"]`)?.classList.add("asked");
}

let target = null;
hear("painted", () => point(target));

/** Leaves the question, and with it the act that needs the answer. */
let left = () => {};
hear("leave", () => left());

/** A move or deal with the answers to all questions; null where one was left. `written`: the move as a line. */
export async function askAll(body, asks, {who, dealt = false} = {}) {
  let full = body;
  for (const one of asks) full = full && (await askOne(full, one, {who, dealt}));
  if (!full) return null;
  const {written: _, ...whole} = full;
  return whole;
}

/** The act with the answers to one ask; null where one was left. `dealt`: places are counted as cards are dealt there. */
export async function askOne(body, ask, {who, dealt = false} = {}) {
  if (ask.face) return yesOrNo(body, ask, who);
  if (!ask.places) return counting(body, ask, who);
  const step = TOGETHER.has(ask.zone.split(":")[0]) ? ask.places.length : 1;
  let full = body;
  for (let rest = [...ask.places]; rest.length; ) {
    const {words, at} = asking(ask.zone, rest.slice(0, step), dealt);
    const faces = [...new Set(dealt ? [] : rest.flatMap(place => blockAt(tableNow(), ask.zone, place)?.faces ?? []))];
    const cards = await question({words, at, who, cards: true, faces, read: text => readCards(text, step, rest.length)});
    if (!cards) return null;
    full = placeCards(full, {zone: ask.zone, places: rest.splice(0, cards.length)}, cards);
  }
  return full;
}

/** Zones whose cards are asked for in one question: their order means nothing. Of others they are asked for one by one. */
const TOGETHER = new Set(["board", "base"]);

/** The question for cards at these places, in people's words, and where it points to: a zone, or a seat as hand:1. */
function asking(zone, places, dealt) {
  const [kind, number] = zone.split(":"), turned = dealt && places[0] > 1 ? "tier" : "waste";
  const word = {hand: "shown", stock: turned, board: "table", pile: places[0] ? "next" : kind}[kind] ?? kind, key = `record.ask.${word}`;
  const words = say(key, {who: names()[number], row: say(`record.row.${number}`), count: places.length});
  return {words: words === key ? say("record.ask.cards", {zone: nameZone(zone), count: places.length}) : words, at: dealt ? null : kind === "stock" ? "waste" : zone};
}

/** The act with the cards of a hand that are left, or with their ranks or their worth. */
async function counting(body, {zone, count}, who) {
  const isHand = zone.startsWith("hand:"), holder = names()[zone.split(":")[1]];
  const words = isHand ? say(TOUCH.matches ? "record.ask.worth" : "record.ask.left", {who: holder, count}) : say("record.ask.cards", {zone: nameZone(zone), count});
  const cards = await question({words, at: zone, who, cards: true, worth: isHand, read: text => (isHand && withoutFaces(text, count)) || readCards(text, count)});
  if (!cards) return null;
  return typeof cards === "number" ? {...body, worth: {...body.worth, [zone]: cards}} : placeCards(body, {zone, count}, cards);
}

/** The act with the cards of one answer; for a deal by zones they are dealt. */
export function placeCards(body, ask, cards) {
  const field = body.deal ? "deal" : "known", list = [...(body[field]?.[ask.zone] ?? [])], places = ask.places ?? cards.keys();
  for (const [index, place] of [...places].entries()) {
    while (list.length <= place) list.push("?");
    list[place] = cards[index];
  }
  return {...body, [field]: {...body[field], [ask.zone]: list}};
}

/** A hand that is counted, by the ranks of its cards with blanks between, or by its worth (CAN-57); null for neither. */
function withoutFaces(text, count) {
  const typed = text.trim().toLowerCase().split(/\s+/), rank = one => Object.entries(notation.ranks).find(([, letters]) => letters.toLowerCase().split(" ").includes(one))?.[0];
  const ranks = typed.map(one => rank(one) ?? [...(notation.typed.get(one) ?? [])][0]);
  if (typed.length === count && !ranks.includes(undefined) && typed.some(rank)) return {value: ranks, whole: true};
  if (typed.length > 1 && typed.length < count && !ranks.includes(undefined) && typed.some(rank)) return {says: say("record.other_number", {asked: count, count: typed.length})};
  return typed.length === 1 && /^\d+$/.test(typed[0]) ? {value: Number(typed[0])} : null;
}

/** Cards of a line, as many as were asked for; `most`: or as will be asked for. */
export function readCards(text, count, most = count) {
  const cards = readHand(text.replace(/^!/, ""), notation);
  if (!cards) return {says: say("record.no_card")};
  return [count, most].includes(cards.length) ? {value: cards, whole: true} : {says: say("record.other_number", {asked: count, count: cards.length})};
}

/** Asks whether a card lies there: the line says it behind the move, and the service reads it. */
async function yesOrNo(body, {zone, face}, who) {
  const signs = {"!": say("record.yes"), "~": say("record.no"), "!=": say("record.completes")};
  const typed = {[say("record.y")]: "!", y: "!", yes: "!", ja: "!", "!": "!", n: "~", no: "~", nein: "~", "~": "~", "=": "!=", "!=": "!="};
  const options = Object.entries(signs).map(([sign, chip]) => ({chip, text: sign, words: chip}));
  const read = text => (typed[text.trim().toLowerCase()] ? {value: typed[text.trim().toLowerCase()]} : {says: say("record.yes_or_no")});
  const called = facts.deck?.cards?.find(({id}) => id === face), name = called?.[`name_${lang}`] ?? called?.name;
  const words = say("record.ask.face", {who: names()[zone.split(":")[1]], card: name ? `${face} ${name}` : face});
  const behind = await question({words, at: zone, who, options, read});
  return behind && {seat: body.seat, text: `${body.written}${behind}`};
}

/** A zone in words, counted from 1. */
function nameZone(zone) {
  const [kind, ...numbers] = zone.split(":"), words = say(`table.zone.${kind}`), last = numbers.at(-1);
  return [words.startsWith("table.") ? kind : words, last && Number(last) + 1].filter(Boolean).join(" ");
}
