// Gestures on the felt: a swipe to the side, or a tap on an edge, is a step back or on. Scrolling up and down and zooming stay with the browser.
import {by} from "../dom.js";

const FAR = 40, NEAR = 10, EDGE = 0.15; // pixels of a swipe at least, of a tap at most; the share of the width that is an edge
const stage = by("stage"), game = by("game"), touching = new Map();

/** From now on the felt hears fingers and pens, and so does the result that lies on it. */
export function open() {
  game.addEventListener("pointerdown", begin);
  game.addEventListener("pointercancel", ({pointerId}) => touching.delete(pointerId));
  game.addEventListener("pointerup", endTouch);
  // On a page that was zoomed a finger moves what is seen.
  visualViewport.addEventListener("resize", () => game.classList.toggle("zoomed", isZoomed()));
}

function begin({pointerType, pointerId, clientX, clientY, target}) {
  if (pointerType !== "mouse" && target.closest("#stage, .result")) touching.set(pointerId, {clientX, clientY, alone: !touching.size});
}

const isZoomed = () => visualViewport.scale > 1.01;

function endTouch({pointerId, clientX, clientY, target}) {
  const from = touching.get(pointerId);
  touching.delete(pointerId);
  if (!from?.alone || touching.size || isZoomed()) return;
  const across = clientX - from.clientX, most = Math.max(Math.abs(across), Math.abs(clientY - from.clientY));
  const swiped = Math.abs(across) >= FAR && Math.abs(across) > 2 * Math.abs(clientY - from.clientY);
  const button = swiped ? (across < 0 ? "on" : "back") : most <= NEAR && stage.contains(target) && !isAsking(target) && edge(clientX);
  if (button) by(button).click();
}

/** The button of the edge at this place; undefined between the edges. */
function edge(at) {
  const {left, width} = stage.getBoundingClientRect(), share = (at - left) / width;
  return share < EDGE ? "back" : share > 1 - EDGE ? "on" : undefined;
}

/** A card that is touched for a question to the rules is no edge. */
const isAsking = target => target.closest(".card") && by("ask")?.hidden === false;
