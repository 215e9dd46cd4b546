// The scale of a table.
const FINEST = 1.02, FINER = 1.12; // steps

/**
 * Shrinks a felt that is too high for its stage, from this scale on, and returns the one that fits, or the least. Each step lays out all cards, so
 * they are few; what is smaller needs fewer rows, so a step is smaller than what is over.
 */
export function fit(stage, scale, least) {
  for (let over; scale > least && (over = stage.scrollHeight / stage.clientHeight) > 1; ) {
    scale = Math.max(least, scale / Math.max(Math.sqrt(over), Math.min(over, FINER), FINEST));
    stage.style.setProperty("--fit", scale);
  }
  return scale;
}
