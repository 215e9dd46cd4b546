// Live updates of a page: a stream announces changes of a tournament, then the page is read again, and its parts replace those that are shown.
import {subscribe} from "./streams.js";

const ALL = ["tables", "results", "standings"];
let begun = 0, answered = 0;
const lastRead = new WeakMap(); // of each part that was replaced, what was read for it

/** Follows a tournament, or a game: `notify(changed)` names what has to be read again, "tables", "results" or "standings". */
export function follow(path, notify) {
  const receive = messages => {
    const changed = new Set(messages.filter(({event}) => !event).flatMap(({data}) => data.changed ?? ["tables"]));
    if (changed.size) notify([...changed]);
  };
  const state = name => { if (name === "open") document.body.dataset.live = ""; };
  const reset = () => {
    notify(ALL);
    return null;
  };
  subscribe(path, {receive, state, reset});
}

/** The stream of a tournament. */
export const ofTournament = tournament => `/v1/tournaments/${encodeURIComponent(tournament)}/stream`;

/**
 * Reads this page again, parsed without running anything of it.
 * @returns {Promise<?{page: Document, date: ?string}>} null where it cannot be read now, or where a later read was answered before; `date`: the service's time.
 */
export const fresh = () =>
  new Promise(resolve => {
    const request = new XMLHttpRequest(), turn = ++begun;
    request.open("GET", location.href);
    request.setRequestHeader("Cache-Control", "no-cache"); // a page read a second ago may be outdated
    request.responseType = "document";
    request.addEventListener("loadend", () => {
      if (request.status !== 200 || !request.response || turn < answered) return resolve(null);
      answered = turn;
      resolve({page: request.response, date: request.getResponseHeader("date")});
    });
    request.send();
  });

/** The parts of a page that was read, each with the shown part that it replaces; none where it could not be read. */
export const parts = page => [...(page?.querySelectorAll("[data-live]") ?? [])].map(part => [document.querySelector(`[data-live="${part.dataset.live}"]`), part]).filter(([shown]) => shown);

/**
 * Replaces the shown part by the new one; opened details stay open. Details are matched by their `data-key`.
 * What was read before stays: a press on a button that is exchanged meanwhile would be lost.
 */
export function replace(shown, fresh) {
  if (lastRead.get(shown)?.isEqualNode(fresh)) return;
  lastRead.set(shown, fresh.cloneNode(true));
  const open = new Map([...shown.querySelectorAll("details")].map(details => [details.dataset.key, details.open]));
  const focused = shown.contains(document.activeElement) ? document.activeElement.closest("details")?.dataset.key : null;
  for (const details of fresh.querySelectorAll("details")) details.open = open.get(details.dataset.key) ?? details.open;
  shown.replaceChildren(...fresh.childNodes);
  if (focused) [...shown.querySelectorAll("details")].find(details => details.dataset.key === focused)?.querySelector("summary").focus();
}
