// The table of the recorder: one seat stays below, the hand that is to act is open, other hands lie face down unless the eye is held. A tapped plate comes below.
import {by} from "../dom.js";
import {fit} from "../fit.js";
import {draw} from "../table.js";
import {facts, hear, names, shout, story} from "../replay/story.js";
import {litBy} from "../zones.js";
import {tableNow, pending} from "./entered.js";

const stage = by("stage"), eye = by("eye");
const LEAST = 0.55;
const BELOW = `below ${facts.id}`;
let due = 0, scale = 1, bottom = Number(localStorage.getItem(BELOW) ?? /\d+/.exec(facts.view) ?? 0), acting = 0, held = false, chosen = null;

/** Keeps the table as it is with all that was entered. */
export function open() {
  hear("told", paint);
  hear("entered", paint);
  new ResizeObserver(paint).observe(stage);
  addEventListener("resize", () => {
    scale = 1;
    stage.style.removeProperty("--fit");
    paint();
  });
  const hold = on => () => {
    held = on;
    eye.setAttribute("aria-pressed", on);
    paint();
  };
  for (const name of ["pointerdown", "keydown"]) eye.addEventListener(name, event => (event.key ?? " ") === " " && hold(true)());
  for (const name of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) eye.addEventListener(name, hold(false));
  eye.addEventListener("contextmenu", event => event.preventDefault());
  stage.addEventListener("click", ({target}) => target.closest(".sitter") && lay(target.closest("[data-seat]")?.dataset.seat));
  paint();
}

/** Lays this seat below, from now on and on this device; without one the next. */
export function lay(seat = (bottom + 1) % facts.seats) {
  bottom = Number(seat);
  localStorage.setItem(BELOW, bottom);
  paint();
}

/** The seat whose hand is open, where several may act. */
export function turnTo(seat) {
  chosen = seat;
  paint();
}

/** Once per animation frame. */
function paint() {
  due ||= requestAnimationFrame(() => {
    due = 0;
    const now = tableNow(), last = pending().at(-1) ?? story.frames.at(-1);
    acting = now.to_act.includes(chosen) ? chosen : (now.to_act[0] ?? acting);
    const options = {layout: facts.layout, deck: facts.deck, parties: facts.parties, bottom, names: names(), sees: sight(now), lit: litBy(last?.effects ?? [])};
    const felt = draw(now, options, stage.firstChild ?? undefined);
    if (!stage.firstChild) stage.append(felt);
    scale = fit(stage, scale, LEAST);
    shout("painted");
  });
}

/** While a hand is played the recorder shows the hand that is to act, and no other. */
const sight = now => (now.sees !== "all" || held ? now.sees : now.to_act.length ? `seat:${acting}` : now.sees);
