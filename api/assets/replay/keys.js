// Keyboard and buttons of the replay.
import {by} from "../dom.js";
import {say} from "../say.js";
import {hear, show, step, story} from "./story.js";

const PACE = 1100;
let timer;

const hands = () => story.frames.flatMap(({name}, index) => (name.startsWith("hand.") ? [index] : []));
const end = () => story.frames.length - 1;

/** The acts of keys and buttons, by the ids of the buttons. */
const ACTS = {
  first: () => show(0),
  back: () => show(step(-1)),
  on: () => show(step(1)),
  last: () => show(end()),
  news: () => show(end()),
  up: () => show(hands().findLast(index => index < story.at) ?? 0),
  down: () => show(hands().find(index => index > story.at) ?? end()),
  keys: () => by("help").showModal(),
  copy,
  play,
};
const KEYS = {ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last", " ": "play", a: "audit", c: "copy", "?": "keys"};

/** `more`: further acts by the id of their button. */
export function open(more = {}) {
  Object.assign(ACTS, more);
  for (const [name, act] of Object.entries(ACTS)) by(name)?.addEventListener("click", () => done(name, act));
  document.addEventListener("keydown", press);
  by("slider").addEventListener("input", stop);
  hear("position", () => story.at === end() && stop());
}

function press(event) {
  const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const busy = event.target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, dialog");
  if (!name || !by(name === "up" || name === "down" ? "slider" : name) || busy || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^Arrow(Left|Right)$/.test(event.key) && event.target.closest("[role=tablist]")) return;
  if (event.key === " " && event.target.closest("button, a, summary, [type=checkbox]")) return;
  event.preventDefault();
  done(name, ACTS[name]);
}

function done(name, act) {
  if (name !== "play") stop();
  act();
}

function play() {
  if (timer) return stop();
  if (story.at === end()) show(0);
  timer = setInterval(() => show(step(1)), PACE);
  playing(true);
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  playing(false);
}

function playing(on) {
  const button = by("play");
  button.setAttribute("aria-pressed", on);
  button.firstElementChild.textContent = on ? "❚❚" : "▶";
}

async function copy() {
  const button = by("copy"), words = button.textContent, {origin = location.origin} = button.dataset;
  await navigator.clipboard?.writeText(location.href.replace(location.origin, origin)).catch(() => {});
  button.textContent = say("replay.copied");
  setTimeout(() => (button.textContent = words), 1500);
}
