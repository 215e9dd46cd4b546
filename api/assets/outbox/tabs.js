// Several tabs of one device share one outbox: one of them sends, and all hear of changes. Without BroadcastChannel a tab polls.
import {makeKey} from "../api.js";

const LEASE = 3000, LOOK = 1000; // milliseconds

/** Announces changes to the other tabs of this game, and hears theirs. */
export class Tabs {
  #channel = "BroadcastChannel" in window ? new BroadcastChannel("kiebitz-outbox") : null;
  #timer;

  constructor(store, game, heard) {
    Object.assign(this, {store, game, tab: makeKey()});
    this.#channel?.addEventListener("message", ({data}) => data.game === game && heard(data.position));
    this.#timer = setInterval(heard, LOOK);
  }

  /** Whether this tab is the one that sends (a lease). */
  leads() {
    return this.store.lease(this.game, this.tab, Date.now() + LEASE);
  }

  tell(position) {
    this.#channel?.postMessage({game: this.game, position});
  }

  /** Lets another tab send at once. */
  leave() {
    return this.store.lease(this.game, this.tab, 0);
  }

  close() {
    clearInterval(this.#timer);
    this.#channel?.close();
    return this.leave();
  }
}
