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
  document.body.append(dialog);
  dialog.showModal();
  await look();

  async function look() {
    const [found] = await Promise.all([load(path("score-sheet", {digest: true})), sheet(room)]);
    sides.replaceChildren(...facts.parties.map((seats, party) => {
      const who = sitting(seats, story.frames.at(-1).names);
      const signature = found.signatures?.find(one => one.party === party && one.stands);
      if (signature) return h("p", {}, say("record.signed", {who}), " ", h("button", {type: "button", onclick: () => enter(`signatures/${signature.position}/withdrawal`, {})}, say("record.unsign")));
      return h("button", {type: "button", class: "main", disabled: !found.hands.length, onclick: () => enter("signatures", {party, digest: found.digest})}, say("record.agree", {who}));
    }));
    if (!found.hands.length) result.textContent = say("record.unfinished");
  }

  async function enter(what, body) {
    const answer = await tryAct(what, body, story.frames.at(-1).position);
    result.textContent = answer.ok ? "" : (answer.data?.detail ?? "");
    if (!answer.ok) return;
    await done(answer.data.position);
    await look();
  }
}
