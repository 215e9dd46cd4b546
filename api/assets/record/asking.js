// Questions in the line for cards that the record does not know; the answers are sent with the act (COM-73).
import {say} from "../say.js";
import {facts, hear, names} from "../replay/story.js";
import {blockAt} from "../zones.js";
import {read as readHand} from "./hands.js";
import {expected} from "./entered.js";
import {give, write} from "./line.js";
import {notation} from "./notation.js";
import {want} from "./pad.js";

/**
 * Asks in the line, and returns what `read(text)` makes of the answer; null where it was left. `options`: {chip, text} each, to be tapped; `cards`:
 * it is answered with cards. `read` returns {value}, or {says} for an answer without meaning. An option without text comes first, and is what
 * Enter alone answers. `faces`: cards that the pad offers first. `meant` beside {value}: the answer in words, which Enter takes. `text` is in the line at first.
 */
export function question({words, who, options = [], cards = false, faces = [], read, text: first = ""}) {
  const fitting = text => [...options.keys()].filter(place => !text || options[place].text);
  want("question", cards, faces);
  return new Promise(resolve => {
    left = () => resolve(null);
    give({
      who,
      asks: true,
      list: options,
      read(text) {
        const {meant, says} = text ? read(text) : {};
        if (meant) return {list: [{chip: meant, text: ""}], places: [0], meant: 0};
        return {places: fitting(text), meant: !text && read("").value ? 0 : null, says: [words, " ", says ?? ""].filter(Boolean)};
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
  }).finally(() => want("question", false));
}

/** Leaves the question, and with it the act that needs the answer. */
let left = () => {};
hear("leave", () => left());

/** A move or deal with the answers to all questions; null where one was left. `written`: the move as a line. */
export async function told(body, asks, {who, dealt = false} = {}) {
  let given = body;
  for (const one of asks) given = given && (await answered(given, one, {who, dealt}));
  if (!given) return null;
  const {written: _, ...whole} = given;
  return whole;
}

/** The act with the answer to one ask; null where it was left. `dealt`: places are counted as cards are dealt there. */
export async function answered(body, ask, {who, dealt = false} = {}) {
  if (ask.face) return yesOrNo(body, ask, who);
  const places = ask.places ?? [...Array(ask.count).keys()], zone = called(ask.zone);
  const isHand = Boolean(ask.count) && ask.zone.startsWith("hand:");
  const words = ask.places ? say(dealt ? "record.ask.dealt" : "record.ask.places", {zone, places: places.map(one => one + 1).join(", ")}) : say(isHand ? "record.ask.left" : "record.ask.count", {zone, count: ask.count});
  const faces = [...new Set([...places].flatMap(place => (dealt ? [] : (blockAt(expected(), ask.zone, place)?.faces ?? []))))];
  const cards = await question({words, who, cards: true, faces, read: text => (isHand && withoutFaces(text, ask.count)) || counted(text, places.length)});
  if (!cards) return null;
  return typeof cards === "number" ? {...body, worth: {...body.worth, [ask.zone]: cards}} : placed(body, ask, cards);
}

/** The act with the cards of one answer; for a deal by zones they are dealt. */
export function placed(body, ask, cards) {
  const field = body.deal ? "deal" : "known", given = [...(body[field]?.[ask.zone] ?? [])], places = ask.places ?? cards.keys();
  for (const [index, place] of [...places].entries()) {
    while (given.length <= place) given.push("?");
    given[place] = cards[index];
  }
  return {...body, [field]: {...body[field], [ask.zone]: given}};
}

/** A hand that is counted, by the ranks of its cards with blanks between, or by its worth (CAN-57); null for neither. */
function withoutFaces(text, count) {
  const typed = text.trim().toLowerCase().split(/\s+/), rank = one => Object.entries(notation.ranks).find(([, letters]) => letters.toLowerCase().split(" ").includes(one))?.[0];
  const ranks = typed.map(one => rank(one) ?? [...(notation.typed.get(one) ?? [])][0]);
  if (typed.length === count && !ranks.includes(undefined) && typed.some(rank)) return {value: ranks};
  return typed.length === 1 && /^\d+$/.test(typed[0]) ? {value: Number(typed[0])} : null;
}

/** Cards of a line, as many as were asked for. */
export function counted(text, count) {
  const cards = readHand(text.replace(/^!/, ""), notation);
  if (!cards) return {says: say("record.no_card")};
  return cards.length === count ? {value: cards} : {says: say("record.other_number", {asked: count, count: cards.length})};
}

/** Asks whether a card lies there: the line says it behind the move, and the service reads it. */
async function yesOrNo(body, {zone, face}, who) {
  const signs = {"!": say("record.yes"), "~": say("record.no"), "!=": say("record.completes")};
  const typed = {[say("record.y")]: "!", y: "!", yes: "!", ja: "!", "!": "!", n: "~", no: "~", nein: "~", "~": "~", "=": "!=", "!=": "!="};
  const options = Object.entries(signs).map(([sign, chip]) => ({chip, text: sign, words: chip}));
  const read = text => (typed[text.trim().toLowerCase()] ? {value: typed[text.trim().toLowerCase()]} : {says: say("record.yes_or_no")});
  const behind = await question({words: say("record.ask.face", {zone: called(zone), card: face}), who, options, read});
  return behind && {seat: body.seat, text: `${body.written}${behind}`};
}

/** A zone in words; its seat by name, everything else is counted from 1. */
function called(zone) {
  const [kind, ...numbers] = zone.split(":");
  if (kind === "hand" && facts.layout.length) return say("record.hand_of", {who: names()[numbers[0]]});
  const words = say(`table.zone.${kind}`), last = numbers.at(-1);
  return [words.startsWith("table.") ? kind : words, last && Number(last) + 1].filter(Boolean).join(" ");
}
