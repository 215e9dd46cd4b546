// Plays a short game with the functions that orval makes of the document: `node program.js URL TOKEN`.
import { deal, listLegalMoves, openGame, play } from "./kiebitz";

declare const process: { argv: string[] };
const [url, token] = process.argv.slice(2);
const DECK = ["3H", "9C", "6S", "5D", "4C", "KC", "KS", "KD", "KH", "QH", "QS", "QD"];
const send = globalThis.fetch;
globalThis.fetch = (path, options) =>
  send(`${url}${path}`, { ...options, headers: { ...(options?.headers as Record<string, string>), Authorization: `Bearer ${token}` } });

async function main() {
  const opened = await openGame({ ruleset: "casino", seats: 2 });
  if (opened.status !== 201) throw opened.data;
  const game = opened.data.game;
  await deal(game, { dealer: 1, deck: DECK, fill: "sorted" });
  const refused = await play(game, { seat: 0, move: { type: "trail", card: "2C" } });
  if (refused.status === 422) console.log(refused.status, refused.data.code);
  for (let count = 0; count < 4; count++) {
    const legal = await listLegalMoves(game);
    if (legal.status !== 200) throw legal;
    const move = legal.data.moves[0];
    const played = await play(game, { seat: legal.data.seat!, move });
    if (played.status !== 201) throw played.data;
    console.log(`${move.type} of seat ${legal.data.seat}, position ${played.data.position}`);
  }
}

main();
