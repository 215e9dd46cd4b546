// Live updates of a game in progress, recorded by anybody. They come by the stream of the game, so that a move costs no request. A pill shows their state.
import {Offline} from "../api.js";
import {by} from "../dom.js";
import {say} from "../say.js";
import {subscribe} from "../streams.js";
import {facts, hear, last, readOn, Refused, story, table, take} from "./story.js";

const AGAIN = 3000; // milliseconds until a failed read is tried again

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

/** Other modules hear of it by the events of the story. `state` is that of `subscribe`. Returns the function that ends it. */
export function follow(state) {
  const address = `/v1/games/${facts.id}/stream?${new URLSearchParams({names: true, ...(facts.chosen && {view: facts.chosen})})}`;
  let stop, waiting = Promise.resolve();
  const begin = () => {
    stop = subscribe(address, {after: last(), receive, state, reset: last});
  };
  const receive = messages => {
    waiting = waiting.then(() => takeMessages(messages)).catch(fault => {
      if (!(fault instanceof Offline || fault instanceof Refused)) throw fault;
      stop();
      setTimeout(begin, AGAIN);
    });
  };
  begin();
  return () => stop();
}

async function takeMessages(messages) {
  const fresh = messages.filter(({event, data}) => !event && data.position > last()).map(({data}) => data);
  if (fresh.length) {
    const [{start}] = fresh;
    if (start && start.sees === sees()) delete fresh[0].start; // each connection begins with one
    await take(fresh);
  }
  if (messages.some(({event}) => event === "opened") && sees() !== "all") await take([], undefined, true);
}

/** The eyes for which the newest table is shown. */
const sees = () => table(story.frames.length - 1).sees;
