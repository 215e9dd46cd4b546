// A code in the fragment of the address is no part of any request: it goes from here into the form, and out of the address.
import "./boot.js";

const form = document.querySelector("form.enter[action='/in']");
const code = decodeURIComponent(location.hash.slice(1));
if (form && code) {
  history.replaceState(null, "", location.pathname + location.search);
  form.elements.secret.value = code;
  // Who is somebody already decides by himself: a link must not make him somebody else.
  if (form.dataset.signed === undefined) form.submit();
}
