// The wall of a hall: pages that turn, a clock by the service's time, the director's choices, and the time since the last message.
import "./boot.js";
import {by} from "./dom.js";
import {follow, fresh, ofTournament, parts} from "./live.js";
import {moment, say} from "./say.js";
import {choices} from "./wall/choices.js";
import {hear, serviceTime, tick} from "./wall/clock.js";
import {lay, turnable} from "./wall/turning.js";

const SOON = 300, LATER = 10000; // milliseconds until the page is read again: a move can wait, a result cannot
const tournament = decodeURIComponent(location.pathname.split("/")[2]);
const screen = document.querySelector(".screen");
let due, at = Infinity, heard;

async function read() {
  at = Infinity;
  const found = await fresh();
  if (!found) return;
  noteMessage(found.date);
  for (const [shown, part] of parts(found.page)) {
    Object.assign(shown.dataset, part.dataset);
    shown.replaceChildren(...part.childNodes);
  }
  tick();
  lay();
  by("as-of").textContent = say("wall.as_of", {at: moment(serviceTime())});
}

function soon(changed) {
  const wanted = Date.now() + (changed.some(what => what !== "tables") ? SOON : LATER);
  if (wanted >= at) return;
  clearTimeout(due);
  at = wanted;
  due = setTimeout(read, wanted - Date.now());
}

/** A message came, at this time of the service. */
function noteMessage(date) {
  hear(date);
  heard = serviceTime();
  by("lost").hidden = true;
}

/** Shown once: the time does not change while no message comes. */
function showLost(why) {
  const words = say(`wall.${why}`, {at: moment(heard ?? serviceTime())});
  if (!by("lost").hidden && by("lost").textContent === words) return;
  Object.assign(by("lost"), {hidden: false, textContent: words});
}

turnable(screen);
tick();
lay();
by("as-of").textContent = say("wall.as_of", {at: moment(serviceTime())});
follow(ofTournament(tournament), soon);
choices(tournament, {version: () => Number(screen.dataset.version), told: noteMessage, lost: showLost, read});
