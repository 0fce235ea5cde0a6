// What changed from another result to this one.
import { DATA, THING, count, counted, nameOf, unit } from "./data.js";
import { el, said } from "./elements.js";
import { longList } from "./long_list.js";
import { pairRow, setSequence } from "./pair_list.js";
import { partsBar } from "./plots.js";

function pairsOf(title, pairs, all, from) {
  if (all === 0) return undefined;
  const list = longList(title, pairRow);
  setTimeout(() => list.set(pairs), 0);
  list.view.classList.add("short");
  // Whichever list was used last is the one to go through.
  for (const event of ["focusin", "pointerenter"]) list.view.addEventListener(event, () => setSequence(pairs, from));
  return el("section", {}, el("h2", {}, title), pairs.length < all && el("p", { class: "quiet" }, `${count(pairs.length)} of ${count(all)}`), list.view);
}

function recordsOf(title, numbers, all) {
  if (all === 0) return undefined;
  return el("details", {}, el("summary", {}, `${title}: ${count(all)}`), el("p", {}, numbers.map((number, place) => [place > 0 && ", ", said(nameOf(unit(number)))]), numbers.length < all && " …"));
}

export function changesView() {
  const changed = DATA.changes;
  const { pairs, removed, settings } = changed;
  const now = DATA.about.counts;
  const rows = [["Pairs", changed.counts.pairs, now.pairs], ["Clusters", changed.counts.clusters, now.clusters], ["Removed", changed.counts.removed, now.removed], ["Kept", changed.counts.kept, now.kept], ["Records", changed.counts.records, now.records]];
  const sign = (number) => (number > 0 ? `+${count(number)}` : count(number));
  setSequence([...changed.pairs_here, ...changed.pairs_there], "changes");
  return [
    el("h1", {}, "What changed"),
    el("p", { class: "lead" }, "From the other result", changed.inputs.length > 0 && [" of ", changed.inputs.map((name, place) => [place > 0 && ", ", said(name)])], " to this one."),
    el("div", { class: "cards" },
      el("section", { class: "card" }, el("h2", {}, "In numbers"), el("table", { class: "plain" }, el("thead", {}, el("tr", {}, ["", "Before", "Now", ""].map((words, place) => el(words ? "th" : "td", words ? { scope: "col", class: place > 0 && "number" } : {}, words)))), el("tbody", {}, rows.map(([name, before, after]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, count(before)), el("td", { class: "number" }, count(after)), el("td", { class: "number" }, before === after ? "" : sign(after - before))))))),
      el("section", { class: "card" }, el("h2", {}, "Pairs"), partsBar([["in both", pairs.both, "kept"], ["only now", pairs.here, "near"], ["only before", pairs.there, "copies"]], "Pairs"), el("p", { class: "quiet" }, `${count(changed.rescored)} of the pairs in both ${changed.rescored === 1 ? "has" : "have"} a different similarity or kind.`), removed.here + removed.there > 0 && el("p", {}, `${counted(removed.here, THING)} ${removed.here === 1 ? "is" : "are"} removed only now, ${count(removed.there)} only before.`)),
      el("section", { class: "card" }, el("h2", {}, "Settings"), settings.length === 0 ? el("p", {}, "They are the same.") : el("table", { class: "plain" }, el("thead", {}, el("tr", {}, ["Setting", "Before", "Now"].map((words) => el("th", { scope: "col" }, words)))), el("tbody", {}, settings.map(([name, here, there]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, there || "–"), el("td", {}, here || "–"))))))),
    pairsOf("Pairs only now", changed.pairs_here, pairs.here, "changes"),
    pairsOf("Pairs only before", changed.pairs_there, pairs.there, "changes"),
    recordsOf("Removed only now", changed.removed_here, removed.here),
    recordsOf("Removed only before", changed.removed_there, removed.there),
  ];
}
