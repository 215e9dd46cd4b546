// The current purpose of the line: a move, a deal, a question, nothing. An entry is drawn at once and sent by the outbox.
import {Offline} from "../api.js";
import {by} from "../dom.js";
import {outbox} from "../outbox.js";
import {say} from "../say.js";
import {facts, hear, last, load, names, path, readOn, Refused, story} from "../replay/story.js";
import {acts as beginActs} from "./acts.js";
import {askAll} from "./asking.js";
import {ways} from "./deal.js";
import {show as showDisputes} from "./disputes.js";
import {enter, tableNow, hold, isKnown, isRecorded, pending, next} from "./entered.js";
import {lay, turnTo} from "./felt.js";
import {legal} from "./legal.js";
import {attend, give, open as line, spoken, write} from "./line.js";
import {offer} from "./offer.js";
import {show as showTrouble} from "./trouble.js";
import {readAgain, readReach} from "./undo.js";

const FLOWS = ["recorded", "kept", "sending", "elsewhere"];
let box, acts, link = "recorded", seat = null, standing = "open", asked = "", lastReport = "", tries = 0;
const again = await import("./again.js");

/** Opens the line, and updates it for the next entry. */
export async function open() {
  line((event, text) => press(event, text));
  attend();
  await look();
  box = await outbox(facts.id, last(), receive, JSON.parse(by("game").dataset.who));
  const waits = box.entries().at(-1)?.body.seat;
  if (waits !== undefined) seat = (waits + 1) % facts.seats; // of entries kept by an earlier page the effects are unknown
  acts = beginActs({state: () => ({seat, standing, box}), again: look});
  hear("told", ({fresh, anew}) => {
    box.advance(last());
    if (!anew && story.frames.slice(-fresh).every(({name}) => name.startsWith("move."))) turn();
    else look();
  });
  by("seat").addEventListener("click", another);
  addEventListener("online", turn);
  turn();
}

/** The seats that may act; all of them where that is unknown. */
const able = () => (isKnown() ? tableNow().to_act : [...Array(facts.seats).keys()]);
const nameSeat = one => names()[one];

/** Reads the state of the game, which a dispute may have changed, and how far it can be taken back; then updates the line. */
async function look() {
  const [short] = await Promise.all([load(path("").replace(/\/\?$/, "")).catch(() => ({state: standing})), readReach()]);
  standing = short.state;
  if (story.frames.some(({name}) => name.startsWith("dispute."))) showDisputes(look);
  turn();
}

/** Handles the state of the outbox. */
function receive({entries, link: how, answers, ...more}, from) {
  box = from;
  const report = JSON.stringify([how, answers?.position, entries.map(({key, state, tried}) => [key, state, tried]), more.problem]);
  if (report === lastReport) return; // it polls every second for changes by other tabs
  lastReport = report;
  link = nextLink(how, entries);
  if (!FLOWS.includes(link)) again.pause();
  hold(more.by ? [] : entries, answers?.position ?? 0);
  showTrouble({entries, link: how, answers, ...more}, box);
  turn();
}

/** Waiting entries are being sent; while one is tried again nothing changes, so that a line that is being typed stays. */
function nextLink(how, [first]) {
  if (how === "sending" && link === "kept") return link;
  return how === "kept" && !first?.tried ? "sending" : how;
}

/** Gives the line its current purpose. */
function turn() {
  const now = tableNow(), due = able();
  if (due.length && !due.includes(seat)) seat = due[0];
  acts?.update();
  by("seat").hidden = true;
  if (!FLOWS.includes(link)) return link === "refused" && by("trouble").hidden ? undefined : shut(say("record.stuck"));
  if (!pending().length && standing !== "open") return shut(say(`record.standing.${standing}`));
  if (now.phase === "game_over") return shut(say("record.over"));
  if (!due.length) return isDue() ? deal() : give({waits: true});
  seat = again.leadSeat(due) ?? seat;
  by("seat").hidden = due.length < 2;
  moves();
}

/** Whether the next hand can be dealt: all before it is recorded, or kept here because the service does not answer. */
const isDue = () => !tableNow().to_act.length && (isRecorded() || (isKnown() && link === "kept"));

