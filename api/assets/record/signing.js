// The current score sheet, for the sides to look at and sign.
import {h} from "../dom.js";
import {say} from "../say.js";
import {facts, load, path, story} from "../replay/story.js";
import {sheet} from "../replay/sheet.js";
import {sitting} from "../replay/words.js";
import {tryAct} from "./sending.js";

/** Opens the sheet; `done(position)` after each signature, and after each that was withdrawn. */
export async function open({done}) {
  const room = h("div"), sides = h("div", {class: "acts"}), result = h("p", {role: "alert"});
  const close = h("form", {method: "dialog"}, h("button", {}, say("replay.close")));
  const dialog = h("dialog", {class: "sheet", "aria-label": say("record.sheet"), onclose: () => dialog.remove()}, room, h("h2", {}, say("record.sign")), sides, result, close);
  let looks = 0;
  document.body.append(dialog);
  dialog.showModal();
  await look();

  async function look() {
    const number = ++looks;
    const [found] = await Promise.all([load(path("score-sheet", {digest: true})).catch(fault => fault), sheet(room)]);
    if (number !== looks) return; // a later look knows of more signatures
    if (found instanceof Error) return void (result.textContent = found.message);
    facts.parties.forEach((seats, party) => show(party, sitting(seats, story.frames.at(-1).names), found));
    if (!found.hands.length) result.textContent = say("record.unfinished");
  }

  /** A side that is as it was stays: somebody may be pressing its button. */
  function show(party, who, {signatures, digest, hands}) {
    const signature = signatures?.find(one => one.party === party && one.stands), old = sides.children[party];
    const state = `${signature?.position ?? digest} ${who}`;
    if (old?.dataset.state === state) return;
    const side = signature
      ? h("p", {}, say("record.signed", {who}), " ", h("button", {type: "button", onclick: event => enter(event.target, `signatures/${signature.position}/withdrawal`, {})}, say("record.unsign")))
      : h("button", {type: "button", class: "main", disabled: !hands.length, onclick: event => enter(event.target, "signatures", {party, digest})}, say("record.agree", {who}));
    side.dataset.state = state;
    if (old) old.replaceWith(side);
    else sides.append(side);
  }

  /** The digest says which sheet is signed. No position is sent, so that another side may sign at the same time. */
  async function enter(button, what, body) {
    const answer = await tryAct(button, what, body);
    result.textContent = answer.ok ? "" : (answer.data?.detail ?? "");
    if (!answer.ok) return;
    await done(answer.data.position);
    await look();
  }
}
