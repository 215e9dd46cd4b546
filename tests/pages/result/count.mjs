// node count.mjs COUNT_JS GIVEN_JSON CARDS_JSON: what result cards say: {sheet, hand, names, words} each.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [script, given, cards] = process.argv.slice(2);
globalThis.document = {documentElement: {lang: "en"}};
const {describe} = await import(pathToFileURL(script));
await import(pathToFileURL(script.replace("count.js", "words.js")));

const describeAll = ({sheet, hand, names, words}) => describe(sheet, hand, names, words);

writeFileSync(cards, JSON.stringify(JSON.parse(readFileSync(given, "utf8")).map(describeAll)));
