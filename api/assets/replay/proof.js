// Verification of the record's proof: computed here, and compared with what this device saw before; the service only supplies the data.
import {h} from "../dom.js";
import {verifyFile} from "../proof/file.js";
import {forget, keep, listLogs, loadLog} from "../proof/kept.js";
import {able, checkpoint, fromBase64, readKeys, Unproven} from "../proof/notes.js";
import {goesOn} from "../proof/tree.js";
import {figure, lang, learn, moment, say} from "../say.js";
import {facts, path} from "./story.js";

const WAIT = 30; // seconds until the last event is signed, which usually takes one
const ANEW = ["key", "fork"]; // problems that may have a legitimate reason, which the service has to give
const VIEWS = {arbiter: "full"}; // other views have the same names in files
learn((await import(`../words/proof.${lang}.js`)).WORDS);

/** Verifies, and shows the result in `place`. */
export async function check(place) {
  const file = path("proof", {view: VIEWS[facts.view] ?? facts.view, wait: WAIT});
  show(place, "busy", say("proof.busy"));
  const [state, words, more = []] = await found(file).catch(fault => describeFault(fault, place));
  const links = [[file, "proof.file", `${facts.id}.json`], ["/docs/verifier", "proof.verifier", null]];
  const further = links.map(([href, key, download]) => h("a", {href, download}, say(key)));
  show(place, state, words, ...more, h("small", {}, ...further, h("span", {}, say("proof.limits"))));
}

async function found(address) {
  if (!await able()) return ["off", say("proof.unable")];
  const [file, lines, newest] = await Promise.all([json(address), text("/v1/log/keys"), text("/v1/log/checkpoint")]);
  const origin = newest.slice(0, newest.indexOf("\n")), before = loadLog(origin);
  if (!before && listLogs().length) throw new Unproven("fork");
  const own = before?.keys ?? lines, keys = readKeys(own); // the keys that this device saw first: others could be anybody's
  const now = await checkpoint(newest, keys), proven = await verifyFile(file, keys);
  if (before) await hold(before, now, proven, keys);
  keep(now, own, facts.id, proven);
  const since = before ? say("proof.since", {size: figure(before.size), at: moment(before.at)}) : say("proof.first");
  const stood = proven.stood ? ` ${say("proof.stood", {size: figure(proven.stood)})}` : "";
  return ["good", `✓ ${say("proof.good", {last: proven.last, size: figure(now.size), origin})}${stood} ${since}`];
}

/** Compares with what this device kept: the log continues from there, and contains the game as it was shown. Raises Unproven. */
async function hold(before, now, proven, keys) {
  if (now.size < before.size) throw new Unproven("shorter");
  const then = await checkpoint(before.note, keys), {path: between} = await json(`/v1/log/consistency?old=${then.size}&new=${now.size}`);
  if (!await goesOn(then.size, now.size, between.map(one => fromBase64(one, 32)), then.root, now.root)) throw new Unproven("other");
  const seen = before.games[facts.id];
  const mark = seen && proven.marks.get(seen.position); // none where this view contains less than another one did
  if (mark && mark !== seen.mark) throw new Unproven("record");
}

function describeFault(fault, place) {
  if (!(fault instanceof Unproven)) return ["off", say("proof.off", {problem: fault.message})];
  const anew = () => (forget(), check(place));
  const more = ANEW.includes(fault.reason) ? [h("button", {onclick: anew}, say("proof.anew"))] : [];
  return ["bad", `✗ ${say("proof.bad")} ${say(`proof.not.${fault.reason}`)}`, more];
}

async function text(address) {
  const options = {headers: {"Accept-Language": lang}, signal: AbortSignal.timeout(45_000)};
  const answer = await fetch(address, options), body = await answer.text();
  if (!answer.ok) throw new Error(body.startsWith("{") ? JSON.parse(body).detail : String(answer.status));
  return body;
}

const json = async address => JSON.parse(await text(address));

function show(place, state, ...words) {
  place.hidden = false;
  place.dataset.state = state;
  place.replaceChildren(...words.map(one => (typeof one === "string" ? h("span", {}, one) : one)));
}
