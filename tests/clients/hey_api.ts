// Plays a short game with the client that hey-api makes of the document: `node program.js URL TOKEN`.
import { deal, listLegalMoves, openGame, play } from "./kiebitz";
import { client } from "./kiebitz/client.gen";

declare const process: { argv: string[] };
const [url, token] = process.argv.slice(2);
const DECK = ["3H", "9C", "6S", "5D", "4C", "KC", "KS", "KD", "KH", "QH", "QS", "QD"];

async function main() {
  client.setConfig({ baseUrl: url, auth: token });
  const { data: opened } = await openGame({ body: { ruleset: "casino", seats: 2 }, throwOnError: true });
  const path = { game: opened.game };
  await deal({ path, body: { dealer: 1, deck: DECK, fill: "sorted" }, throwOnError: true });
  const { error, response } = await play({ path, body: { seat: 0, move: { type: "trail", card: "2C" } } });
  console.log(response?.status, error?.code);
  for (let count = 0; count < 4; count++) {
    const { data: legal } = await listLegalMoves({ path, throwOnError: true });
    const { data: played } = await play({ path, body: { seat: legal.seat!, move: legal.moves[0] }, throwOnError: true });
    console.log(`${legal.moves[0].type} of seat ${legal.seat}, position ${played.position}`);
  }
}

main();
