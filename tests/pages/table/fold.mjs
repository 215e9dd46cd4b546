// node fold.mjs GAMES_JSON TABLES_JSON ZONES_JS…: follows games, a list of frames each, and writes for each script the table after every frame.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [games, tables, ...scripts] = process.argv.slice(2), told = JSON.parse(readFileSync(games, "utf8"));

function followed({EMPTY, follow}, frames) {
  let table = EMPTY;
  return frames.map(frame => (table = follow(table, frame)));
}

const all = [];
for (const script of scripts) {
  const zones = await import(pathToFileURL(script));
  all.push(told.map(frames => followed(zones, frames)));
}
writeFileSync(tables, JSON.stringify(all));
