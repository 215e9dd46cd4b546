// The shared worker of all tabs: it lives for as long as one of them is open, and holds their connection.
import {Hub} from "./hub.js";

const hub = new Hub();
hub.lead();
addEventListener("connect", () => hub.leads || hub.lead());
