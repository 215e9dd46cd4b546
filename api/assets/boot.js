// Runs on every page: shows times in the time zone of this device, applies a chosen appearance at once, keeps the files of pages.
import {moment} from "./say.js";

for (const time of document.querySelectorAll("time[datetime]")) time.textContent = moment(time.dateTime);

const looks = document.querySelector(".looks");
looks?.addEventListener("change", () => looks.querySelector("form").submit());
looks?.querySelector("button")?.setAttribute("hidden", "");
document.addEventListener("click", event => {
  if (looks?.open && !looks.contains(event.target)) looks.open = false;
});
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && looks?.open) looks.open = false;
});

if ("serviceWorker" in navigator) {
  // Whatever address is requested, this one worker is meant.
  const policy = window.trustedTypes?.createPolicy("kiebitz", {createScriptURL: () => "/sw.js"});
  navigator.serviceWorker.register(policy ? policy.createScriptURL("/sw.js") : "/sw.js").catch(() => {});
}