async function deal() {
  const position = next() - 1, key = `deal ${position}`;
  if (asked === key) return;
  asked = key;
  await readAgain();
  acts?.update();
  if (asked === key && isDue() && next() - 1 === position) ways({position, turn, box});
  else if (asked === key) asked = "";
}

function shut(says) {
  asked = "";
  give({shut: true, says});
}

/** Where several may act: give the line to the next of them. */
function another() {
  const due = able();
  if (due.length < 2) return false;
  seat = due[(due.indexOf(seat) + 1) % due.length];
  turn();
  return true;
}

/** The legal moves, once for a position and a seat; until they are there lines are kept. */
async function moves() {
  const position = next() - 1, key = `${position}.${seat}.${isKnown()}`;
  if (asked === key) return;
  turnTo(seat);
  asked = "";
  if (!isRecorded()) return link === "kept" ? blind() : give({who: nameSeat(seat), waits: true, says: say("record.wait")});
  asked = key;
  give({who: nameSeat(seat), waits: true, says: say("record.wait")});
  try {
    if (!isKnown()) return await readOn().then(turn); // recorded with unknown effects: only the story says whose turn it is
    const found = await legal(position, seat), repeats = await again.fitting({...found, position, seat});
    if (asked !== key) return;
    if (repeats.runs) return void record(repeats.runs);
    give(offer({...found, ...repeats, position, seat, who: nameSeat(seat), record, still: () => asked === key}));
    if (!repeats.stuck?.ran) return;
    again.pause();
    if (!by("line").value) write(repeats.stuck.text);
  } catch (fault) {
    if (!(fault instanceof Offline || fault instanceof Refused)) throw fault;
    if (asked !== key) return;
    asked = "";
    give(fault instanceof Offline ? blind() : {who: nameSeat(seat), waits: true, says: fault.message});
    if (fault instanceof Refused && fault.status < 429) return;
    setTimeout(turn, Math.min(500 * 2 ** tries++, 15000));
  }
}

/** Without a connection a line is kept as it was typed; the service reads it when it is sent. */
function blind() {
  const enters = text => ({path: "moves", body: {seat, text}, words: `${nameSeat(seat)}: ${spoken.toNames(text)}`});
  const repeat = again.unread();
  if (repeat?.runs) return send(repeat.entry, repeat.effects);
  give({
    who: nameSeat(seat),
    list: repeat ? [repeat] : [],
    read: text => ({places: repeat && !text ? [0] : [], meant: repeat && !text ? 0 : null, says: say(text ? "record.blind" : "record.offline")}),
    enter(item, text) {
      if (item) return send(item.entry, item.effects);
      if (!text.trim()) return false;
      const entry = enters(text.trim());
      seat = (seat + 1) % facts.seats;
      return send(entry, null);
    },
  });
}

/** Records a chosen move, with the cards that have to be told with it. */
function record({move, line: answered, written: line, words: shown, sentence: words = shown, effects, asks = [], faces = {}, tells}) {
  const given = tells ? {known: faces.known, worth: faces.worth} : {seat, move, ...faces};
  const path = tells ? "tellings" : "moves";
  if (answered) return send({path, body: {seat, text: answered}, words, line: answered}, null);
  if (!asks.length) return send({path, body: given, words, line}, effects);
  give({who: nameSeat(seat), waits: true, says: say("record.wait")});
  return void askAll({...given, written: line}, asks, {who: nameSeat(seat)}).then(body => send({path, body, words, line}, null));
}

/** Shows an entry at once and sends it; without a body a question was left. */
function send(entry, effects) {
  asked = "";
  if (entry.body) {
    again.resume();
    enter(entry, effects);
    box.add(entry); // before the line is free again: entries typed ahead are sent after this one
  }
  turn();
}

function press(event, text) {
  const key = event.key.toLowerCase();
  if (event.key === "Escape") return acts?.escape(text);
  if (event.key === "F2") return event.shiftKey ? lay() ?? true : another();
  if (event.key === "F9") return acts?.dispute();
  if (key === "z" && (event.ctrlKey || event.metaKey) && !text) return acts?.undo();
  return false;
}
