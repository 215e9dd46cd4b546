// The recorder's page: the table, the history, and one line in which the next move is typed or tapped.
import "./boot.js";
import {need} from "./cards.js";
import {by} from "./dom.js";
import {open as felt} from "./record/felt.js";
import {facts, hear, read, readLast, show, story} from "./replay/story.js";
import {isOver} from "./zones.js";

await Promise.all([need(facts.deck), readLast()]);
hear("position", ({table}) => isOver(table) && import("./record/ending.js"));
for (const part of ["tools", "stage", "entry", "below"]) by(part).hidden = false;
// First, for what is not shown takes no keys.
document.body.dataset.open = "";
felt();
const [around] = await Promise.all([import("./record/around.js"), read()]);
show(story.frames.length - 1);
await around.open();
document.body.dataset.ready = "";
