// The page of a game: its replay, and live updates while it is played.
import "./boot.js";
import {need} from "./cards.js";
import {by} from "./dom.js";
import {open as stage} from "./replay/stage.js";
import {facts, hear, indexOf, read, readLast, show, story} from "./replay/story.js";
import {isOver} from "./zones.js";

/** The position that the address names; Infinity for the end. */
const findStart = () => Number(/^#p(\d+)\b/.exec(location.hash)?.[1] ?? Infinity);

const sight = by("sight"), room = location.hash.split(",")[1]; // #p42,desk: a position, and the room beside the table
sight?.form.querySelector("button").setAttribute("hidden", "");
sight?.addEventListener("change", () => location.assign(`${location.pathname}?view=${sight.value}${location.hash}`));
if (matchMedia("(max-width: 40rem)").matches) by("more")?.prepend(...(sight ? [sight.form] : [])); // the bar of a phone has no room for its word

const start = findStart();
stage();
await Promise.all([need(facts.deck), readLast()]);
document.body.dataset.open = "";
if (by("graph") && story.frames[0]?.hand > 1) by("graph").hidden = false; // its room is there before it is drawn
if (start >= story.frames[0]?.position) show(0);
const [around] = await Promise.all([import("./replay/around.js"), read()]);
hear("position", async ({table}) => isOver(table) && (await import("./result.js")).open());
show(indexOf(start));
addEventListener("hashchange", () => show(indexOf(findStart())));
scrollTo(0, 0); // the address names a position, not a place of the page
around.open(room);
document.body.dataset.ready = "";
