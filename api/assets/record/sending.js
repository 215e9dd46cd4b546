// Sends acts besides moves at once.
import {act} from "../acts.js";
import {facts} from "../replay/story.js";

/** An act of a form: a note, a dispute, a signature. It is valid whatever else was recorded meanwhile. Answers as `tryAsk`. */
export const tryAct = (form, room, body) => act(form, `/v1/games/${facts.id}/${room}`, {body});
