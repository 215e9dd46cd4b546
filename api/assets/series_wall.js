// The wall of a series: its table in pages that turn, read again every minute.
import "./boot.js";
import {fresh, parts} from "./live.js";
import {lay, turnable} from "./wall/turning.js";

const AGAIN = 60000; // milliseconds

async function readAgain() {
  for (const [shown, part] of parts((await fresh())?.page)) shown.replaceChildren(...part.childNodes);
  lay();
}

turnable(document.querySelector(".screen"));
lay();
setInterval(readAgain, AGAIN);
document.body.dataset.ready = "";
