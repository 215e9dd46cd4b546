// Where acts are kept until the service has them: IndexedDB, shared by all tabs of this device. Where that is refused (a private window, a full
// disk), they are kept in the page alone, and `lasting` says so.
const NAME = "kiebitz", VERSION = 1, ENTRIES = "entries", LEASES = "leases";

/** @returns {Promise<Store>} one that lasts if the browser lets it. */
export async function opened() {
  try {
    return new Lasting(await database());
  } catch {
    return new Passing();
  }
}

const answered = request =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

function database() {
  const request = indexedDB.open(NAME, VERSION);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore(ENTRIES, {keyPath: ["game", "n"]});
    request.result.createObjectStore(LEASES, {keyPath: "game"});
  });
  return answered(request);
}

/** All that `work` does with the entries of a game is done, or nothing of it; no other tab comes between. */
class Lasting {
  lasting = true;

  constructor(base) {
    this.base = base;
  }

  /** @param work from the entries, in order, to those that shall be there instead; nothing where they stay. */
  change(game, work) {
    return this.#within(ENTRIES, async store => {
      const all = IDBKeyRange.bound([game, 0], [game, Infinity]);
      const found = await answered(store.getAll(all));
      const wanted = work(found);
      if (!wanted) return found;
      store.delete(all);
      for (const entry of wanted) store.put(entry);
      return wanted;
    });
  }

  /** Whether this tab may send until then: who holds the lease, or finds it run out. */
  lease(game, tab, until) {
    return this.#within(LEASES, async store => {
      const held = await answered(store.get(game));
      if (held && held.tab !== tab && held.until > Date.now()) return false;
      store.put({game, tab, until});
      return true;
    });
  }

  async #within(name, work) {
    const transaction = this.base.transaction(name, "readwrite");
    const ended = new Promise((resolve, reject) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => reject(transaction.error));
    });
    const result = await work(transaction.objectStore(name));
    await ended;
    return result;
  }
}

class Passing {
  lasting = false;
  #entries = [];

  async change(game, work) {
    this.#entries = work(this.#entries) ?? this.#entries;
    return this.#entries;
  }

  async lease() {
    return true;
  }
}
