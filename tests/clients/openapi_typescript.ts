// Plays a short game by the types that openapi-typescript makes of the document, with openapi-fetch: `node program.js URL TOKEN`.
import createClient from "openapi-fetch";
import type { components, paths } from "./kiebitz";

declare const process: { argv: string[] };
const [url, token] = process.argv.slice(2);
const DECK = ["3H", "9C", "6S", "5D", "4C", "KC", "KS", "KD", "KH", "QH", "QS", "QD"];

async function main() {
  const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
  const { data: opened } = await client.POST("/v1/games", { body: { ruleset: "casino", seats: 2 } });
  const params = { path: { game: opened!.game } };
  await client.POST("/v1/games/{game}/hands", { params, body: { dealer: 1, deck: DECK, fill: "sorted" } });
  const wrong = { seat: 0, move: { type: "trail", card: "2C" } } as const;
  const { error, response } = await client.POST("/v1/games/{game}/moves", { params, body: wrong });
  console.log(response.status, error?.code);
  for (let count = 0; count < 4; count++) {
    const { data: legal } = await client.GET("/v1/games/{game}/legal-moves", { params });
    const [seat, move] = [legal!.seat!, legal!.moves[0]];
    const { data: played } = await client.POST("/v1/games/{game}/moves", { params, body: { seat, move } });
    console.log(`${move.type} of seat ${seat}, position ${played!.position}`);
  }
}

main();

type Refusal = paths["/v1/games/{game}/moves"]["post"]["responses"][422]["content"]["application/problem+json"];

// @ts-expect-error: nobody draws in Casino
export const wrong: components["schemas"]["CasinoMove"] = { type: "draw" };
// @ts-expect-error: a problem has a code, and it is a text
export const code: number = ({} as Refusal).code;
