// The clock of a round or a break counts by the service's time: the clock of the screen may be wrong.
import {by} from "../dom.js";
import {moment} from "../say.js";

let ahead = 0; // milliseconds by which the service is ahead of this device

/** Sets the service's time from the `Date` of a response. */
export function hear(date) {
  const at = Date.parse(date ?? "");
  if (!Number.isNaN(at)) ahead = at + 500 - Date.now(); // Date has whole seconds
}

/** The service's time in milliseconds. */
export const serviceTime = () => Date.now() + ahead;

/** Writes the time that is left. */
export function tick() {
  const clock = by("clock");
  if (!clock) return;
  const left = clock.dataset.until ? (Date.parse(clock.dataset.until) - serviceTime()) / 1000 : Number(clock.dataset.left);
  clock.classList.toggle("over", left <= 0);
  clock.classList.toggle("stands", !clock.dataset.until);
  const words = formatTime(Math.max(0, Math.ceil(left)));
  const shown = clock.querySelector("b");
  if (shown.textContent !== words) shown.textContent = words;
  if (clock.dataset.until) shown.title = moment(clock.dataset.until);
}

function formatTime(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = number => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

setInterval(tick, 250);
