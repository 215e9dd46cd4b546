// The recorder's page: the table, what happened, and one line in which the next move is typed or tapped.
import "./boot.js";
import "./record/words.js";
import {need} from "./cards.js";
import {by} from "./dom.js";
import {open as entry} from "./record/entry.js";
import {open as felt} from "./record/felt.js";
import {facts, read, show, story} from "./replay/story.js";

await Promise.all([need(facts.deck), read()]);
show(story.frames.length - 1);
for (const part of ["tools", "stage", "entry"]) by(part).hidden = false;
// First, for what is not shown takes no keys.
document.body.dataset.open = "";
felt();
const entering = entry();
(await import("./record/log.js")).open();
await entering;
document.body.dataset.ready = "";
(await import("./replay/following.js")).follow();
