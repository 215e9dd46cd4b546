// Signed notes and checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint), verified with Web Crypto.
const utf8 = new TextEncoder();

/** A claim that a file does not prove. `reason` names why. */
export class Unproven extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Whether this browser can compute hashes here: over plain http it cannot, and older ones do not know Ed25519. */
export async function able() {
  if (!globalThis.crypto?.subtle) return false;
  return crypto.subtle.importKey("raw", new Uint8Array(32), "Ed25519", false, ["verify"]).then(() => true, () => false);
}

/** SHA-256 of bytes and texts, one after the other. */
export async function hash(...parts) {
  const all = parts.map(part => (typeof part === "string" ? utf8.encode(part) : part));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(all.flatMap(part => [...part]))));
}

/** Bytes in base64, which has one spelling. Raises Unproven. */
export function fromBase64(text, length) {
  let read = "";
  try {
    read = atob(text);
  } catch {
    throw new Unproven("base64");
  }
  if (btoa(read) !== text || (length !== undefined && read.length !== length)) throw new Unproven("base64");
  return Uint8Array.from(read, sign => sign.charCodeAt(0));
}

export const toBase64 = bytes => btoa(String.fromCharCode(...bytes));
export const same = (one, other) => one.length === other.length && one.every((byte, place) => byte === other[place]);

/** The keys that sign notes, of lines like `name+12345678+base64`; those of witnesses are left out. */
export function readKeys(lines) {
  const keys = lines.split("\n").filter(Boolean).map(line => {
    const [name, id, ...rest] = line.split("+"), material = fromBase64(rest.join("+"), 33);
    return {line, name, id, kind: material[0], bytes: material.slice(1)};
  });
  return keys.filter(({kind}) => kind === 1);
}

/** The text of a note that one of the keys with this name has signed, and by which. Raises Unproven. */
export async function openNote(note, name, keys) {
  const end = note.lastIndexOf("\n\n"), text = note.slice(0, end + 1), lines = note.slice(end + 2).split("\n");
  if (end < 1 || lines.pop() !== "" || lines.length > 64) throw new Unproven("note");
  for (const line of lines) {
    const [, who, signature] = line.match(/^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/) ?? [];
    if (!who) throw new Unproven("note");
    const signed = fromBase64(signature), id = [...signed.slice(0, 4)].map(byte => byte.toString(16).padStart(2, "0")).join("");
    const key = keys.find(one => one.name === who && one.id === id && one.name === name);
    if (!key) continue;
    const known = await crypto.subtle.importKey("raw", key.bytes, "Ed25519", false, ["verify"]);
    if (!await crypto.subtle.verify("Ed25519", known, signed.slice(4), utf8.encode(text))) throw new Unproven("signature");
    return {text, key};
  }
  throw new Unproven("key");
}

/** The content of a checkpoint, once a known key of its log has signed it: origin, size, root, and the key. */
export async function checkpoint(note, keys) {
  const {text, key} = await openNote(note, note.slice(0, note.indexOf("\n")), keys);
  const [, origin, size, root] = text.match(/^([^\n]+)\n(0|[1-9][0-9]{0,14})\n([^\n]+)\n$/) ?? [];
  if (!origin) throw new Unproven("note");
  return {note, origin, size: Number(size), root: fromBase64(root, 32), key};
}
