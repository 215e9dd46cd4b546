// The plan of a series: the points of places stand in the form, and are sent, only where points come by place.

/** Shows or hides them in a form within `root`. */
export function togglePlaces(root) {
  const by = root.querySelector('[name="points.by"]');
  const toggle = () => { root.querySelector("[data-places]").hidden = by.value !== "place"; };
  by?.addEventListener("change", toggle);
  if (by) toggle();
}
