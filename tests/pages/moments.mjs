// Writes moments as pages do. Usage: moments.mjs say.js given.json found.json
import {readFileSync, writeFileSync} from "node:fs";

const [script, given, found] = process.argv.slice(2);
const {lang, zone, moments} = JSON.parse(readFileSync(given));
globalThis.document = {documentElement: {lang, dataset: zone ? {zone} : {}}};
const {moment} = await import(script);
writeFileSync(found, JSON.stringify(moments.map(([at, now]) => moment(at, new Date(now)))));
