// The panels beside the table: the list of moves, the sheet, and questions to the rules. A hidden panel is not fetched.
import {by} from "../dom.js";
import {lineAt} from "./moves.js";
import {facts, hear, story, table} from "./story.js";

const TABS = ["moves", "sheet", "ask", "desk"].filter(name => by(`tab-${name}`));
const tab = name => by(`tab-${name}`);
const ROOMS = {
  moves: async () => {},
  sheet: async () => (await import("./sheet.js")).sheet(by("sheet")),
  ask: async () => (await import("./ask.js")).open(by("ask")),
  desk: async () => (await import("../desk.js")).desk(by("desk"), facts, readShown, () => table(story.frames.length - 1)),
};
const readShown = () => ({position: story.frames[story.at].position, table: table(story.at)});
let chosen = "moves", due;

/** The tabs, and touching cards to ask about them. `asked`: the first panel. */
export function open(asked) {
  by("tabs").hidden = false;
  for (const name of TABS) tab(name).addEventListener("click", () => choose(name));
  by("tabs").addEventListener("keydown", turn);
  by("stage").addEventListener("click", touchCard);
  if (TABS.includes(asked)) choose(asked);
  hear("position", () => {
    clearTimeout(due);
    due = setTimeout(ROOMS[chosen], 150); // not for each step of a quick hand
  });
}

/** Starts the audit; its result stands on its button. */
export async function audit() {
  by("more").togglePopover(true);
  (await import("./audit.js")).audit(lineAt);
}

function choose(name) {
  chosen = name;
  for (const one of TABS) {
    by(one).hidden = one !== name;
    tab(one).setAttribute("aria-selected", one === name);
    tab(one).tabIndex = one === name ? 0 : -1;
  }
  ROOMS[name]();
}

function turn({key}) {
  const step = {ArrowLeft: -1, ArrowRight: 1}[key];
  if (!step) return;
  choose(TABS.at((TABS.indexOf(chosen) + step) % TABS.length));
  tab(chosen).focus();
}

async function touchCard(event) {
  const code = event.target.closest(".card")?.dataset.code;
  if (chosen === "ask" && code && code !== "?") (await import("./ask.js")).touch(code);
}
