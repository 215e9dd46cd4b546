// Acts besides moves: take back, note, call the arbiter, look at the sheet and sign it.
import {by} from "../dom.js";
import {hear, readOn} from "../replay/story.js";
import {tableNow, isKnown} from "./entered.js";
import {TOUCH, attend, clear, write} from "./line.js";
import {turn, want} from "./pad.js";
import {signs} from "./signs.js";
import {open as taps} from "./taps.js";
import {showUndo, takeBack} from "./undo.js";
import {whenCalled} from "./why.js";

/** The acts of keys; each returns whether the key was meant. `state()`: {seat, standing, box}; `again()` reads the state of the game. */
export function acts({state, again}) {
  signs(write);
  taps(turn);
  by("more").addEventListener("click", () => more(!document.body.hasAttribute("data-more")));
  by("below").addEventListener("click", ({target}) => target.closest("button:not(#more)") && more(false));
  const done = async position => {
    state().box.advance(position);
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
  by("hand-over").addEventListener("click", async () => (await import("./handover.js")).open());
  hear("tapped", async ({position}) => (await import("./mending.js")).open(position, {box: state().box, form, again}));
  whenCalled((claim, line, position) => form("dispute", {claim, line, position}));
  return {
    undo,
    dispute,
    update() {
      showUndo(state().box);
      if (tableNow().to_act.length) want("deal", false);
      want("hand", TOUCH.matches && isUnknown(state().seat));
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

/**
 * Whether the cards of the seat to act are unknown: its moves have to be typed, or tapped beside the table. Without a connection the seat itself
 * is a guess.
 */
function isUnknown(seat) {
  const {zones, to_act: due} = tableNow();
  return (due.includes(seat) || !isKnown()) && ["hand", "stack"].some(kind => zones[`${kind}:${seat}`]?.cards.includes("?"));
}

/** On a phone signs and rare acts stand in the place of the line while it is on. */
function more(on) {
  document.body.toggleAttribute("data-more", on);
  by("more").setAttribute("aria-expanded", on);
}
