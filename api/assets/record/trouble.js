// Where the outbox stands still: what it was told, and the ways on. Nothing is merged or left out silently.
import {by, h} from "../dom.js";
import {say} from "../say.js";
import {facts} from "../replay/story.js";
import {lines} from "../replay/words.js";
import {told} from "./asking.js";

/** Shows what stands in the way; nothing where nothing does. `leave()` forgets what was entered, `turn()` goes on. */
export async function trouble({entries, link, problem, box, leave, turn}) {
  const room = by("trouble");
  room.hidden = !["refused", "conflict", "elsewhere", "signed-out"].includes(link);
  if (room.hidden) return room.replaceChildren();
  if (link === "refused" && problem?.asks?.length) return void tell(entries[0], problem, box);
  const button = (key, done, main) => h("button", {type: "button", class: main ? "main" : null, onclick: done}, say(key));
  const away = () => {
    leave();
    box.takeTheirs();
    turn();
  };
  const rules = (problem?.rules ?? []).map(rule => [" ", h("a", {href: `/rules/${facts.ruleset}#${rule}`, target: "_blank"}, rule)]);
  const ways = {
    refused: [button("record.drop", away, true)],
    conflict: [button("record.theirs", away, true)],
    elsewhere: [],
    "signed-out": [h("a", {class: "button main", href: `/in?next=${encodeURIComponent(location.pathname)}`}, say("record.sign_in"))],
  }[link];
  room.replaceChildren(
    h("div", {class: "warning", role: "alert"}, h("p", {}, h("b", {}, say(`record.trouble.${link}`))), link === "refused" && h("p", {}, problem?.detail ?? "", rules)),
    entries.length > 0 && h("ol", {"aria-label": say("record.yours")}, entries.map(({words}) => h("li", {}, words))),
    h("p", {class: "acts"}, ways),
  );
}

/** What the refusal names as unknown is asked for, and the same entry goes out again with it. */
async function tell(entry, problem, box) {
  const kept = box.entries().find(({n}) => n === entry.n), body = await told({...kept.body, written: kept.words}, problem.asks);
  if (body) box.edit(entry.n, {body, words: entry.words});
  else box.drop(entry.n);
}
