// The director's desk: forms, live updates, minutes since the last event of a table, join codes and the clock.
import "./boot.js";
import {clock} from "./director/clock.js";
import {forTable, issuing} from "./director/codes.js";
import {entering} from "./director/entering.js";
import {wire} from "./director/forms.js";
import {follow, read, stay} from "./director/live.js";
import {personField} from "./director/people.js";
import {remark} from "./director/preview.js";
import {seats} from "./director/seats.js";
import {words} from "./director/words.js";
import {h} from "./dom.js";
import {moment} from "./say.js";

const desk = location.pathname, path = `/v1/tournaments/${desk.split("/")[2]}`;
const SILENT = 10; // minutes after which a table counts as silent
const begun = new WeakSet();
const once = (selector, begin) => document.querySelectorAll(selector).forEach(one => {
  if (begun.has(one)) return;
  begun.add(one);
  begin(one);
});

/** Says what was done, and what follows from it. */
function tell(text, remarks = []) {
  document.getElementById("told").replaceChildren(text, ...remarks.map(remark));
}

/** After recording: continue with the next step, unless somebody went elsewhere meanwhile; or show the current state of the same place. */
async function showNext(form, data, from) {
  if (form.dataset.then === "row") {
    stay();
    await read();
    return tell(words("recorded"), data.remarks);
  }
  if (form.dataset.then === "next" && location.href === from) await read(new URL(desk, location).href);
  else {
    stay();
    await read();
  }
  tell(words("recorded"), data.remarks);
  document.getElementById("now").querySelector("h2").setAttribute("tabindex", "-1");
  document.getElementById("now").querySelector("h2").focus();
}

function begin() {
  wire(document, showNext);
  once("form[data-entering]", form => entering(form, async (text, remarks) => {
    stay();
    await read();
    tell(text, remarks);
    document.querySelector("form[data-entering] textarea")?.focus();
  }));
  once("form[data-issue]", form => issuing(form, () => read()));
  once("[data-code]", button => button.addEventListener("click", () => forTable(button, document.getElementById("table-code"))));
  once("#wall-form", form => clock(form, path, tell));
  once("form[data-seats]", form => {
    const closed = form.closest("details:not([open])");
    if (closed) closed.addEventListener("toggle", () => seats(form), {once: true});
    else seats(form);
  });
  once("#zones", list => list.replaceChildren(...Intl.supportedValuesOf("timeZone").map(value => h("option", {value}))));
  once("[data-person]", input => personField(input));
  for (const time of document.querySelectorAll("time[datetime]:not([data-since])")) time.textContent = moment(time.dateTime);
  for (const here of document.querySelectorAll(".steps [aria-current], .steps [data-state=now]")) here.closest("ol, ul").scrollLeft = here.offsetLeft - 80;
  since();
  filter();
}

/** Shows the tables with this player or name. */
function filter() {
  const wanted = (document.getElementById("find")?.value ?? "").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const tile of document.querySelectorAll(".tiles > li")) {
    const called = `${tile.querySelector("h3 a").textContent} ${tile.querySelector(".sides").textContent}`.toLocaleLowerCase();
    tile.hidden = !wanted.every(word => called.includes(word));
  }
}

function since() {
  for (const time of document.querySelectorAll("time[data-since]")) {
    const minutes = Math.floor((Date.now() - new Date(time.dateTime)) / 60000), tile = time.closest(".tiles > li");
    tile?.toggleAttribute("data-silent", minutes >= SILENT);
    time.textContent = minutes < 1 ? words("just") : words(tile && minutes >= SILENT ? "silent" : "minutes", {minutes});
  }
}

begin();
follow(begin);
setInterval(() => {
  since();
  if (document.getElementById("now").dataset.step === "devices") read(); // no message announces devices
}, 15000);
addEventListener("popstate", () => location.reload());
/** Enter in a row of the grid records it and goes on to the next one at once. */
document.addEventListener("keydown", ({key, target}) => {
  const row = key === "Enter" && target.closest?.("form[data-then=row]");
  if (!row || !row.checkValidity()) return;
  const rows = [...document.querySelectorAll("form[data-then=row]")];
  rows[rows.indexOf(row) + 1]?.querySelector("input").focus();
});
document.addEventListener("keydown", event => {
  const field = document.getElementById("find");
  if (event.key !== "/" || !field || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  field.focus();
});
document.addEventListener("input", event => {
  if (event.target.id === "find") filter();
});
document.body.dataset.ready = "";
