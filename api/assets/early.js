// Runs before a page is shown: a form may be submitted before the script that sends it is loaded. It is submitted again then, not lost.
const early = new Map();
const keep = event => {
  if (event.target.hasAttribute("method")) return; // the browser sends it
  event.preventDefault();
  early.set(event.target, event.submitter);
};
document.addEventListener("submit", keep, true);
document.addEventListener("DOMContentLoaded", async () => {
  await import(document.querySelector("script[type=module]").src); // the load event does not wait for modules with a top-level await
  document.removeEventListener("submit", keep, true);
  for (const [form, button] of early) form.requestSubmit(button);
});
