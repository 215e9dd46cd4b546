// What the director chose arrives by a request that waits; it is also how the wall knows whether anybody is there.
import {ask, Offline} from "../api.js";

const WAIT = 25, SHORTEST = 1000, LONGEST = 15000;

/** For ever. `read` the page anew where another version was chosen, and after a time in which nothing was heard. */
export async function choices(tournament, {version, told, lost, read}) {
  const path = `/v1/tournaments/${encodeURIComponent(tournament)}/wall`;
  addEventListener("offline", () => lost("lost"));
  for (let pause = 0, wait = 0; ; ) {
    const answer = await ask(`${path}?after=${version()}&wait=${wait}`, {wait: wait + 5}).catch(without);
    if (answer?.ok) {
      told(answer.date);
      if (pause || answer.data.version !== version()) await read();
      [pause, wait] = [0, WAIT];
    } else {
      lost(answer && answer.status < 429 ? "gone" : "lost");
      pause = Math.min(Math.max(SHORTEST, pause * 2), LONGEST);
      await again(pause);
      wait = 0;
    }
  }
}

function without(fault) {
  if (!(fault instanceof Offline)) throw fault;
  return null;
}

/** After a while, or as soon as there is a network again. */
const again = pause =>
  new Promise(resolve => {
    const on = () => {
      clearTimeout(due);
      removeEventListener("online", on);
      resolve();
    };
    const due = setTimeout(on, pause);
    addEventListener("online", on);
  });
