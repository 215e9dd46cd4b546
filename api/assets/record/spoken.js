// Words for cards in a typed line, as the service reads them (NOT-15 of docs/notation.md).

/** The line with letters in the place of words, of the longest phrase first. A comma ends a phrase. */
export function spellLine(line, words) {
  const plain = line.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const phrases = Object.keys(words).sort((one, other) => other.length - one.length).join("|").replaceAll(" ", "\\s*");
  const whole = new RegExp(`(?<![\\p{L}\\d])(?:${phrases})(?![\\p{L}\\d])`, "gu");
  return plain.replace(whole, found => found && ` ${words[found.match(/\p{L}+|\d+/gu).join(" ")]}`);
}
