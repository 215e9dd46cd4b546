// The state of the outbox: kept here, being sent, recorded; and the decision that it waits for.
import {panel, pill} from "../outbox/panels.js";
import {by} from "../dom.js";
import {facts, nameSeats} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {attend, clear, write} from "./line.js";
import {callArbiter} from "./why.js";

/** Shows the state of the outbox. */
export function show(state, box) {
  const {says, look} = pill(state), link = by("link"), room = by("trouble");
  Object.assign(link, {hidden: false, textContent: says});
  link.dataset.state = look;
  if (state.link === "refused" && state.problem?.asks?.length) return void tell(state, box);
  const found = panel(state, box, {ruleset: facts.ruleset, arbiter: callArbiter, caption: frame => lines(nameSeats(frame)), correct: entry => correct(entry, box)});
  const hasFocus = room.contains(document.activeElement) || (room.hidden && document.activeElement === by("line"));
  room.hidden = !found;
  room.replaceChildren(...(found ? [found] : []));
  if (hasFocus) found ? face(found) : attend();
}

/** The next Tab goes to the first decision, and an Enter that was meant for the line decides nothing. */
function face(found) {
  found.tabIndex = -1;
  found.focus({preventScroll: true});
}

/** Puts a refused entry back into the line, a tapped move as well. */
async function correct({n, body, line}, box) {
  await box.drop(n);
  clear();
  write(body.text ?? line ?? "");
  attend();
}

let last = null;

/** Asks for the unknown cards that the refusal names, and sends the same entry again with them. */
async function tell({entries: [entry], problem}, box) {
  if (last === entry.key) return;
  last = entry.key;
  const {askAll} = await import("./asking.js");
  const body = await askAll({...entry.body, written: entry.body.text ?? ""}, problem.asks, {dealt: entry.path === "hands"});
  if (body) await box.edit(entry.n, body, entry.words);
  else await box.drop(entry.n);
}
