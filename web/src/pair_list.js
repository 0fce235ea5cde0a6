// Pairs, the weakest decisions first.
import { DATA, count, counted, fieldsOf, isDecided, job, kindOf, least, lineOf, nameOf, pairName, similar, threshold, unit } from "./data.js";
import { choice, el, gauge, link, said, tag } from "./elements.js";
import { longList } from "./long_list.js";
import { MARKS, markOf } from "./marks.js";
import { sampled } from "./overview.js";
import { partsBar } from "./plots.js";
import { changeList } from "./texts.js";
import { inOrder, kindMeaning, kindName } from "./words.js";

/** The pairs that were last listed, which `next` and `previous` go through, and where they were. */
let sequence = { pairs: [], from: "pairs" };
export function setSequence(pairs, from) {
  sequence = { pairs, from };
}
export const currentSequence = () => (sequence.pairs.length > 0 ? sequence : { pairs: byWeakness(DATA.pairs.rows), from: "pairs" });

const weakness = (pair) => pair.similarity ?? 2;
const byWeakness = (pairs) => [...pairs].sort((a, b) => weakness(a) - weakness(b));

/** Drifts before all else: of pairs of one kind the most certain first, and of these the weakest. */
function byKind(pairs) {
  const places = new Map(inOrder(new Set(pairs.map(kindOf).filter(Boolean))).map((kind, place) => [kind, place]));
  const doubt = (pair) => 1 - (pair.row.confidence ?? 1);
  return byWeakness(pairs).sort((a, b) => (places.get(kindOf(a)) ?? 99) - (places.get(kindOf(b)) ?? 99) || doubt(a) - doubt(b));
}

const ORDERS = {
  kind: ["Drifts first", byKind],
  weak: ["Weakest first", byWeakness],
  strong: ["Most similar first", (pairs) => byWeakness(pairs).reverse()],
  sure: ["Least certain kind first", (pairs) => [...pairs].sort((a, b) => (a.row.confidence ?? 2) - (b.row.confidence ?? 2))],
  input: ["In the order of the result", (pairs) => [...pairs]],
};
const below = DATA.audited?.rows ?? [];
const LISTS = {
  above: ["At or above the threshold", () => DATA.pairs.rows],
  below: ["Just below it (audit)", () => below.filter((pair) => !pair.row.missed)],
  missed: ["Missed by the search (audit)", () => below.filter((pair) => pair.row.missed)],
};
const state = { text: "", order: job === "sentences" ? "kind" : "weak", kind: "", mark: "", list: "above" };

const texts = new Map();
function searched(pair) {
  if (!texts.has(pair)) {
    const words = [pair.a, pair.b].map((number) => {
      const of = unit(number);
      return `${of.id}\n${of.title ?? ""}\n${fieldsOf(of).map(([, text]) => text).join("\n") || of.begins || ""}`;
    });
    texts.set(pair, words.join("\n").normalize("NFKC").toLowerCase());
  }
  return texts.get(pair);
}

export function chosenPairs() {
  const words = state.text.normalize("NFKC").toLowerCase().split(/\s+/u).filter(Boolean);
  const marked = { "": () => true, none: (pair) => !markOf(pair), any: (pair) => Boolean(markOf(pair)) }[state.mark] ?? ((pair) => markOf(pair) === state.mark);
  const fits = (pair) => (state.kind === "" || kindOf(pair) === state.kind) && marked(pair) && words.every((word) => searched(pair).includes(word));
  const chosen = LISTS[state.list][1]().filter(fits);
  // Below the threshold the doubtful ones are the most similar.
  return state.list === "above" || state.order !== "weak" ? ORDERS[state.order][1](chosen) : ORDERS.strong[1](chosen);
}

