// A page to print: its button does what the menu of the browser does.
import "./boot.js";

document.querySelector("[data-print]").addEventListener("click", () => print());
document.body.dataset.ready = "";
