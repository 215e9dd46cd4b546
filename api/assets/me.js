// A player's own page: sends confirmations, disputes and signatures, and keeps itself up to date.
import "./boot.js";
import {act, forPosition} from "./acts.js";
import {problems} from "./api.js";
import {switchBell} from "./bell.js";
import {refusal} from "./desk/refusal.js";
import {by} from "./dom.js";
import {follow, fresh, parts, replace} from "./live.js";
import {insertNames} from "./replay/words.js";
import {moment, say} from "./say.js";

const LATER = 10000, SOON = 200, SPREAD = 1000; // milliseconds: a move can wait, a draw cannot, and not all phones should ask at once
const mine = document.querySelector('[data-live="me"]');
const TITLE = document.title, bell = by("bell") && switchBell(by("bell")), readSeat = () => mine?.querySelector(".seat").dataset.told;
let due, at = Infinity, before = readSeat();
if (mine) problems.tell = sentence => insertNames(sentence, JSON.parse(mine.dataset.names), JSON.parse(mine.dataset.parties));

/** A form that somebody is filling in stays until it is sent. */
async function read() {
  at = Infinity;
  const found = await fresh();
  for (const [shown, part] of parts(found?.page)) {
    if (isFilledIn(shown)) continue;
    for (const time of part.querySelectorAll("time[datetime]")) time.textContent = moment(time.dateTime);
    replace(shown, part);
  }
  tell();
}

/** The table stands in the title of the page, which a phone shows among its tabs; a new one rings. */
function tell() {
  const now = readSeat();
  document.title = now ? `${now} · ${TITLE}` : TITLE;
  if (now && now !== before) bell?.();
  before = now;
}

const isFilledIn = shown =>
  [...shown.querySelectorAll("input, textarea, select")].some(field => field === document.activeElement || (field.tagName === "SELECT" ? field.selectedIndex > 0 : field.type === "checkbox" ? field.checked : field.value));

function soon(changed) {
  const wanted = Date.now() + Math.random() * SPREAD + (changed.some(what => what !== "tables") ? SOON : LATER);
  if (wanted >= at) return;
  clearTimeout(due);
  at = wanted;
  due = setTimeout(read, wanted - Date.now());
}

/** The body of a form: its fixed values, and those that were filled in. */
function body(form) {
  const said = JSON.parse(form.dataset.body), {claim, suspends, about} = form.elements, points = form.querySelectorAll("[name=points]");
  if (points.length) said.points = [...points].map(one => Number(one.value));
  if (claim?.value.trim()) said.claim = claim.value.trim();
  if (about) said.position = Number(about.value);
  if (suspends) said.suspends = suspends.checked;
  return said;
}

/** A confirmation is for what the player saw: after a conflict the same is sent again as long as it is still shown. */
async function sendForm(form) {
  const {method, path, position, shown} = form.dataset, headers = forPosition(position);
  const answer = await act(form, path, {method, body: body(form), headers});
  if (answer.status !== 412) return answer;
  await read();
  const again = [...document.querySelectorAll("form.act")].find(one => one.dataset.path === path && one.dataset.shown === shown && one.dataset.position !== position);
  return again ? sendForm(again) : answer;
}

/** The remarks of an answer, but for the one that the page shows itself. */
const remarks = ({remarks: all = []}) => all.filter(({code}) => code !== "said_otherwise").map(({sentence}) => ` ${sentence}`);

async function send(event) {
  event.preventDefault();
  const form = event.target, button = form.querySelector("button");
  button.disabled = true;
  const answer = await sendForm(form);
  if (answer.status >= 400) await import("./desk/words.js"); // a refusal uses the words of the desk
  by("said").replaceChildren(...(answer.ok ? [say("me.recorded"), ...remarks(answer.data)] : [refusal(answer, {game: {ruleset: mine.dataset.ruleset}, read})]));
  if (answer.ok) {
    form.closest("details")?.removeAttribute("open");
    form.reset();
    document.activeElement.blur(); // a field that has the focus would hold up what is read now
  }
  await read();
  button.disabled = false;
}

document.addEventListener("submit", event => event.target.matches("form.act") && send(event));
document.body.dataset.ready = "";
if (mine) tell();
if (mine?.dataset.stream) follow(mine.dataset.stream, soon);
