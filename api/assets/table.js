// Draws the table of any game from its zones, where the hints of its ruleset (domain/layout/) lay them.
import {card} from "./cards.js";
import {h} from "./dom.js";
import {lang, say} from "./say.js";
import {HIDDEN, isOver, maskCards} from "./zones.js";

/** How many cards of a pile are shown, from the top; else all. */
const SHOWN = {pile: () => 1, last: () => 4, top: count => (count > 3 ? 1 : 3), count: () => 0};
const NATURAL = new Intl.Collator("en", {numeric: true}).compare;
const LIST = new Intl.ListFormat(lang);
const SHOWING = new WeakMap(), BOXES = new WeakMap(), TEXTS = new WeakMap();

/**
 * The table as `<div class="felt">`; in an existing felt only changed zones are drawn again.
 *
 * `deck` as card() takes it, which may need() it before; `names` by seat; `parties`, lists of seats; `bottom`, the seat that lies there; `lit`,
 * the result of brought().
 */
export function draw(table, {layout = [], deck = null, names: sits, parties, bottom = 0, sees = "all", lit = {}}, felt = h("div")) {
  const blocks = sees === "all" ? (table.blocks ?? []) : [], over = isOver(table);
  const view = {deck, sits, parties, sees, blocks, over, category: table.marks.category};
  const before = SHOWING.get(felt) ?? {}, now = {}, at = {};
  for (const laid of placeZones(table.zones, layout, view)) {
    const {name, zone, home} = laid, looks = JSON.stringify([sits, sees, over, view.category, lit[name], blocks.filter(({places}) => places[name])]), same = before[name];
    now[name] = same?.zone === zone && same.looks === looks ? same : {zone, looks, node: drawZone(laid, lit[name] ?? [0, 0], view)};
    if (now[name].node) (at[home] ??= []).push(now[name].node);
  }
  SHOWING.set(felt, now);
  return box(felt, "", `felt ${deck?.id ? "quartett" : deck}`, regions(felt, at, table, view, bottom));
}

/** Zones in the order of the hints, with their places and owners. */
export function placeZones(zones, layout, {sits, parties}) {
  const fits = layout.map(hint => RegExp(`^${hint.zones.replace(/[{*](\w*)}?/g, (_, part) => (part ? `(?<${part}>\\d+)` : ".+"))}$`));
  const laid = Object.entries(zones).map(([name, zone]) => {
    const hint = fits.findIndex(pattern => pattern.test(name)), {seat, party, n} = fits[hint]?.exec(name).groups ?? {};
    const {place = "middle", spread = zone.sight === "none" ? "pile" : "row"} = layout[hint] ?? {};
    const middle = spread === "group" ? `group${n}` : SHOWN[spread] ? "piles" : "loose";
    const home = {seat: `seat${seat ?? parties[party]?.[0]}`, party: `party${party}`, rows: `tier${n}`, middle}[place];
    return {name, zone, hint, place, spread, home, who: party ? joinNames(parties[party], sits) : sits[seat ?? zone.owner]};
  });
  return laid.sort((one, other) => one.hint - other.hint || NATURAL(one.name, other.name));
}

/** A zone; null where none needs a place. At the end of a hand the piles of a seat are fanned, if their cards may be seen. */
function drawZone({name, zone, hint, place, spread: spreads, who}, lit, {deck, sits, sees, blocks, over, category}) {
  const codes = maskCards(zone, sees), count = codes.length, fanned = over && place === "seat" && SHOWN[spreads] && codes.some(code => code !== HIDDEN);
  const spread = fanned ? "fanned" : spreads, most = SHOWN[spread]?.(count) ?? count;
  const counts = spread === "count", piled = SHOWN[spread] && place === "middle";
  if (!count && !counts && (zone.sight === "none" || !piled)) return null;
  const cards = facing(codes, spread === "pile" && zone.sight === "none", lit).slice(Math.max(count - most, 0));
  if (place === "seat" && !SHOWN[spread]) cards.sort(([one], [other]) => rank(one, deck) - rank(other, deck) || NATURAL(one, other));
  const what = findWords("zone", name.split(":")[0]) ?? name, label = who ? `${who}: ${what}` : what;
  const backs = cards.every(([code]) => code === HIDDEN), number = say(count === 1 ? "table.card" : "table.cards", {count});
  const beside = (is, kind, words) => is && h("span", {class: kind, "aria-hidden": "true"}, words);
  const node = h(
    "div",
    {class: `zone ${spread} ${zone.sight} ${backs ? "backs" : ""}`, "data-zone": name, role: "group", "aria-label": `${label}, ${number}`},
    h("div", {class: "cards"}, cards.map(one => drawCard(one, deck, category)), beside(!count && !counts, "bare")),
    beside(piled || fanned || most < count || place === "party" || (codes.includes(HIDDEN) && count > 3), "many", count),
    beside(piled || fanned || counts || hint < 0, "what", hint < 0 ? label : what),
    tags(zone.marks, "mark", sits, deck),
    blocks.filter(({places}) => places[name]).map(({faces}) => fan(faces, deck)),
  );
  node.style.setProperty("--n", cards.length || 1);
  return node;
}

