// Runs before a page is shown: a form that a script sends may be submitted before that script is there. It is submitted again then, not lost.
const early = new Map();
const keep = event => {
  if (event.target.hasAttribute("method")) return; // the browser sends it by itself
  event.preventDefault();
  early.set(event.target, event.submitter);
};
document.addEventListener("submit", keep, true);
document.addEventListener("DOMContentLoaded", async () => {
  await import(document.querySelector("script[type=module]").src); // the load event does not wait for modules that wait themselves
  document.removeEventListener("submit", keep, true);
  for (const [form, button] of early) form.requestSubmit(button);
});
