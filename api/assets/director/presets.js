// The choice of a preset above the options of a game: it sets their fields, and what was changed by hand stays.

/** Sets the fields of `form` when a preset is chosen, or an option on which it depends. */
export function presetField(form) {
  const choice = form.querySelector("[data-presets]"), presets = JSON.parse(choice.dataset.presets);
  const fields = new Map([...form.elements].filter(field => field.name.startsWith("options.")).map(field => [field.name.slice("options.".length), field]));
  const findPreset = () => presets.find(one => one.name === choice.value && Object.entries(one.when).every(([name, value]) => fields.get(name).value === value)).options;
  let before = findPreset();
  form.addEventListener("change", () => {
    const now = findPreset();
    for (const [name, field] of fields) if (now[name] !== before[name] && valueOf(field) === before[name]) put(field, now[name]);
    before = now;
  });
}

const valueOf = field => (field.type === "checkbox" ? field.checked : field.value);

function put(field, value) {
  if (field.type === "checkbox") field.checked = value;
  else field.value = value;
}
