// Small forms beneath the line: a dispute, and a note. Both name what they are about; nothing is sent before it is confirmed.
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {subjectPicker} from "../replay/subjects.js";
import {facts, last, names} from "../replay/story.js";
import {tableNow} from "./entered.js";
import {attend, clear} from "./line.js";
import {tryAct} from "./sending.js";

/** Opens one; `claim`: initial words. `line`: {seat, text} of a line that the rules refuse; `position`: what it is about at first. `done(position)` once it is recorded. */
export function open(kind, {claim = "", line = null, position, done}) {
  const room = by("room"), result = h("p", {role: "alert"}), about = subjectPicker(position), now = last();
  const text = h("textarea", {rows: line ? 3 : 2, maxlength: 2000, required: true, "aria-label": say(`record.${kind}.words`), placeholder: say(`record.${kind}.words`)});
  const who = h("select", {"aria-label": say("record.who")}, h("option", {value: ""}, say("record.official")), names().map((name, one) => h("option", {value: one}, name)));
  const stops = h("input", {type: "checkbox", name: "suspends", checked: true});
  const where = () => (line ? now : about.value());
  const refused = line && tableNow().sees === "all" && {refused_move: line};
  const dispute = () => ({claim: (line ? text.value.trim() : about.claim(text.value.trim())) || say("record.unsaid"), seat: who.value === "" ? null : Number(who.value), position: where(), suspends: stops.checked, ...refused});
  text.value = claim;
  text.required = kind === "note";
  const close = () => {
    room.replaceChildren();
    attend();
  };
  const send = async event => {
    event.preventDefault();
    // each names the position that it is about, so it is valid whatever else was recorded meanwhile
    const answer = await tryAct(text.form, ...(kind === "note" ? ["notes", {text: text.value.trim(), position: where()}] : ["disputes", dispute()]));
    if (!answer.ok) return void (result.textContent = answer.data?.detail ?? "");
    if (line) clear();
    close();
    await done(answer.data.position);
    const {remarks = []} = answer.data;
    if (remarks.length) room.replaceChildren(h("div", {class: "panel warning", role: "alert"}, remarks.map(({sentence}) => h("p", {}, sentence))));
  };
  const press = event => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && event.target === text && !event.shiftKey) send(event);
  };
  room.replaceChildren(
    h("form", {class: "panel", onsubmit: send, onkeydown: press},
      h("h2", {}, say(`record.${kind}.title`)),
      line ? h("p", {class: "quiet"}, say("record.refused")) : h("label", {}, say("about.what"), about.field),
      kind === "dispute" && facts.seats > 1 && who,
      text,
      kind === "dispute" && h("label", {class: "tick"}, stops, say("record.suspends")),
      h("p", {class: "acts"}, h("button", {class: "main"}, say(`record.${kind}.do`)), h("button", {type: "button", onclick: close}, say("record.cancel"))),
      result),
  );
  text.focus();
}
