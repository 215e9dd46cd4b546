// The desk of a series: its forms, and the points of places only where points come by place.
import "./boot.js";
import {wire} from "./director/forms.js";
import {togglePlaces} from "./director/series.js";

wire(document, form => location.assign(form.dataset.next));
togglePlaces(document);
document.body.dataset.ready = "";
