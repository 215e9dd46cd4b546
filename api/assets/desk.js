// The arbiter's desk: beside the replay, at the position that is shown. Decisions are previewed before they are recorded.
import "./desk/words.js";
import {h} from "./dom.js";
import {say} from "./say.js";
import {tryAsk} from "./api.js";
import {acts} from "./desk/acts.js";
import {disputes} from "./desk/disputes.js";
import {remarks} from "./desk/preview.js";
import {rulingForm} from "./desk/ruling.js";
import {inWords} from "./zone_words.js";

/**
 * Puts the desk into `root`, once; after that it keeps itself up to date.
 * @param {HTMLElement} root
 * @param {{id: string, ruleset: string, seats: number, parties: number[][], names: string[], tournament: ?string, decides: {disputed: string[], unasked: string[]}}} game
 * `decides`: the decisions that the reader may take, on a dispute and of their own motion; a committee has no motion of its own.
 * @param {() => {position: number, table: object}} shown what the replay shows now; the replay sends `told` on the document when more was recorded.
 * @param {() => object} now the table as it stands.
 */
export async function desk(root, game, shown, now) {
  if (root.childElementCount) return;
  const lists = h("div", {class: "disputes"}), form = h("div", {class: "ruling"}), more = h("div", {class: "acts more"});
  const news = h("div", {class: "news", role: "status"});
  root.replaceChildren(h("h2", {}, say("desk.title")), news, lists, form, more);
  const state = {
    game,
    found: null,
    now,
    inWords: sentence => inWords(sentence, now(), game),
    get shown() { return shown(); },
    async read() {
      const answer = await tryAsk(`/v1/games/${game.id}/disputes`);
      if (!answer.ok) return tell(answer.data?.detail ?? say("desk.unread"));
      if (answer.data.position < state.found?.position) return; // an answer to an earlier question
      state.found = answer.data;
      lists.replaceChildren(...disputes(state));
      more.replaceChildren(...acts(state));
    },
    open(dispute) {
      form.replaceChildren(rulingForm(state, dispute));
      form.querySelector("select").focus();
    },
    close: () => form.replaceChildren(),
    async showRecorded(words, {data}) {
      state.close();
      news.replaceChildren(words, ...remarks(data));
      await state.read();
    },
  };
  const tell = words => { news.textContent = words; };
  document.addEventListener("told", state.read);
  await state.read();
}
