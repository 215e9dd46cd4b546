// Pages of whole rows that turn automatically, and by hand.
import {by} from "../dom.js";
import {say} from "../say.js";

let at = 0, pages = 1, held = false, due, screen;

/** Turns pages on this screen from now on: by time, keys, buttons, or a touch of the rows. */
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

/** As many pages as the rows need; few rows are shown in one column, and larger. */
export function lay() {
  const rows = by("rows");
  rows?.classList.add("few");
  pages = flow(rows);
  if (pages > 1) {
    rows.classList.remove("few");
    pages = flow(rows);
  }
  put(Math.min(at, pages - 1));
}

/** The browser flows rows into columns; their positions say which of them are on a page together. */
function flow(rows) {
  for (const row of rows?.children ?? []) row.hidden = false;
  const box = rows?.getBoundingClientRect();
  const step = box && box.width + parseFloat(getComputedStyle(rows).columnGap);
  const places = [...(rows?.children ?? [])].map(row => Math.max(0, Math.floor((row.getBoundingClientRect().left - box.left + 2) / step)));
  places.forEach((place, index) => { rows.children[index].dataset.page = place; });
  return 1 + Math.max(0, ...places);
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
