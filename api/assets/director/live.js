// Live updates of the desk: events at the tables appear without asking, and what somebody is typing stays.
import {subscribe} from "../streams.js";
import {words} from "./words.js";

const LATER = 4000, SOON = 150; // milliseconds
const path = location.pathname.split("/")[2];
let due, at = Infinity, turn = 0, moving = false, newest, after = () => {};

const served = new WeakMap(); // the content of a part as served, before scripts changed it
for (const part of document.querySelectorAll("[data-fresh]")) served.set(part, part.cloneNode(true));

/** The same place at the desk from now on, whatever step is in progress. */
export function stay() {
  const here = new URL(location), step = document.getElementById("now").dataset.step;
  here.searchParams.set("step", step);
  history.replaceState(null, "", here);
}

/**
 * Reads the page again and replaces the shown parts. `to`: a place at the desk, which is shown from then on; what was typed at the one before
 * is over, also where both have the same address. Ends when the newest read is shown.
 */
export function read(to) {
  const now = ++turn, url = to ?? location.href;
  at = Infinity;
  moving ||= to !== undefined;
  if (url !== location.href) history.pushState(null, "", url); // at once, so that reads that start meanwhile use it
  newest = new Promise(done => {
    const request = new XMLHttpRequest(); // parses a page without running anything of it
    request.open("GET", url);
    request.responseType = "document";
    request.addEventListener("load", () => {
      if (now === turn && request.status === 200 && request.response) replace(request.response);
      done();
    });
    request.addEventListener("error", done);
    request.send();
  }).then(() => (now === turn ? undefined : newest));
  return newest;
}

function replace(fresh) {
  const held = findFocus(), moved = moving, title = fresh.getElementById("tiles-title")?.textContent;
  moving = false;
  for (const part of document.querySelectorAll("[data-fresh]")) {
    const next = fresh.getElementById(part.id);
    if (!moved && (next?.isEqualNode(served.get(part) ?? null) || part.querySelector("form[data-dirty], [data-kept]"))) continue;
    if (next) served.set(next, next.cloneNode(true));
    if (next) part.replaceWith(document.adoptNode(next));
    else part.remove();
  }
  const drawer = fresh.getElementById("drawer");
  if (drawer && !document.getElementById("drawer")) document.getElementById("now").after(document.adoptNode(drawer));
  const tiles = fresh.getElementById("tiles"), shown = document.getElementById("tiles");
  if (tiles && !shown) document.querySelector(".middle").append(document.adoptNode(tiles));
  if (!tiles) shown?.remove();
  else document.getElementById("tiles-title").textContent = title;
  document.getElementById("names").replaceWith(document.adoptNode(fresh.getElementById("names")));
  after();
  if (held && document.activeElement !== held.field) focusAgain(held);
}

/** With the same text selected: what is typed next takes its place. Where all was selected all is, however long it is now. */
function focusAgain({form, index, from, until, whole}) {
  const field = form()?.elements[index];
  field?.focus();
  if (from != null) field?.setSelectionRange(from, whole ? field.value.length : until); // null where a kind of field has no selection
}

/** The field of a form that has the focus, to be found again when its form was replaced. */
function findFocus() {
  const field = document.activeElement, to = field?.form?.dataset.to;
  if (!to) return null;
  const {selectionStart: from, selectionEnd: until} = field;
  return {field, from, until, whole: from === 0 && until > 0 && until === field.value.length, index: [...field.form.elements].indexOf(field), form: () => [...document.forms].find(one => one.dataset.to === to)};
}

/** Reads the page again whenever something was recorded. `then`: called each time after that is shown. */
export function follow(then) {
  after = then;
  const pill = document.getElementById("live");
  let isOpen = false;
  const tells = (state, key) => {
    pill.hidden = false;
    pill.dataset.state = state;
    pill.textContent = words(key);
  };
  const soon = pause => {
    const wanted = Date.now() + pause;
    if (wanted >= at) return;
    clearTimeout(due);
    at = wanted;
    due = setTimeout(() => read(), pause);
  };
  subscribe(`/v1/tournaments/${path}/stream`, {
    receive(messages) {
      const news = messages.filter(({event}) => !event).map(({data}) => data);
      if (news.length) soon(news.some(({kind, changed}) => kind === "tournament" || changed.includes("results")) ? SOON : LATER);
    },
    state(name) {
      if (name !== "open") return tells("off", name === "gone" ? "gone" : "offline");
      tells("good", "live");
      if (!isOpen && !document.getElementById("drawer")) soon(SOON); // events between the making of the page and now have no message
      isOpen = true;
    },
    reset() {
      soon(SOON);
      return null;
    },
  });
}
