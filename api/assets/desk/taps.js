// The table as it stands, to say on it which cards go where: by taps, or by a drag. The lists below it do the same by keyboard.
import {h} from "../dom.js";
import {say} from "../say.js";
import {draw} from "../table.js";
import {HIDDEN} from "../zones.js";

/** The table. `move(from, cards, to)` is called for cards of one zone that go to another, and returns what it did in words. */
export function drawTappable({now, game}, move) {
  const table = now(), felt = draw(table, {...game, sees: table.sees, bottom: 0});
  const note = h("p", {class: "quiet", role: "status"}, say("desk.tap"));
  const placeOf = node => zoneOf(node) ?? [`hand:${node?.closest("[data-seat]")?.dataset.seat}`].find(hand => table.zones[hand]); // an empty hand is not drawn
  let picked = [], dragged = null;
  const toggle = card => {
    if (picked.length && zoneOf(picked[0]) !== zoneOf(card)) clear();
    picked = card.classList.toggle("picked") ? [...picked, card] : picked.filter(one => one !== card);
  };
  const clear = () => {
    for (const one of picked) one.classList.remove("picked");
    picked = [];
  };
  const go = to => {
    const from = zoneOf(picked[0]);
    note.textContent = move(from, codesOf(picked, table.zones[from]), to);
    clear();
  };
  felt.addEventListener("click", ({target}) => {
    const place = placeOf(target), card = target.closest(".zone .card");
    if (picked.length && place && place !== zoneOf(picked[0])) go(place);
    else if (card) toggle(card);
  });
  felt.addEventListener("pointerdown", ({target}) => { dragged = target.closest(".zone .card"); });
  felt.addEventListener("pointerup", ({clientX, clientY}) => {
    const card = dragged, to = placeOf(document.elementFromPoint(clientX, clientY)); // a finger keeps the card as its target
    dragged = null;
    if (!card || !to || to === zoneOf(card)) return;
    if (!picked.includes(card)) toggle(card);
    go(to);
  });
  return h("div", {class: "to-tap"}, note, h("div", {"aria-hidden": "true"}, felt));
}

const zoneOf = node => node?.closest(".to-tap [data-zone]")?.dataset.zone;

/** The codes of picked cards. What lies face down goes from the top. */
function codesOf(picked, {sight, cards}) {
  return sight === "none" ? cards.slice(-picked.length) : picked.map(({dataset: {code}}) => code || HIDDEN);
}
