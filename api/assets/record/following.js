// What is recorded in this game, by whomever, as it is recorded: one stream that stays open, so that a move costs no request for it.
import {lang} from "../say.js";
import {facts, story, table, take} from "../replay/story.js";

const SHORTEST = 1000, LONGEST = 15000, SILENT = 40000;

/** Until nothing can come any more. Others hear of it by the events of the story. */
export async function follow() {
  for (let pause = SHORTEST; ; pause = Math.min(pause * 2, LONGEST)) {
    const began = performance.now();
    try {
      if ((await listen()) === "gone") return;
    } catch {
      // no network, or nobody behind it: the pill of the outbox says so
    }
    if (performance.now() - began > LONGEST) pause = SHORTEST;
    await new Promise(resolve => setTimeout(resolve, pause));
  }
}

async function listen() {
  const after = last(), given = new URLSearchParams({after, names: true, ...(facts.chosen && {view: facts.chosen})});
  const dead = new AbortController();
  const answer = await fetch(`/v1/games/${facts.id}/stream?${given}`, {headers: {Accept: "text/event-stream", "Accept-Language": lang}, signal: dead.signal});
  if (!answer.ok) return answer.status < 429 && answer.status !== 401 ? "gone" : "again";
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "", silence;
  for (;;) {
    clearTimeout(silence);
    silence = setTimeout(() => dead.abort(), SILENT);
    const {done, value} = await reader.read();
    if (done) return "again";
    const messages = (kept + value).split("\n\n");
    kept = messages.pop();
    await told(messages.map(read).filter(Boolean));
  }
}

const last = () => story.frames.at(-1)?.position ?? 0;

/** A frame; null for what is none. */
function read(message) {
  const lines = message.split("\n");
  const of = name => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return of("event") === undefined && of("data") ? JSON.parse(of("data")) : null;
}

async function told(frames) {
  const fresh = frames.filter(({position}) => position > last());
  if (!fresh.length) return;
  const [{start}] = fresh;
  if (start && start.sees === table(story.frames.length - 1).sees) delete fresh[0].start; // each connection begins with one
  await take(fresh);
}
