// Marked pairs as files: labelled pairs that `tune` and `judge` read, a table, and a table for a wiki.
import { fieldsOf, job, kindOf, nameOf, similar, unit } from "./data.js";

/** What a pair is called in labelled pairs: sentences are not records, so these go by their texts. */
const labelled = (of) => (job === "sentences" ? JSON.stringify(fieldsOf(of)[0]?.[1] ?? "") : of.idJson);

/** One object a line. Pairs that were only seen say nothing. */
export function asLabels(marked) {
  const rows = marked.filter(({ mark }) => mark !== "seen");
  return rows.map(({ pair, mark }) => `{"a":${labelled(unit(pair.a))},"b":${labelled(unit(pair.b))},"label":${mark === "right" ? 1 : 0}}\n`).join("");
}

const HEADER = ["a", "b", "title_a", "title_b", "similarity", "kind", "changed", "mark"];

function cells({ pair, mark }) {
  const [a, b] = [unit(pair.a), unit(pair.b)];
  const changed = (pair.row.changed ?? []).map(([from, to]) => `${from} → ${to}`).join("; ");
  return [a.id, b.id, a.title ?? "", b.title ?? "", pair.similarity === undefined ? "" : String(pair.similarity), kindOf(pair) ?? "", changed, mark];
}

/** A cell of CSV. What a spreadsheet would take for a formula begins with an apostrophe. */
function quoted(cell) {
  const text = /^[=+\-@\t\r]/.test(cell) && !/^-?[\d.]+$/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function asCsv(marked) {
  return [HEADER, ...marked.map(cells)].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

/** A text that a wiki shows as it is. */
const plain = (text) => `<nowiki>${text.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replace(/\s+/gu, " ")}</nowiki>`;
const article = (of) => (of.title === undefined ? plain(of.id) : /[[\]{}|<>#\n]/.test(of.title) ? plain(of.title) : `[[${of.title}]]`);

export function asWikitable(marked) {
  const says = (of) => {
    const text = fieldsOf(of).map(([, field]) => field).join(" ");
    return plain([...text].length > 600 ? `${[...text].slice(0, 600).join("")}…` : text);
  };
  const rows = marked.map(({ pair, mark }) => {
    const [a, b] = [unit(pair.a), unit(pair.b)];
    const changed = (pair.row.changed ?? []).map(([from, to]) => `${plain(from || "–")} → ${plain(to || "–")}`).join("<br>");
    return ["|-", `| ${article(a)} || ${says(a)}`, `| ${article(b)} || ${says(b)}`, `| ${changed || "–"} || ${kindOf(pair) ?? "–"} || ${similar(pair.similarity)} || ${mark}`].join("\n");
  });
  return ['{| class="wikitable sortable"', "! Article !! Text !! Other article !! Other text !! Changed !! Kind !! Similarity !! Mark", ...rows, "|}", ""].join("\n");
}

/** What a list of marks comes to, in words. */
export const describeMarks = (marked) => {
  const of = (mark) => marked.filter((each) => each.mark === mark).length;
  return `${of("right")} right, ${of("wrong")} wrong, ${of("seen")} seen`;
};
export const titleOf = (pair) => `${nameOf(unit(pair.a))} – ${nameOf(unit(pair.b))}`;
