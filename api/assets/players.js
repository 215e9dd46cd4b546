// The page of players: names are put right, and two players merged after a look at it.
import "./boot.js";
import {wire} from "./director/forms.js";

wire(document, form => location.assign(form.dataset.next));
document.body.dataset.ready = "";
