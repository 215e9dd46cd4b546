// A tapped line of the log is put right in place: it was wrong, one is missing before it; or the arbiter is called, or a note kept about it.
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {story} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {mend} from "./again.js";
import {spellDeal} from "./deal.js";
import {attend, clear, give, write} from "./line.js";
import {goBefore, isEntry, isWithinReach} from "./undo.js";

/** Opens the acts on the line of a position. `form(kind, {position})` opens the others; `again()` reads the state of the game. */
export function open(position, {box, form, again}) {
  const room = by("room"), frame = story.frames.find(one => one.position === position), words = lines(frame)[0], isDeal = frame.name.startsWith("hand.");
  const close = () => {
    room.replaceChildren();
    by("log").querySelector(`li[value="${position}"] button`)?.focus({preventScroll: true});
  };
  const button = (key, onclick) => h("button", {type: "button", onclick}, say(`record.${key}`));
  const putRight = how => async () => {
    room.replaceChildren();
    attend();
    await putBefore(frame, how, box);
    await again();
  };
  const inPlace = isWithinReach(frame) && [button("line.out", putRight("out")), !isDeal && button("line.stays", putRight("stays"))];
  const says = inPlace ? story.frames.some(one => one.position > position && isEntry(one) && !one.void) && "line.rest" : isEntry(frame) && !frame.void && "line.beyond";
  room.replaceChildren(
    h("section", {class: "panel", role: "dialog", "aria-labelledby": "line-title", onkeydown: ({key}) => key === "Escape" && close()},
      h("h2", {id: "line-title"}, words),
      says && h("p", {class: "quiet"}, say(`record.${says}`)),
      h("p", {class: "acts"}, inPlace, ["dispute", "note"].map(kind => button(`${kind}.title`, () => form(kind, {position}))), button("cancel", close))),
  );
  room.querySelector("button").focus();
}

/** Takes back the line and all after it; a wrong one stands in the line, and what follows is entered after the next entry. */
async function putBefore(frame, how, box) {
  const isDeal = frame.name.startsWith("hand.");
  give({waits: true, says: say("record.wait")}); // what is typed from here on is for the table before it
  clear();
  if (how === "out" && !isDeal) write(frame.written ?? spellDeal(frame.body.known));
  await box.flush();
  if (!isDeal) mend(frame, how);
  await goBefore(frame, box);
}
