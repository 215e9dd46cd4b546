// Whose turn it is and what the line is for: a move, a deal, a question, nothing. What is entered is drawn at once and goes out by the outbox.
import {Offline} from "../api.js";
import {by} from "../dom.js";
import {say} from "../say.js";
import {facts, hear, path, Refused, story, table, told} from "../replay/story.js";
import {enter, entered, expected, forget, hold, isKnown, next} from "./entered.js";
import {names, turnTo} from "./felt.js";
import {legal} from "./legal.js";
import {attend, give, open as line} from "./line.js";
import {offer} from "./offer.js";

const STUCK = ["refused", "conflict", "elsewhere", "signed-out"];
let box, beside, seat = null, standing = "open", asked = "", tries = 0;

/** Opens the line, and keeps it for what is next. What is not needed to read the first line comes after it. */
export async function open() {
  line((event, text) => pressed(event, text));
  const [{outbox, pill}] = await Promise.all([import("./sending.js"), look()]);
  attend();
  box = await outbox(facts.id, last(), said => heard(said, pill));
  beside = (await import("./acts.js")).acts({state: () => ({seat, standing, box}), again: look});
  hear("told", () => {
    box.moved(last());
    if (story.frames.at(-1)?.name.startsWith("move.")) turn();
    else look();
  });
  by("seat").addEventListener("click", another);
  addEventListener("online", turn);
  turn();
}

const last = () => story.frames.at(-1)?.position ?? 0;
const called = one => names()[one] ?? say("table.seat", {seat: one});

/** How the game stands, which a dispute may have changed; then what is next. */
async function look() {
  standing = (await told(path("").replace(/\/\?$/, "")).catch(() => ({standing}))).standing;
  turn();
}

/** What the outbox says. */
function heard({entries, link, problem, missed}, pill) {
  hold(entries.map(({state}) => state));
  pill(link, entries.length);
  if (STUCK.includes(link) || !by("trouble").hidden) import("./trouble.js").then(({trouble}) => trouble({entries, link, problem, missed, box, leave: forget, turn}));
  turn();
}

/** What the line is for now. */
function turn() {
  const now = expected(), phase = now.phase, due = now.to_act;
  beside?.undoable();
  if (!entered().length && standing !== "open") return shut(say(`record.standing.${standing}`));
  if (phase === "game_over") return shut(say("record.over"));
  if (!due.length && isKnown()) return isRecorded() ? deal() : give({waits: true});
  if (!due.includes(seat)) seat = due[0] ?? seat;
  by("seat").hidden = due.length < 2;
  moves();
}

const isRecorded = () => entered().every(({state}) => state === "recorded");

async function deal() {
  const {ways} = await import("./deal.js");
  if (!expected().to_act.length && isRecorded()) ways({position: next() - 1, turn, box});
}

function shut(says) {
  asked = "";
  give({shut: true, says});
}

/** Where several may act: the line is for the next of them. */
function another() {
  const due = expected().to_act;
  if (due.length < 2) return false;
  seat = due[(due.indexOf(seat) + 1) % due.length];
  turn();
  return true;
}

/** The legal moves, once for a position and a seat; until they are there lines are kept. */
async function moves() {
  const position = next() - 1, key = `${position}.${seat}`;
  if (asked === key) return;
  turnTo(seat);
  if (!isRecorded()) return give({who: called(seat), waits: true, says: say(isKnown() ? "record.wait" : "record.blind")});
  asked = key;
  give({who: called(seat), waits: true, says: say("record.wait")});
  try {
    const found = await legal(position, seat);
    if (asked === key) give(offer({...found, position, seat, who: called(seat), record, still: () => asked === key}));
  } catch (fault) {
    if (!(fault instanceof Offline || fault instanceof Refused)) throw fault;
    if (asked === key) asked = "";
    give({who: called(seat), waits: true, says: fault instanceof Refused ? fault.message : say("record.offline")});
    if (fault instanceof Refused && fault.status < 429) return;
    setTimeout(turn, Math.min(500 * 2 ** tries++, 15000));
  }
}

/** A move that was chosen, with what has to be told beside it. */
function record({move, written: full, words, effects, asks = [], told: beside = {}, tells}) {
  const given = tells ? {known: beside.known} : {seat, move, ...beside};
  const path = tells ? "tellings" : "moves";
  if (!asks.length) return send({path, body: given, words}, effects);
  import("./asking.js").then(async ({told}) => send({path, body: await told({...given, written: full}, asks, called(seat)), words}, null));
}

/** What is entered stands there at once; without a body a question was left. */
function send(entry, effects) {
  asked = "";
  if (entry.body) enter(entry.words, effects);
  turn();
  if (entry.body) box.add(entry);
}

function pressed(event, text) {
  const key = event.key.toLowerCase();
  if (event.key === "Escape") return beside?.escape(text);
  if (event.key === "F2") return another();
  if (event.key === "F9") return beside?.dispute();
  if (key === "z" && (event.ctrlKey || event.metaKey) && !text) return beside?.undo();
  return false;
}
