// What belongs together: a list that is searched and sorted, and a cluster with its members.
import { DATA, THING, count, counted, fieldsOf, job, kindOf, least, lineOf, nameOf, pairName, pairOf, placeOf, similar, sourceOf, sources, threshold, unit } from "./data.js";
import { changes, difference } from "./difference.js";
import { choice, el, gauge, link, said, tag } from "./elements.js";
import { longList } from "./long_list.js";
import { sampled } from "./overview.js";
import { setSequence } from "./pair_list.js";
import { changeList } from "./texts.js";
import { inOrder, kindName } from "./words.js";

const given = DATA.clusters;

/** Of each cluster what it is sorted and searched by. */
const entries = given.size.map((size, number) => {
  const members = given.members[number];
  const kept = members[given.kept[number]];
  const others = members.filter((member) => member !== kept);
  const pairs = others.map((member) => pairOf(kept, member)).filter(Boolean);
  const known = pairs.map((pair) => pair.similarity).filter((value) => typeof value === "number");
  return {
    number, size, kept, members,
    least: known.length > 0 ? Math.min(...known) : undefined,
    most: known.length > 0 ? Math.max(...known) : undefined,
    kinds: new Set([given.relation?.[number], ...pairs.map(kindOf)].filter(Boolean)),
    sources: new Set(members.map(sourceOf).filter((source) => source !== null)),
  };
});

/** What is searched, made when it is first needed. */
let haystack;
function searched() {
  haystack ??= entries.map(({ members }) => members.map((member) => {
    const of = unit(member);
    return `${of.id}\n${of.title ?? ""}\n${fieldsOf(of).map(([, text]) => text).join("\n") || of.begins || ""}`;
  }).join("\n").normalize("NFKC").toLowerCase());
  return haystack;
}

const ORDERS = {
  size: ["Largest first", (a, b) => b.size - a.size || a.number - b.number],
  weak: ["Least similar first", (a, b) => (a.least ?? 2) - (b.least ?? 2) || b.size - a.size],
  strong: ["Most similar first", (a, b) => (b.least ?? -1) - (a.least ?? -1) || b.size - a.size],
  input: ["In the order of the result", (a, b) => given.number[a.number] - given.number[b.number]],
};

const state = { text: "", order: "size", kind: "", source: "", least: "0", size: "2" };

/** The clusters that are asked for. */
export function chosenClusters() {
  const words = state.text.normalize("NFKC").toLowerCase().split(/\s+/u).filter(Boolean);
  const texts = words.length > 0 ? searched() : [];
  const [lowest, size] = [Number(state.least), Number(state.size)];
  const fits = (entry) => entry.size >= size && (lowest === 0 || (entry.least ?? 0) >= lowest) && (state.kind === "" || entry.kinds.has(state.kind)) && (state.source === "" || entry.sources.has(Number(state.source))) && words.every((word) => texts[entry.number].includes(word));
  return entries.filter(fits).sort(ORDERS[state.order][1]);
}

function row(entry) {
  const kept = unit(entry.kept);
  const range = entry.least === undefined ? undefined : entry.least === entry.most ? similar(entry.least) : `${similar(entry.least)} – ${similar(entry.most)}`;
  const line = lineOf(kept, 160) || nameOf(kept);
  return link(`cluster/${entry.number}`, { class: "entry" },
    el("span", { class: "size" }, el("b", {}, count(entry.size)), el("small", {}, "alike")),
    el("span", { class: "what" }, el("span", { class: "line", dir: "auto" }, line), el("span", { class: "quiet under" }, said(line === nameOf(kept) ? kept.id : nameOf(kept)), [...entry.kinds].map((kind) => tag(kindName(kind), `kind-${kind}`)))),
    el("span", { class: "numbers" }, range && gauge(entry.least, range, least)));
}

