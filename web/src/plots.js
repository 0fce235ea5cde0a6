// Drawings: bars, a curve, dots. Each has a text that says the same.
import { count, percent } from "./data.js";
import { draw, el } from "./elements.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [560, 220, 46, 30, 14];

/** A frame with a title that is read aloud, and the table behind the drawing for whoever cannot see it. */
function figure(label, svg, rows) {
  const table = rows && el("details", { class: "numbers" }, el("summary", {}, "The numbers"), el("table", {}, el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, place) => el(place === 0 ? "th" : "td", place === 0 ? { scope: "row" } : {}, cell)))))));
  return el("figure", { class: "plot" }, svg, el("figcaption", { class: "unseen" }, label), table);
}

function niceMost(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= most && (step >= 10 || Number.isInteger(step)));
}

/** Where a count stands: in proportion, or by its logarithm, where one more is still to be seen. */
function scale(most, isLog) {
  const top = isLog ? 10 ** Math.max(1, Math.ceil(Math.log10(Math.max(1, most)))) : niceMost(most);
  const at = isLog ? (value) => (value <= 0 ? 0 : (Math.log10(value) + 0.3) / (Math.log10(top) + 0.3)) : (value) => value / top;
  const ticks = isLog ? Array.from({ length: Math.round(Math.log10(top)) + 1 }, (_, power) => 10 ** power) : [0, top / 2, top].filter(Number.isInteger);
  return { y: (value) => HEIGHT - BOTTOM - at(value) * (HEIGHT - BOTTOM - TOP), ticks };
}

const short = (number) => (number >= 1e9 ? `${+(number / 1e9).toFixed(1)}G` : number >= 1e6 ? `${+(number / 1e6).toFixed(1)}M` : number >= 1e4 ? `${+(number / 1e3).toFixed(0)}k` : count(number));

function axes({ y, ticks }, labels) {
  const lines = ticks.map((tick) => [
    draw("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: y(tick), y2: y(tick) }),
    draw("text", { class: "tick", x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, short(tick)),
  ]);
  const names = labels.map(([x, text]) => draw("text", { class: "tick", x, y: HEIGHT - 10, "text-anchor": "middle" }, text));
  return [lines, names];
}

/**
 * Bars of similarities in hundredths, with the threshold drawn. `chosen` is a higher threshold: bars below it are pale.
 * Returns the figure and a function that chooses another.
 */
export function similarityBars(steps, threshold, isLog) {
  const lowest = steps.findIndex((pairs) => pairs > 0);
  const first = Math.max(0, Math.min(threshold === undefined ? 99 : Math.floor(threshold * 100), lowest) - 1);
  const shown = steps.slice(first);
  const { y, ticks } = scale(Math.max(1, ...shown), isLog);
  const step = (WIDTH - LEFT - 8) / shown.length;
  const x = (similarity) => LEFT + (similarity * 100 - first) * step;
  const labels = [];
  const every = shown.length > 55 ? 10 : shown.length > 24 ? 5 : 2;
  for (let hundredth = Math.ceil(first / every) * every; hundredth < 100; hundredth += every) labels.push([x(hundredth / 100), (hundredth / 100).toString()]);
  labels.push([x(1) + step / 2, "1"]);
  const bars = shown.map((pairs, place) => pairs > 0 && draw("rect", { class: "bar", "data-step": first + place, x: LEFT + place * step + Math.min(1, step / 6), width: Math.max(1, step - Math.min(2, step / 3)), y: y(pairs), height: HEIGHT - BOTTOM - y(pairs), rx: Math.min(2, step / 4) }, draw("title", {}, `${first + place === 100 ? "1" : `${((first + place) / 100).toFixed(2)} to ${((first + place + 1) / 100).toFixed(2)}`}: ${count(pairs)}`)));
  const line = threshold === undefined ? [] : [draw("line", { class: "threshold", x1: x(threshold), x2: x(threshold), y1: TOP - 6, y2: HEIGHT - BOTTOM }), draw("text", { class: "tick strong", x: x(threshold) + 4, y: TOP + 2 }, `threshold ${threshold}`)];
  const chosenLine = draw("line", { class: "chosen", y1: TOP - 6, y2: HEIGHT - BOTTOM, visibility: "hidden" });
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Histogram of similarities${threshold === undefined ? "" : `; the threshold is ${threshold}`}` }, axes({ y, ticks }, labels), bars, line, chosenLine);
  const rows = steps.map((pairs, place) => [place === 100 ? "1" : `${(place / 100).toFixed(2)} – ${((place + 1) / 100).toFixed(2)}`, count(pairs)]).filter((_, place) => steps[place] > 0);
  const choose = (chosen) => {
    for (const bar of svg.querySelectorAll(".bar")) bar.classList.toggle("below", Number(bar.dataset.step) < Math.round(chosen * 100));
    chosenLine.setAttribute("visibility", chosen > (threshold ?? lowest / 100) ? "visible" : "hidden");
    chosenLine.setAttribute("x1", x(chosen));
    chosenLine.setAttribute("x2", x(chosen));
  };
  return { figure: figure("Number of pairs by similarity", svg, rows), choose };
}

/** Bars of counts with names, on a logarithmic scale. */
export function countBars(bars, label) {
  const { y, ticks } = scale(Math.max(1, ...bars.map(([, value]) => value)), true);
  const step = (WIDTH - LEFT - 8) / bars.length;
  const width = Math.min(64, step * 0.7);
  const middle = (place) => LEFT + (place + 0.5) * step;
  const drawn = bars.map(([name, value], place) => [
    draw("rect", { class: "bar", x: middle(place) - width / 2, width, y: y(value), height: HEIGHT - BOTTOM - y(value), rx: 3 }, draw("title", {}, `${name}: ${count(value)}`)),
    draw("text", { class: "tick strong", x: middle(place), y: y(value) - 4, "text-anchor": "middle" }, short(value)),
  ]);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, axes({ y, ticks }, bars.map(([name], place) => [middle(place), name])), drawn);
  return figure(label, svg, bars.map(([name, value]) => [name, count(value)]));
}

/** The probability with which a pair is found by its bands, and the threshold. */
export function foundCurve(bands, rows, threshold) {
  const found = (similarity) => 1 - (1 - similarity ** rows) ** bands;
  const [x, y] = [(s) => LEFT + s * (WIDTH - LEFT - 16), (p) => HEIGHT - BOTTOM - p * (HEIGHT - BOTTOM - TOP)];
  const points = Array.from({ length: 101 }, (_, place) => place / 100);
  const path = points.map((s, place) => `${place ? "L" : "M"}${x(s).toFixed(1)} ${y(found(s)).toFixed(1)}`).join("");
  const grid = [0, 0.5, 1].map((p) => [draw("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: y(p), y2: y(p) }), draw("text", { class: "tick", x: LEFT - 6, y: y(p) + 4, "text-anchor": "end" }, `${100 * p} %`)]);
  const labels = [0, 0.2, 0.4, 0.6, 0.8, 1].map((s) => draw("text", { class: "tick", x: x(s), y: HEIGHT - 10, "text-anchor": "middle" }, String(s)));
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Probability of being found; at the threshold ${percent(found(threshold))}` }, grid, labels, draw("line", { class: "threshold", x1: x(threshold), x2: x(threshold), y1: TOP - 6, y2: HEIGHT - BOTTOM }), draw("path", { class: "curve", d: path }), draw("circle", { class: "dot", cx: x(threshold), cy: y(found(threshold)), r: 4.5 }));
  return figure("Probability of finding a pair, by similarity", svg, points.filter((_, place) => place % 5 === 0).map((s) => [s.toFixed(2), percent(found(s))]));
}

