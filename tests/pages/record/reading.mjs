// node reading.mjs READING_JS POSITIONS_JSON READINGS_JSON: reads lines as a page does: {notation, list, lines} each, places of the list.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [script, positions, readings] = process.argv.slice(2);
const {reader} = await import(pathToFileURL(script));

function readAll({notation, list, lines}) {
  const {read} = reader(notation);
  return lines.map(line => read(line, list));
}

writeFileSync(readings, JSON.stringify(JSON.parse(readFileSync(positions, "utf8")).map(readAll)));
