// The recorder's acts on the result card: look at the sheet and agree, dispute the count, deal the next hand.
import {by, h} from "../dom.js";
import {hear, story} from "../replay/story.js";
import {open} from "../result.js";
import {say} from "../say.js";
import {dealing} from "./deal.js";
import {tableNow} from "./entered.js";
import {callArbiter} from "./why.js";

// The next hand is dealt as Enter in the line would.
const next = h("button", {type: "button", class: "main next", onclick: () => by("form").requestSubmit()}, say("result.deal"));
hear("deal", offer);
offer();
await open(tableNow, acts);

/** Names who deals next, as long as the line offers a deal; after that the card is folded, for the felt is needed. */
function offer() {
  const who = dealing();
  next.hidden = who === null;
  next.closest("details")?.toggleAttribute("open", who !== null);
  next.title = next.ariaLabel = say("result.next", {who});
}

function acts({parties, signatures = [], finished}, hand) {
  const agreed = parties.every((_, party) => signatures.some(one => one.party === party && one.stands));
  const contest = say("result.dispute"), counted = story.frames.findLast(({void: gone, effects}) => !gone && effects.some(([word]) => word === "closed"));
  return [
    !finished && next,
    agreed ? h("span", {class: "quiet"}, say("result.agreed")) : h("button", {type: "button", class: finished ? "main" : null, onclick: () => by("sheet-open").click()}, say("result.agree")),
    h("button", {type: "button", title: contest, "aria-label": contest, onclick: () => callArbiter(say("result.claim", {hand}), null, counted?.position)}, say("record.dispute.title")),
  ];
}
