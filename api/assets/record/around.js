// What stands around the table of the recorder, and comes after it. Once it is there, the page works without a network.
import "./words.js";
import "./acts.js";
import "./again.js";
import "./asking.js";
import "./deal.js";
import "./disputes.js";
import "./forms.js";
import "./mending.js";
import "./mentions.js";
import "./signing.js";
import "./trouble.js";
import {open as device} from "./device.js";
import {open as entry} from "./entry.js";
import {open as log} from "./log.js";
import {follow} from "../replay/live.js";

/** From now on all of it works. */
export async function open() {
  await entry();
  log();
  device();
  follow();
}
