// The state of a log that this device has seen: its newest checkpoint, the first keys that verified it, and the position of each game.
const NAME = "kiebitz-log ", MOST = 500; // games

/** {keys, note, size, at, games: {id: {position, mark}}}; null, where it is seen for the first time. */
export function loadLog(origin) {
  try {
    return JSON.parse(localStorage.getItem(NAME + origin));
  } catch {
    return null;
  }
}

/** The logs that this device knows. */
export const listLogs = () => Object.keys(localStorage).filter(name => name.startsWith(NAME)).map(name => name.slice(NAME.length));

/** Keeps what was verified. A device that may not store anything cannot compare it with the next one. */
export function keep({origin, note, size}, keys, game, {last, marks}) {
  const {[game]: _, ...others} = loadLog(origin)?.games ?? {};
  const games = Object.fromEntries([...Object.entries(others).slice(1 - MOST), [game, {position: last, mark: marks.get(last)}]]);
  try {
    localStorage.setItem(NAME + origin, JSON.stringify({keys, note, size, at: Date.now(), games}));
  } catch {
    // the page says each time that it is the first
  }
}

/** Forgets all logs. */
export function forget() {
  for (const origin of listLogs()) localStorage.removeItem(NAME + origin);
}
