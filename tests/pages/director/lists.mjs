// Reads files as the desk does. Usage: lists.mjs lists.js given.json found.json
import {readFileSync, writeFileSync} from "node:fs";

const [script, given, found] = process.argv.slice(2);
const {readList, textOf} = await import(script);
const {files, german} = JSON.parse(readFileSync(given));
writeFileSync(found, JSON.stringify(files.map(({path, text, size}) => readList(path ? textOf(readFileSync(path)) : text, size, german))));
