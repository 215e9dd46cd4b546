// A code with which another device goes on recording this table.
import {h} from "../dom.js";
import {say} from "../say.js";
import {tryAct} from "./sending.js";

/** Issues one and shows it: as a QR code, and to be typed. */
export async function open() {
  const close = h("form", {method: "dialog"}, h("button", {}, say("replay.close"))), room = h("div", {"aria-live": "polite"}, say("record.wait"));
  const dialog = h("dialog", {class: "sheet code", "aria-label": say("record.handover"), onclose: () => dialog.remove()}, h("h2", {}, say("record.handover")), room, close);
  document.body.append(dialog);
  dialog.showModal();
  const {ok, data} = await tryAct(dialog, "handover", {});
  room.replaceChildren(...(ok ? drawCode(data) : [h("p", {role: "alert"}, data?.detail ?? "")]));
}

function drawCode({code, address, qr, only_here: onlyHere}) {
  const [site] = address.split("#");
  return [
    h("img", {src: `data:image/svg+xml,${encodeURIComponent(qr)}`, alt: "", width: 190, height: 190}),
    h("p", {}, say("record.handover.how", {address: site})),
    h("p", {}, h("code", {}, code)),
    onlyHere && h("p", {class: "warning"}, say("record.handover.only_here")),
    h("p", {class: "quiet"}, say("record.handover.until")),
  ].filter(Boolean);
}
