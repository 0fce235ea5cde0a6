// What was compared, what was found, and what can be promised.
import { DATA, THING, bytes, count, counted, isDecided, job, percent, seconds, share, threshold } from "./data.js";
import { el, link, said, tag } from "./elements.js";
import { countBars, foundCurve, partsBar, rowBars, similarityBars } from "./plots.js";
import { STAGES, howCompared, inOrder, keepWords, kindName } from "./words.js";

const about = DATA.about;
const card = (title, ...content) => el("section", { class: "card" }, el("h2", {}, title), content);
const names = (list) => list.map((name, place) => [place > 0 && ", ", said(name)]);

/** The result in a sentence, and what it rests on. */
function headline() {
  const counts = about.counts;
  if (job === "sentences") {
    const drifts = about.sentences.kinds["factual-drift"] ?? 0;
    return [
      [count(counts.pairs), ` pairs of sentences are alike, `, el("em", {}, drifts === 0 ? "none of which disagree" : `${count(drifts)} of which disagree`), "."],
      `${counted(about.sentences.sentences, "sentence")} of ${counted(counts.records, "article")} were compared. ${counted(about.sentences.article_pairs, "pair")} of articles have sentences in common.`,
    ];
  }
  if (job === "passages") {
    return [
      [el("em", {}, counted(counts.pairs, "pair")), ` of documents ${counts.pairs === 1 ? "shares" : "share"} ${counted(about.passages.passages, "passage")}.`],
      `${counted(counts.records, "document")} with ${counted(about.passages.sentences, "sentence")} were compared${counts.against_records ? ` with ${counted(counts.against_records, "document")}` : ""}.`,
    ];
  }
  const what = counts.against_records > 0 ? `are in the corpus of ${counted(counts.against_records, THING)}` : "repeat another one";
  return [
    [el("em", {}, percent(counts.removed_share)), ` of ${counted(counts.records, THING)} ${what}.`],
    `${counted(counts.removed, THING)} in ${counted(counts.clusters, "cluster")} can be removed, ${count(counts.kept)} are kept. ${counted(counts.pairs, "pair")} ${counts.pairs === 1 ? "is" : "are"} at ${threshold} or more, each compared exactly.`,
  ];
}

function duplicated() {
  const { counts } = about;
  if (job === "sentences") {
    const kinds = inOrder(Object.keys(about.sentences.kinds));
    return card("What kinds of pairs?", partsBar(kinds.map((kind) => [kindName(kind), about.sentences.kinds[kind], `kind-${kind}`]), "Kinds"), el("p", {}, link("pairs?kind=factual-drift", { class: "more" }, "Look at the drifts")));
  }
  if (job === "passages") {
    const relations = inOrder(Object.keys(about.passages.relations));
    return card("How are the documents related?", partsBar(relations.map((kind) => [kindName(kind), about.passages.relations[kind], `kind-${kind}`]), "Relations"), el("p", { class: "quiet" }, `${counted(about.passages.collections, "collection")}, ${counted(about.passages.multi_page, "multi-page document")}; ${counted(about.passages.boilerplate_sentences, "sentence")} left out as boilerplate.`));
  }
  const copies = Math.min(counts.identical_copies, counts.removed);
  const parts = [["kept", counts.kept, "kept"], ["near-duplicates", counts.removed - copies, "near"], ["identical copies", copies, "copies"], ["rejected", counts.rejected, "rejected"]];
  return card("How much is duplicated?", partsBar(parts, "Records"), el("p", {}, `Removing them saves ${bytes(DATA.removed.bytes)} of text.`), counts.empty > 0 && el("p", { class: "quiet" }, `${counted(counts.empty, THING)} without text ${counts.empty === 1 ? "matches" : "match"} nothing.`));
}

