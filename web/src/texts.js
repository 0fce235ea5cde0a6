// Two texts side by side, with the words marked that only one of them has.
import { difference, ends, wordCount } from "./difference.js";
import { el } from "./elements.js";

/** A stretch that both have; the middle of a long one is folded, on both sides at once. */
function sameParts(part, isEdge) {
  const [cutA, cutB] = [ends(part.same), ends(part.sameB)];
  if (!cutA || !cutB) return [[part.same], [part.sameB]];
  const sides = [cutA, cutB].map((cut) => {
    // At an edge the words beside the fold are folded, too.
    const beside = isEdge === "first" ? wordCount(cut.first) : isEdge === "last" ? wordCount(cut.last) : 0;
    const button = el("button", { class: "fold", type: "button", title: "Show them" }, `${cut.words + beside} equal words`);
    const between = el("span", { hidden: true }, cut.between);
    return { button, between, parts: [isEdge === "first" ? "" : cut.first, button, between, isEdge === "last" ? "" : cut.last] };
  });
  for (const [place, cut] of [cutA, cutB].entries()) {
    // At the beginning and at the end one side of the fold is enough.
    if (isEdge === "first") sides[place].between.prepend(cut.first);
    if (isEdge === "last") sides[place].between.append(cut.last);
  }
  for (const side of sides) {
    side.button.addEventListener("click", () => {
      for (const { button, between } of sides) {
        between.hidden = false;
        button.remove();
      }
    });
  }
  return sides.map((side) => side.parts);
}

/** A mark around words, not around the white space before and after them. */
function around(name, text) {
  const [, before, words, after] = /^(\s*)([^]*?)(\s*)$/u.exec(text);
  return words === "" ? [text] : [before, el(name, {}, words), after];
}

/** Both sides of two texts, as elements. */
export function marked(textA, textB, isFolded = true) {
  const parts = difference(textA, textB);
  const sides = [[], []];
  parts.forEach((part, place) => {
    if (part.same !== undefined) {
      const edge = parts.length === 1 ? undefined : place === 0 ? "first" : place === parts.length - 1 ? "last" : undefined;
      const both = isFolded ? sameParts(part, edge) : [[part.same], [part.sameB]];
      sides[0].push(...both[0]);
      sides[1].push(...both[1]);
      return;
    }
    sides[0].push(...around("del", part.a));
    sides[1].push(...around("ins", part.b));
  });
  return { sides: sides.map((side) => el("div", { class: "text", dir: "auto" }, side)), parts };
}

/** Words that changed: from → to. */
export function changeList(pairs) {
  return pairs.map(([from, to]) => el("span", { class: "change" }, el("del", {}, el("bdi", {}, from || "–")), " → ", el("ins", {}, el("bdi", {}, to || "–"))));
}
