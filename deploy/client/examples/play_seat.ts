// A bot that plays for a seat, with the token of a player, in a game with own_moves: node play_seat.ts URL TOKEN GAME SEAT
import { Problem, Service } from "./calls.ts";

const [url, token, id, seat] = process.argv.slice(2);
const service = new Service(url, token);
const path = `/v1/games/${id}`;

for (;;) {
  const game: any = await (await service.get(path)).json();
  if (game.phase === "game_over") break;
  if (game.turn !== Number(seat)) {
    await (await service.get(`${path}/replay?after=${game.position}&wait=25&tables=false`)).text(); // answers with the next event
    continue;
  }
  const { moves }: any = await (await service.get(`${path}/legal-moves?position=${game.position}`)).json();
  const move = moves[Math.floor(Math.random() * moves.length)];
  try {
    await service.post(`${path}/moves`, { seat: game.turn, move }, game.position);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 412) throw error; // 412: somebody was faster, look again
  }
}
console.log("the game is over");
