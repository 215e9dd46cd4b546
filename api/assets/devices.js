// Join codes for the devices at one game.
import "./boot.js";
import {issuing} from "./director/codes.js";

issuing(document.querySelector("form[data-issue]"), () => {});
document.body.dataset.ready = "";
