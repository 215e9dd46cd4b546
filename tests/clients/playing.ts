// A user of the types that openapi-typescript makes of the document would write it so. `tsc` checks it in test_generated_clients.py.
import type { components, paths } from "./kiebitz";

type Schemas = components["schemas"];
type Moves = paths["/v1/games/{game}/moves"]["post"];
type Refusal = Moves["responses"][422]["content"]["application/problem+json"];

export const opening: Schemas["OpenGame"] = { ruleset: "casino", seats: 2, options: { sweeps: true }, players: ["anna", null] };
export const trail: Schemas["CasinoMove"] = { type: "trail", card: "KC" };
export const played: Moves["requestBody"]["content"]["application/json"] = { seat: 0, move: trail };

export function cards(move: Schemas["CasinoMove"]): string[] {
  return move.type === "trail" ? [move.card] : [move.card, ...(move.groups ?? []).flat()];
}

export function sentence(problem: Refusal): string {
  return `${problem.code} ${problem.rules?.join(", ") ?? ""}: ${problem.detail}`;
}

export function whoseTurn(answer: Moves["responses"][201]["content"]["application/json"]): number | null {
  return answer.turn;
}

// @ts-expect-error: nobody draws in Casino
export const wrong: Schemas["CasinoMove"] = { type: "draw" };
// @ts-expect-error: a problem has a code, and it is a text
export const code: number = ({} as Refusal).code;