/** A pair in a list: what it is about, and what changed. */
export function pairRow(pair) {
  const [a, b] = [unit(pair.a), unit(pair.b)];
  const changed = pair.row.changed ?? [];
  const mark = markOf(pair);
  return link(`pair/${pairName(pair)}`, { class: "entry pairentry" },
    el("span", { class: "numbers" }, gauge(pair.similarity, similar(pair.similarity), least), el("span", { class: "tags" }, kindOf(pair) && tag(kindName(kindOf(pair)), `kind-${kindOf(pair)}`), pair.row.confidence !== undefined && pair.row.confidence !== null && el("small", { class: "quiet" }, `sure ${pair.row.confidence.toFixed(2)}`))),
    el("span", { class: "what" }, el("span", { class: "line names" }, said(nameOf(a)), " – ", said(nameOf(b)), mark && tag(MARKS[mark], mark === "wrong" ? "bad" : "good")), changed.length > 0 ? el("span", { class: "line changes" }, changeList(changed.slice(0, 3)), changed.length > 3 && ` and ${changed.length - 3} more`) : el("span", { class: "line quiet", dir: "auto" }, lineOf(a, 160))));
}

function lead() {
  if (!isDecided) return "Documents that share passages, starting with those that share the least.";
  const audit = DATA.audited ? "" : " An audited run (--audit N) also shows the pairs just below it.";
  const first = job === "sentences" ? "Statements that no longer agree come first, the most certain of each kind first." : "The weakest decisions come first.";
  return `${first} They show whether the threshold of ${threshold} is right.${audit}`;
}

export function pairList(asked) {
  if (asked.has("kind")) Object.assign(state, { kind: asked.get("kind"), list: "above", text: "", mark: "" });
  const list = longList("Pairs", pairRow);
  const told = el("p", { class: "told" });
  const update = () => {
    const [chosen, all] = [chosenPairs(), LISTS[state.list][1]().length];
    told.textContent = chosen.length === all ? counted(all, "pair") : `${counted(chosen.length, "pair")} of ${count(all)}`;
    setSequence(chosen, "pairs");
    list.set(chosen, told.textContent);
  };
  const set = (name) => (value) => {
    state[name] = value;
    update();
  };
  const search = el("input", { type: "search", placeholder: "Words, an id, a title", value: state.text, oninput: () => set("text")(search.value) });
  const kinds = inOrder(new Set(DATA.pairs.rows.map(kindOf).filter(Boolean)));
  const lists = Object.entries(LISTS).filter(([name, [, rows]]) => name === "above" || rows().length > 0);
  const orders = Object.entries(ORDERS).filter(([name]) => name !== "kind" || job === "sentences").filter(([name]) => name !== "sure" || DATA.pairs.rows.some((pair) => pair.row.confidence !== undefined));
  const bar = kinds.length > 1 && partsBar(kinds.map((kind) => [kindName(kind), DATA.pairs.kinds[kind] ?? 0, `kind-${kind}`]), "Kinds of pairs");
  update();
  return [
    el("h1", {}, "Pairs"),
    el("p", { class: "lead" }, lead()),
    bar,
    state.kind && kindMeaning(state.kind) && el("p", { class: "quiet" }, `${kindName(state.kind)}: ${kindMeaning(state.kind)}.`),
    el("div", { class: "tools", role: "search" }, el("label", { class: "choice wide" }, el("span", {}, "Search"), search), choice("Sort", orders.map(([name, [words]]) => [name, words]), state.order, set("order")), lists.length > 1 && choice("Show", lists.map(([name, [words]]) => [name, words]), state.list, set("list")), kinds.length > 0 && choice(job === "passages" ? "Relation" : "Kind", [["", "any"], ...kinds.map((kind) => [kind, kindName(kind)])], state.kind, set("kind")), choice("Marked", [["", "all"], ["none", "not yet"], ["any", "any"], ...Object.entries(MARKS).map(([name, words]) => [name, words.toLowerCase()])], state.mark, set("mark"))),
    told, list.view,
    sampled() && el("p", { class: "quiet" }, sampled()),
  ];
}
