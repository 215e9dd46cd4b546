// node hands.mjs RECORD_FOLDER HANDS_JSON CARDS_JSON: reads hands as the page does: {notation, lines} each.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [folder, hands, cards] = process.argv.slice(2);
const {forms} = await import(pathToFileURL(`${folder}/reading.js`));
const {read} = await import(pathToFileURL(`${folder}/hands.js`));

const readAll = ({notation, lines}) => lines.map(line => read(line, {...notation, typed: forms(notation)}));

writeFileSync(cards, JSON.stringify(JSON.parse(readFileSync(hands, "utf8")).map(readAll)));
