// Forms for operations of the API. A form with a preview is tried while one types; then exactly that is recorded.
import {forPosition} from "../acts.js";
import {h} from "../dom.js";
import {bodyOf, isChanged} from "./body.js";
import {settle} from "./people.js";
import {preview} from "./preview.js";
import {act, clear, refuse, send} from "./sending.js";
import {words} from "./words.js";

const SOON = 250; // milliseconds until typed text is tried
const begun = new WeakSet();
let queue = Promise.resolve();

/** Lets the forms within `root` send. `done(form, data, from)`: it was recorded, sent from there. */
export function wire(root, done) {
  for (const form of root.querySelectorAll("form[data-to]")) if (!begun.has(form)) begin(form, done);
}

function begin(form, done) {
  begun.add(form);
  const state = {form, done, button: form.querySelector("button:not([type=button])"), place: form.querySelector(".result"), tried: null, turn: 0};
  form.addEventListener("submit", event => {
    event.preventDefault();
    state.from = location.href;
    record(state);
  });
  form.addEventListener("keydown", event => enter(state, event));
  form.addEventListener("person", () => form.dataset.preview && form.dataset.dirty !== undefined && later(state));
  form.addEventListener("input", () => {
    form.dataset.dirty = "";
    state.wanted = false;
    clear(form, state.place);
    if (form.dataset.preview) later(state);
  });
  form.addEventListener("filled", () => attempt(state, {first: true})); // by a script, so nothing is being typed
  if (!form.dataset.preview) return;
  state.button.disabled = true;
  if (hasChanges(form)) later(state);
  else if (form.dataset.preview === "load" && !opening(state)) attempt(state, {first: true});
}

/** Enter before the preview is there: it is shown, and recorded at once unless it holds a remark. */
function enter(state, event) {
  const {form, tried} = state;
  if (event.key !== "Enter" || !event.target.matches("input") || !form.dataset.preview || tried || !form.checkValidity()) return;
  event.preventDefault();
  state.wanted = true;
  clearTimeout(state.due);
  const next = () => state.wanted && attempt(state);
  queue = queue.then(next, next); // one after the other: each is decided on what the one before recorded
}

/** Whether something was changed before this ran. */
const hasChanges = form => [...form.elements].some(one => one.name && isChanged(one));

/** A form in a closed part of the page is tried when that is opened. */
function opening(state) {
  const closed = state.form.closest("details:not([open])");
  closed?.addEventListener("toggle", () => attempt(state), {once: true});
  return closed;
}

function later(state) {
  state.turn++; // a preview that is on its way is of another form
  state.tried = null;
  state.button.disabled = true;
  clearTimeout(state.due);
  state.due = setTimeout(() => attempt(state), SOON);
}

/** `first`: the first automatic try, so missing fields are not shown as mistakes. While a player is looked up nothing is tried: "person" follows. */
async function attempt(state, {first = false, says = []} = {}) {
  if (state.form.querySelector("[data-looking]")) return;
  const {form} = state, shows = form.querySelector(".preview"), turn = ++state.turn;
  if (!form.checkValidity()) return shows.replaceChildren();
  const body = bodyOf(form, true), answer = await send(`${form.dataset.to}?dry_run=true`, {method: form.dataset.method, body});
  if (turn !== state.turn) return;
  shows.replaceChildren();
  if (!answer.ok && first) return shows.replaceChildren(h("p", {}, answer.data?.detail ?? words("unread")), ...waiting(answer));
  if (!answer.ok) return refuse(form, state.place, answer, waiting(answer));
  shows.replaceChildren(...says, ...(await preview(form, body, answer.data)));
  if (turn !== state.turn) return;
  state.tried = {body, position: answer.data.events[0].position - 1};
  state.button.disabled = false;
  const wanted = state.wanted && !answer.data.remarks?.length;
  state.wanted = false;
  if (wanted) await record(state);
}

const waiting = ({data}) => (data?.waiting ?? []).map(one => h("p", {}, one.sentence));

async function record(state) {
  const {form, tried, button, place} = state, {to, method, preview: looks, version} = form.dataset;
  if (looks && !tried) return;
  if (isTickedOnly(form)) return refuse(form, place, {data: {detail: words("presence_first")}});
  button.disabled = true;
  form.dataset.dirty = ""; // the form must not be replaced until there is a response
  clear(form, place);
  const refused = form.dataset.people === undefined ? null : await settle(form);
  const body = form.dataset.people === undefined && tried ? tried.body : bodyOf(form), match = tried?.position ?? version;
  const answer = refused ?? await act(form, to, {method, body, headers: forPosition(match)});
  button.disabled = false;
  if (answer.ok) return finish(state, answer.data);
  if (answer.status === 412 && looks) return attempt(state, {says: [h("p", {class: "warning", role: "alert"}, words("stale"))]});
  if (answer.status === 412) form.dispatchEvent(new Event("stale"));
  refuse(form, place, answer);
}

/** Whether the round would be drawn without what was ticked about who is here. */
const isTickedOnly = form => /\/rounds$/.test(form.dataset.to) && document.querySelector('form[data-to$="/presence"][data-dirty]');

function finish({form, done, from}, data) {
  delete form.dataset.dirty;
  done(form, data, from);
}
