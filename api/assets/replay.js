// The page of a game: its replay, and live updates while it is played.
import "./boot.js";
import {need} from "./cards.js";
import {by} from "./dom.js";
import {open as stage} from "./replay/stage.js";
import {facts, hear, indexOf, read, show, story} from "./replay/story.js";
import {isOver} from "./zones.js";

/** The position that the address names, else the end. */
const findStart = () => (/^#p\d+\b/.test(location.hash) ? indexOf(parseInt(location.hash.slice(2), 10)) : story.frames.length - 1);

const sight = by("sight"), room = location.hash.split(",")[1]; // #p42,desk: a position, and the room beside the table
sight?.form.querySelector("button").setAttribute("hidden", "");
sight?.addEventListener("change", () => location.assign(`${location.pathname}?view=${sight.value}${location.hash}`));
if (matchMedia("(max-width: 40rem)").matches) by("more")?.prepend(...(sight ? [sight.form] : [])); // the bar of a phone has no room for its word

stage();
hear("position", async ({table}) => isOver(table) && (await import("./result.js")).open());
await Promise.all([need(facts.deck), read()]);
document.body.dataset.open = "";
if (by("graph")) by("graph").hidden = story.frames.at(-1).hand < 2; // its room is there before it is drawn
show(findStart());
addEventListener("hashchange", () => show(findStart()));
scrollTo(0, 0); // the address names a position, not a place of the page
(await import("./replay/around.js")).open(room);
document.body.dataset.ready = "";
