// A bell of two notes, for the player's own page: the next table is known.
import {context, switchSound} from "./sound.js";

const NOTES = [660, 880], LENGTH = 0.6, LOUD = 0.3; // hertz, seconds

/** The switch of the bell. Returns a function that rings it while it is on. */
export const switchBell = box => switchSound(box, "kiebitz.bell", ring);

function ring() {
  const air = context();
  NOTES.forEach((frequency, place) => {
    const at = air.currentTime + (place * LENGTH) / 2, note = new OscillatorNode(air, {frequency}), fades = new GainNode(air, {gain: LOUD});
    fades.gain.setValueAtTime(LOUD, at);
    fades.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
    note.connect(fades).connect(air.destination);
    note.start(at);
    note.stop(at + LENGTH);
  });
}
