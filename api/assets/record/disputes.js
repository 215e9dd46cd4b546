// Disputes that wait for a decision: who was called, whether play stops, what was said, and the button that withdraws them.
import {Offline} from "../api.js";
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {load, path, Refused} from "../replay/story.js";
import {attend} from "./line.js";
import {tryAct} from "./sending.js";

let known = 0; // the position of what is shown

/** Shows those of the game as they stand; `again()` reads its state once one was withdrawn. */
export async function show(again) {
  const room = by("disputes"), found = await load(path("disputes")).catch(fault => {
    if (!(fault instanceof Offline || fault instanceof Refused)) throw fault;
    return null;
  });
  if (!found || found.position < known) return; // what is shown stays, until it can be read
  known = found.position;
  const waiting = found.disputes.filter(({state}) => state === "open" || state === "appealed");
  room.hidden = !waiting.length;
  room.replaceChildren(...waiting.map(one => waits(one, found.called ?? [], again)));
}

function waits({number, state, claim, suspends}, called, again) {
  const result = h("p", {role: "alert"}), who = called.join(", ");
  const withdraw = async () => {
    const answer = await tryAct(result, `disputes/${number}/withdrawal`, {});
    if (!answer.ok) return void (result.textContent = answer.data?.detail ?? "");
    await again();
    attend();
  };
  const calls = state === "appealed" ? say("record.called.committee") : say(who ? "record.called" : "record.called.nobody", {who});
  return h("details", {open: suspends},
    h("summary", {}, say("record.disputed", {number}), " ", h("b", {}, calls), " ", say(suspends ? "record.stops" : "record.goes_on")),
    claim && h("q", {}, claim),
    h("p", {class: "acts"}, h("button", {type: "button", onclick: withdraw}, say("record.withdraw"))),
    result);
}
