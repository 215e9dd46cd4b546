// The clock of a round or a break counts by the service's time: the clock of the screen may be wrong.
import {switchBell} from "../bell.js";
import {by} from "../dom.js";
import {watchEndings, phaseAt} from "../phases.js";
import {moment} from "../say.js";

const ring = watchEndings(switchBell(by("bell")));
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
  by("bell").closest("label").hidden = !clock;
  if (!clock) return;
  const now = serviceTime(), phase = phaseAt(JSON.parse(clock.dataset.clock), now), {ends, left, counts} = phase;
  ring(phase, now);
  for (const words of clock.querySelectorAll("[data-counts]")) words.hidden = words.dataset.counts !== counts;
  clock.classList.toggle("over", left <= 0);
  clock.classList.toggle("stands", !ends);
  const words = formatTime(Math.max(0, Math.ceil(left)));
  const shown = clock.querySelector("b");
  if (shown.textContent !== words) shown.textContent = words;
  if (ends) shown.title = moment(ends);
}

function formatTime(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = number => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

setInterval(tick, 250);
