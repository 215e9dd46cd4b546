// Join codes for others: on the screen for a tablet, or as cards to print, each with its QR code.
import {h} from "../dom.js";
import {clear, refuse, send} from "./sending.js";
import {words} from "./words.js";

/** The form that makes codes. `done()`: there are new ones. */
export function issuing(form, done) {
  offer(form);
  form.elements.for.addEventListener("change", () => offer(form));
  const place = form.querySelector(".result"), cards = document.getElementById("issued"), button = form.querySelector("button.main");
  form.addEventListener("input", () => {
    form.dataset.dirty = "";
  });
  form.addEventListener("submit", async event => {
    event.preventDefault();
    clear(form, place);
    button.disabled = true;
    const made = [];
    const address = form.elements.address?.value;
    for (const wanted of codesOf(form)) {
      const answer = await send(form.dataset.issue, {body: {...wanted, address}});
      if (!answer.ok) {
        refuse(form, place, answer);
        break;
      }
      made.push(card(answer.data));
    }
    button.disabled = false;
    if (!made.length) return;
    cards.replaceChildren(h("p", {class: "acts"}, h("button", {type: "button", onclick: () => print()}, words("code.print"))), h("div", {class: "cards-to-print", "data-kept": true}, made));
    done();
  });
}

/** A code for the recorder of one table, as on a screen. */
export async function forTable({dataset: {code: table, tournament}}, place) {
  const body = {role: "recorder", scope: {tournament, table}, good_for: "tournament", label: words("code.table", {table})};
  const answer = await send("/v1/codes", {body});
  place.replaceChildren(answer.ok ? h("div", {"data-kept": true}, card(answer.data)) : h("p", {class: "warning", role: "alert"}, answer.data?.detail ?? words("unread")));
}

/** The durations that the chosen code can have, the usual one first: a limit of the kind chosen before must not stay chosen. */
function offer({elements: {for: kind, good_for: good}}) {
  const allowed = kind.selectedOptions[0].dataset.goodFor.split(" ");
  for (const one of good.options) one.disabled = one.hidden = !allowed.includes(one.value);
  [good.value] = allowed;
}

function codesOf({elements, dataset}) {
  const [kind, named] = elements.for.value.split(/:(.*)/), label = elements.label.value.trim(), sees = elements.public.checked ? {sees: "public"} : {};
  const good_for = elements.good_for.value, scope = JSON.parse(dataset.scope);
  const table = name => ({role: "recorder", scope: {...scope, table: name}, good_for, ...sees, label: label ? `${label} ${name}` : words("code.table", {table: name})});
  const player = ({id, name}) => ({role: "player", player: id, scope, good_for, label: name});
  if (kind === "tables") return [...elements.for.options].filter(one => one.value.startsWith("table:")).map(one => table(one.value.slice(6)));
  if (kind === "table") return [table(named)];
  if (kind === "players") return players().map(player);
  if (kind === "player") return [player({id: named, name: elements.for.selectedOptions[0].textContent})];
  return [{role: kind, scope, good_for, ...sees, label: label || elements.for.selectedOptions[0].textContent}];
}

const players = () => [...document.getElementById("names").content.querySelectorAll("[data-player]")].map(one => ({id: one.dataset.player, name: one.textContent}));

/** A card to cut out: its purpose, the QR code, and the code to type where there is no camera. */
function card({code, address, qr, only_here: onlyHere, issued}) {
  const until = issued.until_round ? words("code.round", {round: issued.until_round}) : words(issued.lasting ? "code.tournament" : issued.many ? "code.many" : "code.screen");
  const devices = issued.devices ? ` ${words("code.devices", {devices: issued.devices})}` : "";
  return h("figure", {class: "code-card"}, h("img", {src: `data:image/svg+xml,${encodeURIComponent(qr)}`, alt: "", width: 200, height: 200}),
    h("figcaption", {}, h("strong", {}, issued.label), h("span", {}, words("code.open", {address: address.split("#")[0]})), h("code", {}, code), h("small", {}, until + devices), onlyHere && h("small", {class: "warning"}, words("code.only_here"))));
}
