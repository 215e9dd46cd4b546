// What can be done beside the moves: take back, note, call the arbiter, look at the sheet and sign it.
import {Offline} from "../api.js";
import {by} from "../dom.js";
import {say} from "../say.js";
import {readOn, story} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {entered, expected} from "./entered.js";
import {attend, clear, write} from "./line.js";
import {written} from "./notation.js";
import {turn as turnPad, want} from "./pad.js";
import {act} from "./sending.js";
import {signs} from "./signs.js";
import {whenCalled} from "./why.js";

const TOUCHED = matchMedia("(pointer: coarse)");
const TAKEN = /^(move\.(played|stood)|cards\.told)/;

/** What keys do, each says whether it was meant. `state()`: {seat, standing, box}; `again()` looks how the game stands, and what is next. */
export function acts({state, again}) {
  signs(write);
  by("stage").addEventListener("click", tap);
  const done = async position => {
    state().box.moved(position);
    await readOn(0).catch(() => {});
    await again();
    attend();
  };
  const form = async (kind, given) => (await import("./forms.js")).open(kind, {...state(), ...given, done});
  const undo = () => void takeBack(state().box, done, again) ?? true;
  const dispute = () => void form("dispute", {}) ?? true;
  by("undo").addEventListener("click", undo);
  by("dispute").addEventListener("click", dispute);
  by("note").addEventListener("click", () => form("note", {}));
  by("sheet-open").addEventListener("click", async () => (await import("./signing.js")).open({done}));
  whenCalled((claim, seat) => form("dispute", {claim, seat}));
  return {
    undo,
    dispute,
    turned() {
      undoable(state().box);
      want("hand", TOUCHED.matches && isUnknown(state().seat));
    },
    escape(text) {
      if (text) clear();
      else document.dispatchEvent(new CustomEvent("leave"));
      return true;
    },
  };
}

/** The frame that an undo takes back: the last of this hand that stands. */
function taken() {
  const hand = story.frames.at(-1)?.hand, last = story.frames.findLast(({void: gone, name}) => !gone && !/^(game\.rewound|note|dispute)/.test(name));
  return last && last.hand === hand && TAKEN.test(last.name) ? last : null;
}

/** The button says what it would take back. */
function undoable(box) {
  const kept = box?.entries().at(-1), frame = taken(), words = entered().length ? kept?.words : frame && lines(frame)[0];
  by("undo").disabled = !words;
  by("undo").title = words ? say("record.undoes", {words}) : "";
}

async function takeBack(box, done, again) {
  if (entered().length) {
    const kept = box.entries().at(-1);
    if (kept && kept.state !== "sending") await box.drop(kept.n);
    return again();
  }
  const frame = taken(), position = story.frames.at(-1).position;
  if (!frame) return;
  const before = story.frames.findLast(one => !one.void && one.position < frame.position);
  const answer = await act("rewinds", {to: before.position}, position).catch(fault => {
    if (!(fault instanceof Offline)) throw fault;
    return null;
  });
  if (answer?.ok) await done(answer.data.position);
  by("will").textContent = answer?.ok ? say("record.undone", {words: lines(frame)[0]}) : (answer?.data?.detail ?? say("record.offline"));
}

/** Whether somebody is to act whose cards nobody knows: what he plays has to be typed, or tapped beside the table. */
function isUnknown(seat) {
  const {zones, to_act: due} = expected();
  return due.includes(seat) && ["hand", "stack"].some(kind => zones[`${kind}:${seat}`]?.cards.includes("?"));
}

/** A card that is tapped is typed; a build or a face-down card by its number; of another that nobody knows it is asked which it is. */
function tap({target}) {
  const {code} = target.closest(".card")?.dataset ?? {}, zone = target.closest("[data-zone]")?.dataset.zone;
  if (!code || !zone) return;
  const [kind, ...numbers] = zone.split(":"), lies = numbers.at(-1);
  const counted = {build: `#${numbers[0]}`, down: `#${Number(lies) + 1}`, tier: `-${Number(lies) + 1}`}[kind];
  const typed = counted && (kind !== "tier" || by("line").value) ? counted : code === "?" ? "" : `${written(code)} `;
  if (typed) write(typed);
  else turnPad();
}
