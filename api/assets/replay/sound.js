// A click as of a card that is laid, at each step.
import {by} from "../dom.js";
import {context, switchSound} from "../sound.js";
import {hear, story} from "./story.js";

const LENGTH = 0.04, PITCH = 1900, LOUD = 0.25; // seconds, hertz
let click, before;

/** From now on steps sound, while the switch is on. */
export function open() {
  const sound = switchSound(by("sound"), "kiebitz.sound", lay);
  before = story.at;
  hear("position", () => {
    if (Math.abs(story.at - before) === 1) sound();
    before = story.at;
  });
}

function lay() {
  const air = context();
  click ??= noise(air);
  const source = new AudioBufferSourceNode(air, {buffer: click});
  source.connect(new BiquadFilterNode(air, {type: "bandpass", frequency: PITCH})).connect(new GainNode(air, {gain: LOUD})).connect(air.destination);
  source.start();
}

/** Noise that fades away at once. */
function noise(air) {
  const size = Math.ceil(air.sampleRate * LENGTH), buffer = new AudioBuffer({length: size, sampleRate: air.sampleRate});
  buffer.copyToChannel(Float32Array.from({length: size}, (_, at) => (2 * Math.random() - 1) * (1 - at / size) ** 4), 0);
  return buffer;
}
