// Live frames of this game, recorded by anybody: they come by the stream of the game, so that a move costs no request.
import {Offline} from "../api.js";
import {subscribe} from "../streams.js";
import {facts, last, Refused, story, table, take} from "./story.js";

const AGAIN = 3000; // milliseconds until a failed read is tried again

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
