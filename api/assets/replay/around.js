// What stands around the table of the replay, and comes after it: keys, panels, news, moving cards, sounds, the score over the hands.
import {by} from "../dom.js";
import {open as gestures} from "./gestures.js";
import {open as graph} from "./graph.js";
import {open as keys} from "./keys.js";
import {keepUp} from "./live.js";
import {open as motion} from "./motion.js";
import {open as moves} from "./moves.js";
import {audit, open as rooms} from "./rooms.js";
import {open as sound} from "./sound.js";

/** From now on all of it works. `room`: the first panel. */
export function open(room) {
  keys({audit});
  by("proof")?.addEventListener("click", async () => {
    by("more").hidePopover();
    (await import("./proof.js")).check(by("proven"));
  });
  if (by("moves")) moves();
  if (by("tabs")) rooms(room);
  keepUp();
  motion();
  gestures();
  if (by("more")) [graph, sound].forEach(open => open());
}
