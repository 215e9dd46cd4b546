// Cards that move: in a step each card goes from where it lay to where it lies, and what is taken flies to its pile. All places are measured,
// the table is drawn, all places are measured again: so a step lays the page out no more than twice, however many cards move.
import {by, h} from "../dom.js";
import {onPaint} from "./stage.js";
import {story} from "./story.js";

const TIME = {duration: 180, easing: "ease-out"}, SMALL = 0.35;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const stage = by("stage"), air = h("div", {class: "air", "aria-hidden": "true"});

/** From now on steps are seen; jumps are not. */
export function open() {
  document.body.append(air);
  onPaint((from, to) => (STILL.matches || Math.abs(to - from) !== 1 ? undefined : lift(paths(from, to))));
}

/** The ways of the cards in a step: {code, source, target}; a card that moved twice goes straight. A deal is no step of single cards. */
function paths(from, to) {
  const {effects} = story.frames[Math.max(from, to)], found = [];
  if (effects.some(([word]) => word === "hand")) return found;
  for (const [word, cards, source, target] of effects) {
    if (word !== "moved") continue;
    for (const code of cards) {
      const begun = found.find(one => one.code === code && one.target === source);
      if (begun) begun.target = target;
      else found.push({code, source, target});
    }
  }
  return to > from ? found : found.map(({code, source, target}) => ({code, source: target, target: source}));
}

/** Measures where the cards lie. What it returns lets them move, once the table is drawn. */
function lift(ways) {
  air.replaceChildren();
  const gone = new Set(), come = new Set();
  const lying = ways.map(way => ({...way, ...found(way.source, way.code, gone)})).filter(({box}) => box);
  return scale => {
    const steps = lying.map(way => ({...way, to: found(way.target, way.code, come)})).filter(({to}) => to.box);
    for (const {card, box, to} of steps) {
      if (to.card) move(to.card, box, to.box, scale);
      else if (card) fly(card, box, to.box);
    }
  };
}

/** The card of a zone, and its place; where the zone shows no such card, the place of its pile. */
function found(name, code, used) {
  const zone = stage.querySelector(`[data-zone="${CSS.escape(name)}"]`), cards = zone ? [...zone.querySelectorAll(".cards > .card")].filter(card => !used.has(card)) : [];
  const card = cards.find(({dataset}) => dataset.code === code) ?? (zone?.classList.contains("pile") ? undefined : cards.findLast(({dataset}) => dataset.code === "?"));
  used.add(card);
  return {card, box: (card ?? cards.at(-1) ?? zone)?.getBoundingClientRect()};
}

function move(card, from, to, scale) {
  const start = `translate(${(from.left - to.left) / scale}px, ${(from.top - to.top) / scale}px) scale(${Math.min(from.width / to.width, 2)})`;
  card.animate([{transform: start, transformOrigin: "0 0", zIndex: 5}, {transform: "none", transformOrigin: "0 0", zIndex: 5}], TIME);
}

/** A card that lies nowhere any more is shown in the air until it is there. */
function fly(card, from, to) {
  const ghost = card.cloneNode(true), middle = ({left, width}) => left + width / 2, height = box => box.top + box.height / 2;
  for (const [name, value] of [["left", from.left], ["top", from.top], ["--card", from.width]]) ghost.style.setProperty(name, `${value}px`);
  air.append(ghost);
  const end = `translate(${middle(to) - middle(from)}px, ${height(to) - height(from)}px) scale(${SMALL})`;
  ghost.animate([{transform: "none"}, {transform: end, opacity: 0.6}], TIME).finished.then(() => ghost.remove(), () => {});
}
