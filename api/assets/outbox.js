// The outbox of acts that are not recorded yet: kept on this device first, sent in order, one at a time, until the service has them.
// Needs no service worker and no secure context, since a laptop in a hall serves plain http.
import {ask, makeKey} from "./api.js";
import {deliver} from "./outbox/delivery.js";
import {openStore} from "./outbox/store.js";
import {Tabs} from "./outbox/tabs.js";

const SHORTEST = 500, LONGEST = 15000; // milliseconds until an act without a response is tried again
const GOES_ON = ["recorded", "sending", "elsewhere"], STOPS = ["refused", "conflict", "same"];

/**
 * The outbox of a game on this device.
 * @param position the newest that the page knows of the game
 * @param notify called with the state, and the outbox, at each change: `entries` ({n, path, body, words, position, state}), `link`, `problem`, `missed`, `answers`,
 * `lasting` (false: kept in this page only) and `by` (the person who entered the waiting acts, if it is another one)
 * @param who the signed-in person: {id, label}
 */
export async function outbox(game, position, notify, who = {id: "", label: ""}) {
  const box = new Outbox(game, position, notify, who, await openStore());
  await box.look();
  return box;
}

class Outbox {
  #kept = []; // as they are in the store
  #link = "recorded";
  #problem = null;
  #answers = null;
  #busy = false;
  #pause = SHORTEST;
  #timer;
  #adding = Promise.resolve();
  #away = false;
  #ends = new AbortController();

