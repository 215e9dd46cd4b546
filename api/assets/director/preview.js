// Previews from a dry run: the result, and the moves in the standings.
import {h} from "../dom.js";
import {figure} from "../say.js";
import {isChanged} from "./body.js";
import {send} from "./sending.js";
import {words} from "./words.js";

const names = () => document.getElementById("names").content;
/** The name of an entrant. */
export const nameEntrant = entrant => names().querySelector(`[data-entrant="${entrant}"]`)?.textContent ?? String(entrant);

/** Elements that show it. */
export async function preview(form, body, tried) {
  const says = tried.events.flatMap(event => TOLD[event.name.split("/")[0]]?.(event.body, form) ?? []);
  const remarks = (tried.remarks ?? []).map(remark);
  const sides = tried.table ? [bothSides(tried.table)] : [];
  return [...remarks, ...sides, ...says, ...(await standings(form, body))];
}

/** A remark, with the names of the entrants whose numbers it tells. */
export const remark = ({sentence, entrants = []}) => h("p", {class: "warning"}, sentence,
  entrants.length ? h("small", {}, ` (${entrants.map(one => `${one} ${nameEntrant(one)}`).join(", ")})`) : null);

const line = (key, values) => [h("p", {}, words(`would.${key}`, values))];

const TOLD = {
  "round.paired": pairing,
  "round.changed": change,
  "round.closed": () => line("close"),
  "tournament.ended": () => line("end"),
  "round.unpaired": body => line("unpaired", body),
  "tournament.published": body => line(`publish.${body.publication}`),
  "entry.withdrawn": body => line("left", {name: nameEntrant(body.entrant), round: body.from_round}),
  "entry.returned": body => line("back", {name: nameEntrant(body.entrant), round: body.from_round}),
  "entry.advanced": body => line("back", {name: nameEntrant(body.entrant), round: body.from_round}),
  "entry.changed": (body, form) => line(body.back_from ? "once" : "stands", {...people(form), round: body.from_round, back: body.back_from}),
  "entry.rectified": (body, form) => line("played", {...people(form), round: body.from_round}),
  "player.merged": (body, form) => line("merged", form.dataset),
  "player.separated": (body, form) => line("separated", form.dataset),
  "players.rectified": (body, form) => line("sat", {...people(form), hand: body.from_hand}),
  "table.forfeited": () => (document.getElementById("names").dataset.forfeit === "bye" ? line("forfeited") : []),
  "tournament.corrected": listCorrections,
  "table.adjourned": body => line("adjourned", body),
  "result.withdrawn": body => line("withdrawn", body),
};

/** The fields that were changed, before and after, and the rounds that stay as they are. */
function listCorrections(body, form) {
  const fields = [...form.elements].filter(one => one.name && isChanged(one)), {dataset: {round}} = document.getElementById("names");
  const label = one => one.getAttribute("aria-label") ?? [...one.closest("label").childNodes].map(node => (node.nodeType === Node.TEXT_NODE ? node.data.trim() : "")).join("");
  return [h("ul", {}, fields.map(one => h("li", {}, `${label(one)}: ${readValue(one, true)} → ${readValue(one)}`))), ...line(Number(round) ? "stay" : "undrawn", {round})];
}

/** The value of a field as it is read, now or as the page came. */
function readValue(field, before = false) {
  if (field.type === "checkbox") return (before ? field.defaultChecked : field.checked) ? "✓" : "–";
  if (field.type !== "select-one") return (before ? field.defaultValue : field.value).trim() || "–";
  const chosen = before ? [...field.options].find(one => one.defaultSelected) ?? field.options[0] : field.selectedOptions[0];
  return chosen.text.trim();
}

/** Who is named in the fields of a form, and who was. */
function people(form) {
  const fields = [...form.querySelectorAll("[data-person]")], list = told => fields.map(told).filter(Boolean).join(" & ");
  return {names: list(field => field.value.trim()), before: list(field => field.defaultValue)};
}

/** Who plays with whom against whom: the names of each party, as it sits at the table. */
function sides(seats) {
  const parties = JSON.parse(document.getElementById("names").dataset.parties).filter(party => Math.max(...party) < seats.length);
  return parties.map(party => h("span", {class: "side"}, [...new Set(party.map(seat => seats[seat]))].map(nameEntrant).join(" & ")));
}

/** The tables with their parties, and the byes. */
function pairing({tables, byes}) {
  const list = h("ol", {class: "pairing"}, tables.map(one => h("li", {}, h("strong", {}, words("would.table", {table: one.table})), sides(one.seats))));
  return byes.length ? [list, h("p", {}, words("would.free", {names: byes.map(nameEntrant).join(", ")}))] : [list];
}

/** The tables as they would be, and who would have none. */
function change({tables, dissolved, byes, absent}) {
  const without = (key, list) => (list.length ? line(key, {names: list.map(nameEntrant).join(", ")}) : []);
  return [...pairing({tables, byes}), ...dissolved.flatMap(table => line("dissolved", {table})), ...without("absent", absent)];
}

/** Both sides by name with the points that they would have. */
function bothSides({sides, points}) {
  return h("dl", {class: "both"}, sides.map(side => h("div", {}, h("dt", {}, side.shown.join(" & ")),
    h("dd", {}, side.points === null ? "–" : figure(side.points), side.waits && !points ? h("small", {}, ` (${words("would.waits")})`) : null))));
}

async function standings({dataset: {to}}, body) {
  const found = /^(.*)\/rounds\/(\d+)\/tables\/([^/]+)\/(result|forfeit)$/.exec(to);
  if (!found) return [];
  const [, path, round, table] = found;
  const {points, absent} = body, said = {round: Number(round), table: decodeURIComponent(table), ...(points ? {points} : {}), ...(absent ? {absent} : {})};
  const {ok, data} = await send(`${path}/standings/trial`, {body: {said}});
  if (!ok) return [h("p", {class: "warning"}, data?.detail ?? words("unread"))];
  if (!data.moved.length) return [h("p", {class: "quiet"}, words("would.nobody"))];
  const describeMove = one => h("li", {}, words("would.places", {name: one.shown.join(" & "), before: one.before?.place ?? "–", after: one.after?.place ?? "–",
    from: one.before ? figure(one.before.score) : "–", to: one.after ? figure(one.after.score) : "–"}));
  return [h("details", {class: "moves", open: data.moved.length <= 8}, h("summary", {}, `${words("would.moves")}: ${data.moved.length}`), h("ul", {}, data.moved.map(describeMove)))];
}
