// The store of unsent acts: IndexedDB, shared by all tabs of this device. Where that is refused (a private window, a full disk), they are kept in the
// page alone, and `lasting` says so.
const NAME = "kiebitz", VERSION = 1, ENTRIES = "entries", LEASES = "leases";

/** @returns {Promise<Store>} one that lasts if the browser lets it. */
export async function openStore() {
  try {
    return new Lasting(await database());
  } catch {
    return new Passing();
  }
}

const awaitRequest = request =>
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
  return awaitRequest(request);
}

/** Does all that `work` does with the entries of a game, or nothing; no other tab comes between. */
class Lasting {
  lasting = true;
  #known = []; // the page continues with these if the disk fills up
  #instead;

  constructor(base) {
    this.base = base;
  }

  /**
   * @param work maps the entries, in order, and the newest position that any tab knows of the game, to the entries that replace them;
   * nothing where they stay.
   * @param position the newest that this tab knows.
   */
  async change(game, work, position) {
    if (!this.lasting) return this.#instead.change(game, work, position);
    try {
      return (this.#known = await this.#write(game, work, position));
    } catch {
      this.lasting = false;
      this.#instead ??= new Passing(this.#known); // several may be refused at once
      return this.#instead.change(game, work, position);
    }
  }

  #write(game, work, position) {
    return this.#within(async (store, leases) => {
      const all = IDBKeyRange.bound([game, 0], [game, Infinity]);
      const [found, lease] = await Promise.all([awaitRequest(store.getAll(all)), awaitRequest(leases.get(game))]);
      const known = lease?.position ?? 0, wanted = work(found, Math.max(known, position));
      if (position > known) leases.put({tab: "", until: 0, ...lease, game, position});
      if (!wanted) return found;
      store.delete(all);
      for (const entry of wanted) store.put(entry);
      return wanted;
    });
  }

  /** Whether this tab may send until then: it holds the lease, or the lease has expired. */
  async lease(game, tab, until) {
    return !this.lasting || this.#taken(game, tab, until).catch(() => true);
  }

  #taken(game, tab, until) {
    return this.#within(async (_, leases) => {
      const held = await awaitRequest(leases.get(game));
      if (held && held.tab !== tab && held.until > Date.now()) return false;
      leases.put({...held, game, tab, until});
      return true;
    });
  }

  async #within(work) {
    const transaction = this.base.transaction([ENTRIES, LEASES], "readwrite");
    const ended = new Promise((resolve, reject) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => reject(transaction.error));
    });
    const [result] = await Promise.all([work(transaction.objectStore(ENTRIES), transaction.objectStore(LEASES)).catch(fault => undone(transaction, fault)), ended]);
    return result;
  }
}

/** A refused put must not leave the deletion before it in effect. */
function undone(transaction, fault) {
  try {
    transaction.abort();
  } catch {
    // it has ended already
  }
  throw fault;
}

class Passing {
  lasting = false;
  #entries;

  constructor(entries = []) {
    this.#entries = entries;
  }

  async change(game, work, position) {
    this.#entries = work(this.#entries, position) ?? this.#entries;
    return this.#entries;
  }

  async lease() {
    return true;
  }
}
