// The body of a request as a form says it: names with dots lie within each other, names that end with [] are lists, what is empty is left out.

/** What the fields of `form` come to; those that are disabled, or within something hidden, say nothing. */
export function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.closest("[hidden]")) continue;
    put(body, field.name, valueOf(field));
  }
  return body;
}

/** A list is there, too, where nothing is in it. */
function put(body, name, value) {
  const path = name.replace("[]", "").split("."), last = path.pop(), isList = name.endsWith("[]");
  if (value === undefined && !isList) return;
  const place = path.reduce((within, step) => (within[step] ??= {}), body);
  if (isList) place[last] ??= [];
  if (value === undefined) return;
  if (isList) place[last].push(value);
  else place[last] = value;
}

function valueOf(field) {
  if (field.type === "checkbox") return field.dataset.kind === "one" ? (field.checked ? plain(field.value) : undefined) : field.checked;
  if (field.type === "radio" && !field.checked) return undefined;
  if (field.dataset.person !== undefined) return field.dataset.player || null;
  const text = field.value.trim();
  if (text === "") return field.dataset.empty === "null" ? null : undefined;
  if (field.type === "number") return field.valueAsNumber;
  if (field.dataset.kind === "numbers") return text.split(/[\s,;:/]+/).map(plain);
  if (field.dataset.kind === "dice") return /^[1-6\s]+$/.test(text) ? [...text.replace(/\s/g, "")].join(" ") : text;
  if (field.dataset.kind === "tables") return text.split("\n").filter(line => line.trim()).map(line => ({parties: line.split(":").map(party => (party.match(/\d+/g) ?? []).map(Number))}));
  return field.dataset.kind === "value" ? plain(text) : text;
}

const plain = text => (/^-?\d+$/.test(text) ? Number(text) : text);