/** One bar of several parts with their names: `[name, value, class]`. */
export function partsBar(parts, label) {
  const all = parts.reduce((sum, [, value]) => sum + value, 0) || 1;
  const bar = el("div", { class: "parts", role: "img", "aria-label": `${label}: ${parts.map(([name, value]) => `${name} ${count(value)}`).join(", ")}` });
  for (const [name, value, kind] of parts) {
    if (value === 0) continue;
    const part = el("span", { class: `part ${kind}`, title: `${name}: ${count(value)}` });
    part.style.setProperty("flex-grow", String(value / all));
    bar.append(part);
  }
  const names = el("ul", { class: "legend" }, parts.filter(([, value]) => value > 0).map(([name, value, kind]) => el("li", {}, el("i", { class: `part ${kind}`, "aria-hidden": "true" }), el("b", {}, count(value)), ` ${name}`, el("span", { class: "quiet" }, ` ${percent(value / all)}`))));
  return el("div", {}, bar, names);
}

/** Horizontal bars: `[name, value, said, more]` under the names of these columns; `more` may be missing in all. */
export function rowBars(rows, [first, second, third]) {
  const most = Math.max(...rows.map(([, value]) => value), 1e-9);
  const hasMore = rows.some(([, , , more]) => more);
  const column = (words, kind, span) => el("th", { scope: "col", class: kind, colspan: span }, words);
  const names = el("thead", {}, el("tr", {}, column(first), column(second, "number", 2), hasMore && column(third, "number")));
  return el("table", { class: "rowbars" }, names, el("tbody", {}, rows.map(([name, value, text, more]) => {
    const bar = el("i", { "aria-hidden": "true" });
    bar.style.setProperty("inline-size", `${Math.max(0.5, (100 * value) / most).toFixed(1)}%`);
    return el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "barcell" }, bar), el("td", { class: "number" }, text), hasMore && el("td", { class: "number" }, more || "–"));
  })));
}

/** Which sentences of two documents are alike: dots, and the passages as lines. */
export function dotPlot(columns, rows, dots, passages) {
  const size = 240;
  const unit = (size - 8) / Math.max(columns, rows, 1);
  const [width, height] = [Math.max(40, columns * unit), Math.max(40, rows * unit)];
  const [x, y] = [(column) => 4 + (column / Math.max(1, columns)) * width, (row) => 4 + (row / Math.max(1, rows)) * height];
  const radius = Math.max(1, Math.min(4, unit / 2.4));
  const svg = draw("svg", { class: "dots", viewBox: `0 0 ${width + 8} ${height + 8}`, role: "img", "aria-label": `${dots.length} pairs of similar sentences of ${columns} and ${rows}, and ${passages.length} passages` },
    draw("rect", { class: "field", x: 4, y: 4, width, height }),
    passages.map((passage, number) => draw("rect", { class: `passage hue${number % 8}`, x: x(passage.a[0]), y: y(passage.b[0]), width: Math.max(2, x(passage.a[1]) - x(passage.a[0])), height: Math.max(2, y(passage.b[1]) - y(passage.b[0])), rx: 2 })),
    dots.map(([column, row, strength]) => draw("circle", { class: "sentence", cx: x(column + 0.5), cy: y(row + 0.5), r: radius, "fill-opacity": (0.25 + 0.75 * strength).toFixed(2) })));
  return el("figure", { class: "dotplot" }, svg, el("figcaption", {}, "Across: the sentences of the left document. Down: those of the right one. Each dot is two similar sentences, each box a passage."));
}
