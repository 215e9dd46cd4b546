// Lists of names as people paste them, or as spreadsheets save them (api/http/lists.py reads them for programs).

/** The text of a file: UTF-8, UTF-16 with its mark, else Windows-1252, which German spreadsheets write. */
export function textOf(bytes) {
  const mark = bytes[0] << 8 | bytes[1];
  if (mark === 0xfffe || mark === 0xfeff) return new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * {lines, ignored}: {line, names, rating, club} of each line that is not empty, and the columns that were not read. Where the first line names
 * columns they are read by name; `german` are the columns of German headings. Else a rating follows after a semicolon or a tab; `several`: there
 * are more columns than that.
 */
export function readList(text, size, german) {
  let lines = text.replace(/^\ufeff/, "").split(/\r?\n/).map((written, place) => ({written: written.replace(/[;\t\s]+$/, "").trimStart(), line: place + 1})).filter(one => one.written);
  if (/^sep=.?$/i.test(lines[0]?.written)) lines = lines.slice(1);
  const heading = lines[0]?.written ?? "", separator = [...";\t,"].sort((one, other) => heading.split(other).length - heading.split(one).length)[0];
  const told = cellsOf(heading, separator), columns = told.map(cell => columnOf(cell, german));
  if (!columns.includes("name")) return {lines: lines.map(one => ({line: one.line, ...plainLine(one.written, size)})), ignored: []};
  const read = one => {
    const cells = cellsOf(one.written, separator), cell = name => cells[columns.indexOf(name)] || null;
    const names = cells.filter((_, place) => columns[place] === "name").flatMap(name => size === 1 ? [name] : name.split(/[&/]|\s\+\s/));
    return {line: one.line, names: plain(names), rating: /^-?\d+$/.test(cell("rating")) ? Number(cell("rating")) : null, club: cell("club")};
  };
  return {lines: lines.slice(1).map(read), ignored: told.filter((cell, place) => cell && !["name", "rating", "club"].includes(columns[place]))};
}

/** Without the number that a list counts its lines with: `1. Anna`. */
const dropNumber = text => text.replace(/^\s*\d+\s*[.):;\s]\s*(?=\p{L})/u, "");
const plain = names => names.map(name => dropNumber(name).trim()).filter(Boolean);

function plainLine(written, size) {
  const [, before, rating] = /^(.*?)(?:\s*[;\t]\s*(-?\d+))?$/.exec(dropNumber(written));
  const names = plain(size === 1 ? [before] : before.split(/[&/;\t]|\s\+\s/));
  return {names, rating: rating === undefined ? null : Number(rating), club: null, several: size === 1 && /[;\t]/.test(before)};
}

/** Quotes keep a separator within a cell. */
const cellsOf = (line, separator) => [...`${line}${separator}`.matchAll(new RegExp(`("(?:[^"]|"")*"|[^${separator}]*)${separator}`, "g"))]
  .map(([, cell]) => cell.trim().replace(/^"(.*)"$/, "$1").replaceAll('""', '"').trim());

function columnOf(cell, german) {
  const word = cell.toLowerCase().replace(/[ _]?\d+$/, ""), name = german[word] ?? word;
  return name === "player" ? "name" : name;
}
