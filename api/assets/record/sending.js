// Acts are sent one after another, each against the position it was decided at and under a key of its own.
import {ask, Offline} from "../api.js";
import {facts} from "../replay/story.js";

/** Headers of an act that is meant once, at this position. */
export function keyed(position) {
  const chance = crypto.getRandomValues(new Uint8Array(16));
  return {"If-Match": `"${position}"`, "Idempotency-Key": [...chance].map(byte => byte.toString(16).padStart(2, "0")).join("")};
}

/** An act beside the moves: a deal, an undo, a dispute. Asked once more under its key where nobody answered. Raises Offline. */
export async function act(room, body, position) {
  const options = {body, headers: keyed(position)}, address = `/v1/games/${facts.id}/${room}`;
  try {
    return await ask(address, options);
  } catch (fault) {
    if (!(fault instanceof Offline)) throw fault;
    return ask(address, options);
  }
}

export {outbox} from "./direct.js";
export {pill} from "./pill.js";
