// A code in the fragment of the address is no part of any request: it goes from here into the form, and out of the address.
import "./boot.js";

const form = document.querySelector("form.enter[action='/in']");

function enterCode() {
  const code = decodeURIComponent(location.hash.slice(1));
  if (!form || !code) return;
  history.replaceState(null, "", location.pathname + location.search);
  form.elements.secret.value = code;
  // A signed-in person decides for themselves: a link must not sign them in as somebody else (login CSRF).
  if (form.dataset.signed === undefined) form.submit();
}

enterCode();
// The same address with a code, opened in a tab that shows this page already, loads nothing.
addEventListener("hashchange", enterCode);
