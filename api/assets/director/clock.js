// The clock of the round: it is part of what the wall shows, and runs on the service's time.
import {send} from "./sending.js";

const two = number => String(number).padStart(2, "0");
let ticking;

/** Shows the clock of the form and lets its buttons change it. What the wall shows besides stays. */
export function clock(form, path, done) {
  const field = form.querySelector("#clock"), face = form.querySelector("#face");
  clearInterval(ticking);
  ticking = setInterval(() => { face.textContent = shown(field.dataset); }, 500);
  face.textContent = shown(field.dataset);
  for (const button of field.querySelectorAll("[data-clock]")) button.addEventListener("click", async () => {
    const wall = await send(`${path}/wall`);
    if (!wall.ok) return;
    const {show, by, round, message, turn, version} = wall.data;
    const answer = await send(`${path}/wall`, {method: "PUT", body: {show, by, round, message, turn, clock: WANTED[button.dataset.clock](form, wall.data.clock)}, headers: {"If-Match": `"${version}"`}});
    if (answer.ok) done();
  });
}

/** The clock that the form holds, as the API takes it, to be sent along with what the wall shows. */
export function clockOf(form) {
  const {counts, until, left} = form.querySelector("#clock").dataset;
  return counts ? {counts, ...(until ? {until} : {left: Number(left)})} : null;
}

const seconds = ({until, left}) => (until ? Math.max(0, Math.round((new Date(until) - Date.now()) / 1000)) : Number(left));
const ends = wait => new Date(Date.now() + wait * 1000).toISOString();
const counts = form => form.querySelector("#counts").value;

const WANTED = {
  start: form => ({counts: counts(form), until: ends(form.querySelector("#minutes").valueAsNumber * 60)}),
  stop: (form, now) => (now ? {counts: now.counts, left: seconds(now)} : null),
  on: (form, now) => (now ? {counts: now.counts, until: ends(seconds(now))} : null),
  off: () => null,
};

function shown(now) {
  if (!now.until && now.left === undefined) return "–";
  const left = seconds(now);
  return left >= 3600 ? `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}` : `${two(Math.floor(left / 60))}:${two(left % 60)}`;
}
