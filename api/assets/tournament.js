// The page of a tournament: a search for one's own table while typing, and live updates of the tables.
import "./boot.js";
import {follow, fresh, ofTournament, parts, replace} from "./live.js";

// Milliseconds until the page is read again, and over which the phones of a hall spread: a move can wait, a result cannot.
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

/** A result for other words does not answer these. */
function look() {
  document.querySelector('[data-live="found"]').hidden = field.value.trim() !== field.defaultValue;
  filter();
}

/** Reads the page again and replaces the shown parts; opened details stay open. */
async function read() {
  at = Infinity;
  const found = await fresh();
  for (const [shown, part] of parts(found?.page)) replace(shown, part);
  filter();
}

function soon(changed) {
  const wanted = Date.now() + Math.random() * SPREAD + (changed.some(what => what !== "tables") ? SOON : LATER);
  if (wanted >= at) return;
  clearTimeout(due);
  at = wanted;
  due = setTimeout(read, wanted - Date.now());
}

field.addEventListener("input", look);
follow(ofTournament(decodeURIComponent(location.pathname.split("/")[2])), soon);
