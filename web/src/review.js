// What a reviewer marked, and how to take it away.
import { DATA, counted, job, pairOf } from "./data.js";
import { el, save } from "./elements.js";
import { asCsv, asLabels, asWikitable, describeMarks } from "./exports.js";
import { longList } from "./long_list.js";
import { clearMarks, markedPairs } from "./marks.js";
import { pairRow, setSequence } from "./pair_list.js";

export function reviewView() {
  const marked = markedPairs(pairOf);
  const list = longList("Marked pairs", pairRow);
  list.view.classList.add("short");
  setSequence(marked.map(({ pair }) => pair), "review");
  setTimeout(() => list.set(marked.map(({ pair }) => pair)), 0);
  const out = (name, type, make) => () => save(name, type, make(marked));
  const file = `${job}-marks`;
  const buttons = el("p", { class: "actions" },
    el("button", { type: "button", class: "button", "data-export": "labels", onclick: out(`${file}.jsonl`, "application/jsonl", asLabels) }, "Labelled pairs (JSON Lines)"),
    el("button", { type: "button", class: "button quiet", "data-export": "csv", onclick: out(`${file}.csv`, "text/csv", asCsv) }, "Table (CSV)"),
    el("button", { type: "button", class: "button quiet", "data-export": "wiki", onclick: out(`${file}.wiki`, "text/plain", asWikitable) }, "Wikitable"),
    el("button", { type: "button", class: "button danger", onclick: () => { if (confirm("Clear all marks?")) { clearMarks(); location.hash = "#/pairs"; } } }, "Clear all marks"));
  const commands = job === "sentences" ? "lookalike tune sentences-marks.jsonl -o better.toml" : `lookalike judge DIR --gold ${file}.jsonl --listed`;
  return [
    el("h1", {}, "Review"),
    el("p", { class: "lead" }, marked.length === 0 ? "Nothing is marked yet. Open a pair and press r for right, w for wrong, s for seen." : `${counted(marked.length, "pair")} marked: ${describeMarks(marked)}. Marks are kept in this browser, for this result; save them to a file to keep them for good.`),
    marked.length > 0 && buttons,
    marked.length > 0 && el("p", { class: "quiet" }, "Labelled pairs record which pairs are right (1) and wrong (0): ", el("code", {}, commands), DATA.anonymous ? ". The names in this report are not those of the corpus, so the labels cannot be used elsewhere." : job === "sentences" ? " learns from them." : " measures this result by them; tune learns from them."),
    marked.length > 0 && list.view,
  ];
}
