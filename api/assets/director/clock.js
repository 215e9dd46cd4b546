// The clock of the round: it is part of what the wall shows, and runs on the service's time.
import {send} from "./sending.js";

const two = number => String(number).padStart(2, "0");
let ticking;

/** Shows the clock of the form and lets its buttons change it. What the wall shows besides stays, and so does what is typed. */
export function clock(form, path, tell) {
  const field = form.querySelector("#clock"), face = form.querySelector("#face");
  const show = () => { face.textContent = formatLeft(field.dataset); };
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
    const {show, by, round, message, turn, version, clock: now} = wall.data;
    const body = {show, by, round, message, turn, clock: WANTED[button.dataset.clock](form, now)};
    const answer = await send(`${path}/wall`, {method: "PUT", body, headers: {"If-Match": `"${version}"`}});
    if (answer.ok) stand(answer.data);
    else tell(answer.data.detail);
  });
}

/** Keeps in the form which version it answers, and what goes along with what is changed in it. */
function storeVersion(form, field, {version, show, by, round, message, turn, clock: now}) {
  form.dataset.version = version;
  form.dataset.now = JSON.stringify({show, by, round, message, turn, clock: now});
  for (const name of ["counts", "until", "left"]) {
    const value = now?.[name] ?? null;
    if (value === null) delete field.dataset[name];
    else field.dataset[name] = value;
  }
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

function formatLeft(now) {
  if (!now.until && now.left === undefined) return "–";
  const left = seconds(now);
  return left >= 3600 ? `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}` : `${two(Math.floor(left / 60))}:${two(left % 60)}`;
}
