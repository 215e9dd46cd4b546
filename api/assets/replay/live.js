// Live updates of a game in progress. A pill shows their state.
import {by} from "../dom.js";
import {say} from "../say.js";
import {follow} from "./following.js";
import {hear, readOn, story, table} from "./story.js";

const PILLS = {open: ["good", "live"], lost: ["off", "offline"], gone: ["bad", "gone"]};

/** Runs until the game is over. A reader at the end follows; a reader who went back stays there. */
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
