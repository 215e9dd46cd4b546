// The page of a fair deck: this device draws a chance of its own, commits to it, and opens it when all others are ready.
import "./boot.js";
import {act} from "./acts.js";
import {problems} from "./api.js";
import {refusal} from "./desk/refusal.js";
import {by} from "./dom.js";
import {follow, fresh, parts, replace} from "./live.js";
import {insertNames} from "./replay/words.js";

const shown = document.querySelector('[data-live="shuffle"]');
const LENGTH = 16, DOMAIN = "kiebitz-deck/1\n";
const digits = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
const state = () => by("state").dataset;
const place = () => `kiebitz:chance:${shown.dataset.game}:${state().position}`;
const busy = new Set(); // forms and buttons whose act is under way
let leaving = false, opened = null;
if (shown) problems.tell = sentence => insertNames(sentence, JSON.parse(shown.dataset.names), []);

/** The commitment: SHA-256 of 0x02, the format, the seat, and the chance. Browsers compute it only on pages of https and of this machine. */
async function commitment(seat, chance) {
  const head = new TextEncoder().encode(`${DOMAIN}seat:${seat}\n`);
  return digits(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array([2, ...head, ...chance]))));
}

async function join() {
  const chance = crypto.getRandomValues(new Uint8Array(LENGTH)), bound = await commitment(state().mine, chance);
  localStorage.setItem(place(), digits(chance)); // first: what the device is bound to must not be lost
  await send(by("join"), "/joining", {commitment: bound});
}

/** Whether the chance to which this seat is bound is stored on this device. */
const holds = () => state().bound && localStorage.getItem(place());

/** Opens the chance once: a page that was read before it was opened, and arrives after it, must not open it again. */
async function open() {
  const chance = holds();
  if (!chance || chance === opened) return;
  opened = chance;
  if (!await send(shown, "/opening", {chance})) opened = null;
}

/** Sends an act of a form or a button, and reads the page again. Returns whether it was recorded. */
async function send(from, path, body) {
  if (busy.has(from)) return false;
  busy.add(from);
  by("said").replaceChildren();
  const answer = await act(from, `/v1/games/${shown.dataset.game}/shuffles${path}`, {body});
  busy.delete(from);
  if (answer.status >= 400) await import("./desk/words.js"); // a refusal uses the words of the desk
  if (!answer.ok) by("said").replaceChildren(refusal(answer, {game: {ruleset: shown.dataset.ruleset}, read}));
  await read();
  return answer.ok;
}

/** Reads the page again; typed text stays. Once the hand is dealt, goes to it. */
async function read() {
  const found = await fresh(), before = state().on, typed = shown.querySelector("input[name=dice]")?.value;
  for (const [old, part] of parts(found?.page)) replace(old, part);
  const field = shown.querySelector("input[name=dice]");
  if (field && typed) field.value = typed;
  if (leaving) return;
  leaving = before === "yes" && state().on === "no";
  if (leaving) return void location.assign(state().then);
  await settle();
}

/** Does what this device can do now. It opens its chance when everybody takes part, or when somebody continued without the others. */
async function settle() {
  const {bound, closed, joined, seats} = state();
  if (by("join") && !crypto.subtle) by("join").hidden = !(by("plain").hidden = false);
  if (by("open") && !holds()) by("open").hidden = !(by("elsewhere").hidden = false);
  if (bound && holds() && (closed === "yes" || joined === seats)) await open();
}

/** The body of a form. Dice are typed as they lie, with blanks or without. */
function body(form) {
  const {dealer, number, dice} = form.elements, said = JSON.parse(form.dataset.body);
  if (dealer) Object.assign(said, {dealer: Number(dealer.value), dice: Number(number.value)});
  if (dice) said.dice = /^[1-6\s]+$/.test(dice.value) ? [...dice.value.replace(/\s/g, "")].join(" ") : dice.value;
  return said;
}

document.addEventListener("submit", event => {
  if (!event.target.matches("form.act")) return;
  event.preventDefault();
  send(event.target, event.target.dataset.path.split("/shuffles")[1], body(event.target));
});
document.addEventListener("click", event => {
  if (event.target.id === "join") join();
  if (event.target.id === "open") open();
});
document.body.dataset.ready = "";
if (shown) {
  follow(shown.dataset.stream, read);
  settle();
}
