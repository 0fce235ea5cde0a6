// A list of thousands: only the rows that can be seen are in the page.
import { announce, el } from "./elements.js";

/** Rows to draw above and below those that are seen. */
const MORE = 6;

/**
 * A list whose rows are all as high as `--row` says. `row(item)` makes what is in one, which begins with a link. Returns
 * the element and a function that shows other items.
 */
export function longList(label, row) {
  const inner = el("div", { class: "rows", role: "list", "aria-label": label });
  const view = el("div", { class: "longlist" }, inner);
  let [items, drawn] = [[], [0, 0]];
  const height = () => parseFloat(getComputedStyle(view).getPropertyValue("--row")) || 72;

  function show(force) {
    const each = height();
    const first = Math.max(0, Math.floor(view.scrollTop / each) - MORE);
    const last = Math.min(items.length, Math.ceil((view.scrollTop + (view.clientHeight || 800)) / each) + MORE);
    if (!force && first === drawn[0] && last === drawn[1]) return;
    const focused = inner.contains(document.activeElement) ? Number(document.activeElement.closest("[aria-posinset]").getAttribute("aria-posinset")) - 1 : -1;
    const made = [];
    for (let place = first; place < last; place += 1) {
      const item = el("div", { class: "row", role: "listitem", "aria-setsize": items.length, "aria-posinset": place + 1 }, row(items[place]));
      item.style.setProperty("inset-block-start", `${place * each}px`);
      made.push(item);
    }
    inner.replaceChildren(...made);
    drawn = [first, last];
    if (focused >= first && focused < last) inner.children[focused - first].querySelector("a")?.focus({ preventScroll: true });
  }

  function go(place) {
    const [to, each] = [Math.max(0, Math.min(items.length - 1, place)), height()];
    if (to * each < view.scrollTop) view.scrollTop = to * each;
    if ((to + 1) * each > view.scrollTop + view.clientHeight) view.scrollTop = (to + 1) * each - view.clientHeight;
    show(true);
    inner.children[to - drawn[0]]?.querySelector("a")?.focus({ preventScroll: true });
  }

  view.addEventListener("scroll", () => requestAnimationFrame(() => show(false)), { passive: true });
  view.addEventListener("keydown", (event) => {
    const at = event.target.closest("[aria-posinset]");
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = Number(at.getAttribute("aria-posinset")) - 1;
    const page = Math.max(1, Math.floor(view.clientHeight / height()) - 1);
    const to = { ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + page, PageUp: place - page, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  // On paper there is no scrolling: the first rows, one after the other.
  window.addEventListener("beforeprint", () => {
    view.classList.add("printed");
    inner.replaceChildren(...items.slice(0, 200).map((item) => el("div", { class: "row", role: "listitem" }, row(item))));
  });
  window.addEventListener("afterprint", () => {
    view.classList.remove("printed");
    show(true);
  });

  function set(next, what) {
    items = next;
    inner.style.setProperty("block-size", `${items.length * height()}px`);
    view.classList.toggle("empty", items.length === 0);
    view.scrollTop = 0;
    show(true);
    if (what) announce(what);
  }
  new ResizeObserver(() => {
    inner.style.setProperty("block-size", `${items.length * height()}px`);
    show(true);
  }).observe(view);
  return { view, set };
}
