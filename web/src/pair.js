// Two texts side by side: what is the same, what is not, and what a reviewer says.
import { DATA, count, fieldsOf, isCut, isDecided, job, kindOf, least, lineOf, nameOf, pairName, pairOf, percent, placeOf, similar, threshold, unit } from "./data.js";
import { changes } from "./difference.js";
import { announce, el, gauge, link, said, tag } from "./elements.js";
import { MARKS, markOf, setMark } from "./marks.js";
import { currentSequence } from "./pair_list.js";
import { passagesPair } from "./passages_pair.js";
import { changeList, marked } from "./texts.js";
import { featureWords, kindMeaning, kindName } from "./words.js";

/** An address is a link only if it leads to a page. */
function addressed(of) {
  const site = DATA.about.site;
  const isPage = /^https?:\/\//i.test(of.id);
  if (isPage) return el("a", { href: of.id, rel: "noopener noreferrer", target: "_blank" }, said(nameOf(of)));
  if (site && of.title) return el("a", { href: `${site}${encodeURIComponent(of.title.replaceAll(" ", "_"))}`, rel: "noopener noreferrer", target: "_blank" }, said(of.title));
  return said(nameOf(of));
}

function head(of, letter) {
  const size = of.characters === undefined || of.sentence !== undefined ? "" : `${count(of.characters)} characters`;
  return el("header", { class: "sidehead" }, el("span", { class: "letter", "aria-hidden": "true" }, letter), el("span", { class: "name" }, addressed(of)), of.title !== undefined && el("span", { class: "quiet" }, said(of.id)), el("span", { class: "quiet place" }, said([placeOf(of), size].filter(Boolean).join(", "))));
}

/** How the similarities of fields add up. */
function fieldTable(pair) {
  const { fields } = pair.row;
  if (!fields) return undefined;
  const parts = DATA.about.parameters.model?.part ?? [];
  const names = Object.keys(fields);
  const weight = (name) => parts.find((part) => part.field === name)?.weight;
  const isMean = DATA.about.parameters.model?.kind === "linear" && names.every((name) => typeof weight(name) === "number");
  const counted_ = names.filter((name) => fields[name] !== null);
  const all = counted_.reduce((sum, name) => sum + (weight(name) ?? 0), 0) || 1;
  const rows = names.map((name) => {
    const value = fields[name];
    const part = parts.find((each) => each.field === name);
    return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value === null ? el("span", { class: "quiet" }, "does not count") : gauge(value, similar(value))), isMean && el("td", { class: "number" }, value === null ? "–" : percent(weight(name) / all)), isMean && el("td", { class: "number" }, value === null ? "–" : ((value * weight(name)) / all).toFixed(3)), el("td", { class: "quiet" }, part ? `${featureWords(part.features)}, ${part.measure}` : ""));
  });
  return el("table", { class: "plain fields" }, el("caption", { class: "unseen" }, "How the similarity adds up"), el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Field"), el("th", { scope: "col" }, "Similarity"), isMean && el("th", { scope: "col", class: "number" }, "Weight"), isMean && el("th", { scope: "col", class: "number" }, "Contribution"), el("th", { scope: "col" }, "Compared by"))), el("tbody", {}, rows), isMean && el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "Total"), el("td", {}, gauge(pair.similarity, similar(pair.similarity))), el("td", {}), el("td", { class: "number" }, similar(pair.similarity)), el("td", {}))));
}

/** Why it is a pair, in words. */
function verdict(pair) {
  const parts = [];
  if (pair.similarity === null || pair.similarity === undefined) parts.push("Nothing was verified");
  else if (pair.similarity >= 1) parts.push("The same in everything that is compared");
  else if (!isDecided) parts.push("The similarity of everything they share");
  else {
    const far = Math.abs(Math.floor(pair.similarity * 1000 + 1e-6) / 1000 - threshold).toFixed(3);
    parts.push(far === "0.000" ? `Just at the threshold of ${threshold}` : `${far} ${pair.similarity >= threshold ? "above" : "below"} the threshold of ${threshold}`);
  }
  if (typeof pair.row.edit_similarity === "number") parts.push(`${percent(pair.row.edit_similarity)} of the letters are unchanged`);
  if (typeof pair.row.covered_a === "number") parts.push(`${percent(pair.row.covered_a)} of the left and ${percent(pair.row.covered_b)} of the right document are covered`);
  if (pair.row.more) parts.push(`the answer on the ${pair.row.more === "a" ? "left" : "right"} contains more`);
  if (DATA.about.listed_only.includes(kindOf(pair))) parts.push("pairs of this kind are listed but not removed");
  if (typeof pair.row.confidence === "number") parts.push(`the kind is ${similar(pair.row.confidence)} sure`);
  return `${parts.join("; ")}.`;
}

