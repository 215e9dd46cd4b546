// Sends an act once, whatever becomes of the response (Idempotency-Key), and shows a refusal in its place.
import {act as sendAct} from "../acts.js";
import {tryAsk} from "../api.js";
import {h} from "../dom.js";
import {words} from "./words.js";

/** The field that a refusal is about, where the response names none. */
const ABOUT = {
  bad_seats: "seats", parties_differ: "entrants", knockout_needs_duels: "format", third_place_needs_knockout: "third_place", knockout_by_match_points: "scoring.by", lots_not_last: "tie_breaks[]",
  tie_break_twice: "tie_breaks[]", dice_with_seed: "dice", dice_promise: "dice", dice_form: "dice", dice_number: "dice", lots_need_dice: "dice",
  lots_without_dice: "dice", lots_secret_lost: "seed", lots_are_bound: "seed", places_missing: "scoring.places", places_rise: "scoring.places", no_smaller_tables: "smaller_tables", draw_outside: "scoring.draw", draw_needs_duels: "scoring.draw", solitaire_by_match_points: "scoring.by", tournament_exists: "id",
};

/** Asks, or sends what records nothing. A lost response counts as a response, too. A draw of many takes some seconds. */
export const send = (path, sent) => tryAsk(path, {...sent, wait: 30});

/** Sends an act of a form. */
export const act = (form, path, sent) => sendAct(form, path, {...sent, wait: 30});

/** Shows the reason at the field, if it is about one, else in `place`. Typed text stays. */
export function refuse(form, place, {data}, more = []) {
  clear(form, place);
  const says = data?.detail ?? words("unread"), field = fieldOf(form, data ?? {});
  if (!field) return place.replaceChildren(h("div", {class: "warning", role: "alert"}, h("p", {}, says), more));
  field.closest("details")?.setAttribute("open", "");
  field.closest("[hidden]")?.removeAttribute("hidden");
  const id = `why-${field.name.replace(/\W/g, "-")}`;
  field.closest("label, fieldset").append(h("strong", {class: "refusal", id, role: "alert"}, says));
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", id);
  field.focus();
}

export function clear(form, place) {
  place?.replaceChildren();
  for (const said of form.querySelectorAll(".refusal")) said.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
}

function fieldOf(form, {where, code, detail}) {
  const fields = [...form.elements].filter(field => field.name && field.type !== "hidden");
  const named = (where ?? "").replace(/^\$\.?/, "").replace(/\[(\d*)\]/g, "[]");
  const option = /^bad_option/.test(code ?? "") && fields.find(field => field.name.startsWith("options.") && detail.includes(`"${field.name.slice(8).replace("[]", "")}"`));
  const about = ABOUT[code] ?? (/^no_/.test(code ?? "") ? "tie_breaks[]" : undefined);
  return option || fields.find(field => named && (field.name === named || field.name === `${named}[]` || named.startsWith(`${field.name}.`))) || fields.find(field => field.name === about);
}
