// Sends what is entered, one after another; what was not sent is lost with the page.
import {ask, Offline} from "../api.js";
import {keyed} from "./sending.js";

export async function outbox(game, position, told) {
  let entries = [], busy = false, number = 0, at = position;
  const tell = more => told({entries: entries.map(({n, words, state}) => ({n, words, state})), link: "recorded", ...more});
  async function flush() {
    if (busy) return;
    busy = true;
    while (entries.length) {
      const [one] = entries;
      one.headers ??= keyed(at);
      try {
        const answer = await ask(`/v1/games/${game}/${one.path}`, {body: one.body, headers: one.headers});
        if (!answer.ok) {
          busy = false;
          one.state = "refused";
          return tell({link: answer.status === 412 ? "conflict" : "refused", problem: answer.data, missed: answer.data?.missed ?? []});
        }
        at = answer.data.position;
        entries.shift();
        tell({link: entries.length ? "sending" : "recorded", answers: [answer.data]});
      } catch (fault) {
        if (!(fault instanceof Offline)) throw fault;
        one.state = "kept";
        tell({link: "kept"});
        await new Promise(resolve => setTimeout(resolve, 1000));
      }
    }
    busy = false;
  }
  return {
    add({path, body, words}) {
      entries.push({n: ++number, path, body, words, state: "sending"});
      tell({link: "sending"});
      return flush();
    },
    entries: () => entries,
    edit(n, {body, words}) {
      const one = entries.find(entry => entry.n === n);
      Object.assign(one, {body, words: words ?? one.words, state: "sending", headers: undefined});
      return flush();
    },
    drop(n) {
      entries = entries.filter(one => one.n < n);
      tell({});
      return flush();
    },
    takeTheirs() {
      entries = [];
      tell({});
    },
    moved(position_) { at = Math.max(at, position_); },
    close() {},
  };
}
