// What the page was given, and how numbers are said.

export const DATA = JSON.parse(document.getElementById("data").textContent);

const given = DATA.units;
const againstUnits = new Set(given.against);

/** What is asked, of a thread: the first of its fields. */
function asked(number) {
  if (DATA.about.job !== "threads" || DATA.anonymous) return undefined;
  const text = given.text[number];
  const line = (Array.isArray(text) ? text[0]?.[1] : given.begins[number])?.replace(/\s+/gu, " ").trim();
  return !line ? undefined : [...line].length > 120 ? `${[...line].slice(0, 120).join("")}…` : line;
}

/** A record, or a sentence of it. */
export function unit(number) {
  return {
    number,
    id: given.id[number].startsWith('"') ? JSON.parse(given.id[number]) : given.id[number],
    idJson: given.id[number],
    sentence: given.sentence[number],
    title: given.title[number] ?? asked(number),
    source: given.source[number] === null ? undefined : given.sources[given.source[number]],
    line: given.line[number] ?? undefined,
    characters: given.characters[number] ?? undefined,
    isAgainst: againstUnits.has(number),
    text: given.text[number],
    begins: given.begins[number] ?? undefined,
  };
}

export const unitCount = given.id.length;

// A source is what the field of sources says, or else a file.
const hasOrigins = given.origins.length > 0;
export const sources = hasOrigins ? given.origins : given.sources;
export const sourceOf = (number) => (hasOrigins ? given.origin[number] : given.source[number]) ?? null;

/** How a unit is called. */
export const nameOf = (of) => of.title ?? of.id;

/** The fields of a unit with their texts; a text without fields is one field without a name. */
export function fieldsOf(of) {
  if (of.text === undefined) return [];
  if (typeof of.text === "string") return [["", of.text]];
  return Array.isArray(of.text) ? of.text : [["", of.text.cut]];
}

/** Whether only the first part of a long text is here. */
export const isCut = (of) => of.text !== undefined && of.text.cut !== undefined;

/** What a unit says in one line. */
export function lineOf(of, most = 220) {
  const first = fieldsOf(of).map(([, text]) => text).find((text) => text.trim() !== "") ?? of.begins ?? "";
  const line = first.slice(0, 4 * most).replace(/\s+/gu, " ").trim();
  return [...line].length > most ? `${[...line].slice(0, most).join("")}…` : line;
}

/** Where a unit stands. */
export function placeOf(of) {
  const place = of.source === undefined ? "" : of.line === undefined ? of.source : `${of.source}:${of.line}`;
  return of.sentence === undefined ? place : [place, `sentence ${of.sentence + 1}`].filter(Boolean).join(", ");
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
export const count = (number) => whole.format(number);
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;
export const share = (part, of) => percent(of === 0 ? 0 : part / of);
export function percent(value) {
  const shown = 100 * value;
  return `${shown === 0 || shown >= 99.95 || Number.isInteger(shown) ? shown.toFixed(0) : shown.toFixed(1)} %`;
}
/** A similarity is never shown as more than it is: 0.9996 is not 1. */
export function similar(value) {
  if (value === null || value === undefined) return "not verified";
  return value >= 1 ? "1" : (Math.floor(value * 1000 + 1e-6) / 1000).toFixed(3);
}
export function bytes(number) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [value, place] = [number, 0];
  while (value >= 1000 && place < units.length - 1) [value, place] = [value / 1000, place + 1];
  return `${value >= 100 || place === 0 ? value.toFixed(0) : value.toFixed(1)} ${units[place]}`;
}
export const seconds = (value) => (value < 10 ? `${value.toFixed(2)} s` : `${count(value)} s`);

export const job = DATA.about.job;
export const threshold = DATA.about.threshold ?? 0;

/** Whether the threshold decides what a pair is; that of passages is one of sentences. */
export const isDecided = job !== "passages";
/** Where gauges begin. */
export const least = isDecided ? Math.max(0, threshold - 0.1) : 0;

/** What is compared in this job. */
export const THING = { sentences: "sentence", messages: "message", threads: "thread" }[job] ?? (job === "passages" ? "document" : "record");

// Pairs by their units; clusters know the similarity of their members to the one that is kept.
const byUnits = new Map();
for (const row of DATA.pairs.rows) byUnits.set(`${row.a}-${row.b}`, row);
for (const list of [DATA.audited?.rows, DATA.changes?.pairs_here, DATA.changes?.pairs_there]) {
  for (const row of list ?? []) if (!byUnits.has(`${row.a}-${row.b}`)) byUnits.set(`${row.a}-${row.b}`, row);
}
DATA.clusters.members.forEach((members, cluster) => {
  const kept = members[DATA.clusters.kept[cluster]];
  members.forEach((member, place) => {
    if (member === kept || byUnits.has(`${member}-${kept}`) || byUnits.has(`${kept}-${member}`)) return;
    const similarity = DATA.clusters.similarity[cluster][place];
    byUnits.set(`${kept}-${member}`, { a: kept, b: member, similarity: similarity ?? undefined, row: {} });
  });
});

/** The pair of two units, whichever comes first; none if the page has none. */
export const pairOf = (a, b) => byUnits.get(`${a}-${b}`) ?? byUnits.get(`${b}-${a}`);
/** What a pair is called in addresses. */
export const pairName = (pair) => `${pair.a}-${pair.b}`;
/** The kind of a pair, or what two documents are to each other. */
export const kindOf = (pair) => pair.row.kind ?? pair.row.relation;
