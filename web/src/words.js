// Settings, kinds and stages in plain words.

export const KINDS = {
  identical: ["identical", "the same words"],
  "copy-edit": ["copy edit", "the same statement in different words"],
  "factual-drift": ["factual drift", "the same statement with a different number, date or name"],
  template: ["template", "the same frame about a different subject"],
  reference: ["reference", "citations"],
  other: ["other", "none of these"],
  same: ["same", "equal after normalisation"],
  wording: ["wording", "the same in different words"],
  "other-name": ["other name", "alike except for a name"],
  "other-number": ["other number", "alike except for a number"],
  edition: ["edition", "different editions of the same text"],
  "near-duplicate": ["near-duplicate", "nearly the same"],
  contains: ["contains", "the first contains the second"],
  contained: ["contained", "the first is contained in the second"],
  quotes: ["quotes", "part of one is in the other"],
  boilerplate: ["boilerplate", "only text that frames many documents"],
  collection: ["collection", "one document contains several others"],
  "multi-page": ["multi-page", "pages of one document"],
};

export const kindName = (kind) => KINDS[kind]?.[0] ?? kind.replace(/-/g, " ");
export const kindMeaning = (kind) => KINDS[kind]?.[1];

/** Kinds in the order in which they matter to a reader. */
const ORDER = ["factual-drift", "copy-edit", "template", "other-name", "other-number", "edition", "reference", "wording", "same", "identical"];
export function inOrder(kinds) {
  const place = (kind) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...kinds].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

export const STAGES = {
  convert: "converting", count: "counting words", sign: "reading", collapse: "finding identical texts", weigh: "weighing words",
  select: "choosing rare features", join: "finding candidates", gather: "gathering documents", search: "searching for shared words",
  describe: "rereading candidates", verify: "comparing", differ: "classifying differences", align: "locating passages", assemble: "clustering",
  suggest: "ranking suggestions", audit: "auditing", write: "writing", report: "writing this report",
};

const MEASURES = {
  jaccard: "the share of features that both have",
  "weighted-jaccard": "the share of features that both have, rare ones counting more",
  containment: "the share of the shorter text's features that the longer one has",
  cosine: "the cosine of their features", "tf-idf": "the cosine of their weighted words",
  edit: "the share of letters that are unchanged", hamming: "the share of equal bits of their fingerprints",
};

/** A way of describing texts. */
export function featureWords(method) {
  const [kind, what, first, second] = (method ?? "").split(":");
  if (kind === "shingles" && first === "1") return what === "words" ? "single words" : "single characters";
  if (kind === "shingles") return `runs of ${what === "words" ? `${first} words` : `${first} ${what === "chars" ? "characters" : "letters"}`}`;
  if (kind === "winnow") return `winnowed runs of ${first} ${what === "words" ? "words" : "characters"} (window ${second})`;
  if (kind === "terms") return "words";
  if (kind === "weighted-terms") return "words, weighted by how common they are";
  if (kind === "spotsigs") return "chains of content words after very common ones";
  return method;
}

/** How the similarity is computed, in a sentence. */
export function howCompared(parameters) {
  if (parameters.job === "passages") return "Documents are aligned with each other word by word; a passage is a stretch that both contain, and its similarity is how much of it is unchanged.";
  const parts = parameters.model?.part;
  if (parts) {
    const fields = parts.map((part) => `${part.field ?? "text"} (${featureWords(part.features)}, ${part.measure}${part.weight === undefined ? "" : `, weight ${part.weight}`})`);
    return `Each field is compared by itself: ${fields.join("; ")}. ${parameters.model.kind === "linear" ? "The similarity is the weighted mean." : "A trained model combines these into one similarity."}`;
  }
  const features = parameters.features?.method;
  const measure = parameters.verify?.measure;
  return `A text is described by ${featureWords(features) || "its features"}; the similarity of two is ${MEASURES[measure] ?? measure ?? "the share of features that both have"}.`;
}

/** Which record of a cluster stays. */
export function keepWords(keep) {
  const rules = { first: "the first in the input", last: "the last in the input", longest: "the longest", more: "the one whose answer contains most" };
  return rules[keep] ?? `the one with the largest value of ${keep}`;
}
