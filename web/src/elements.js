// Elements are made one by one and texts put into them as texts: nothing is ever read as HTML.

/** An element with attributes and what is in it. `on…` are listeners, and what is undefined or false is left out. */
export function el(name, attributes = {}, ...content) {
  return filled(document.createElement(name), attributes, content);
}

/** The same of a drawing. */
export function draw(name, attributes = {}, ...content) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, content);
}

function filled(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...content.flat(Infinity).filter((part) => part !== undefined && part !== null && part !== false && part !== ""));
  return element;
}

/** A text of the corpus: it has its own direction. */
export const said = (text, attributes = {}) => el("bdi", attributes, text);

/** A link within the page. */
export const link = (to, attributes, ...content) => el("a", { ...attributes, href: `#/${to}` }, ...content);

/** Tells a screen reader. */
export function announce(text) {
  document.getElementById("said").textContent = text;
}

/** A select with its label. */
export function choice(label, options, value, change) {
  const select = el("select", { onchange: () => change(select.value) }, options.map(([name, text]) => el("option", { value: name, selected: name === value }, text)));
  return el("label", { class: "choice" }, el("span", {}, label), select);
}

/** A similarity as a number with a bar. */
export function gauge(value, text, least = 0) {
  const width = value === null || value === undefined ? 0 : Math.max(0.03, (value - least) / (1 - least || 1));
  const bar = el("span", { class: "gauge", "aria-hidden": "true" }, el("i"));
  bar.firstChild.style.setProperty("inline-size", `${(100 * Math.min(1, width)).toFixed(1)}%`);
  return el("span", { class: "similarity" }, bar, el("b", {}, text));
}

export const tag = (text, kind = "") => el("span", { class: `tag ${kind}` }, text);

/** Saves a text as a file. */
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const anchor = el("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
