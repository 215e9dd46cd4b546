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
  #known = []; // for the page to go on with, should the disk fill up
  #instead;

  constructor(base) {
    this.base = base;
  }

  /** @param work from the entries, in order, to those that shall be there instead; nothing where they stay. */
  async change(game, work) {
    if (!this.lasting) return this.#instead.change(game, work);
    try {
      return (this.#known = await this.#write(game, work));
    } catch {
      this.lasting = false;
      this.#instead ??= new Passing(this.#known); // several may be refused at once
      return this.#instead.change(game, work);
    }
  }

  #write(game, work) {
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
  async lease(game, tab, until) {
    return !this.lasting || this.#taken(game, tab, until).catch(() => true);
  }

  #taken(game, tab, until) {
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
    const [result] = await Promise.all([work(transaction.objectStore(name)).catch(fault => undone(transaction, fault)), ended]);
    return result;
  }
}

/** A put that is refused must not leave the deletion before it standing. */
function undone(transaction, fault) {
  try {
    transaction.abort();
  } catch {
    // it has ended by itself
  }
  throw fault;
}

class Passing {
  lasting = false;
  #entries;

  constructor(entries = []) {
    this.#entries = entries;
  }

  async change(game, work) {
    this.#entries = work(this.#entries) ?? this.#entries;
    return this.#entries;
  }

  async lease() {
    return true;
  }
}