  constructor(game, position, notify, who, store) {
    Object.assign(this, {game, position, notify, who, store});
    this.tabs = new Tabs(store, game, newest => this.#receive(newest));
    const {signal} = this.#ends;
    addEventListener("online", () => this.#send(), {signal});
    document.addEventListener("visibilitychange", () => (document.hidden ? (this.#away = true) : this.#send()), {signal});
    addEventListener("pagehide", () => this.tabs.leave(), {signal});
    addEventListener("beforeunload", event => this.#kept.length && event.preventDefault(), {signal});
  }

  /**
   * Keeps an act, then sends it when its turn has come. `events`: how many it records, if it is not one; `line`: how it is typed; `once`:
   * the key under which it was sent before.
   */
  async add({path, body, words, line, events = 1, once = makeKey()}) {
    navigator.storage?.persist?.().catch(() => {});
    this.#adding = this.#change((kept, newest) => {
      this.advance(newest); // another tab may have recorded, and this one not have heard of it yet
      return [...kept, this.#entry(kept, {path, body, words, line, events, key: once})];
    });
    await this.#adding;
    this.#send();
  }

  /** Waits until all that was added is in `entries`. */
  flush() {
    return this.#adding;
  }

  entries() {
    return this.#kept.map((entry, index) => ({...entry, state: index ? "waiting" : {recorded: "kept", sending: "sent"}[this.#link] ?? this.#link}));
  }

  /** Replaces a refused act; the acts after it wait for it. */
  async edit(n, body, words) {
    await this.#decide(kept => kept.map(entry => (entry.n === n ? this.#anew(entry, entry.position, {body, words}) : entry)));
  }

  /** Drops this act and those after it. */
  async drop(n) {
    await this.#decide(kept => kept.filter(entry => entry.n < n));
  }

  /** Drops an act and those after it, unless it was sent since it was looked at. Returns whether it was dropped. */
  async withdraw({n, tried}) {
    let dropped = false;
    await this.#decide(kept => {
      dropped = kept.some(entry => entry.n === n && entry.tried === tried);
      return dropped && kept.filter(entry => entry.n < n);
    });
    return dropped;
  }

  /** Drops the first act, which somebody else recorded; the rest become new acts after it. */
  async skip() {
    const from = this.#problem.missed[0].position, theirs = this.#kept[0]?.key;
    await this.#decide(([first, ...rest]) => first?.key === theirs && follow(rest, from, (entry, at) => this.#anew(entry, at)));
  }

  /** Drops all waiting acts: the events that others recorded stay. */
  async takeTheirs() {
    if (this.#problem?.position) this.advance(this.#problem.position);
    await this.#decide(() => []);
  }

  /** Sends the same acts as new ones after the current position: chosen by somebody who has seen what was recorded. */
  async again() {
    const from = this.#problem?.position;
    await this.#decide(kept => (from || this.#others() ? follow(kept, from ?? kept[0].position, (entry, at) => this.#anew(entry, at)) : kept));
  }

  /** Takes back what others recorded, to this position, and sends the same acts after that. An undo that waits here does it already. */
  async takeBack(to, words) {
    const from = this.#problem.position, undo = {path: "rewinds", body: {to}, words, events: 1};
    await this.#decide(kept => {
      const all = !kept.length || kept[0].path === "rewinds" ? kept : [this.#entry([], undo), ...kept];
      return follow(all, from, (entry, at) => this.#anew(entry, at)).map((entry, index) => ({...entry, n: kept[0].n + index}));
    });
  }

  /** The page has seen the game at this position. */
  advance(position) {
    this.position = Math.max(this.position, position);
  }

  async look() {
    this.#kept = await this.store.change(this.game, () => null, 0);
    this.#tell();
    this.#send();
  }

  close() {
    clearTimeout(this.#timer);
    this.#ends.abort();
    this.tabs.close();
  }

  #entry(kept, act) {
    const last = kept.at(-1);
    const position = last ? last.position + last.events : this.position;
    return {...act, game: this.game, n: (last?.n ?? 0) + 1, position, who: this.who, tried: false, entered: new Date().toISOString()};
  }

  #anew(entry, position, more = {}) {
    return {...entry, ...more, position, key: makeKey(), who: this.who, tried: false};
  }

  /** The person who entered the waiting acts, if it is not the signed-in one: they are not sent in another name. */
  #others() {
    const first = this.#kept[0];
    return first && first.who.id !== this.who.id ? first.who : null;
  }

  /** Handles a change by another tab: sent, added, or decided. */
  async #receive(position) {
    if (position) this.advance(position);
    if (this.#busy) return void this.tabs.leads();
    const [before] = this.#kept, count = this.#kept.length;
    this.#kept = await this.store.change(this.game, () => null, 0);
    if (before?.key !== this.#kept[0]?.key || count !== this.#kept.length) this.#settle(GOES_ON.includes(this.#link) && this.#kept.length ? this.#link : "recorded");
    if (GOES_ON.includes(this.#link)) this.#send();
  }

  async #change(work) {
    this.#kept = await this.store.change(this.game, work, this.position);
    this.tabs.tell(this.position);
    this.#tell();
  }

  async #decide(work) {
    this.#problem = null;
    this.#link = "recorded";
    await this.#change(work);
    this.#send();
  }

  #settle(link, problem = null) {
    this.#link = link;
    this.#problem = problem;
    this.#tell();
  }

  #tell() {
    const missed = this.#problem?.missed ?? null;
    const link = this.#link === "recorded" && this.#kept.length ? "kept" : this.#link;
    const {lasting} = this.store;
    this.notify({entries: this.entries(), link, problem: this.#problem, missed, answers: this.#answers, lasting, by: this.#others()}, this);
  }

  /** Sends all waiting acts, one after another, as long as no decision is needed. */
  async #send() {
    if (this.#busy || STOPS.includes(this.#link)) return;
    this.#busy = true;
    clearTimeout(this.#timer);
    try {
      while (this.#kept.length && (await this.#first()));
      if (!this.#kept.length) this.#settle("recorded");
    } finally {
      this.#busy = false;
    }
  }

  /** @returns {Promise<boolean>} whether the next may follow. */
  async #first() {
    if (this.#away) await this.#askWho();
    if (this.#others()) return this.#settle("others"), false;
    if (!(await this.tabs.leads())) return this.#settle("elsewhere"), false;
    this.#kept = await this.store.change(this.game, ([first, ...rest]) => first && [{...first, tried: true}, ...rest], 0);
    const [first] = this.#kept;
    if (!first) return false;
    this.#settle("sending");
    const {became, data, retry} = await deliver(first);
    if (became === "recorded") return this.#accept(first, data);
    if (became === "signed-out") this.#away = true;
    if (became === "kept" || became === "signed-out") this.#later(retry);
    this.#settle(became, data ?? null);
    return false;
  }

  /** Checks who is signed in: that may have changed in another tab while this page was hidden. Without a response the act itself gets none either. */
  async #askWho() {
    const answer = await ask("/v1/me").catch(() => null);
    if (!answer?.ok) return;
    this.#away = document.hidden;
    if (answer.data.principal !== this.who.id) this.who = {id: answer.data.principal, label: ""};
  }

  async #accept(first, data) {
    this.#pause = SHORTEST;
    this.#answers = data;
    const from = data?.position ?? first.position + first.events;
    this.advance(from);
    this.#link = "recorded";
    const now = (kept, entry) => (entry.tried ? entry : {...entry, position: kept});
    await this.#change(kept => follow(kept.filter(entry => entry.key !== first.key), from, (entry, at) => now(at, entry)));
    return true;
  }

  #later(retry = 0) {
    this.#timer = setTimeout(() => this.#send(), Math.max(this.#pause, retry * 1000));
    this.#pause = Math.min(this.#pause * 2, LONGEST);
  }
}

/** Numbers the entries one after the other, the first at `from`. */
function follow(entries, from, placed) {
  let at = from;
  return entries.map(entry => {
    const put = placed(entry, at);
    at = put.position + put.events;
    return put;
  });
}