function similarities() {
  const { pairs, removed, unverified } = DATA.steps;
  const all = pairs.reduce((sum, each) => sum + each, 0);
  if (all === 0) return card("How similar are the pairs?", el("p", { class: "quiet" }, unverified > 0 ? "Nothing was verified, so pairs have no similarity." : "There are no pairs."));
  const sorted = [...pairs].sort((a, b) => b - a);
  const isLog = sorted[0] > 25 * Math.max(1, sorted[2]);
  const plot = similarityBars(pairs, isDecided ? threshold : undefined, isLog);
  const lowest = isDecided ? Math.ceil(threshold * 100 - 1e-9) : Math.max(0, pairs.findIndex((each) => each > 0));
  const output = el("output", { for: "whatif", class: "whatif" });
  const slider = el("input", { id: "whatif", type: "range", min: lowest, max: 100, value: lowest });
  const from = (steps, chosen) => steps.slice(chosen).reduce((sum, each) => sum + each, 0);
  const hasRemoved = removed.some((each) => each > 0);
  const update = () => {
    const chosen = Number(slider.value);
    plot.choose(chosen / 100);
    const [left, gone] = [from(pairs, chosen), from(removed, chosen)];
    const at = (chosen / 100).toFixed(2).replace(/0$/, "");
    output.replaceChildren(el("b", {}, `At ${at}: `), `${count(left)} of ${count(all)} pairs are left`, hasRemoved ? `; ${count(gone)} of the ${count(about.counts.removed)} removed ones are at least that similar to the one kept instead.` : ".");
  };
  slider.addEventListener("input", update);
  update();
  return card("How similar are the pairs?", plot.figure, el("p", { class: "quiet" }, `All ${count(all)} pairs, in steps of 0.01${isLog ? ", on a logarithmic scale" : ""}.`), el("label", { class: "slider", for: "whatif" }, el("span", {}, isDecided ? "What would a higher threshold do?" : "How many pairs are at least this similar?"), slider), el("p", {}, output));
}

function sizes() {
  const steps = DATA.clusters.sizes;
  if (steps.length === 0) return undefined;
  const name = ({ from, to }) => (from === to || from < 2 ? `${from}` : from >= 1024 ? `≥ ${count(from)}` : `${from}–${to}`);
  const bars = steps.map((step) => [step.from === 2 ? "2–3" : name(step), step.clusters]);
  return card("How large are the clusters?", countBars(bars, "Number of clusters by number of members, on a logarithmic scale"), el("p", { class: "quiet" }, `${counted(DATA.clusters.all, "cluster")} by the number of members, on a logarithmic scale.`));
}

/** The recall of passages, by how much of them was changed. */
function passagesFound(recall, { stated_words: words, stated_changes: changed }) {
  return `Of passages of ${words} words, ${percent(recall.at_threshold)} are found if ${percent(changed[0])} of the words were changed, and ${percent(recall.above_threshold)} if ${percent(changed[1])} were.`;
}

function promised() {
  const { recall, audit } = about;
  const stated = recall.exact ? "Every pair at or above the threshold was found." : recall.at_threshold === null || recall.at_threshold === undefined ? "No recall can be stated." : recall.bands ? `A pair exactly at the threshold is found with a probability of ${percent(recall.at_threshold)}, and one at ${Math.min(1, threshold + 0.1).toFixed(2)} with ${percent(recall.above_threshold)}.` : passagesFound(recall, about.passages);
  return card("What was found, and what may be missing?", recall.bands ? foundCurve(recall.bands, recall.rows, threshold) : undefined, el("p", {}, el("b", {}, stated)), el("p", { class: "quiet" }, `${recall.keys}${recall.bands ? `, ${recall.bands} bands of ${recall.rows} rows` : ""}: ${recall.because}.`), audit ? el("p", {}, tag("audited", "good"), ` ${percent(audit.recall)} of the true pairs were found (${count(audit.found_pairs)} of ${count(audit.true_pairs)}, by comparing ${counted(audit.sampled, THING)} with all the others); precision ${percent(audit.precision)}.`) : el("p", { class: "quiet" }, "Not audited: --audit N measures the recall by comparing N records with all the others."), about.hot_buckets.buckets > 0 && el("p", { class: "quiet" }, `${count(about.hot_buckets.records)} records are variants of a few texts; up to ${count(about.hot_buckets.pairs_not_compared)} of their pairs were not compared.`), about.suggestions && el("p", { class: "quiet" }, `Suggestions include ${percent(about.suggestions.recall)} of the threads that are really most similar, measured on ${count(about.suggestions.sampled)} threads.`));
}

