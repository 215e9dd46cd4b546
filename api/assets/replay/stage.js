// The table, the sentence of the event, and the slider with its marks.
import {by, h} from "../dom.js";
import {fit} from "../fit.js";
import {say} from "../say.js";
import {draw} from "../table.js";
import {litBy} from "../zones.js";
import {facts, hear, show, story, table} from "./story.js";
import {lines} from "./words.js";

const stage = by("stage"), slider = by("slider"), marks = by("marks"), caption = by("caption");
const LEAST = 0.4;
let due = 0, scale = 1, place, hand, painted, lift = () => undefined;

/** `how(from, to)` is called before the frame `to` is drawn where `from` was, and what it returns after that, with the scale of the felt. */
export const onPaint = how => (lift = how);

/** From now on the page shows the story. */
export function open() {
  for (const part of [stage, by("player"), by("tools")]) if (part) part.hidden = false;
  slider.addEventListener("input", () => show(slider.valueAsNumber));
  // The place for the table also changes when the graph below it comes, not only with the window.
  new ResizeObserver(() => {
    if (!stage.firstChild || place === size()) return;
    unfit();
    due ||= requestAnimationFrame(paint);
  }).observe(stage);
  caption.addEventListener("click", () => caption.classList.toggle("whole"));
  hear("told", () => {
    slider.max = String(story.frames.length - 1);
    mark();
  });
  hear("position", ({position, last}) => {
    slider.value = String(story.at);
    by("count").textContent = `${position} / ${last}`;
    if (stage.firstChild) due ||= requestAnimationFrame(paint);
    else paint(); // at once, so that nobody sees an empty stage and a layout that moves a moment later
    history.replaceState(null, "", `#p${position}`);
    by("news").hidden = story.known >= story.frames.length;
    by("news").textContent = say("replay.news", {count: story.frames.length - story.known});
  });
}

/** Once per animation frame, however often somebody steps. */
function paint() {
  due = 0;
  const frame = story.frames[story.at], shown = table(story.at), land = lift(painted, story.at);
  if (frame.hand !== hand) unfit();
  hand = frame.hand;
  put(shown, frame, litBy(frame.effects));
  land?.(scale);
  painted = story.at;
  caption.replaceChildren(h("span", {}, frame.void ? h("s", {}, lines(frame)[0]) : lines(frame)[0]));
  caption.title = caption.textContent;
  caption.className = "";
  slider.setAttribute("aria-valuetext", caption.textContent);
  if (shown.stand) by("totals").textContent = shown.stand.totals.join(" : ");
}

/** Draws a table on the stage, as after a frame. */
export function put(shown, frame, lit = {}) {
  const drawn = felt(shown, frame, lit, stage.firstChild ?? undefined);
  if (!stage.firstChild) stage.append(drawn);
  scale = fit(stage, scale, LEAST); // until the next hand: so it does not jump from step to step
  place = size();
}

const size = () => `${stage.clientWidth} ${stage.clientHeight}`;

function unfit() {
  scale = 1;
  stage.style.removeProperty("--fit");
}

/** A table as after a frame; with one that was drawn before, only the changes are drawn again. */
export function felt(shown, {names}, lit = {}, before = undefined) {
  const bottom = Number(/\d+/.exec(facts.view) ?? 0);
  return draw(shown, {layout: facts.layout, deck: facts.deck, parties: facts.parties, bottom, names, sees: shown.sees, lit}, before);
}

const SIGNS = [
  [/^hand\.(dealt|reported)/, "hand"],
  [/^(game\.rewound|order\.lifted)/, "back", "↶"],
  [/^dispute\.(raised|appealed)/, "dispute", "⚑"],
  [/^(dispute\.ruled|points\.adjusted|table\.rectified|move\.stood|game\.annulled)/, "ruling", "§"],
];

/** Marks above the slider: hands, rewinds, disputes, rulings, and divergences of the audit. */
export function mark() {
  const last = Math.max(story.frames.length - 1, 1);
  const hands = story.frames.filter(({name}) => name.startsWith("hand.")).length;
  const signs = story.frames.flatMap(({name, hand, found}, index) => {
    const [, kind, sign] = found ? [null, "found", "✗"] : (SIGNS.find(([pattern]) => pattern.test(name)) ?? []);
    return kind ? [{kind, sign: sign ?? (hands > 20 ? "" : hand), at: index / last}] : [];
  });
  marks.replaceChildren(...signs.map(({kind, sign, at}) => placeAt(h("i", {class: kind}, sign), at)));
}

function placeAt(node, at) {
  node.style.setProperty("--at", at);
  return node;
}
