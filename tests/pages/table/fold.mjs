// node fold.mjs ZONES_JS GAMES_JSON TABLES_JSON: follows games, a list of frames each, and writes the table after every frame.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [zones, games, tables] = process.argv.slice(2);
const {EMPTY, follow} = await import(pathToFileURL(zones));

function followed(frames) {
  let table = EMPTY;
  return frames.map(frame => (table = follow(table, frame)));
}

writeFileSync(tables, JSON.stringify(JSON.parse(readFileSync(games, "utf8")).map(followed)));
