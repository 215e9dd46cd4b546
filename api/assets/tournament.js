// The page of a tournament: who looks for his table sees it while he types, and what happens at the tables is there without asking.
import "./boot.js";

const AGAIN = 5000; // milliseconds after which a stream is asked for anew that the browser has given up
// Milliseconds until the page is read anew, and that a hall of phones spreads over: a move can wait, a result cannot.
const LATER = 10000, SOON = 300, SPREAD = 1500;
const field = document.getElementById("find");
let due, at = Infinity;

function filter() {
  const wanted = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const line of document.querySelectorAll(".tables > li, .standings > li")) {
    const names = line.querySelector(".name, .sides").textContent.toLocaleLowerCase();
    const numbers = line.dataset.numbers.split(" ");
    line.hidden = !wanted.every(word => names.includes(word) || numbers.includes(word));
  }
}

/** What was found for other words does not answer these. */
function look() {
  document.querySelector('[data-live="found"]').hidden = field.value.trim() !== field.defaultValue;
  filter();
}

/** Reads the page anew and puts its parts in the place of those that are shown; what was opened stays open. */
function read() {
  at = Infinity;
  const request = new XMLHttpRequest(); // parses a page without running anything of it
  request.open("GET", location.href);
  request.responseType = "document";
  request.addEventListener("load", () => {
    if (request.status !== 200 || !request.response) return;
    for (const fresh of request.response.querySelectorAll("[data-live]")) replace(document.querySelector(`[data-live="${fresh.dataset.live}"]`), fresh);
    filter();
  });
  request.send();
}

function replace(shown, fresh) {
  const open = new Set([...shown.querySelectorAll("details[open]")].map(details => details.dataset.key));
  const focused = shown.contains(document.activeElement) ? document.activeElement.closest("details")?.dataset.key : null;
  for (const details of fresh.querySelectorAll("details")) details.open = open.has(details.dataset.key);
  shown.replaceChildren(...fresh.childNodes);
  if (focused) [...shown.querySelectorAll("details")].find(details => details.dataset.key === focused)?.querySelector("summary").focus();
}

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

field.addEventListener("input", look);
follow();