/** The texts of both, field by field. */
function bodies(pair, heads) {
  const [a, b] = [unit(pair.a), unit(pair.b)];
  if (pair.passages?.length > 0) return { content: passagesPair(pair, heads), changed: [] };
  const [fieldsA, fieldsB] = [fieldsOf(a), fieldsOf(b)];
  if (fieldsA.length === 0 || fieldsB.length === 0) {
    const beginnings = [a, b].map((of, side) => el("section", { class: "side" }, heads[side], el("div", { class: "text", dir: "auto" }, lineOf(of) || "–")));
    return { content: [el("div", { class: "sides" }, beginnings), el("p", { class: "quiet" }, DATA.without_texts ? `There are no texts: ${DATA.without_texts}.` : "These texts did not fit into the page. A smaller --report-limit makes room for them, and lookalike show has them all.")], changed: [] };
  }
  const names = [...new Set([...fieldsA, ...fieldsB].map(([name]) => name))];
  const text = (fields, name) => fields.find(([other]) => other === name)?.[1] ?? "";
  const there = names.filter((name) => `${text(fieldsA, name)}${text(fieldsB, name)}`.trim() !== "");
  const both = there.map((name) => ({ name, ...marked(text(fieldsA, name), text(fieldsB, name)) }));
  const sides = [0, 1].map((side) => el("section", { class: "side" }, heads[side], both.map(({ name, sides: made }) => [name !== "" && el("h3", { class: "fieldname" }, name), made[side]])));
  const cut = isCut(a) || isCut(b);
  return { content: [el("div", { class: "sides" }, sides), cut && el("p", { class: "quiet" }, "Very long texts are cut after 40,000 characters.")], changed: both.flatMap(({ parts }) => changes(parts)) };
}

/** Buttons to mark a pair, and what they say now. */
function review(pair) {
  const buttons = Object.entries(MARKS).map(([mark, words]) => el("button", { type: "button", class: `markbutton ${mark}`, "data-mark": mark, "aria-keyshortcuts": mark[0], onclick: () => say(mark) }, words, el("kbd", {}, mark[0])));
  const show = () => buttons.forEach((button) => button.setAttribute("aria-pressed", String(markOf(pair) === button.dataset.mark)));
  function say(mark) {
    setMark(pair, mark);
    show();
    announce(markOf(pair) ? `Marked as ${mark}` : "Mark removed");
  }
  show();
  return { element: el("div", { class: "marking", role: "group", "aria-label": "Is this pair right?" }, buttons), say };
}

/** What keys do while a pair is shown. */
let onKey;
document.addEventListener("keydown", (event) => {
  if (!onKey || event.ctrlKey || event.metaKey || event.altKey || /^(input|select|textarea)$/i.test(event.target.tagName)) return;
  onKey(event);
});
export const leavePair = () => { onKey = undefined; };

export function pairView(name) {
  const [a, b] = name.split("-").map(Number);
  const pair = pairOf(a, b);
  if (!pair) return [el("h1", {}, "There is no such pair"), link("pairs", {}, "All pairs")];
  const { pairs, from } = currentSequence();
  const place = pairs.indexOf(pair);
  const [before, after] = [pairs[place - 1], place < 0 ? undefined : pairs[place + 1]];
  const heads = [head(unit(pair.a), "A"), head(unit(pair.b), "B")];
  const { content, changed } = bodies(pair, heads);
  const shown = pair.row.changed?.length > 0 ? pair.row.changed : changed;
  const marking = review(pair);
  onKey = (event) => {
    const mark = Object.keys(MARKS).find((each) => each[0] === event.key);
    if (mark) marking.say(mark);
    else if ((event.key === "j" || event.key === "n") && after) location.hash = `#/pair/${pairName(after)}`;
    else if ((event.key === "k" || event.key === "p") && before) location.hash = `#/pair/${pairName(before)}`;
    else if (event.key === "Escape") location.hash = `#/${from}`;
  };
  const step = (to, words, key) => (to ? link(`pair/${pairName(to)}`, { class: "button quiet", "aria-keyshortcuts": key }, words, el("kbd", {}, key)) : el("span", { class: "button quiet off", "aria-hidden": "true" }, words));
  return [
    el("p", { class: "crumbs" }, link(from, {}, from.startsWith("cluster") ? "Cluster" : from === "changes" ? "Changes" : "Pairs"), place >= 0 && ` ${count(place + 1)} of ${count(pairs.length)}`),
    el("div", { class: "pairhead" }, el("h1", { class: "pairtitle" }, said(nameOf(unit(pair.a))), " – ", said(nameOf(unit(pair.b)))), el("div", { class: "steps" }, step(before, "Previous", "k"), step(after, "Next", "j"))),
    el("div", { class: "verdict" }, gauge(pair.similarity, similar(pair.similarity), least), kindOf(pair) && tag(kindName(kindOf(pair)), `kind-${kindOf(pair)}`), pair.row.group && tag(kindName(pair.row.group)), el("span", {}, verdict(pair), kindOf(pair) && kindMeaning(kindOf(pair)) && el("span", { class: "quiet" }, ` ${kindName(kindOf(pair))}: ${kindMeaning(kindOf(pair))}.`))),
    marking.element,
    fieldTable(pair),
    shown.length > 0 && el("p", { class: "changes" }, changeList(shown.slice(0, 12)), shown.length > 12 && el("span", { class: "quiet" }, ` and ${shown.length - 12} more changes`)),
    content,
  ];
}
