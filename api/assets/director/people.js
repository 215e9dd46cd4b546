// Players by name: found in the directory, or new and registered when the form is sent.
import {h} from "../dom.js";
import {act, send} from "./sending.js";
import {words} from "./words.js";

const tidy = name => name.trim().replace(/\s+/g, " ");
const plain = name => tidy(name).toLocaleLowerCase();

/** The players that a name may mean: {name, found: players}. Players are found by id, name or alias. */
export async function look(name) {
  const wanted = plain(name);
  const {ok, data} = await send(`/v1/players?limit=50&search=${encodeURIComponent(name.trim())}`);
  const hasName = player => [player.id, player.name, player.alias, player.shown].some(one => one && plain(one) === wanted);
  return {name: tidy(name), found: ok ? data.items.filter(player => !player.erased && !player.merged_into && hasName(player)) : [], near: ok ? data.items : []};
}

const registering = new Map();

/** Registers a new player; pressed again after a lost response, it registers nobody twice. */
export function registerPlayer(name, club = null) {
  if (!registering.has(name)) registering.set(name, {});
  return act(registering.get(name), "/v1/players", {body: {name, ...(club ? {club} : {})}});
}

/** Watches a field for a name: shows whether the player is known, and offers similar names. Until it knows, the field is `data-looking`. */
export function personField(input, known) {
  const says = h("small", {class: "who-is"});
  input.after(says);
  let asked = 0;
  const choose = players => h("select", {"aria-label": words("person.several"), onchange: event => { input.dataset.player = event.target.value; }},
    h("option", {value: ""}, words("person.choose")), players.map(one => h("option", {value: one.id}, [one.shown, one.alias, one.club, one.registered_at.slice(0, 10)].filter(Boolean).join(", "))));
  const suggestPlayers = async () => {
    const turn = ++asked;
    delete input.dataset.player;
    says.replaceChildren();
    input.toggleAttribute("data-looking", input.value.trim());
    if (!input.value.trim()) return;
    const {found, near} = await look(input.value);
    if (turn !== asked) return;
    delete input.dataset.looking;
    known?.replaceChildren(...near.slice(0, 12).map(one => h("option", {value: one.shown})));
    if (found.length === 1) input.dataset.player = found[0].id;
    says.replaceChildren(found.length > 1 ? choose(found) : words(found.length ? "person.known" : "person.new"));
    input.dispatchEvent(new Event("person", {bubbles: true}));
  };
  input.addEventListener("input", suggestPlayers);
  if (input.value !== input.defaultValue) suggestPlayers(); // typed before this ran
}

/** Registers the new players in the fields of a form. Returns a refusal, or nothing. */
export async function settle(form) {
  const fields = [...form.querySelectorAll("[data-person]")].filter(field => field.value.trim() && !field.closest("[hidden]"));
  for (const field of fields) {
    if (field.dataset.player) continue;
    const {found} = await look(field.value);
    if (found.length > 1) return {data: {detail: words("person.several"), where: field.name}};
    const answer = found.length ? null : await registerPlayer(tidy(field.value));
    if (answer && !answer.ok) return answer;
    field.dataset.player = answer ? answer.data.player : found[0].id;
  }
  return null;
}
