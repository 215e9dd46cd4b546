// Sends acts besides moves at once, each under a key of its own.
import {ask, Offline} from "../api.js";
import {key} from "../outbox/delivery.js";
import {facts} from "../replay/story.js";
import {say} from "../say.js";

/**
 * An act besides the moves: a deal, an undo, a dispute. Sent once more under its key without a response. Raises Offline.
 * @param position none for an act that is valid whatever else was recorded meanwhile
 */
export async function act(room, body, position, once = key()) {
  const decided = position !== undefined && {"If-Match": `"${position}"`};
  const options = {body, headers: {...decided, "Idempotency-Key": once}}, address = `/v1/games/${facts.id}/${room}`;
  try {
    return await ask(address, options);
  } catch (fault) {
    if (!(fault instanceof Offline)) throw fault;
    return ask(address, options);
  }
}

/** The same; without a connection the answer is a refusal that says so. */
export const tryAct = (...args) =>
  act(...args).catch(fault => {
    if (!(fault instanceof Offline)) throw fault;
    return {ok: false, data: {detail: say("record.offline")}};
  });
