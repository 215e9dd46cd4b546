// Elements of a page. Nothing here takes markup as text: texts of people stay text (no XSS).
const SVG = "http://www.w3.org/2000/svg";

/** An element of HTML. Attributes: `onclick` and the like are listeners, `true` is an empty attribute, null and false are left out. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** The same of SVG. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** The element with this id. */
export const by = id => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(child => child != null && child !== false));
  return node;
}
