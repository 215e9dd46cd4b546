// Subscriptions of a page. All tabs of a browser share one connection, because browsers open few to a service: a shared worker holds it, or without
// one the visible tab.
import {lang} from "./say.js";
import {openChannel, REQUESTS} from "./streams/channel.js";

const CHECK = 20000, ANSWER = 1000; // milliseconds between two announcements, and until an answer to one
const tab = crypto.getRandomValues(new Uint32Array(3)).join("-"), session = document.body.dataset.session ?? "";
const requests = openChannel(REQUESTS), answers = openChannel(tab);
const topics = new Map();
// A policy of its own for trusted types: whatever address is requested, this worker is meant.
const policy = {createScriptURL: () => new URL("./streams/worker.js", import.meta.url).href};
const worker = window.trustedTypes?.createPolicy("streams", policy) ?? policy;
let numbers = 0, hub = null, isTabLed = false, isAnswered = false;

/**
 * Follows a stream of the service, each message once and in order, until what this returns is called.
 * @param {string} stream its address.
 * @param {?number} after the last id that is known; null: what the stream begins with.
 * @param receive gets messages as they come: [{id, event, data}].
 * @param state gets "open" ({date}: the service's time, where that is news) with each sign of life, "lost" while it is tried again, and "gone"
 *   ({problem}) where the service will not tell it any more.
 * @param reset ids mean something else from now on: after which one to go on.
 */
export function subscribe(stream, {after = null, receive, state = () => {}, reset = () => null}) {
  const topic = `${tab}-${++numbers}`;
  topics.set(topic, {stream, last_event_id: after, epoch: null, receive, state, reset});
  if (topics.size === 1) findHub();
  announce();
  return () => {
    topics.delete(topic);
    announce();
  };
}

function announce() {
  const wanted = [...topics].map(([topic, {stream, last_event_id, epoch}]) => ({topic, stream, last_event_id, epoch, language: lang, session}));
  requests.postMessage({tab, topics: wanted});
}

function findHub() {
  if (!topics.size) return;
  if (isTabLed) return lead();
  try {
    new SharedWorker(worker.createScriptURL(""), {type: "module"}).addEventListener("error", leadByTab);
  } catch {
    leadByTab();
  }
}

function leadByTab() {
  isTabLed = true;
  return lead();
}

/** The visible tab leads; a hidden one only where no other does. Without a network it is tried again. */
async function lead() {
  if (hub?.leads || (document.hidden && (await isThereAHub()))) return;
  const {Hub} = await import("./streams/hub.js").catch(() => ({}));
  if (!Hub) return;
  hub ??= new Hub();
  hub.lead();
}

function isThereAHub() {
  isAnswered = false;
  announce();
  return new Promise(resolve => setTimeout(() => resolve(isAnswered), ANSWER));
}

requests.addEventListener("message", ({data}) => {
  if (data.lead) announce();
  if (data.vacant && isTabLed) lead();
});

answers.addEventListener("message", ({data}) => {
  isAnswered = true;
  for (const one of topics.values()) one.fresh = [];
  for (const {topic, ...notice} of data.notices) take(topic, notice);
  for (const {fresh, receive} of topics.values()) if (fresh?.length) receive(fresh);
});

function take(topic, {message, state, problem, date, epoch}) {
  const one = topics.get(topic);
  if (!one) return;
  if (epoch !== undefined) one.epoch = epoch;
  if (message) return keep(one, message);
  if (problem?.code === "epoch_changed") return renew(one);
  if (state === "gone") topics.delete(topic);
  one.state(state, {date, problem});
}

/** Drops messages that another leading tab repeats. */
function keep(one, message) {
  const {id, event} = message;
  if (id !== null && event !== "begin" && one.last_event_id !== null && id <= one.last_event_id) return;
  if (id !== null) one.last_event_id = Math.max(id, one.last_event_id ?? 0);
  one.fresh.push(message);
}

function renew(one) {
  Object.assign(one, {last_event_id: one.reset(), epoch: null});
  announce();
}

/** A closed tab unsubscribes; one that comes back continues where it was. */
function leave() {
  requests.postMessage({tab, topics: []});
  if (hub?.leads) hub.resign();
}

function reconnect() {
  findHub();
  announce();
}

addEventListener("pagehide", leave);
addEventListener("pageshow", ({persisted}) => persisted && reconnect());
document.addEventListener("freeze", leave);
document.addEventListener("resume", reconnect);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (isTabLed) lead();
  announce();
});
addEventListener("offline", () => {
  requests.postMessage({tab, topics: []});
  for (const {state} of topics.values()) state("lost", {});
});
addEventListener("online", reconnect); // the worker of the connection may not have loaded while there was no network
setInterval(() => {
  if (!topics.size) return;
  if (!isAnswered) findHub();
  isAnswered = false;
  announce();
}, CHECK);
