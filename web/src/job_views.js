// What only one job has: articles, templates, suggestions, documents by what is covered.
import { DATA, count, counted, fieldsOf, job, lineOf, nameOf, pairName, pairOf, percent, similar, unit } from "./data.js";
import { el, gauge, link, said, tag } from "./elements.js";
import { setSequence } from "./pair_list.js";
import { kindName } from "./words.js";

const heading = (title, lead) => [el("h1", {}, title), el("p", { class: "lead" }, lead)];
const column = (words, kind) => el("th", { scope: "col", class: kind }, words);

/** Articles with sentences in common. */
export function articles() {
  const { all, rows } = DATA.articles;
  return [
    heading("Articles", `${counted(all, "pair")} of articles have sentences in common${rows.length < all ? `; the first ${count(rows.length)} are shown` : ""}. Articles linked by large shared parts form a chain.`),
    el("table", { class: "plain" }, el("thead", {}, el("tr", {}, column("Article"), column("Other article"), column("Shared sentences", "number"), column("Chain", "number"))), el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, said(nameOf(unit(row.a)))), el("td", {}, said(nameOf(unit(row.b)))), el("td", { class: "number" }, count(row.shared_sentences)), el("td", { class: "number" }, row.chain ?? ""))))),
  ];
}

/** A template with its slots told from what is fixed. */
function templateText(template) {
  return template.split(/(\{\d+\})/).map((part) => (/^\{\d+\}$/.test(part) ? el("span", { class: "slot" }, part) : part));
}

export function templates() {
  const { all, rows } = DATA.templates;
  return [
    heading("Templates", `${counted(all, "template")}: what messages have in common, and the values that fill the slots${rows.length < all ? `; the ${count(rows.length)} with the most messages are shown` : ""}.`),
    el("ol", { class: "templates" }, rows.map((row) => el("li", { class: "card" }, el("p", { class: "template", dir: "auto" }, templateText(row.template)), el("p", { class: "quiet" }, counted(row.size, "message"), ", such as ", row.members.slice(0, 3).map((member, place) => [place > 0 && ", ", said(nameOf(unit(member)))])), row.slots.length > 0 && el("table", { class: "plain slots" }, el("tbody", {}, row.slots.map((values, slot) => el("tr", {}, el("th", { scope: "row" }, el("span", { class: "slot" }, `{${slot + 1}}`)), el("td", {}, values.slice(0, 12).map((value) => el("bdi", { class: "value" }, value || "–")), values.length > 12 && " …")))))))),
  ];
}

/** The id of a thread, where it is not called by that. */
const idBeside = (of) => nameOf(of) !== of.id && el("span", { class: "quiet" }, " ", said(of.id));

/** For each question those most like it. */
export function suggestions() {
  const { all, rows } = DATA.suggestions;
  const search = el("input", { type: "search", placeholder: "Words, an id" });
  const list = el("ol", { class: "suggestions" });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/u).filter(Boolean);
    const text = (row) => `${unit(row.unit).id} ${fieldsOf(unit(row.unit)).map(([, field]) => field).join(" ") || unit(row.unit).begins || ""}`.toLowerCase();
    const chosen = rows.filter((row) => words.every((word) => text(row).includes(word))).slice(0, 100);
    list.replaceChildren(...chosen.map((row) => el("li", { class: "card" }, el("h2", {}, said(lineOf(unit(row.unit), 140) || nameOf(unit(row.unit))), idBeside(unit(row.unit))), row.similar.length === 0 ? el("p", { class: "quiet" }, "Nothing similar.") : el("ul", { class: "plainlist" }, row.similar.map((other) => {
      const pair = pairOf(row.unit, other.unit);
      const name = [said(lineOf(unit(other.unit), 120) || nameOf(unit(other.unit))), idBeside(unit(other.unit))];
      return el("li", {}, gauge(other.similarity, similar(other.similarity)), pair ? link(`pair/${pairName(pair)}`, { class: "name" }, name) : el("span", { class: "name" }, name), pair && tag("pair", "good"));
    })))));
  };
  search.addEventListener("input", show);
  show();
  return [heading("Suggestions", `The most similar threads, to suggest to a reader of each thread${rows.length < all ? `: a sample of ${count(rows.length)} of ${counted(all, "thread")}` : ""}.`), el("div", { class: "tools" }, el("label", { class: "choice wide" }, el("span", {}, "Search"), search)), list];
}

/** Documents by how much of them is in others. */
export function documents() {
  const covered = new Map();
  for (const pair of DATA.pairs.rows) {
    for (const [number, value] of [[pair.a, pair.row.covered_a], [pair.b, pair.row.covered_b]]) {
      const entry = covered.get(number) ?? { number, most: 0, pairs: [] };
      entry.most = Math.max(entry.most, value ?? 0);
      entry.pairs.push([value ?? 0, pair]);
      covered.set(number, entry);
    }
  }
  const rows = [...covered.values()].sort((a, b) => b.most - a.most || b.pairs.length - a.pairs.length).slice(0, 500);
  setSequence(rows.flatMap((row) => row.pairs.map(([, pair]) => pair)).filter((pair, place, all) => all.indexOf(pair) === place), "documents");
  return [
    heading("Documents", "Documents by how much of their text appears in one other document, most first."),
    el("table", { class: "plain" }, el("thead", {}, el("tr", {}, column("Document"), column("Covered at most"), column("By"), column("Others", "number"))), el("tbody", {}, rows.map((row) => {
      const [, best] = row.pairs.sort((a, b) => b[0] - a[0])[0];
      const other = unit(best.a === row.number ? best.b : best.a);
      return el("tr", {}, el("th", { scope: "row" }, said(nameOf(unit(row.number)))), el("td", {}, gauge(row.most, percent(row.most))), el("td", {}, link(`pair/${pairName(best)}`, {}, said(nameOf(other))), " ", best.row.relation && tag(kindName(best.row.relation), `kind-${best.row.relation}`)), el("td", { class: "number" }, count(row.pairs.length)));
    }))),
  ];
}

/** The views that this result has: address, name, what makes it. */
export const JOB_VIEWS = [
  DATA.articles.rows.length > 0 && ["articles", "Articles", articles],
  DATA.templates.rows.length > 0 && ["templates", "Templates", templates],
  DATA.suggestions.rows.length > 0 && ["suggestions", "Suggestions", suggestions],
  job === "passages" && DATA.pairs.rows.length > 0 && ["documents", "Documents", documents],
].filter(Boolean);
