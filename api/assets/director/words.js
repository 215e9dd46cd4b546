// What these pages say by script: the words stand in the page, so that no other page fetches them.
const lying = document.getElementById("words")?.content;

/** The words under a key, with `{name}` filled in; the key itself where there are none. */
export const words = (key, values = {}) =>
  (lying?.querySelector(`[data-key="${key}"]`)?.textContent ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
