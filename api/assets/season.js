// The form for results of earlier seasons: a file is tried or imported, and each wrong line says what to do.
import "./boot.js";
import {clear, refuse, send} from "./director/sending.js";
import {words} from "./director/words.js";
import {h} from "./dom.js";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const form = document.querySelector("form.order"), place = form.querySelector(".result"), buttons = form.querySelectorAll("button");

form.addEventListener("submit", async event => {
  event.preventDefault();
  clear(form, place);
  const [file] = form.elements.list.files, query = new URLSearchParams({dry_run: event.submitter?.value !== "import"});
  for (const name of ["tournament", "date", "ruleset"]) if (form.elements[name].value.trim()) query.set(name, form.elements[name].value.trim());
  for (const one of buttons) one.disabled = true;
  const answer = await send(`/v1/past-results?${query}`, {body: file, headers: {"Content-Type": /\.xlsx$/i.test(file.name) ? XLSX : "text/csv"}});
  for (const one of buttons) one.disabled = false;
  if (!answer.ok) return refuse(form, place, answer);
  place.replaceChildren(...report(answer.data));
});

function report({dry_run, recorded, refused, registered, tournaments, lines, remarks = []}) {
  const wrong = lines.filter(line => line.error).map(line => h("li", {}, words("season.line", {line: line.line, says: line.error.message})));
  const found = tournaments.map(one => h("li", {}, h("a", recorded || one.already ? {href: `/t/${encodeURIComponent(one.tournament)}`} : {}, one.title),
    ` · ${words("season.size", one)}${one.already ? ` · ${words("season.already")}` : ""}`));
  return [
    h("p", {class: refused ? "warning" : "note", role: "alert"}, words(`season.${refused ? "refused" : recorded ? "recorded" : dry_run ? "tried" : "known"}`, {refused, registered})),
    ...[wrong, found].filter(list => list.length).map(list => h("ul", {}, list)),
    ...remarks.map(one => h("p", {class: "quiet"}, one.sentence)),
  ];
}
