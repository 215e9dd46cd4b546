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
const LOW = matchMedia("(max-width: 52rem), (max-height: 30rem)");
let now, acts, lies, folds;

/** Keeps the card. `shown()`: the table that the page shows; `more(sheet)`: acts of this page; without any it lies folded on a low felt, beside the cards. */
export async function open(shown = () => table(story.at), more = null) {
  if (now) return;
  now = shown;
  acts = more ?? (() => []);
  folds = !more;
  by("stage").after(card, spoken);
  await loadStyle();
  hear("position", show);
  hear("entered", show);
  await show();
}

/** Loads the style of the card. */
const loadStyle = () =>
  new Promise(done => document.head.append(h("link", {rel: "stylesheet", href: new URL("result.css", import.meta.url).href, onload: done, onerror: done})));

/** Fills the card for the position that is shown; a late response is dropped. */
async function show() {
  const frame = story.frames[story.at], over = isOver(now()), sheet = over ? await read(frame) : null;
  if (story.frames[story.at] !== frame || isOver(now()) !== over) return;
  const {hand} = now().stand ?? {}, found = sheet && describe(sheet, hand, frame.names, facts.words);
  if (card.hidden || lies !== hand) card.open = !(folds && LOW.matches); // folded, it leaves the felt to look at
  lies = hand;
  card.hidden = !found;
  spoken.textContent = found ? `${found.title}. ${found.says}` : "";
  card.classList.toggle("over", Boolean(sheet?.finished));
  if (found) card.replaceChildren(...drawCard(found, sheet.finished ? "totals" : "points"), h("div", {class: "acts"}, acts(sheet, hand), sheet.finished && links()));
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

/** `brief`: the kind of the line whose figures stand on the folded card. */
function drawCard({title, says, sides, lines}, brief) {
  const {figures: brought} = lines.findLast(({kind}) => kind === brief);
  const row = ({name, figures, kind}) => h("tr", {class: kind}, h("th", {scope: "row"}, name), figures.map(one => h("td", {class: "number"}, one)));
  const heads = h("tr", {}, h("td", {}, says), sides.map(side => h("th", {scope: "col", class: "number"}, side)));
  return [h("summary", {}, h("h2", {}, title), h("span", {class: "brief"}, sides.map((side, one) => `${side} ${brought[one]}`).join(" · "))), h("div", {class: "scrolls"}, h("table", {}, h("thead", {}, heads), h("tbody", {}, lines.map(row))))];
}

const link = (href, words) => href && h("a", {class: "button", href}, say(words));

/** Where to go when the game is over. */
const links = () => [link(path("score-sheet", {format: "html"}), "result.sheet"), link(pages.home, "result.home"), link(pages.new, "result.new")];
