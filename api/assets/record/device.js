// The device in the hall: its screen stays awake, its page opens again without a network (over https), and it says who else records here.
import {by, h} from "../dom.js";
import {moment, say} from "../say.js";
import {framesPath, hear, story} from "../replay/story.js";

const WARNED = "kiebitz-reload", SOON = 500; // milliseconds until several frames are kept at once
const me = JSON.parse(by("game").dataset.who).id;

/** From now on. */
export function open() {
  hear("told", tellWho);
  tellWho();
  if (!isSecureContext) return warn();
  if ("serviceWorker" in navigator) keep();
  addEventListener("pointerdown", stayAwake, {once: true});
  addEventListener("keydown", stayAwake, {once: true});
}

/** Says once on each device that a page of plain http cannot be loaded again without a network. */
function warn() {
  addEventListener("beforeunload", event => navigator.onLine || event.preventDefault());
  if (localStorage.getItem(WARNED)) return;
  const read = () => {
    localStorage.setItem(WARNED, "read");
    note.remove();
  };
  const note = h("p", {id: "reload", class: "warning", role: "status"}, say("record.reload"), " ", h("button", {type: "button", onclick: read}, say("record.reload.read")));
  by("game").append(note);
}

/** Who records here now, if the newest event came from another device. */
function tellWho() {
  const frame = story.frames.at(-1), others = frame.position > 1 && frame.by !== me;
  by("elsewhere").hidden = !others;
  if (others) document.querySelector("dialog.code")?.close(); // the code has done its work
  by("elsewhere").textContent = others ? say("record.elsewhere", {at: moment(frame.at)}) : "";
}

/** The screen of a phone that lies at the table stays on, as long as the page is seen. */
function stayAwake() {
  const request = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", request);
  request();
}

/** Keeps the page, its files, and all frames as they come, where the service worker looks for them. */
async function keep() {
  const [, , version] = new URL(import.meta.url).pathname.split("/"), cache = await caches.open(version);
  const frames = () => cache.put(framesPath(0), Response.json({frames: story.frames, after: null})).catch(() => {});
  let due;
  hear("told", () => {
    clearTimeout(due);
    due = setTimeout(frames, SOON);
  });
  const files = performance.getEntriesByType("resource").map(({name}) => name).filter(name => new URL(name).pathname.startsWith("/assets/"));
  await Promise.all([frames(), cache.addAll([location.pathname, ...new Set(files)])]).catch(() => {});
}
