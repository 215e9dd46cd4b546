// Pages of whole rows that turn by themselves, and by hand.
import {by} from "../dom.js";
import {say} from "../say.js";

let at = 0, pages = 1, held = false, due, screen;

/** From now on pages turn on this screen: by time, keys, buttons, or a touch of the rows. */
export function turnable(root) {
  screen = root;
  by("back").addEventListener("click", () => turn(-1));
  by("on").addEventListener("click", () => turn(1));
  by("hold").addEventListener("click", hold);
  screen.addEventListener("click", event => event.target.closest("#rows") && turn(1));
  addEventListener("keydown", event => {
    const step = {ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1}[event.key];
    if (step) turn(step);
    else if (event.key === " " && !event.target.closest("button, a")) hold();
    else return;
    event.preventDefault();
  });
  addEventListener("resize", lay);
}

/** The browser flows rows into columns and says by their places which of them are together on a page. */
export function lay() {
  const rows = by("rows");
  for (const row of rows?.children ?? []) row.hidden = false;
  const box = rows?.getBoundingClientRect();
  const step = box && box.width + parseFloat(getComputedStyle(rows).columnGap);
  for (const row of rows?.children ?? []) row.dataset.page = Math.max(0, Math.floor((row.getBoundingClientRect().left - box.left + 2) / step));
  pages = 1 + Math.max(0, ...[...(rows?.children ?? [])].map(row => Number(row.dataset.page)));
  put(Math.min(at, pages - 1));
}

function put(page) {
  at = page;
  for (const row of by("rows")?.children ?? []) row.hidden = Number(row.dataset.page) !== at;
  by("turns").hidden = pages < 2;
  by("page-number").textContent = say("wall.page", {page: at + 1, pages});
  clearTimeout(due);
  if (pages > 1 && !held) due = setTimeout(turn, Number(screen.dataset.turn) * 1000, 1);
}

const turn = step => put((at + step + pages) % pages);

function hold() {
  held = !held;
  by("hold").setAttribute("aria-pressed", held);
  put(at);
}