function bySource() {
  const rows = about.sources;
  if (rows.length === 0) return undefined;
  const table = el("table", { class: "plain" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Source"), el("th", { scope: "col", class: "number" }, "Removed"), el("th", { scope: "col", class: "number" }, "Share"))), el("tbody", {}, rows.slice(0, 12).map((loss) => el("tr", {}, el("th", { scope: "row" }, said(loss.source)), el("td", { class: "number" }, `${count(loss.removed)} of ${count(loss.records)}`), el("td", { class: "number" }, share(loss.removed, loss.records))))));
  return card("Where do the duplicates come from?", table, rows.length > 12 && el("p", { class: "quiet" }, `and ${rows.length - 12} more sources`), about.lost_sources > 0 && el("p", {}, tag("warning", "bad"), ` ${about.lost_sources === 1 ? "One source loses" : `${count(about.lost_sources)} sources lose`} more than 90 %.`), el("p", { class: "quiet" }, "A source is a file, or the value of the field that --source-field names."));
}

function spent() {
  const stages = Object.entries(STAGES).filter(([stage]) => about.seconds[stage] !== undefined);
  const other = Object.keys(about.seconds).filter((stage) => STAGES[stage] === undefined);
  const rows = [...stages, ...other.map((stage) => [stage, stage])].map(([stage, words]) => [words, about.seconds[stage], seconds(about.seconds[stage]), about.stage_memory[stage] && bytes(about.stage_memory[stage])]);
  return card("What did it cost?", rowBars(rows, ["Stage", "Time", "Memory by then"]), el("p", { class: "quiet" }, `${seconds(about.total_seconds)} with ${counted(about.threads, "thread")}${about.peak_memory ? `; at most ${bytes(about.peak_memory)} of the ${bytes(about.memory)} allowed` : ""}.`));
}

function settings() {
  const { parameters } = about;
  const facts = [
    ["Input", names(about.inputs)],
    about.against.length > 0 && ["Compared with", names(about.against)],
    ["Threshold", isDecided ? `${threshold}: pairs at least this similar are listed` : `${threshold}: sentences at least this similar propose documents to compare`],
    ["Similarity", howCompared(parameters)],
    job !== "sentences" && job !== "passages" && ["Kept", `${keepWords(parameters.keep)} of each cluster`],
    ["Version", `lookalike ${about.version}, seed ${typeof parameters.seed === "object" ? "secret" : parameters.seed}`],
  ].filter(Boolean);
  return card("What was compared, and how?", el("dl", { class: "facts" }, facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])), about.notes.map((note) => el("p", {}, tag("note"), " ", said(note))), about.rejections.length > 0 && el("details", {}, el("summary", {}, `${counted(about.counts.rejected, "record")} rejected`), el("ul", {}, about.rejections.map((line) => el("li", {}, said(line))))), el("details", {}, el("summary", {}, "All settings"), el("pre", { tabindex: "0" }, JSON.stringify(parameters, null, 2))));
}

/** How much of the result is in this page. */
export function sampled() {
  const [pairs, clusters] = [DATA.pairs, DATA.clusters];
  const parts = [];
  if (pairs.rows.length < pairs.all) parts.push(`${count(pairs.rows.length)} of ${count(pairs.all)} pairs (those closest to the threshold, those of the clusters shown, and a sample of every kind and similarity)`);
  if (clusters.size.length < clusters.all) parts.push(`${count(clusters.size.length)} of ${count(clusters.all)} clusters (the largest half, and a sample of the others)`);
  return parts.length === 0 ? undefined : `This page holds ${parts.join(" and ")}. All totals cover the whole result; a higher --report-limit includes more.`;
}

export function overview() {
  const [title, sub] = headline();
  return [
    el("div", { class: "hero" }, el("h1", {}, title), el("p", {}, sub), el("p", { class: "actions" }, DATA.pairs.rows.length > 0 && link("pairs", { class: "button" }, "Look at the weakest pairs first"), DATA.clusters.size.length > 0 && link("clusters", { class: "button quiet" }, "Browse the clusters"))),
    DATA.without_texts && el("p", { class: "notice" }, tag("no texts", "bad"), " ", said(DATA.without_texts), ". The report shows names without texts."),
    sampled() && el("p", { class: "notice" }, tag("sample"), ` ${sampled()}`),
    el("div", { class: "cards" }, duplicated(), similarities(), sizes(), promised(), bySource(), settings(), spent()),
  ];
}
