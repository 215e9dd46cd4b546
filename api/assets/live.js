// A page that keeps itself up to date: what is new at a tournament is told by a stream, then the page is read anew, and its parts are put in the
// place of those that are shown.
const AGAIN = 5000; // milliseconds after which a stream is asked for anew that the browser has given up

/** Follows a tournament: `told(changed)` names what has to be read anew, "tables", "results" or "standings". */
export function follow(tournament, told) {
  const stream = new EventSource(`/v1/tournaments/${encodeURIComponent(tournament)}/stream`);
  stream.addEventListener("message", ({data}) => {
    const {changed} = JSON.parse(data);
    if (changed.length) told(changed);
  });
  stream.addEventListener("open", () => { document.body.dataset.live = ""; });
  stream.addEventListener("over", () => stream.close());
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN, tournament, told);
  });
}

/**
 * Reads this page anew, parsed without running anything of it.
 * @returns {Promise<?{page: Document, date: ?string}>} null where it cannot be read now; `date`: the service's time.
 */
export const fresh = () =>
  new Promise(resolve => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.setRequestHeader("Cache-Control", "no-cache"); // what was read a second ago may be what is not any more
    request.responseType = "document";
    request.addEventListener("loadend", () => resolve(request.status === 200 && request.response ? {page: request.response, date: request.getResponseHeader("date")} : null));
    request.send();
  });

/** The parts of a page that was read, each with the one that is shown and has to give way. */
export const parts = page => [...page.querySelectorAll("[data-live]")].map(part => [document.querySelector(`[data-live="${part.dataset.live}"]`), part]).filter(([shown]) => shown);
