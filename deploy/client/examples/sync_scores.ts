// Keep a copy of the score lines in a SQLite file: node sync_scores.ts URL TOKEN FILE
import { DatabaseSync } from "node:sqlite";
import { Problem, Service } from "./calls.ts";

const [url, token, file] = process.argv.slice(2);
const service = new Service(url, token);
const database = new DatabaseSync(file);
database.exec("CREATE TABLE IF NOT EXISTS scores (key TEXT PRIMARY KEY, line TEXT); CREATE TABLE IF NOT EXISTS place (as_of INTEGER, epoch TEXT)");
let place: any = database.prepare("SELECT as_of, epoch FROM place").get();

function keyOf(line: any): string {
  return JSON.stringify([line.tournament, line.round, line.table, line.game, line.position, line.seat, line.row]);
}

async function changes(): Promise<Response> {
  try {
    const since = place ? `&changed_since=${place.as_of}` : "";
    return await service.get(`/v1/scores?format=ndjson${since}`, place ? { "Kiebitz-Epoch": place.epoch } : {});
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "epoch_changed") throw error;
    // Lines that changed after `common` have lost their earlier state here: then only a new copy is right.
    const { epoch, common } = error.body;
    place = place.as_of <= (common ?? -1) ? { as_of: place.as_of, epoch } : undefined;
    return changes();
  }
}

const answer = await changes();
const lines = (await answer.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
database.exec("BEGIN");
if (!place) database.exec("DELETE FROM scores");
for (const line of lines) {
  if (line.state === "withdrawn") database.prepare("DELETE FROM scores WHERE key = ?").run(keyOf(line));
  else database.prepare("INSERT OR REPLACE INTO scores VALUES (?, ?)").run(keyOf(line), JSON.stringify(line));
}
database.exec("DELETE FROM place");
database.prepare("INSERT INTO place VALUES (?, ?)").run(Number(answer.headers.get("kiebitz-as-of")), answer.headers.get("kiebitz-epoch"));
database.exec("COMMIT");
console.log(`${lines.length} lines changed`);
