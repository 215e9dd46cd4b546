// The line between two hands: the next deal with an unknown deck, a shuffle by the service, a prepared board, typed hands, or a result alone.
import {makeKey, tryAsk} from "../api.js";
import {by} from "../dom.js";
import {figure, say} from "../say.js";
import {facts, names, readOn, shout} from "../replay/story.js";
import {sitting} from "../replay/words.js";
import {askOne, placeCards, question} from "./asking.js";
import {enter, tableNow, isRecorded} from "./entered.js";
import {read as readHand} from "./hands.js";
import {askLaid} from "./laid.js";
import {TOUCH, give, write} from "./line.js";
import {notation, spell} from "./notation.js";
import {want} from "./pad.js";
import {dueAgain} from "./undo.js";
import {why} from "./why.js";

let dealer = null, played = null, last = "unknown", offered = false;

/**
 * Gives the line to the deal at this position; the cards of one that was taken back stand in it. `turn()`: what is next; `box`: the outbox,
 * which has to know the position of the game.
 */
export function ways(at) {
  const again = dueAgain(), {stand} = tableNow();
  if (stand?.hand !== played) dealer = null;
  played = stand?.hand;
  dealer = again?.dealer ?? dealer ?? (stand?.dealer == null ? 0 : (stand.dealer + 1) % facts.seats);
  if (again?.result) return void choose(at, {kind: "result"}, "", again);
  offer(at, {again, text: again ? spellDeal(again.known ?? again.deal ?? {}) : ""});
}

/** The name of who deals next; null while no deal is offered. */
export const dealing = () => (offered ? who(dealer) : null);

const who = seat => names()[seat];

/** `problem`: why the last try was refused; `text`: the initial text of the line; `again`: the deal that was taken back. */
function offer(at, {problem = null, text = "", again = null} = {}) {
  const fair = by("game").dataset.fair; // then every deck follows from chances, which have a page of their own
  if (fair) last = last === "result" ? last : "fair";
  const kinds = fair ? ["fair", "result"] : ["unknown", "shuffled", ...(facts.tournament ? ["board"] : []), "typed", "result"];
  const list = [last, ...kinds.filter(kind => kind !== last)].map(kind => ({kind, chip: say(`record.deal.${kind}`), words: says(kind)}));
  if (facts.seats > 1) list.splice(1, 0, {kind: "dealer", chip: say("record.deal.dealer", {who: who(dealer)})});
  give({
    who: say("record.deal"),
    list,
    read: line => readLine(line, list, problem),
    enter: (item, line) => (item || readDeal(line) ? choose(at, item ?? {}, line, again) : false),
  });
  offers(true);
  if (text && !by("line").value) write(text);
  want("deal", Boolean(text));
}

function offers(is) {
  offered = is;
  shout("deal");
}

const says = kind => say(`record.deals.${kind}`, {who: who(dealer)});

/** A line that names cards of the deal takes precedence over every other way. */
function readLine(line, list, problem) {
  const found = readDeal(line);
  if (found) return {list: [{chip: say("record.deal.told"), words: describeDeal(found)}, ...list], places: [...list.keys(), list.length], meant: 0, says: problem};
  const answer = line ? say(line.includes("!") ? "record.no_card" : "record.deal.choose") : problem;
  return {places: [...list.keys()], meant: line ? null : 0, says: answer};
}

/** The cards of a line in words. */
function describeDeal({hands, open}) {
  const cards = some => some.map(code => (code === "?" ? code : spell(code))).join(" ");
  const parts = Object.entries(hands).map(([zone, some]) => `${say("record.hand_of", {who: who(Number(zone.split(":")[1]))})}: ${cards(some)}`);
  if (open.length) parts.unshift(say("record.deals.open", {cards: cards(open)}));
  return say("record.deals.told", {who: who(dealer), cards: parts.join(". ")});
}

async function choose(at, {kind = "told"}, line, again) {
  const fair = by("game").dataset.fair, found = kind === "told" ? readDeal(line) : null;
  want("deal", false);
  offers(false);
  if (kind === "fair" || (fair && found)) return void location.assign(fair);
  if (kind === "dealer") {
    dealer = (dealer + 1) % facts.seats;
    return void offer(at, {text: line, again});
  }
  const body = found ? {deck: "unknown", known: {...found.hands, ...layAgain(again?.known, found.open)}} : await BODIES[kind](again);
  if (!body) return void offer(at, {again});
  last = found ? "unknown" : kind;
  give({who: say("record.deal"), waits: true, says: say("record.wait")});
  const words = found ? describeDeal(found) : says(kind), problem = await sendDeal({dealer, ...body}, at, {words, line, open: found?.open ?? []});
  if (problem) return void offer(at, {problem, text: found ? line : "", again});
  dealer = null;
  await readOn().catch(() => {});
  at.turn();
}

/** Open cards in the places of those of the deal that was taken back; moved out of `open`. */
function layAgain(known = {}, open) {
  const zones = Object.entries(known).filter(([zone]) => !zone.startsWith("hand:"));
  const faces = zones.flatMap(([, cards]) => cards.filter(code => code !== "?"));
  if (!faces.length || faces.length !== open.length) return {};
  return Object.fromEntries(zones.map(([zone, cards]) => [zone, cards.map(code => (code === "?" ? code : open.shift()))]));
}

