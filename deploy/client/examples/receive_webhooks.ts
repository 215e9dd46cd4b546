// Receive webhooks, each message once: node receive_webhooks.ts SECRET FILE PORT
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { DatabaseSync } from "node:sqlite";

const [secret, file, port] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec("CREATE TABLE IF NOT EXISTS received (id TEXT PRIMARY KEY); CREATE TABLE IF NOT EXISTS moves (game TEXT PRIMARY KEY, moves INTEGER)");

/** Check any of the signatures, in constant time, and the age of the message. */
function isSigned(body: Buffer, headers: IncomingHttpHeaders): boolean {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures } = headers as Record<string, string>;
  if (!id || !at || !signatures || Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest();
  return signatures.split(" ").some((one) => {
    const given = Buffer.from(one.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Store the id of the message and the work that it causes in one transaction: a repeated message changes nothing. */
function receive(body: Buffer, headers: IncomingHttpHeaders): number {
  if (!isSigned(body, headers)) return 400;
  const message = JSON.parse(body.toString());
  database.exec("BEGIN");
  try {
    const isNew = database.prepare("INSERT OR IGNORE INTO received VALUES (?)").run(String(headers["webhook-id"])).changes === 1;
    if (isNew && message.type === "move.played" && !message.test) {
      database.prepare("INSERT INTO moves VALUES (?, 1) ON CONFLICT (game) DO UPDATE SET moves = moves + 1").run(message.data.id);
    }
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    return 500; // the service sends it again
  }
  return 204;
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => response.writeHead(receive(Buffer.concat(parts), request.headers)).end());
});
server.listen(Number(port), () => console.log(`listens on ${(server.address() as any).port}`));
