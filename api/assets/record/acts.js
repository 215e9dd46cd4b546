// Acts besides moves: take back, note, call the arbiter, look at the sheet and sign it.
import {by} from "../dom.js";
import {readOn} from "../replay/story.js";
import {expected} from "./entered.js";
import {attend, clear, write} from "./line.js";
import {written} from "./notation.js";
import {turn as turnPad, want} from "./pad.js";
import {signs} from "./signs.js";
import {showUndo, takeBack} from "./undo.js";
import {whenCalled} from "./why.js";

const TOUCHED = matchMedia("(pointer: coarse)");

/** The acts of keys; each returns whether the key was meant. `state()`: {seat, standing, box}; `again()` reads the state of the game. */
export function acts({state, again}) {
  signs(write);
  by("stage").addEventListener("click", tap);
  const done = async position => {
    state().box.moved(position);
    await readOn().catch(() => {});
    await again();
    attend();
  };
  const form = async (kind, given) => (await import("./forms.js")).open(kind, {...state(), ...given, done});
  const undo = () => void undone(state().box, again) ?? true;
  const dispute = () => void form("dispute", {}) ?? true;
  by("undo").addEventListener("click", undo);
  by("dispute").addEventListener("click", dispute);
  by("note").addEventListener("click", () => form("note", {}));
  by("sheet-open").addEventListener("click", async () => (await import("./signing.js")).open({done}));
  whenCalled((claim, seat, position) => form("dispute", {claim, seat, position}));
  return {
    undo,
    dispute,
    turned() {
      showUndo(state().box);
      if (expected().to_act.length) want("deal", false);
      want("hand", TOUCHED.matches && isUnknown(state().seat));
    },
    escape(text) {
      if (text) clear();
      else document.dispatchEvent(new CustomEvent("leave"));
      return true;
    },
  };
}

async function undone(box, again) {
  const says = await takeBack(box);
  await again();
  if (says) by("will").textContent = says;
}

/** Whether the cards of the seat to act are unknown: its moves have to be typed, or tapped beside the table. */
function isUnknown(seat) {
  const {zones, to_act: due} = expected();
  return due.includes(seat) && ["hand", "stack"].some(kind => zones[`${kind}:${seat}`]?.cards.includes("?"));
}

/** A tapped card is typed; a build or a face-down card by its number; for another unknown card the line asks which it is. */
function tap({target}) {
  const {code} = target.closest(".card")?.dataset ?? {}, zone = target.closest("[data-zone]")?.dataset.zone;
  if (!code || !zone) return;
  const [kind, ...numbers] = zone.split(":"), lies = numbers.at(-1);
  const counted = {build: `#${numbers[0]}`, down: `#${Number(lies) + 1}`, tier: `-${Number(lies) + 1}`}[kind];
  const typed = counted && (kind !== "tier" || by("line").value) ? counted : code === "?" ? "" : `${written(code)} `;
  if (typed) write(typed);
  else turnPad();
}