/** Without a response it is sent once more: it may have been recorded. */
async function sendTwice(body, headers) {
  const send = () => tryAsk(`/v1/games/${facts.id}/hands`, {body, headers}), answer = await send();
  return answer.status ? answer : send();
}

/** Nothing once it is recorded, or kept here because the service does not answer; else what to say. */
async function sendDeal(body, {position, box}, {words, line, open}) {
  const keep = (full, once) => {
    const entry = {path: "hands", body: full, words, line, once};
    enter(entry, null);
    return box.add(entry);
  };
  if (!isRecorded()) return void (await keep(body));
  for (let full = body; full; ) {
    const once = makeKey(), answer = await sendTwice(full, {"If-Match": `"${position}"`, "Idempotency-Key": once});
    if (!answer.status) return full.deck || full.deal || full.result ? void (await keep(full, once)) : answer.data.detail;
    if (answer.ok) return null;
    if (!answer.data?.asks?.length) return why({reading: "refused", says: answer.data?.detail, rules: answer.data?.rules}, "", null);
    for (const one of answer.data.asks) {
      const faces = one.places && open.length >= one.places.length ? open.splice(0, one.places.length) : null;
      full = full && (faces ? placeCards(full, one, faces) : await askOne(full, one, {who: say("record.deal"), dealt: true}));
    }
  }
  return [];
}

/** The cards of a deal in a line: `! 9h 4c` lie open, `@1 !c1 c2` cards of a hand; null where it names none. */
function readDeal(line) {
  const text = line.trim(), found = {hands: {}, open: []}, parts = [...text.matchAll(/(?:@\s*(\d+)[\s,:]*)?!([^@!]*)/g)];
  if (!parts.length || parts.map(([whole]) => whole).join("") !== text) return null;
  for (const [, seat, cards] of parts) {
    const read = readHand(cards, notation);
    if (!read?.length) return null;
    if (seat === undefined) found.open.push(...read);
    else (found.hands[`hand:${seat}`] ??= []).push(...read);
  }
  return found;
}

/** The line that names these cards. */
export function spellDeal(known) {
  const zones = Object.entries(known), spellCards = cards => cards.map(code => (code === "?" ? code : spell(code))).join(" ");
  const open = zones.filter(([zone]) => !zone.startsWith("hand:")).flatMap(([, cards]) => cards.filter(code => code !== "?"));
  const hands = zones.filter(([zone]) => zone.startsWith("hand:")).map(([zone, cards]) => `@${zone.split(":")[1]} ! ${spellCards(cards)}`);
  return [...(open.length ? [`! ${spellCards(open)}`] : []), ...hands].join(" ");
}

const BODIES = {
  async unknown() {
    const known = TOUCH.matches && notation.laid.length ? await askLaid() : {};
    return known && {deck: "unknown", ...(Object.keys(known).length && {known})};
  },
  shuffled: async () => ({}),
  async board() {
    const number = text => (/^\d{1,4}$/.test(text.trim()) ? {value: Number(text)} : {says: say("record.number")});
    const board = await question({words: say("record.ask.board"), who: say("record.deal"), read: number});
    return board && {board};
  },
  async result(again) {
    const sides = facts.parties.map(seats => sitting(seats, names()));
    const read = text => readPoints(text, sides);
    const points = await question({words: say("record.ask.result", {sides: sides.join(", ")}), who: say("record.deal"), read, text: again?.result?.points.join(" ")});
    return points && {result: {points}};
  },
  async typed() {
    const deal = {};
    for (let seat = 0; seat < facts.seats; seat += 1) {
      const cards = await question({words: say("record.ask.hand", {who: who(seat)}), who: who(seat), options: [{chip: say("record.deal.unseen"), text: ""}], cards: true, read: text => hand(text, Object.values(deal).flat())});
      if (!cards) return null;
      if (cards.length) deal[`hand:${seat}`] = cards;
    }
    return {deal};
  },
};

/** Reads a number for each side, with the names of the sides beside it. Separated thousands, as in 1,205, are refused with what they seem to be. */
function readPoints(text, sides) {
  const typed = text.split(/[\s:;/]+/).filter(Boolean), points = typed.map(number), plain = typed.every(one => !/\d[^\d]/.test(one));
  if (plain && points.length === sides.length && !points.includes(null)) return {value: points, meant: sides.map((side, one) => `${side} ${figure(points[one])}`).join(" · ")};
  const read = points.map(one => one ?? "?").join(" · "), example = sides.map((_, one) => (one ? 350 : 1205)).join(" ");
  return {says: say("record.points", {read, sides: sides.join(", "), example})};
}

/** A whole number as people write it; null for anything else. */
function number(text) {
  const plain = text.replace("−", "-").replace(/^([-+]?\d{1,3})((?:[.,'’]\d{3})+)$/, (_, first, more) => first + more.replace(/\D/g, ""));
  return /^[-+]?\d{1,7}$/.test(plain) ? Number(plain) : null;
}

/** Cards of a hand, none of them more often than the deck has it. */
function hand(text, before) {
  const cards = text.trim() ? readHand(text, notation) : [];
  if (!cards) return {says: say("record.no_card")};
  const dealt = [...before, ...cards], twice = cards.find(code => code !== "?" && dealt.filter(one => one === code).length > notation.cards[code][2]);
  return twice ? {says: say("record.twice", {card: twice})} : {value: cards};
}
