// Small forms beneath the line: a dispute about the last event, and a note. Nothing is sent before it is confirmed.
import {Offline} from "../api.js";
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {facts, last, names, story} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {attend} from "./line.js";
import {act} from "./sending.js";

/** Opens one; `claim` and `seat`: initial values. `done(position)` once it is recorded. */
export function open(kind, {claim = "", seat = null, position = last(), done}) {
  const room = by("room"), result = h("p", {role: "alert"});
  const text = h("textarea", {rows: 2, maxlength: 2000, required: true, "aria-label": say(`record.${kind}.words`), placeholder: say(`record.${kind}.words`)});
  const who = h("select", {"aria-label": say("record.who")}, h("option", {value: ""}, say("record.official")), names().map((name, one) => h("option", {value: one, selected: one === seat}, name)));
  const body = () => (kind === "note" ? {text: text.value.trim(), position} : {claim: text.value.trim() || say("record.unsaid"), seat: who.value === "" ? null : Number(who.value), position, suspends: true});
  text.value = claim;
  text.required = kind === "note";
  const close = () => {
    room.replaceChildren();
    attend();
  };
  const send = async event => {
    event.preventDefault();
    // each names the position that it is about, so it is valid whatever else was recorded meanwhile
    const answer = await act(kind === "note" ? "notes" : "disputes", body()).catch(fault => {
      if (!(fault instanceof Offline)) throw fault;
      return {ok: false, data: {detail: say("record.offline")}};
    });
    if (!answer.ok) return void (result.textContent = answer.data?.detail ?? "");
    close();
    await done(answer.data.position);
  };
  const pressed = event => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && event.target === text && !event.shiftKey) send(event);
  };
  const about = story.frames.findLast(frame => frame.position === position || (!frame.void && frame.position < position));
  room.replaceChildren(
    h("form", {class: "panel", onsubmit: send, onkeydown: pressed},
      h("h2", {}, say(`record.${kind}.title`)),
      h("p", {class: "quiet"}, say("record.about", {position, words: lines(about)[0]})),
      kind === "dispute" && facts.seats > 1 && who,
      text,
      h("p", {class: "acts"}, h("button", {class: "main"}, say(`record.${kind}.do`)), h("button", {type: "button", onclick: close}, say("record.cancel"))),
      result),
  );
  text.focus();
}
