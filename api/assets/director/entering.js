// Entering by name: one or a pasted list. Each line shows who is meant before anything is recorded.
import {h} from "../dom.js";
import {readList, textOf} from "./lists.js";
import {look, registerPlayer} from "./people.js";
import {act, clear, refuse} from "./sending.js";
import {words} from "./words.js";

const SOON = 300; // milliseconds

/** The form into which names are typed or pasted. `done(text, remarks)`: they are entered. */
export function entering(form, done) {
  const area = form.elements.names, shows = form.querySelector(".preview"), place = form.querySelector(".result"), button = form.querySelector("button");
  const size = Number(form.dataset.each), german = JSON.parse(form.dataset.german), file = form.elements.list;
  let lines = [], turn = 0, due;
  const ready = () => { button.disabled = !lines.length || lines.some(line => line.wrong || line.people.some(one => !one.id && one.found.length > 1)); };
  const readLines = async () => {
    const now = ++turn, {lines: read, ignored} = readList(area.value, size, german);
    for (const line of read) {
      if (line.several) line.wrong = words("enter.columns");
      else if (line.names.length !== size) line.wrong = words("enter.size", {wanted: size, given: line.names.length});
      line.people = await Promise.all(line.names.map(look));
    }
    if (now !== turn) return;
    lines = twice(read);
    shows.replaceChildren(ignored.length ? h("p", {class: "quiet"}, words("enter.ignored", {columns: ignored.join(", ")})) : "",
      lines.length ? h("ol", {class: "lines"}, lines.map(line => drawLine(line, ready))) : "", leaveOut(lines, area));
    button.textContent = words("enter.button", {count: lines.length});
    ready();
  };
  area.addEventListener("input", () => {
    turn++; // a list that is being looked up is outdated
    form.dataset.dirty = "";
    button.disabled = true;
    clear(form, place);
    clearTimeout(due);
    due = setTimeout(readLines, SOON);
  });
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    area.value = textOf(new Uint8Array(await file.files[0].arrayBuffer()));
    area.dispatchEvent(new Event("input"));
    file.value = "";
  });
  button.disabled = true;
  if (area.value) readLines(); // text that was typed before this ran
  form.addEventListener("submit", async event => {
    event.preventDefault();
    button.disabled = true;
    const answer = await enter(form, lines);
    button.disabled = false;
    if (!answer.ok) return refuse(form, place, answer);
    delete form.dataset.dirty;
    done(words("enter.entered", {count: lines.length}), answer.data.remarks);
  });
}

/** A button that takes the lines that cannot be entered out of the list. */
function leaveOut(lines, area) {
  const wrong = new Set(lines.filter(line => line.wrong).map(line => line.line));
  const leave = () => {
    area.value = area.value.split(/\r?\n/).filter((_, place) => !wrong.has(place + 1)).join("\n");
    area.dispatchEvent(new Event("input", {bubbles: true}));
    area.focus();
  };
  return wrong.size ? h("p", {class: "acts"}, h("button", {type: "button", onclick: leave}, words("enter.leave_out", {count: wrong.size}))) : "";
}

const isEntered = ({id}) => document.getElementById("names").content.querySelector(`[data-player="${CSS.escape(id)}"]`);

function twice(lines) {
  const seen = new Set();
  for (const line of lines) for (const one of line.people) {
    const key = one.found.length === 1 ? one.found[0].id : one.name.toLocaleLowerCase();
    if (one.found.length === 1 && isEntered(one.found[0])) line.wrong ??= words("person.entered", {name: one.name});
    if (seen.has(key)) line.wrong ??= words("person.twice", {name: one.name});
    seen.add(key);
  }
  return lines;
}

function drawLine(line, ready) {
  return h("li", {value: line.line, class: line.wrong ? "bad" : null}, line.people.map((one, place) => [place ? " & " : "", one.name, " ", who(one, line.club, ready)]),
    line.rating === null ? null : ` ${line.rating}`, line.wrong ? h("strong", {class: "refusal"}, ` ${line.wrong}`) : null);
}

function who(one, club, ready) {
  if (one.found.length < 2) return h("small", {}, `(${one.found.length ? words("enter.known") : [words("enter.new"), club].filter(Boolean).join(", ")})`);
  const choosePerson = event => {
    one.id = event.target.value;
    ready();
  };
  const about = found => [found.shown, found.alias, found.club, found.registered_at.slice(0, 10)].filter(Boolean).join(", ");
  return [h("select", {"aria-label": words("person.several"), onchange: choosePerson}, h("option", {value: ""}, words("person.choose")), one.found.map(found => h("option", {value: found.id}, about(found)))), ...twins(one.found)];
}

/** The way to merge two of the same name, for directors of the house. */
function twins([one, other]) {
  if (!document.querySelector("form[data-merges]")) return [];
  return [" ", h("a", {href: `/players?player=${encodeURIComponent(one.id)}&into=${encodeURIComponent(other.id)}`, target: "_blank"}, words("enter.same"))];
}

/** Registers new players, then enters all or none. */
async function enter(form, lines) {
  for (const {one, club} of lines.flatMap(line => line.people.map(one => ({one, club: line.club})))) {
    one.id ||= one.found[0]?.id;
    if (one.id) continue;
    const answer = await registerPlayer(one.name, club);
    if (!answer.ok) return answer;
    one.id = answer.data.player;
  }
  const body = {entries: lines.map(line => ({players: line.people.map(one => one.id), ...(line.rating === null ? {} : {rating: line.rating})}))};
  return act(form, form.dataset.entering, {body});
}
