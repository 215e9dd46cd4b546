// The phases of the clock of a wall: play, last hand, break.

/** What it counts at a moment: when that `ends`, the seconds `left` of it, and the `phases` after it. */
export function phaseAt({counts, until, left, phases = []}, now) {
  if (!until) return {counts, ends: null, left: Number(left), phases};
  const rest = [...phases];
  let ends = Date.parse(until);
  while (ends <= now && rest.length) {
    const next = rest.shift();
    counts = next.counts;
    ends += next.seconds * 1000;
  }
  return {counts, ends, left: Math.max(0, (ends - now) / 1000), phases: rest};
}

/** Calls `ring` at the end of each phase. Returns a function for each look at the clock. */
export function watchEndings(ring) {
  let due = Infinity;
  return ({ends}, now) => {
    if (now >= due && now < due + 5000) ring(); // not after the device has slept
    due = ends > now ? ends : Infinity;
  };
}
