// node repeats.mjs REPEATS_JS STORIES_JSON DUE_JSON: what is due after each story: {frames, seats, chosen} each.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [script, stories, due] = process.argv.slice(2);
const {copyFaces, repeats} = await import(pathToFileURL(script));

const isEntry = ({name}) => ["hand.dealt/1", "move.played/1", "cards.told/1"].includes(name);
const short = one => ({...one.body, seat: one.seat, ...copyFaces(one)});

writeFileSync(due, JSON.stringify(JSON.parse(readFileSync(stories, "utf8")).map(({frames, seats, chosen = []}) => repeats(frames, isEntry, seats, new Map(chosen)).map(short))));
