// The hub of all tabs of a browser: it holds their one connection, and passes on to each tab what comes for its topics. It lives in a shared
// worker, or in the tab that leads. A new set of topics opens a new connection, on which each goes on after its last id.
import {openChannel, REQUESTS} from "./channel.js";
import {Connection} from "./connection.js";

const SOON = 30, SHORTEST = 1000, LONGEST = 15000; // milliseconds until a connection is opened again
const LEASE = 180000; // a hidden tab runs only once a minute; one that is silent for so long is gone
const MOST = 100; // topics that the service takes

export class Hub {
  #requests = openChannel(REQUESTS);
  #tabs = new Map(); // by the tab: its channel, and until when it counts as open
  #topics = new Map(); // by their names
  #leads = null; // since when, and a random number for those that began at the same time
  #connection = null;
  #due = null;
  #pause = 0;
  #failed = -Infinity;

  constructor() {
    this.#requests.addEventListener("message", ({data}) => {
      if (data.lead) this.#meetRival(data.lead);
      else if (data.tab && this.#leads) this.#setTopics(data);
    });
  }

  get leads() {
    return this.#leads !== null;
  }

  /** Holds the connection from now on. Every tab announces its topics when it hears of it. */
  lead() {
    this.#leads = [Date.now(), Math.random()];
    this.#requests.postMessage({lead: this.#leads});
  }

  /** Leaves it to another hub. */
  resign() {
    this.#forget();
    this.#requests.postMessage({vacant: true});
  }

  /** Of two hubs the one that began last stays: its tab is known to be awake. */
  #meetRival(other) {
    if (!this.leads) return;
    const [since, lot] = this.#leads;
    if (other[0] > since || (other[0] === since && other[1] > lot)) this.#forget();
    else this.#requests.postMessage({lead: this.#leads});
  }

  #forget() {
    this.#leads = null;
    for (const tab of [...this.#tabs.keys()]) this.#drop(tab);
    clearTimeout(this.#due);
    this.#due = null;
    this.#connection?.close();
  }

  #setTopics({tab, topics}) {
    const wanted = new Set(topics.map(({topic}) => topic));
    const added = topics.filter(({topic}) => !this.#topics.has(topic)), lost = this.#topicsOf(tab).filter(({topic}) => !wanted.has(topic));
    for (const one of added) this.#topics.set(one.topic, {...one, tab, open: false});
    for (const {topic} of lost) this.#topics.delete(topic);
    if (added.length || lost.length) this.#schedule(SOON);
    if (!topics.length) return this.#drop(tab);
    if (!this.#tabs.has(tab)) this.#tabs.set(tab, {channel: openChannel(tab)});
    this.#tabs.get(tab).until = Date.now() + LEASE;
    this.#tell(tab, []);
  }

  #topicsOf = tab => [...this.#topics.values()].filter(one => one.tab === tab);

  #drop(tab) {
    for (const {topic} of this.#topicsOf(tab)) this.#topics.delete(topic);
    this.#tabs.get(tab)?.channel.close();
    this.#tabs.delete(tab);
  }

  #tell(tab, notices) {
    this.#tabs.get(tab)?.channel.postMessage({notices});
  }

  #schedule(pause) {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => this.#open(), pause);
  }

  /** Opens it again after a failure, with a growing pause (backoff). */
  #retry() {
    if (this.#due !== null) return;
    this.#pause = Date.now() - this.#failed > 4 * LONGEST ? SHORTEST : Math.min(this.#pause * 2, LONGEST);
    this.#failed = Date.now();
    this.#schedule(this.#pause);
  }

  #open() {
    this.#due = null;
    this.#connection?.close();
    this.#connection = null;
    for (const [tab, {until}] of this.#tabs) if (until < Date.now()) this.#drop(tab);
    const topics = [...this.#topics.values()].slice(-MOST);
    if (!topics.length) return;
    for (const one of topics) one.open = false;
    const asked = topics.map(({topic, stream, last_event_id, epoch, language, session}) => ({topic, stream, last_event_id, epoch, language, session}));
    this.#connection = new Connection(asked, (messages, facts) => this.#passOn(messages, facts), () => this.#lose());
  }

  #lose() {
    for (const tab of this.#tabs.keys()) this.#tell(tab, this.#topicsOf(tab).map(({topic}) => ({topic, state: "lost"})));
    this.#retry();
  }

  #passOn(messages, facts) {
    const notices = new Map();
    for (const message of messages) {
      const topic = this.#topics.get(message.topic);
      if (!topic) continue; // its tab is closed
      const told = notices.get(topic.tab) ?? [];
      notices.set(topic.tab, told);
      told.push({topic: topic.topic, ...this.#take(topic, message, facts)});
    }
    for (const [tab, told] of notices) this.#tell(tab, told);
  }

  /** The meaning of a message for the tab: a message to hear, or a state: "open" (a sign of life), "lost" (it is tried again), "gone". */
  #take(topic, {event, id, data}, {date, epoch}) {
    if (data === undefined) {
      const first = !topic.open;
      Object.assign(topic, {open: true, epoch});
      return {state: "open", epoch, ...(first && {date})};
    }
    const problem = event === "refused" ? JSON.parse(data) : null;
    if (problem && problem.status < 429) {
      this.#topics.delete(topic.topic);
      return {state: "gone", problem};
    }
    if (problem || event === "over") {
      this.#retry();
      return {state: "lost"};
    }
    if (id !== undefined) topic.last_event_id = Number(id);
    return {message: {event, id: id === undefined ? null : Number(id), data: JSON.parse(data)}};
  }
}
