// Zones in the words of the table: nobody reads their names.
import {card} from "./cards.js";
import {lang, say} from "./say.js";
import {placeZones} from "./table.js";

const MOST = 6; // cards that are named with a zone
const NEW = {sight: "all", owner: null, cards: [], marks: {}};

/** The words for each zone, by name: whose it is and what it is; `tells` as well what lies there, if that is little and open. */
export function zoneWords(zones, {layout, names: sits, parties, deck}, tells = true) {
  const plain = placeZones(zones, layout, {sits, parties}).map(({name, zone, who}) => ({name, zone, words: [who, kind(name)].filter(Boolean).join(": ")}));
  const named = plain.map(({name, zone, words}) => {
    const alike = plain.filter(other => other.words === words), number = alike.length > 1 ? ` ${alike.findIndex(other => other.name === name) + 1}` : "";
    const cards = tells && zone.sight === "all" && zone.cards.length && zone.cards.length <= MOST ? ` (${zone.cards.map(code => cardWords(code, deck)).join(", ")})` : "";
    return [name, `${words}${number}${cards}`];
  });
  return Object.fromEntries(named);
}

/** The name of a card. */
export const cardWords = (code, deck) => card(code, {deck}).firstChild.getAttribute("aria-label").split(":")[0]; // of a Quartett without its values

/** A sentence of the service with words in the place of ids of categories and names of zones, which stand there between quotation marks; also of zones that are not laid yet. */
export function inWords(sentence, {zones}, game) {
  const quoted = /(["„“])((?:stock|pile|waste|board)|[a-z]+(?::\d+)+)(["“”])/g, named = [...sentence.matchAll(quoted)].map(([, , name]) => name);
  const words = zoneWords({...Object.fromEntries(named.map(name => [name, NEW])), ...zones}, game, false);
  for (const {id, ...names} of game.deck?.categories ?? []) words[id] = names[`name_${lang}`] ?? names.name;
  return Object.entries(words).reduce((line, [zone, text]) => line.replace(RegExp(`(["„“])${zone}(["“”])`, "g"), `$1${text}$2`), sentence);
}

function kind(zone) {
  const name = zone.split(":")[0], words = say(`table.zone.${name}`);
  return words.startsWith("table.") ? name : words;
}
