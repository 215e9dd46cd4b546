// The body of a request from a form: names with dots are nested, names that end with [] are lists, empty fields are left out.

/**
 * The body that the fields of `form` make. Fields that are disabled, or within something hidden, are left out.
 *
 * A form about something that exists has it in `data-now`, as JSON. Such a form sends only what was changed, and fields with `data-sent`. What
 * the service replaces whole is completed from `data-now`: an object of which a field was changed, and with PUT the body itself. So what no
 * field shows stays as it is. To be `tried` only, a player who is not registered yet goes by the name.
 */
export function bodyOf(form, tried = false) {
  const now = form.dataset.now && JSON.parse(form.dataset.now), body = now && form.dataset.method === "PUT" ? {...now} : {};
  const fields = fieldsOf(form), sent = fields.filter(field => !now || field.dataset.sent !== undefined || isChanged(field));
  for (const name of new Set(sent.map(field => field.name))) {
    const values = fields.filter(field => field.name === name).map(field => valueOf(field, tried)).filter(value => value !== undefined);
    put(body, now, name.replace("[]", "").split("."), name.endsWith("[]") ? values : values[0]);
  }
  return body;
}

const fieldsOf = form => [...form.elements].filter(field => field.name && !field.disabled && !field.closest("[hidden]") && (field.type !== "radio" || field.checked));

/** Whether the value of a field has changed. */
export function isChanged(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type !== "select-one") return field.value !== field.defaultValue;
  return field.selectedIndex !== Math.max(0, [...field.options].findIndex(one => one.defaultSelected));
}

/** `path`: one name, or that of an object and one within it. Without a value it is removed. */
function put(body, now, [name, member], value) {
  const [within, last] = member === undefined ? [body, name] : [body[name] ??= {...now?.[name]}, member];
  if (value === undefined) delete within[last];
  else within[last] = value;
}

function valueOf(field, tried) {
  if (field.type === "checkbox" && field.dataset.kind) return field.checked === (field.dataset.kind !== "unticked") ? (field.dataset.kind === "name" ? field.value : plain(field.value)) : undefined;
  if (field.type === "checkbox") return field.checked;
  if (field.dataset.person !== undefined) return field.dataset.player || (tried && field.value.trim()) || null;
  const text = field.value.trim();
  if (text === "") return field.dataset.empty && JSON.parse(field.dataset.empty);
  if (field.type === "number") return field.valueAsNumber;
  if (field.dataset.kind === "numbers") return text.split(/[\s,;:/]+/).map(plain);
  if (field.dataset.kind === "dice") return /^[1-6\s]+$/.test(text) ? [...text.replace(/\s/g, "")].join(" ") : text;
  if (field.dataset.kind === "json") return JSON.parse(text);
  if (field.dataset.kind === "funds") return text.split("\n").filter(line => line.trim()).map(fund);
  return field.dataset.kind === "value" ? plain(text) : text;
}

/** A line of prizes: `junior: 30 20`, or without a category. */
function fund(line) {
  const [amounts, ...category] = line.split(":").reverse();
  return {category: category.reverse().join(":").trim() || null, amounts: (amounts.match(/\d+/g) ?? []).map(Number)};
}

const plain = text => (/^-?\d+$/.test(text) ? Number(text) : text);
