// Verification of proof files (docs/proof.md), by keys that come from elsewhere than the file.
import {checkpoint, fromBase64, hash, openNote, toBase64, Unproven} from "./notes.js";
import {goesOn, lies} from "./tree.js";

const utf8 = new TextEncoder();
const ZEROS = new Uint8Array(32);
const NEEDED = ["format", "checkpoint", "stream", "view", "first", "prev", "events", "leaf", "path"];
const FURTHER = ["edition", "receipt", "earlier"];

/**
 * Verifies a proof file. Raises Unproven.
 * @returns {Promise<{checkpoint: object, last: number, marks: Map<number, string>, stood: ?number}>} the checkpoint in which it lies, its last
 *   position, the mark of each of its positions in base64, and how many entries the log had when it stood there already
 */
export async function verifyFile(file, keys) {
  wellFormed(file);
  const head = await checkpoint(file.checkpoint, keys), chain = await chainMarks(file);
  if (!await lies(chain.mark, file.leaf, head.size, hashes(file.path), head.root)) throw new Unproven("tree");
  if (file.view !== "full") await checkReceipt(file, head.origin, chain, keys);
  const then = "earlier" in file ? await since(file.earlier, head, keys) : null;
  return {checkpoint: head, last: chain.last, marks: chain.marks, stood: then && then.size > file.leaf ? then.size : null};
}

function wellFormed(file) {
  const names = Object.keys(file), told = file.view !== "full";
  const right = [
    file.format === "kiebitz-proof/1",
    NEEDED.every(name => names.includes(name)),
    names.every(name => NEEDED.includes(name) || FURTHER.includes(name)),
    /^(full|public|seat:(0|[1-9][0-9]{0,2}))$/.test(file.view),
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(file.stream),
    Number.isSafeInteger(file.first) && file.first >= 1 && (file.first === 1 || !told),
    Number.isSafeInteger(file.leaf) && file.leaf >= 0,
    Array.isArray(file.events) && file.events.length > 0 && Array.isArray(file.path),
    told === ("receipt" in file) && told === ("edition" in file),
    file.first > 1 || file.prev === toBase64(ZEROS),
  ];
  if (!right.every(Boolean)) throw new Unproven("form");
}

/** The marks of its events, each of which contains the one before, and the content of the view. */
async function chainMarks({stream, first, prev, events, view}) {
  const id = Uint8Array.from(stream.replaceAll("-", "").match(/../g), byte => parseInt(byte, 16)), marks = new Map();
  let mark = fromBase64(prev, 32), told = ZEROS, position = first - 1;
  for (const event of events) {
    position += 1;
    const isOpen = "salt" in event, head = utf8.encode(`kiebitz-event/1\n${stream}\n${position}\n${event.name}\n`);
    if (Object.keys(event).length !== 3 || isOpen === ("commitment" in event) || (view === "full" && !isOpen)) throw new Unproven("form");
    const committed = isOpen ? await hash(fromBase64(event.salt, 16), head, event.bytes) : fromBase64(event.commitment, 32);
    mark = await hash(Uint8Array.of(0, 1), id, u64(position), mark, committed);
    told = await hash(told, await hash(Uint8Array.of(isOpen ? 1 : 2), head, event.bytes));
    marks.set(position, toBase64(mark));
  }
  return {mark, marks, told, last: position};
}

async function checkReceipt({stream, view, edition, receipt}, origin, {mark, told, last}, keys) {
  const {text} = await openNote(receipt, `${origin}/told`, keys), nonce = text.trimEnd().split("\n").at(-1);
  fromBase64(nonce, 16);
  const lines = ["kiebitz-told/1", origin, stream, view, edition, last, toBase64(mark), toBase64(told), nonce];
  if (text !== lines.map(line => `${line}\n`).join("")) throw new Unproven("receipt");
}

/** Verifies that the log continues from the earlier checkpoint. */
async function since(earlier, head, keys) {
  if (typeof earlier?.checkpoint !== "string" || !Array.isArray(earlier.path) || Object.keys(earlier).length !== 2) throw new Unproven("form");
  const then = await checkpoint(earlier.checkpoint, keys);
  const goes = then.origin === head.origin && await goesOn(then.size, head.size, hashes(earlier.path), then.root, head.root);
  if (!goes) throw new Unproven("earlier");
  return then;
}

const hashes = path => path.map(one => fromBase64(one, 32));

function u64(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}
