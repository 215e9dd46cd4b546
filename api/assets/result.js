// The result card: at the end of a hand or of a game it lies on the felt, with what each row of the score sheet brought.
import "./result/words.js";
import {ask, Offline} from "./api.js";
import {by, h} from "./dom.js";
import {facts, hear, path, story, table} from "./replay/story.js";
import {say} from "./say.js";
import {describe} from "./result/count.js";
import {isOver} from "./zones.js";

const pages = JSON.parse(by("game").dataset.next);
const card = h("details", {class: "result", "aria-label": say("result.label"), hidden: true}), spoken = h("p", {class: "unseen", role: "status"});
let now, acts, lies;

/** Keeps the card. `shown()`: the table that the page shows; `more(sheet)`: acts of this page. */
export async function open(shown = () => table(story.at), more = () => []) {
  if (now) return;
  now = shown;
  acts = more;
  by("stage").after(card, spoken);
  await styled();
  hear("position", show);
  hear("entered", show);
  await show();
}

/** Loads the style of the card. */
const styled = () =>
  new Promise(done => document.head.append(h("link", {rel: "stylesheet", href: new URL("result.css", import.meta.url).href, onload: done, onerror: done})));

/** Fills the card for the position that is shown; a late response is dropped. */
async function show() {
  const frame = story.frames[story.at], over = isOver(now()), sheet = over ? await read(frame) : null;
  if (story.frames[story.at] !== frame || isOver(now()) !== over) return;
  const {hand} = now().stand ?? {}, found = sheet && describe(sheet, hand, frame.names, facts.words);
  card.open ||= card.hidden || lies !== hand; // folded, it leaves the felt to look at
  lies = hand;
  card.hidden = !found;
  spoken.textContent = found ? `${found.title}. ${found.says}` : "";
  card.classList.toggle("over", Boolean(sheet?.finished));
  if (found) card.replaceChildren(...drawn(found), h("div", {class: "acts"}, acts(sheet, hand), sheet.finished && links()));
}

async function read({position}) {
  try {
    const {ok, data} = await ask(path("score-sheet", {position}));
    return ok ? data : null;
  } catch (fault) {
    if (!(fault instanceof Offline)) throw fault;
    return null; // the next event shows it
  }
}

function drawn({title, says, sides, lines}) {
  const row = ({name, figures, kind}) => h("tr", {class: kind}, h("th", {scope: "row"}, name), figures.map(one => h("td", {class: "number"}, one)));
  const heads = h("tr", {}, h("td", {}, says), sides.map(side => h("th", {scope: "col", class: "number"}, side)));
  return [h("summary", {}, h("h2", {}, title)), h("div", {class: "scrolls"}, h("table", {}, h("thead", {}, heads), h("tbody", {}, lines.map(row))))];
}

const link = (href, words) => href && h("a", {class: "button", href}, say(words));

/** Where to go when the game is over. */
const links = () => [link(path("score-sheet", {format: "html"}), "result.sheet"), link(pages.home, "result.home"), link(pages.new, "result.new")];
