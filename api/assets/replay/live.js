// A game goes on while somebody looks. A pill says how that stands.
import {by} from "../dom.js";
import {say} from "../say.js";
import {follow} from "./following.js";
import {hear, readOn, story, table} from "./story.js";

const PILLS = {open: ["good", "live"], lost: ["off", "offline"], gone: ["bad", "gone"]};

/** Until the game is over. Who stands at its end follows; who went back stays where he is. */
export function keepUp() {
  if (isOver()) return pill("good", "over");
  hear("recorded", readOn);
  const stop = follow(state => pill(...PILLS[state]));
  hear("told", () => {
    if (!isOver()) return;
    stop();
    pill("good", "over");
  });
}

const isOver = () => table(story.frames.length - 1).phase === "game_over";

function pill(state, words) {
  const live = by("live"), says = say(`replay.${words}`);
  if (!live || live.textContent === says) return;
  Object.assign(live, {hidden: false, textContent: says});
  live.dataset.state = state;
}
