// Delivery of one act: its content never changes, so it can be sent again after a lost response without being recorded twice (idempotency).
import {ask, Offline} from "../api.js";

/** The outcome of a delivery. `kept` is tried again; all others wait for somebody's decision. */
const BECAME = {401: "signed-out", 403: "signed-out", 412: "conflict"};

/** @returns {Promise<{became: string, data?: any, retry?: number}>} `became`: recorded, kept, refused, conflict, same or signed-out. */
export async function deliver({game, path, body, key: once, position, who}) {
  let answer;
  try {
    answer = await ask(`/v1/games/${game}/${path}`, {body, headers: {"If-Match": `"${position}"`, "Idempotency-Key": once, ...(who.id ? {"Kiebitz-Sender": who.id} : {})}});
  } catch (fault) {
    if (fault instanceof Offline) return {became: "kept"};
    throw fault;
  }
  const {ok, status, data, retry} = answer;
  if (ok) return {became: "recorded", data};
  if (status === 429 || status >= 500 || data?.code === "in_flight") return {became: "kept", data, retry};
  const became = BECAME[status] ?? "refused";
  return {became: became === "conflict" && (await isSame(game, position, body, data?.missed?.[0]?.body)) ? "same" : became, data};
}

/** Whether the event that others recorded first is the very move that was entered here. */
async function isSame(game, position, body, recorded) {
  if (!recorded?.move || recorded.seat !== body.seat) return false;
  const move = body.move ?? (body.text && (await meant(game, position, body)));
  return Boolean(move) && text(recorded.move) === text(move);
}

/** The move that a line meant where it was to be recorded; none where the service cannot be asked, or reads something else in it. */
async function meant(game, position, body) {
  const asked = new URLSearchParams({position, seat: body.seat, text: body.text, limit: 1});
  const {ok, data} = await ask(`/v1/games/${game}/legal-moves?${asked}`).catch(() => ({ok: false}));
  return ok && data.reading?.reading === "move" ? data.moves[0] : null;
}

const text = value =>
  JSON.stringify(value, (_, one) => (one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one));
