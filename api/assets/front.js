// The first page of who records: a game is opened, and its page of recording follows.
import "./boot.js";
import {ask, Offline} from "./api.js";
import {by} from "./dom.js";

const form = by("open");

/** `name=value` with blanks between, as the options of the rules are called; what is no JSON is words. */
const options = text => Object.fromEntries(text.split(/\s+/).filter(one => one.includes("=")).map(one => [one.slice(0, one.indexOf("=")), value(one.slice(one.indexOf("=") + 1))]));

function value(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

form.addEventListener("submit", async event => {
  event.preventDefault();
  const given = new FormData(form), problem = by("open-problem");
  const players = given.get("players").split(",").map(one => one.trim() || null), seats = Number(given.get("seats"));
  const body = {ruleset: given.get("ruleset"), seats, options: options(given.get("options")), ...(players.some(Boolean) && {players: Array.from({length: seats}, (_, seat) => players[seat] ?? null)})};
  const answer = await ask("/v1/games", {body}).catch(fault => {
    if (!(fault instanceof Offline)) throw fault;
    return {ok: false, data: {}};
  });
  if (answer.ok) return location.assign(`/g/${answer.data.game}/record`);
  problem.textContent = answer.data?.detail ?? problem.dataset.offline;
});
