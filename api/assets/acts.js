// Acts of forms: each counts once, however often it is sent.
import {makeKey, tryAsk} from "./api.js";

/** The header of an act for this position, if one is given: it is refused (412) once something else was recorded. */
export const forPosition = position => (position === undefined ? {} : {"If-Match": `"${position}"`});

const keys = new WeakMap(); // of each form: what it sent last, and the key of that, until it succeeded

/** Sends an act of a form, as `tryAsk`. Pressed again after a lost response it has the same Idempotency-Key, and counts once. */
export async function act(form, path, options = {}) {
  const meant = JSON.stringify([options.method, path, options.body]);
  if (keys.get(form)?.meant !== meant) keys.set(form, {meant, key: makeKey()});
  const answer = await tryAsk(path, {...options, headers: {...options.headers, "Idempotency-Key": keys.get(form).key}});
  if (answer.ok) keys.delete(form);
  return answer;
}