/** Codes, and whether they shine. A stock lies face down for every viewer. */
const facing = (codes, down, [onTop, beneath]) =>
  codes.map((code, place) => [down ? HIDDEN : code, place < beneath || place >= codes.length - onTop]);

function drawCard([code, shines], deck, lit) {
  const face = card(code, {deck, lit, label: code === HIDDEN ? "" : null});
  face.classList.toggle("lit", shines);
  return face;
}

/** A block as a small fan: its cards are known, their order is not. */
const fan = (faces, deck) => h("div", {class: "fan", role: "group", "aria-label": say("table.block", {count: faces.length})}, faces.map(code => card(code, {deck})));

const joinNames = (seats, sits) => LIST.format(seats.map(seat => sits[seat]));

/** Jokers are highest; other decks go by their codes. */
const rank = (code, deck) => (code === HIDDEN ? 99 : deck !== "french" ? 0 : code === "JK" ? 98 : "23456789TJQKA".indexOf(code[0]));

/** Undefined where the page has no words for it, as in a new game. */
function findWords(kind, name, values) {
  const key = `table.${kind}.${name}`, words = say(key, values);
  return words === key ? undefined : words;
}

function tags(marks, kind, sits, deck) {
  const seats = value => joinNames([value].flat(), sits), nameOf = one => (lang === "de" && one.name_de) || one.name;
  const category = id => deck?.categories?.filter(one => one.id === id).map(nameOf)[0];
  const texts = {owner: seats, seats, trick: seats, sweeps: cards => cards.length, category};
  return Object.entries(marks).map(([mark, value]) => {
    const words = findWords(kind, mark, {value: texts[mark]?.(value) ?? value});
    return words && h("span", {class: "tag"}, words);
  });
}

const chip = (is, key) => is && h("span", {class: `chip ${key}`}, say(`table.${key}`));

/** The box of a felt with this name and these nodes; one that contains them already is left alone. */
function box(felt, name, kind, ...nodes) {
  const boxes = BOXES.get(felt) ?? BOXES.set(felt, new Map([["", felt]])).get(felt), found = boxes.get(name) ?? h("div");
  boxes.set(name, found);
  if (found.className !== kind) found.className = kind;
  const wanted = nodes.flat(Infinity).filter(Boolean);
  if (wanted.length !== found.childNodes.length || wanted.some((node, place) => node !== found.childNodes[place])) found.replaceChildren(...wanted);
  return found;
}

/** A box whose nodes are made again only where they say something else than before. */
function updateBox(felt, name, kind, says, make) {
  const old = BOXES.get(felt)?.get(name);
  if (old && TEXTS.get(old) === says) return old;
  const found = box(felt, name, kind, make());
  TEXTS.set(found, says);
  return found;
}

/** The others in turn order from the left; the middle, between the parties; the viewer. */
function regions(felt, at, table, {sits, parties, deck}, bottom) {
  const boxes = kind => Object.keys(at).filter(key => key.startsWith(kind)).map(key => box(felt, key, kind, at[key]));
  const others = box(felt, "others", "others", sits.slice(1).map((_, step) => seatBox(felt, (bottom + 1 + step) % sits.length, at, table, sits)));
  others.style.setProperty("--k", sits.length - 1);
  const melds = (seats, party) => box(felt, `melds${party}`, "party", sitter(felt, `party${party}`, joinNames(seats, sits)), at[`party${party}`]);
  const melded = parties.map((seats, party) => at[`party${party}`] && melds(seats, party));
  const signs = updateBox(felt, "signs", "signs", JSON.stringify(table.marks), () => tags(table.marks, "sign", sits, deck));
  const middle = box(felt, "middle", "middle", box(felt, "loose", "loose", at.loose, boxes("group")), box(felt, "piles", "piles", at.piles), signs);
  const centre = box(felt, "centre", "centre", boxes("tier"), melded[0], middle, melded.slice(1));
  return [others, centre, box(felt, "mine", "mine", seatBox(felt, bottom, at, table, sits))];
}

function sitter(felt, name, who, deals, due) {
  const fill = () => [h("b", {}, who), chip(deals, "dealer"), chip(due, "due")];
  return updateBox(felt, `${name} sitter`, "sitter", JSON.stringify([who, deals, due]), fill);
}

function seatBox(felt, seat, at, table, sits) {
  const due = table.to_act.includes(seat), deals = sits.length > 1 && table.stand?.dealer === seat;
  const held = box(felt, `held${seat}`, "held", at[`seat${seat}`]), name = sitter(felt, `seat${seat}`, sits[seat], deals, due);
  const place = box(felt, `seat${seat}`, due ? "seat due" : "seat", name, held);
  place.setAttribute("role", "group");
  place.dataset.seat = seat;
  place.setAttribute("aria-label", sits[seat]);
  return place;
}
