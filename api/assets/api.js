// HTTP client for the service: same origin, the session's cookie, problems as values.
import {lang, say} from "./say.js";

/** No response: no network, or the service is down. Its message tells people what to do. */
export class Offline extends Error {
  constructor(cause) {
    super(say("no_answer"), {cause});
  }
}

/** `tell` changes the sentence of a problem before a page shows it: on a page of a game seats have names. */
export const problems = {tell: sentence => sentence};

/**
 * Sends a request. `body` is sent as JSON, or a file as it is; `wait` is the timeout in seconds.
 * @returns {Promise<{status: number, ok: boolean, data: any, retry: number, date: ?string}>} the response, refusals too, the seconds after which to
 * retry, and the time of the service's clock; raises Offline without a response.
 */
export async function ask(path, {method, body, headers = {}, wait = 10} = {}) {
  const more = body === undefined ? {} : {"Content-Type": "application/json"};
  let answer, text;
  try {
    answer = await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
      headers: {Accept: "application/json", "Accept-Language": lang, ...more, ...headers},
      signal: AbortSignal.timeout(wait * 1000),
    });
    text = await answer.text();
  } catch (fault) {
    throw new Offline(fault);
  }
  const json = (answer.headers.get("content-type") ?? "").includes("json");
  if (answer.status >= 502 && !json) throw new Offline(answer.status);
  const retry = Number(answer.headers.get("retry-after")) || 0, data = json && text ? JSON.parse(text) : null;
  if (!answer.ok && data?.detail) data.detail = problems.tell(data.detail);
  return {status: answer.status, ok: answer.ok, data, retry, date: answer.headers.get("date")};
}

/** The same; a lost response is a refusal with the status 0. */
export const tryAsk = (...args) =>
  ask(...args).catch(fault => {
    if (!(fault instanceof Offline)) throw fault;
    return {status: 0, ok: false, data: {detail: fault.message}};
  });

/** A key of 128 random bits; without a secure context there is no randomUUID. */
export const makeKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
