// node names.mjs ASSETS LANGUAGE GIVEN_JSON FOUND_JSON: what a page makes of sentences and typed lines: {names, parties, sentences, lines}.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [assets, lang, given, found] = process.argv.slice(2);
const {names, parties, sentences = [], lines = []} = JSON.parse(readFileSync(given, "utf8"));
const game = {dataset: {facts: JSON.stringify({places: names, parties})}};
globalThis.document = {documentElement: {lang}, getElementById: () => game};
globalThis.matchMedia = () => ({matches: false});
const {withNames} = await import(pathToFileURL(`${assets}/replay/story.js`));
await import(pathToFileURL(`${assets}/record/mentions.js`));
const {completions, toNames, toNumbers} = (await import(pathToFileURL(`${assets}/record/line.js`))).spoken;

const told = lines.map(line => ({numbered: toNumbers(line), mentioned: toNames(line), completions: completions(line).map(({completed}) => completed)}));
writeFileSync(found, JSON.stringify({sentences: sentences.map(withNames), lines: told}));
