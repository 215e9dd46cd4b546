// The clock of the round: it is part of what the wall shows, and runs on the service's time.
import {switchBell} from "../bell.js";
import {watchEndings, phaseAt} from "../phases.js";
import {send} from "./sending.js";

const two = number => String(number).padStart(2, "0");
let ticking;

/** Shows the clock of the form and lets its buttons change it. What the wall shows besides stays, and so does what is typed. */
export function clock(form, path, tell) {
  const field = form.querySelector("#clock"), face = form.querySelector("#face");
  const bell = document.getElementById("bell"), ring = watchEndings(switchBell(bell));
  const show = () => {
    const phase = readClock(field) && phaseAt(readClock(field), Date.now());
    if (phase) ring(phase, Date.now());
    face.textContent = phase ? formatLeft(phase.left) : "–";
  };
  const stand = wall => {
    storeVersion(form, field, wall);
    show();
  };
  clearInterval(ticking);
  ticking = setInterval(show, 500);
  show();
  form.addEventListener("stale", async () => {
    const {ok, data} = await send(`${path}/wall`);
    if (ok) stand(data);
  });
  for (const button of field.querySelectorAll("[data-clock]")) button.addEventListener("click", async () => {
    const wall = await send(`${path}/wall`);
    if (!wall.ok) return tell(wall.data.detail);
    const {show, by, round, message, turn, hidden, version, clock: now} = wall.data;
    const body = {show, by, round, message, turn, hidden, clock: WANTED[button.dataset.clock](form, now)};
    const answer = await send(`${path}/wall`, {method: "PUT", body, headers: {"If-Match": `"${version}"`}});
    if (answer.ok) stand(answer.data);
    else tell(answer.data.detail);
  });
}

/** Keeps in the form which version it answers, and what goes along with what is changed in it. */
function storeVersion(form, field, {version, show, by, round, message, turn, hidden, clock: now}) {
  form.dataset.version = version;
  form.dataset.now = JSON.stringify({show, by, round, message, turn, hidden, clock: now});
  field.dataset.clock = JSON.stringify(now);
}

const readClock = field => JSON.parse(field.dataset.clock);
const timeIn = wait => new Date(Date.now() + wait * 1000).toISOString();

const WANTED = {
  start: form => startClock([...form.querySelectorAll("[data-counts]")].filter(one => one.value).map(one => ({counts: one.dataset.counts, seconds: one.valueAsNumber * 60}))),
  stop: (form, now) => changeClock(now, left => ({left})),
  on: (form, now) => changeClock(now, left => ({until: timeIn(left)})),
  off: () => null,
};

/** A clock that runs through these phases. */
const startClock = ([first, ...phases]) => (first ? {counts: first.counts, until: timeIn(first.seconds), phases} : null);

/** The clock from the present phase on, where there is one. */
function changeClock(now, of) {
  if (!now) return null;
  const {counts, left, phases} = phaseAt(now, Date.now());
  return {counts, phases, ...of(Math.round(left))};
}

function formatLeft(seconds) {
  const left = Math.round(seconds);
  return left >= 3600 ? `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}` : `${two(Math.floor(left / 60))}:${two(left % 60)}`;
}
