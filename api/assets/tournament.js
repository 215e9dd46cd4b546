// The page of a tournament: who looks for his table sees it while he types, and what happens at the tables is there without asking.
import "./boot.js";

const AGAIN = 5000; // milliseconds after which a stream is asked for anew that the browser has given up
// Milliseconds until the page is read anew, and that a hall of phones spreads over: a move can wait, a result cannot.
const LATER = 10000, SOON = 300, SPREAD = 1500;
const SECTIONS = ["round-title", "standings-title"];
const field = document.getElementById("find");
const section = (page, name) => page.querySelector(`section[aria-labelledby="${name}"]`);
let due, at = Infinity;

function filter() {
  const wanted = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const line of document.querySelectorAll(".tables > li, .standings > li")) {
    const names = line.querySelector(".name, .sides").textContent.toLocaleLowerCase();
    line.hidden = !wanted.every(word => names.includes(word));
  }
}

/** Reads the page anew and puts its sections in the place of those that are shown; what was opened stays open. */
function read() {
  at = Infinity;
  const request = new XMLHttpRequest(); // parses a page without running anything of it
  request.open("GET", location.href);
  request.responseType = "document";
  request.addEventListener("load", () => {
    if (request.status !== 200 || !request.response) return;
    for (const name of SECTIONS) replace(section(document, name), section(request.response, name));
    filter();
  });
  request.send();
}

function replace(shown, fresh) {
  if (!shown || !fresh) return;
  const open = new Set([...shown.querySelectorAll("li > details[open]")].map(called));
  const focused = shown.contains(document.activeElement) ? called(document.activeElement.closest("li > details")) : null;
  for (const details of fresh.querySelectorAll("li > details")) details.open = open.has(called(details));
  shown.replaceChildren(...fresh.childNodes);
  if (focused) [...shown.querySelectorAll("li > details")].find(details => called(details) === focused)?.querySelector("summary").focus();
}

const called = details => details?.querySelector(".name")?.textContent ?? "";

function follow() {
  const stream = new EventSource(`/v1/tournaments/${encodeURIComponent(location.pathname.split("/")[2])}/stream`);
  const news = ({data}) => {
    const {changed} = JSON.parse(data);
    if (!changed.length) return;
    const wanted = Date.now() + Math.random() * SPREAD + (changed.some(what => what !== "tables") ? SOON : LATER);
    if (wanted >= at) return;
    clearTimeout(due);
    at = wanted;
    due = setTimeout(read, wanted - Date.now());
  };
  stream.addEventListener("message", news);
  stream.addEventListener("open", () => { document.body.dataset.live = ""; });
  stream.addEventListener("over", () => stream.close());
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN);
  });
}

field?.addEventListener("input", filter);
follow();
