// Between two hands: how the next one is dealt. Nobody knows the deck, the service shuffles, a prepared board, hands that are typed, or a
// result alone.
import {Offline} from "../api.js";
import {by} from "../dom.js";
import {say} from "../say.js";
import {facts, readOn, story, table} from "../replay/story.js";
import {answered, placed, question} from "./asking.js";
import {names} from "./felt.js";
import {read as readHand} from "./hands.js";
import {give} from "./line.js";
import {notation} from "./notation.js";
import {act} from "./sending.js";
import {why} from "./why.js";

let dealer = null, last = "unknown";

/** Gives the line to the deal at this position. `turn()`: what is next; `box`: the outbox, which has to know where the game stands. */
export function ways({position, turn, box}, problem = null) {
  const stand = table(story.frames.length - 1).stand;
  dealer ??= stand?.dealer == null ? 0 : (stand.dealer + 1) % facts.seats;
  const who = seat => names()[seat] ?? say("table.seat", {seat});
  const fair = by("game").dataset.fair; // then every deck follows from chances, which have a page of their own
  if (fair) last = last === "result" ? last : "fair";
  const kinds = fair ? ["fair", "result"] : ["unknown", "shuffled", ...(facts.tournament ? ["board"] : []), "typed", "result"];
  const list = [last, ...kinds.filter(kind => kind !== last)].map(kind => ({kind, chip: say(`record.deal.${kind}`), words: say(`record.deals.${kind}`, {who: who(dealer)})}));
  if (facts.seats > 1) list.push({kind: "dealer", chip: say("record.deal.dealer", {who: who(dealer)})});
  give({
    who: say("record.deal"),
    list,
    read: text => ({places: list.map((_, place) => place), meant: text ? null : 0, says: text ? say(opened(text) ? "record.deals.told" : "record.deal.choose") : problem}),
    async enter(item, text) {
      if (!item && !opened(text)) return false;
      if (item?.kind === "fair" || (fair && !item)) return void location.assign(fair);
      if (item?.kind === "dealer") dealer = (dealer + 1) % facts.seats;
      const line = item ? null : opened(text), body = line ? {deck: "unknown", known: line.hands} : item && item.kind !== "dealer" ? await BODIES[item.kind](who) : null;
      if (!body) return void ways({position, turn, box});
      last = item?.kind ?? "unknown";
      give({who: say("record.deal"), waits: true, says: say("record.wait")});
      const found = await sent({dealer, ...body}, position, line?.open ?? []);
      if (found !== true) return void ways({position, turn, box}, found);
      dealer = null;
      await readOn(0).catch(() => {});
      turn();
    },
  });
}

/** True once it is recorded; else what to say. */
async function sent(body, position, open) {
  for (let given = body; given; ) {
    const answer = await act("hands", given, position).catch(fault => {
      if (fault instanceof Offline) return null;
      throw fault;
    });
    if (answer === null) return say("record.offline");
    if (answer.ok) return true;
    if (!answer.data?.asks?.length) return why({reading: "refused", says: answer.data?.detail, rules: answer.data?.rules}, "", null);
    for (const one of answer.data.asks) {
      const faces = one.places && open.length >= one.places.length ? open.splice(0, one.places.length) : null;
      given = given && (faces ? placed(given, one, faces) : await answered(given, one, {who: say("record.deal"), dealt: true}));
    }
  }
  return null;
}

/** What a line tells of a deal: `! 9h 4c` what lies open, `@1 !c1 c2` cards of a hand; null where it tells nothing. */
function opened(text) {
  const found = {hands: {}, open: []}, parts = [...text.matchAll(/(?:@\s*(\d+)\s*)?!([^@!]*)/g)];
  if (!parts.length || parts.map(([whole]) => whole).join("") !== text.trim()) return null;
  for (const [, seat, cards] of parts) {
    const read = readHand(cards, notation);
    if (!read?.length) return null;
    if (seat === undefined) found.open.push(...read);
    else (found.hands[`hand:${seat}`] ??= []).push(...read);
  }
  return found;
}

const BODIES = {
  unknown: async () => ({deck: "unknown"}),
  shuffled: async () => ({}),
  async board() {
    const number = text => (/^\d{1,4}$/.test(text.trim()) ? {value: Number(text)} : {says: say("record.number")});
    const board = await question({words: say("record.ask.board"), who: say("record.deal"), read: number});
    return board && {board};
  },
  async result() {
    const figures = text => text.replace(/:/g, " ").split(/\s+/).filter(Boolean);
    const fits = text => figures(text).length === facts.parties.length && figures(text).every(one => /^-?\d{1,9}$/.test(one));
    const read = text => (fits(text) ? {value: figures(text).map(Number)} : {says: say("record.points", {count: facts.parties.length})});
    const points = await question({words: say("record.ask.result"), who: say("record.deal"), read});
    return points && {result: {points}};
  },
  async typed(who) {
    const deal = {};
    for (let seat = 0; seat < facts.seats; seat += 1) {
      const cards = await question({words: say("record.ask.hand", {who: who(seat)}), who: who(seat), options: [{chip: say("record.deal.unseen"), text: ""}], cards: true, read: text => hand(text, Object.values(deal).flat())});
      if (!cards) return null;
      if (cards.length) deal[`hand:${seat}`] = cards;
    }
    return {deal};
  },
};

/** Cards of a hand, none of them more often than the deck has it. */
function hand(text, before) {
  const cards = text.trim() ? readHand(text, notation) : [];
  if (!cards) return {says: say("record.no_card")};
  const dealt = [...before, ...cards], twice = cards.find(code => code !== "?" && dealt.filter(one => one === code).length > notation.cards[code][2]);
  return twice ? {says: say("record.twice", {card: twice})} : {value: cards};
}
