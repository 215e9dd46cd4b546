// How what was entered stands: kept here, on its way, recorded. A sign and a word, always there.
import {by} from "../dom.js";
import {say} from "../say.js";

const STATES = {recorded: "good", sending: "busy", kept: "off", elsewhere: "off", refused: "bad", conflict: "bad", "signed-out": "bad"};

/** `link`: as the outbox says; `count`: how many entries it holds. */
export function pill(link, count) {
  const shown = by("link");
  Object.assign(shown, {hidden: false, textContent: say(`record.link.${link}`, {count})});
  shown.dataset.state = STATES[link] ?? "bad";
}
