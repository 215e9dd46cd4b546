// The page for a new game or tournament: a form is sent once, refusals are shown at their field, and then the new page opens.
import "./boot.js";
import {bodyOf} from "./director/body.js";
import {personField, settle} from "./director/people.js";
import {presetField} from "./director/presets.js";
import {togglePlaces} from "./director/series.js";
import {act, clear, refuse} from "./director/sending.js";
import {words} from "./director/words.js";
import {h} from "./dom.js";

const form = document.querySelector("form.order");
const ON = {ratings: data => `/ratings?ruleset=${encodeURIComponent(data.ruleset)}&number=${data.position}`, series: data => `/s/${encodeURIComponent(data.series)}/desk`, tournament: data => `/t/${encodeURIComponent(data.tournament)}/desk`, game: data => `/g/${data.game}/record`};

function showSeats() {
  const seats = Number(form.elements.seats.value);
  const places = JSON.parse(form.dataset.places)[seats];
  for (const label of form.querySelectorAll("[data-seat]")) {
    label.hidden = label.dataset.seat >= seats;
    label.querySelector("span").textContent = places[label.dataset.seat] ?? "";
  }
}

async function submit(event) {
  event.preventDefault();
  const place = form.querySelector(".result"), button = form.querySelector("button.main");
  clear(form, place);
  button.disabled = true;
  const refused = await settle(form);
  const body = bodyOf(form), to = form.dataset.to;
  const answer = refused ?? await act(form, to, {body});
  button.disabled = false;
  if (!answer.ok) return refuse(form, place, answer);
  const on = ON[form.dataset.then](answer.data), remarks = answer.data.remarks ?? [];
  if (!remarks.length) return location.assign(on);
  form.querySelector(".acts").replaceChildren(h("a", {class: "button main", href: on}, words("to_desk")));
  place.replaceChildren(...remarks.map(one => h("p", {class: "warning", role: "alert"}, one.sentence)));
}

if (form) {
  form.addEventListener("submit", submit);
  if (form.querySelector("[data-seat]")) {
    form.elements.seats.addEventListener("change", showSeats);
    showSeats();
  }
  if (form.querySelector("[data-presets]")) presetField(form);
  togglePlaces(form);
  const known = document.getElementById("known");
  for (const input of form.querySelectorAll("[data-person]")) personField(input, known);
}