export function clusterList() {
  const list = longList("Clusters", row);
  const told = el("p", { class: "told" });
  const update = () => {
    const before = performance.now();
    const chosen = chosenClusters();
    const all = counted(chosen.length, "cluster");
    told.textContent = chosen.length === entries.length ? all : `${all} of ${count(entries.length)}`;
    list.set(chosen, told.textContent);
    list.view.dataset.milliseconds = (performance.now() - before).toFixed(1);
  };
  const set = (name) => (value) => {
    state[name] = value;
    update();
  };
  const search = el("input", { type: "search", placeholder: "Words, an id, a title", value: state.text, oninput: () => set("text")(search.value) });
  const kinds = inOrder(new Set(entries.flatMap((entry) => [...entry.kinds])));
  const used = [...new Set(entries.flatMap((entry) => [...entry.sources]))].sort((a, b) => a - b);
  const steps = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1].filter((step) => step > threshold);
  const largest = Math.max(2, ...entries.map((entry) => entry.size));
  const sizes = [2, 3, 5, 10, 100, 1000, 10000].filter((size) => size <= largest);
  update();
  // So that the first letter that is typed need not wait for it.
  requestIdleCallback(searched);
  return [
    el("h1", {}, "Clusters"),
    el("p", { class: "lead" }, job === "sentences" ? "Sentences that say nearly the same thing, wherever they occur." : job === "passages" ? "Near-duplicate documents, and documents made up of several others." : `Each cluster is one ${THING} that is kept, with all those verified to be similar to it. There are no chains.`),
    el("div", { class: "tools", role: "search" }, el("label", { class: "choice wide" }, el("span", {}, "Search"), search), choice("Sort", Object.entries(ORDERS).map(([name, [words]]) => [name, words]), state.order, set("order")), sizes.length > 1 && choice("Size", sizes.map((size) => [String(size), size === 2 ? "any" : `${count(size)} or more`]), state.size, set("size")), steps.length > 0 && choice("Similarity", [["0", "any"], ...steps.map((step) => [String(step), `${step} or more`])], state.least, set("least")), kinds.length > 0 && choice("Kind", [["", "any"], ...kinds.map((kind) => [kind, kindName(kind)])], state.kind, set("kind")), used.length > 1 && choice("Source", [["", "any"], ...used.map((source) => [String(source), sources[source]])], state.source, set("source"))),
    told, list.view,
    sampled() && el("p", { class: "quiet" }, sampled()),
  ];
}

/** Why a member is not the one that stays. */
function because(pair, kept, isSame) {
  if (job === "sentences" || job === "passages") return undefined;
  if (pair?.similarity === undefined || pair.similarity === null) return [`Removed: it has the same digest as `, said(nameOf(kept)), "; nothing was verified."];
  if (pair.similarity >= 1) return ["Removed: identical to ", said(nameOf(kept)), isSame ? ", which is kept." : " in everything that is compared, which is kept."];
  return [`Removed: ${similar(pair.similarity)} similar to `, said(nameOf(kept)), `, which is kept. The threshold is ${threshold}.`];
}

export function clusterView(number) {
  const entry = entries[Number(number)];
  if (!entry) return [el("h1", {}, "There is no such cluster"), link("clusters", {}, "All clusters")];
  const kept = unit(entry.kept);
  const others = entry.members.filter((member) => member !== entry.kept);
  setSequence(others.map((member) => pairOf(entry.kept, member)).filter(Boolean), `cluster/${entry.number}`);
  const items = others.map((member) => {
    const [of, pair] = [unit(member), pairOf(entry.kept, member)];
    const texts = [kept, of].map((side) => fieldsOf(side).map(([, text]) => text).join("\n"));
    const changed = texts.every((text) => text !== "" && text.length < 20_000) ? changes(difference(...texts)) : [];
    return el("li", { class: "member" },
      el("div", { class: "memberhead" }, link(pair ? `pair/${pairName(pair)}` : `cluster/${number}`, { class: "name" }, said(nameOf(of))), pair && gauge(pair.similarity, similar(pair.similarity), least), pair && kindOf(pair) && tag(kindName(kindOf(pair)), `kind-${kindOf(pair)}`), el("span", { class: "quiet place" }, said(placeOf(of)))),
      el("p", { class: "line", dir: "auto" }, lineOf(of, 240)),
      because(pair, kept) && el("p", { class: "why" }, because(pair, kept, changed.length === 0)),
      changed.length > 0 && el("p", { class: "changes" }, changeList(changed.slice(0, 6).map((change) => change.map((text) => ([...text].length > 48 ? `${[...text].slice(0, 48).join("")}…` : text)))), changed.length > 6 && el("span", { class: "quiet" }, ` and ${changed.length - 6} more changes`)),
      pair && link(`pair/${pairName(pair)}`, { class: "more" }, "Side by side"));
  });
  const relation = given.relation?.[entry.number];
  return [
    el("p", { class: "crumbs" }, link("clusters", {}, "Clusters")),
    el("h1", {}, `${count(entry.size)} ${job === "sentences" ? "sentences" : job === "passages" ? "documents" : `${THING}s`} ${relation === "collection" ? "in a collection" : relation === "multi-page" ? "make up one" : "alike"}`),
    el("section", { class: "card keptcard" }, el("div", { class: "memberhead" }, el("span", { class: "name" }, said(nameOf(kept))), tag(relation === "collection" ? "holds the others" : job === "sentences" || job === "passages" ? "first" : "kept", "good"), el("span", { class: "quiet place" }, said(placeOf(kept)))), fieldsOf(kept).length > 0 ? fieldsOf(kept).map(([name, text]) => [name && el("h3", {}, name), el("div", { class: "text clipped", dir: "auto", tabindex: "0" }, text)]) : el("p", { dir: "auto" }, lineOf(kept))),
    el("ol", { class: "members" }, items),
    entry.size > entry.members.length && el("p", { class: "quiet" }, `and ${count(entry.size - entry.members.length)} more that are not in this page.`),
  ];
}
