// Merkle tree of a log (RFC 9162): inclusion of a leaf, and consistency of an older tree with a newer one.
import {hash, same} from "./notes.js";

const node = (left, right) => hash(Uint8Array.of(1), left, right);
const half = number => Math.floor(number / 2); // sizes go beyond 32 bits
const odd = number => number % 2 === 1;
const isPower = number => (odd(number) ? number === 1 : isPower(half(number))); // of two

/** Whether the leaf of this hash is at `place` of a tree of `size` leaves with that root (2.1.3.2). */
export async function lies(leaf, place, size, path, root) {
  if (place >= size) return false;
  const [, reached, last] = await climb([leaf, ...path], place, size - 1);
  return last === 0 && same(reached, root);
}

/** Whether the tree of `old` leaves is the beginning of the one of `size` (2.1.4.2). For the empty tree this means nothing: false. */
export async function goesOn(old, size, path, oldRoot, root) {
  if (old < 1 || old > size) return false;
  if (old === size) return path.length === 0 && same(oldRoot, root);
  const nodes = isPower(old) ? [oldRoot, ...path] : path;
  if (!nodes.length) return false;
  let place = old - 1, last = size - 1;
  while (odd(place)) [place, last] = [half(place), half(last)];
  const [before, now, left] = await climb(nodes, place, last);
  return left === 0 && same(before, oldRoot) && same(now, root);
}

/** From a node to the root: the hash of the nodes to its left, the hash of all, and 0 if the path has the right length. */
async function climb([first, ...path], place, last) {
  let before = first, now = first;
  for (const beside of path) {
    if (last === 0) return [before, now, -1];
    if (odd(place) || place === last) {
      [before, now] = [await node(beside, before), await node(beside, now)];
      while (!odd(place) && place > 0) [place, last] = [half(place), half(last)];
    } else now = await node(now, beside);
    [place, last] = [half(place), half(last)];
  }
  return [before, now, last];
}
