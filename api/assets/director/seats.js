// Seats of a round by name: two that are pressed one after the other change places. What comes of it is the body of the form.
import {h} from "../dom.js";
import {nameEntrant} from "./preview.js";
import {send} from "./sending.js";
import {words} from "./words.js";

/**
 * Draws the tables of `form` into its `.room`, with the entrants who are free and those who are not in the round. `data-seats`: the tables of
 * the round in play, of which only changes are sent; or the entrants of the next round in their order, of which all are sent. That begins with
 * the draw, where `data-draw` names the request that tries it.
 */
export async function seats(form) {
  const given = JSON.parse(form.dataset.seats), inPlay = Boolean(given.tables);
  const state = {form, inPlay, asPlayed: given.as_played, picked: null, shape: given.shape, ...(inPlay ? current(given) : await proposeSeats(form, given))};
  state.had = new Set([...state.free, ...state.tables.flatMap(listEntrants)]);
  show(state);
  if (inPlay) return;
  fill(state);
  form.dispatchEvent(new Event("filled"));
}

const current = ({tables, byes, rest, shape}) => ({tables: tables.map(one => ({...one, parties: padParties(one.parties, shape), was: encodeParties(one)})), free: byes, rest});

/** The draw; where there is none yet, the entrants in their order. */
async function proposeSeats(form, {shape, parties, order, rest}) {
  const answer = form.dataset.draw ? await send(`${form.dataset.draw}?dry_run=true`, {body: {}}) : {};
  if (!answer.ok) return {...inOrder(shape, order), rest: []};
  const {tables, byes} = answer.data.events.at(-1).body, there = new Set([...byes, ...tables.flatMap(one => one.seats)]);
  return {tables: tables.map(one => ({table: one.table, parties: padParties(parties.filter(party => Math.max(...party) < one.seats.length).map(party => [...new Set(party.map(seat => one.seats[seat]))]), shape)})),
    free: byes, rest: rest.filter(one => !there.has(one))};
}

function inOrder(shape, order) {
  const free = [...order], size = shape.reduce((sum, one) => sum + one, 0), tables = [];
  while (free.length >= size) tables.push({table: String(tables.length + 1), parties: shape.map(one => free.splice(0, one))});
  return {tables, free};
}

const isEntrant = one => one !== undefined;
const listEntrants = table => table.parties.flat().filter(isEntrant);
/** The parties of a table that may be smaller than others, with empty ones behind them. */
const padParties = (parties, shape) => shape.map((_, place) => [...(parties[place] ?? [])]);
/** The entrants of a table's parties, as JSON, up to the last one that is there. */
function encodeParties(table) {
  const parties = table.parties.map(party => party.filter(isEntrant));
  while (parties.length && !parties.at(-1).length) parties.pop();
  return JSON.stringify(parties);
}

/** A place is a list with an index in it. Behind the last of those without a table is a place, too. */
function press(state, list, at, key) {
  const {picked, form} = state;
  form.dataset.dirty = "";
  if (!picked) state.picked = isEntrant(list[at]) ? {list, at} : null;
  else {
    state.picked = null;
    if (picked.list !== list || picked.at !== at) swap(state, picked, {list, at});
  }
  show(state);
  form.querySelector(`.room [data-key="${key}"]`)?.focus();
}

function swap(state, one, other) {
  [one.list[one.at], other.list[other.at]] = [other.list[other.at], one.list[one.at]];
  for (const bench of [state.free, state.rest]) bench.splice(0, bench.length, ...bench.filter(isEntrant));
  fill(state);
  state.form.dispatchEvent(new Event("input"));
}

function show(state) {
  const {form, tables, free, rest, picked, shape, inPlay, asPlayed} = state;
  const place = (list, at, key) => h("button", {type: "button", class: "seat", "data-key": key, onclick: () => press(state, list, at, key),
    "aria-pressed": String(Boolean(picked) && picked.list === list && picked.at === at)}, isEntrant(list[at]) ? nameEntrant(list[at]) : words("seats.empty"));
  const bench = (title, list, key) => h("li", {class: "bench"}, h("strong", {}, title), h("span", {class: "seats"}, list.map((_, at) => place(list, at, key + at)),
    h("button", {type: "button", class: "seat", disabled: !picked, onclick: () => press(state, list, list.length, key)}, words("seats.here"))));
  const chairs = (one, number) => one.parties.map((list, party) =>
    h("span", {class: "party"}, Array.from({length: shape[party]}, (_, at) => place(list, at, `${number}-${party}-${at}`))));
  const row = (one, number) => h("li", {"data-changed": inPlay && one.was !== encodeParties(one)}, h("strong", {}, words("would.table", {table: one.table})),
    one.kept ? h("span", {class: "seats quiet"}, `${listEntrants(one).map(nameEntrant).join(" · ")} (${words("seats.kept")})`) : h("span", {class: "seats"}, chairs(one, number)));
  const add = () => {
    tables.push({table: String(1 + Math.max(0, ...tables.map(one => Number(one.table) || 0))), parties: shape.map(() => [])});
    show(state);
  };
  form.querySelector(".room").replaceChildren(
    h("ul", {class: "seating"}, tables.map(row), bench(words("seats.free"), free, "f"), inPlay || rest.length ? bench(words("seats.rest"), rest, "r") : null),
    asPlayed ? "" : h("p", {class: "acts"}, h("button", {type: "button", onclick: add}, words("seats.add"))),
    h("p", {class: "quiet", role: "status"}, picked ? words("seats.picked", {name: nameEntrant(picked.list[picked.at])}) : words("seats.press")));
}

/** Writes what came of it into the fields of the form; an empty list is left out. */
function fill({form, inPlay, tables, free, rest, had}) {
  const put = (name, list) => { form.elements[name].value = list.length ? JSON.stringify(list) : ""; };
  put("tables", tables.filter(one => listEntrants(one).length && one.was !== encodeParties(one)).map(one => ({table: one.table, parties: JSON.parse(encodeParties(one))})));
  put("byes", free);
  if (!inPlay) return;
  put("dissolve", tables.filter(one => one.was && !listEntrants(one).length).map(one => one.table));
  put("absent", rest.filter(one => had.has(one)));
}
