// Two documents with the passages they share, in matching colours, scrolling together.
import { fieldsOf, isCut, similar, unit } from "./data.js";
import { difference, sentencesOf, tokensOf } from "./difference.js";
import { el } from "./elements.js";
import { dotPlot } from "./plots.js";

/** Places count code points; a string counts half of some of them. */
function placesOf(text) {
  const places = [];
  let at = 0;
  for (const character of text) {
    places.push(at);
    at += character.length;
  }
  places.push(at);
  return (number) => places[Math.min(number, places.length - 1)];
}

/** The words of a passage, those underlined that the other side does not have. */
function inPassage(own, other, side) {
  if (own.length > 8000 || other.length > 8000) return [own];
  const parts = side === 0 ? difference(own, other) : difference(other, own);
  return parts.map((part) => (part.same !== undefined ? (side === 0 ? part.same : part.sameB) : side === 0 ? part.a : part.b).length === 0 ? "" : part.same !== undefined ? (side === 0 ? part.same : part.sameB) : el("u", { class: "changed" }, side === 0 ? part.a : part.b));
}

/** One document as elements, its passages marked. Where passages overlap, the one that begins later is seen. */
function document_(text, passages, side, quotes) {
  const place = placesOf(text);
  const key = side === 0 ? "a" : "b";
  const spans = passages.map((passage, number) => ({ number, begin: place(passage[key].begin), end: place(passage[key].end) }));
  const cuts = [...new Set([0, text.length, ...spans.flatMap(({ begin, end }) => [begin, end])])].sort((x, y) => x - y);
  const parts = [];
  for (let cut = 0; cut + 1 < cuts.length; cut += 1) {
    const [begin, end] = [cuts[cut], cuts[cut + 1]];
    const inside = spans.filter((span) => span.begin <= begin && end <= span.end);
    const span = inside.sort((x, y) => y.begin - x.begin)[0];
    if (!span) {
      parts.push(text.slice(begin, end));
      continue;
    }
    const whole = span.begin === begin && span.end === end;
    const words = whole ? inPassage(text.slice(begin, end), quotes[1 - side][span.number] ?? "", side) : [text.slice(begin, end)];
    parts.push(el("mark", { class: `passage hue${span.number % 8}`, "data-passage": span.number }, span.begin === begin && el("sup", { class: "passagenumber" }, String(span.number + 1)), words));
  }
  return el("div", { class: "text", dir: "auto" }, parts);
}

/** What each passage says on a side. */
function quotesOf(text, passages, key) {
  if (text === undefined) return passages.map((passage) => passage[key].text ?? "");
  const place = placesOf(text);
  return passages.map((passage) => text.slice(place(passage[key].begin), place(passage[key].end)));
}

/** Only the passages, where the document itself is not in the page. */
function excerpts(quotes, side) {
  return el("div", { class: "text", dir: "auto" }, quotes[side].map((quote, number) => el("p", {}, el("mark", { class: `passage hue${number % 8}`, "data-passage": number }, el("sup", { class: "passagenumber" }, String(number + 1)), inPassage(quote, quotes[1 - side][number], side)))));
}

/** Scrolls both so that the same passage stands at the same height. */
function together(left, right) {
  let leader;
  const anchors = (pane) => [...pane.querySelectorAll("[data-passage]")].filter((mark, place, all) => all.findIndex((other) => other.dataset.passage === mark.dataset.passage) === place);
  const follow = (from, to) => {
    const pairs = anchors(from).map((mark) => [mark.offsetTop, to.querySelector(`[data-passage="${mark.dataset.passage}"]`)?.offsetTop]).filter(([, other]) => other !== undefined);
    pairs.sort((a, b) => a[0] - b[0]);
    const points = [[0, 0], ...pairs, [from.scrollHeight, to.scrollHeight]];
    const middle = from.scrollTop + from.clientHeight / 3;
    const after = Math.max(1, points.findIndex(([at]) => at >= middle));
    const [[x0, y0], [x1, y1]] = [points[after - 1], points[after] ?? points.at(-1)];
    const share = x1 === x0 ? 0 : (middle - x0) / (x1 - x0);
    to.scrollTop = y0 + share * (y1 - y0) - to.clientHeight / 3;
  };
  for (const [from, to] of [[left, right], [right, left]]) {
    for (const event of ["pointerenter", "focusin", "touchstart", "wheel"]) from.addEventListener(event, () => { leader = from; }, { passive: true });
    from.addEventListener("scroll", () => leader === from && requestAnimationFrame(() => follow(from, to)), { passive: true });
  }
}

