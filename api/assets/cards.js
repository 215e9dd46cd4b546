// Every card of every deck, drawn from its code alone: in full and, where there is no room for that, in small.
import {back, words} from "./cards/ink.js";
import {h, svg} from "./dom.js";
import {say} from "./say.js";

const COMING = {
  alcasan: () => import("./cards/alcasan.js"),
  decktet: () => import("./cards/decktet.js"),
  french: () => import("./cards/french.js"),
  quartett: () => import("./cards/quartett.js"),
};
const DECKS = {};
const kind = deck => (Object(deck) === deck ? "quartett" : deck);
const EDGE = {x: 0.5, y: 0.5, width: 99, height: 139, rx: 6.5};

/** Loads what draws a deck; before that its cards are drawn as cards of which only the code is known. */
export async function need(deck) {
  const name = kind(deck);
  if (!(name in COMING) || name in DECKS) return;
  DECKS[name] = (await COMING[name]())[name];
  cacheOf(deck).delete(deck);
}

/**
 * A card as `<span class="card" data-code=…>`, as wide as the custom property `--card` says.
 *
 * `code`: null or "?" is face down. `deck`: "french", "decktet", "alcasan", the definition of a Quartett deck, or null where only codes
 * are known. `lit`: the id of the category of a Quartett that was announced. `label` replaces the words for readers who do not see the card;
 * with "" it is decoration.
 */
export function card(code, {deck = null, lit = null, label = null} = {}) {
  const element = drawOnce(code ?? "?", deck, lit).cloneNode(true);
  if (label !== null) labelFace(element.firstChild, label);
  return element;
}

function labelFace(face, label) {
  if (label) return face.setAttribute("aria-label", label);
  face.setAttribute("aria-hidden", "true");
  face.removeAttribute("role");
  face.removeAttribute("aria-label");
}

const named = new Map();
const defined = new WeakMap();
const cacheOf = deck => (Object(deck) === deck ? defined : named);

/** A card is drawn once and cloned after that; cards of a definition for as long as somebody holds the definition. */
function drawOnce(code, deck, lit) {
  const decks = cacheOf(deck);
  if (!decks.has(deck)) decks.set(deck, new Map());
  const cards = decks.get(deck);
  const key = JSON.stringify([code, lit]);
  if (!cards.has(key)) cards.set(key, draw(code, face(code, deck, lit)));
  return cards.get(key);
}

function face(code, deck, lit) {
  if (code === "?") return {...back(), words: say("card.hidden")};
  return DECKS[kind(deck)]?.(code, deck, lit) ?? plain(code);
}

/** A card of which nothing but the code is known. */
function plain(code) {
  return {tone: "plain", full: words(code, 50, 78, 24, {room: 86}), small: words(code, 50, 86, 46), words: code};
}

function draw(code, {tone, full, small, words: name}) {
  const face = svg(
    "svg",
    {viewBox: "0 0 100 140", class: `face ${tone}`, role: "img", "aria-label": name},
    svg("rect", {...EDGE, class: "paper"}),
    svg("g", {class: "full"}, full),
    svg("g", {class: "small"}, small),
    svg("rect", {...EDGE, class: "rim"}),
  );
  return h("span", {class: "card", "data-code": code}, face);
}
