// Channels between the tabs of a browser and the holder of their connection. Pages of another version have channels of their own.
const VERSION = new URL("..", import.meta.url).pathname;

/** Without BroadcastChannel a tab hears only itself. */
class OwnChannel extends EventTarget {
  static #open = new Set();

  constructor(name) {
    super();
    this.name = name;
    OwnChannel.#open.add(this);
  }

  postMessage(data) {
    const others = [...OwnChannel.#open].filter(one => one !== this && one.name === this.name);
    for (const other of others) queueMicrotask(() => other.dispatchEvent(new MessageEvent("message", {data})));
  }

  close() {
    OwnChannel.#open.delete(this);
  }
}

/** The channel to the holder of the connection, on which tabs announce what they follow. */
export const REQUESTS = "requests";

/** Opens the channel of this name. */
export const openChannel = name => new (globalThis.BroadcastChannel ?? OwnChannel)(`kiebitz-streams${VERSION}${name}`);