const MOST_SENTENCES = 250;

/** Which sentences of two texts have words in common. */
function dotsOf(texts) {
  const sets = texts.map((text) => sentencesOf(text).slice(0, MOST_SENTENCES).map(([begin, end]) => new Set(tokensOf(text.slice(begin, end).toLowerCase()).filter((token) => /[\p{L}\p{N}]/u.test(token)))));
  const dots = [];
  sets[0].forEach((a, column) => sets[1].forEach((b, row) => {
    if (a.size < 3 || b.size < 3) return;
    let common = 0;
    for (const word of a) common += b.has(word) ? 1 : 0;
    const alike = common / (a.size + b.size - common);
    if (alike >= 0.4) dots.push([column, row, alike]);
  }));
  return { sizes: sets.map((set) => set.length), dots };
}

/** The number of the sentence in which a place is. */
const sentenceAt = (places, at) => Math.max(0, places.findLastIndex(([begin]) => begin <= at));

function plot(texts, passages) {
  const { sizes, dots } = dotsOf(texts);
  const [split, at] = [texts.map(sentencesOf), texts.map(placesOf)];
  const fields = passages.map((passage) => Object.fromEntries(["a", "b"].map((key, side) => {
    const [first, last] = [passage[key].begin, passage[key].end - 1].map((place) => sentenceAt(split[side], at[side](place)));
    return [key, [first, last + 1]];
  })));
  return dotPlot(sizes[0], sizes[1], dots, fields.filter((field) => field.a[0] < sizes[0] && field.b[0] < sizes[1]));
}

export function passagesPair(pair, heads) {
  const units = [unit(pair.a), unit(pair.b)];
  const { passages } = pair;
  const texts = units.map((of) => (of.text === undefined || isCut(of) ? undefined : fieldsOf(of)[0]?.[1]));
  const quotes = ["a", "b"].map((key, side) => quotesOf(texts[side], passages, key));
  const bodies = texts.map((text, side) => (text === undefined ? excerpts(quotes, side) : document_(text, passages, side, quotes)));
  const panes = bodies.map((body, side) => el("div", { class: "pane", tabindex: "0", role: "region", "aria-label": side === 0 ? "First document" : "Second document" }, body));
  together(panes[0], panes[1]);
  const go = (number) => {
    for (const pane of panes) {
      const mark = pane.querySelector(`[data-passage="${number}"]`);
      if (mark) pane.scrollTop = Math.max(0, mark.offsetTop - 40);
    }
  };
  const list = el("ol", { class: "passagelist" }, passages.map((passage, number) => el("li", {}, el("button", { type: "button", class: `passage hue${number % 8}`, onclick: () => go(number) }, `Passage ${number + 1}`), ` ${similar(passage.similarity)}, characters ${passage.a.begin}–${passage.a.end} and ${passage.b.begin}–${passage.b.end}`)));
  const isWhole = texts.every((text) => text !== undefined);
  setTimeout(() => go(0), 0);
  return [
    el("div", { class: "passageinfo" }, isWhole && plot(texts, passages), el("div", {}, list, !isWhole && el("p", { class: "quiet" }, "Of documents that are not in this page in full, only the passages are shown."))),
    el("div", { class: "sides linked" }, [0, 1].map((side) => el("section", { class: "side" }, heads[side], panes[side]))),
  ];
}
