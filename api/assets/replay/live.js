// A game goes on while somebody looks: one request waits for what is recorded next. A pill says how that stands.
import {Offline} from "../api.js";
import {by} from "../dom.js";
import {say} from "../say.js";
import {hear, readOn, Refused, story, table} from "./story.js";

const WAIT = 25, SHORTEST = 1000, LONGEST = 15000;

/** Until the game is over. Who stands at its end follows; who went back stays where he is. */
export async function keepUp() {
  hear("recorded", () => readOn(0));
  addEventListener("offline", () => pill("off", "offline"));
  addEventListener("online", () => readOn(0).then(() => pill("good", "live"), () => {}));
  for (let pause = SHORTEST; table(story.frames.length - 1).phase !== "game_over"; ) {
    try {
      await looking();
      pill("good", "live");
      await readOn(WAIT);
      pause = SHORTEST;
    } catch (fault) {
      if (fault instanceof Refused && fault.status < 429) return pill("bad", "gone");
      if (!(fault instanceof Offline || fault instanceof Refused)) throw fault;
      pill("off", "offline");
      await new Promise(resolve => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, LONGEST);
    }
  }
  pill("good", "over");
}

/** A window that nobody sees asks for nothing. */
const looking = () =>
  new Promise(resolve => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });

function pill(state, words) {
  const live = by("live"), says = say(`replay.${words}`);
  if (!live || live.textContent === says) return;
  Object.assign(live, {hidden: false, textContent: says});
  live.dataset.state = state;
}
