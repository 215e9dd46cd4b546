// What-if questions: judge a move that was not made by the rules at the position that is shown, and try what follows.
import {h} from "../dom.js";
import {say} from "../say.js";
import {fold, mask} from "../zones.js";
import {put} from "./stage.js";
import {facts, load, path, story, table, withNames} from "./story.js";
import {lines} from "./words.js";

const FOLLOWING = 5, MOST = 60;
let line, answer, at, asked = 0;

/** Fills `room` for the position that is shown; a line that is being typed there stays. */
export function open(room) {
  if (at === here()) return;
  at = here();
  line = h("input", {type: "text", name: "line", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": say("replay.line")});
  answer = h("div", {class: "answer", "aria-live": "polite"});
  const form = h("form", {onsubmit: event => (event.preventDefault(), judge())}, line, h("button", {class: "main"}, say("replay.try")));
  room.replaceChildren(h("p", {class: "quiet"}, say("replay.ask")), form, answer);
  return list();
}

/** A card that was touched goes into the line. */
export function touch(code) {
  line.value = `${line.value} ${/^[a-z]+$/.test(code) ? code[0] : code.replaceAll("-", "").toLowerCase()}`.trim();
  return judge();
}

const here = () => story.frames[story.at].position;

/** All that was legal there, to choose from. */
async function list() {
  const found = await legal({});
  if (found) answer.replaceChildren(found.seat === null ? h("p", {}, say("replay.nobody")) : choices(found));
}

/** Judges the line: shows moves to choose from, or the reason why it is refused. */
async function judge() {
  if (!line.value.trim()) return list();
  const found = await legal({text: line.value});
  if (!found) return;
  const {says, rules = []} = found.reading;
  answer.replaceChildren(says ? h("p", {class: "why"}, withNames(says), " ", rules.map(rule => [h("a", {href: `/rules/${facts.ruleset}#${rule}`}, rule), " "])) : "", choices(found));
}

const legal = query => ask(path("legal-moves", {position: at, written: true, limit: MOST, ...query}));

/** What the service says; null after a refusal, which is shown, and where another question or position came meanwhile. */
async function ask(address, options) {
  const turn = ++asked, found = await load(address, options).catch(fault => fault);
  if (turn !== asked || at !== here()) return null;
  if (!(found instanceof Error)) return found;
  answer.replaceChildren(h("p", {}, found.message));
  return null;
}

const choices = ({seat, moves, written = []}) =>
  h("ul", {class: "choices"}, moves.map((move, index) => h("li", {}, h("button", {onclick: () => follow(seat, move, written[index])}, written[index] ?? move.type))));

/** Tries the move, and after it the recorded moves, as far as the rules allow them. */
async function follow(seat, move, written) {
  const from = story.at, after = story.frames.slice(from + 1).filter(frame => !frame.void && frame.hand === story.frames[from].hand && frame.body?.move);
  const played = after.slice(1, 1 + FOLLOWING).map(frame => ({frame, seat: frame.body.seat, move: frame.body.move}));
  const moves = [{seat, move}, ...played.map(({seat: who, move: what}) => ({seat: who, move: what}))];
  const found = await ask(path("branches"), {body: {position: at, moves, ...(facts.chosen && {view: facts.chosen})}});
  if (!found) return;
  let now = table(from);
  const steps = found.moves.map((tried, index) => {
    if (tried.effects) now = mask(fold(now, tried.effects), now.sees);
    return step(tried, index ? lines(played[index - 1].frame)[0] : written, now);
  });
  answer.replaceChildren(h("h2", {}, say("replay.instead", {position: at})), h("ol", {class: "line"}, steps), h("button", {onclick: () => judge()}, say("replay.others")));
  steps[0].querySelector("button")?.click();
}

function step({legal: fits, sentence}, words, after) {
  if (!fits) return h("li", {class: "refused"}, h("s", {}, words), " ", h("small", {}, withNames(sentence) ?? ""));
  return h("li", {}, h("button", {onclick: () => put(after, story.frames[story.at])}, words));
}
