// A click as of a card that is laid, at each step; made by Web Audio. Off until somebody switches it on, which this device remembers.
import {by} from "../dom.js";
import {hear, story} from "./story.js";

const KEPT = "kiebitz.sound", LENGTH = 0.04, PITCH = 1900, LOUD = 0.25; // seconds, hertz
let air, click, before;

/** From now on steps sound, while the switch is on. */
export function open() {
  const box = by("sound");
  box.checked = localStorage.getItem(KEPT) !== null;
  box.addEventListener("change", () => {
    if (box.checked) localStorage.setItem(KEPT, "on");
    else localStorage.removeItem(KEPT);
    if (box.checked) sound();
  });
  before = story.at;
  hear("position", () => {
    if (box.checked && Math.abs(story.at - before) === 1) sound();
    before = story.at;
  });
}

function sound() {
  air ??= new AudioContext();
  click ??= noise();
  const source = new AudioBufferSourceNode(air, {buffer: click});
  source.connect(new BiquadFilterNode(air, {type: "bandpass", frequency: PITCH})).connect(new GainNode(air, {gain: LOUD})).connect(air.destination);
  source.start();
  air.resume(); // a browser lets nothing sound before somebody touches the page
}

/** Noise that fades away at once. */
function noise() {
  const size = Math.ceil(air.sampleRate * LENGTH), buffer = new AudioBuffer({length: size, sampleRate: air.sampleRate});
  buffer.copyToChannel(Float32Array.from({length: size}, (_, at) => (2 * Math.random() - 1) * (1 - at / size) ** 4), 0);
  return buffer;
}
