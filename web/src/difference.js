// Which words of two texts are not the same.

// Scripts without spaces are compared character by character; elsewhere a word is a run of letters, marks and digits.
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[\p{L}\p{M}\p{N}]+(?:['’.,:/-](?=\p{N})\p{N}+|['’](?=\p{L})[\p{L}\p{M}]+)*|\s+|[^]/gu;

export const tokensOf = (text) => text.match(TOKEN) ?? [];
const isSpace = (token) => /^\s+$/u.test(token);
const isWord = (token) => /[\p{L}\p{N}]/u.test(token);

/** More edits than these are not looked for: what is between is then another text. */
const MOST_EDITS = 1200;

/**
 * The parts of two texts in order: `{same: text}` or `{a: text, b: text}` where they differ. White space of different
 * kinds is the same.
 */
export function difference(textA, textB) {
  const [a, b] = [tokensOf(textA), tokensOf(textB)];
  const alike = (x, y) => a[x] === b[y] || (isSpace(a[x]) && isSpace(b[y]));
  let begin = 0;
  while (begin < a.length && begin < b.length && alike(begin, begin)) begin += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > begin && endB > begin && alike(endA - 1, endB - 1)) [endA, endB] = [endA - 1, endB - 1];
  const steps = [...Array(begin).fill("same"), ...edits(a, b, [begin, endA], [begin, endB], alike), ...Array(a.length - endA).fill("same")];
  const parts = [];
  let [x, y] = [0, 0];
  for (const step of steps) {
    const last = parts.at(-1);
    if (step === "same") {
      if (last?.same === undefined) parts.push({ same: a[x], sameB: b[y] });
      else [last.same, last.sameB] = [last.same + a[x], last.sameB + b[y]];
      [x, y] = [x + 1, y + 1];
    } else {
      const part = last?.same === undefined && last ? last : { a: "", b: "" };
      if (part !== last) parts.push(part);
      if (step === "a") part.a += a[x++];
      else part.b += b[y++];
    }
  }
  return joined(parts);
}

/** The steps from one sequence to the other (Myers): same, a (only there), b. */
function edits(a, b, [beginA, endA], [beginB, endB], alike) {
  const [n, m] = [endA - beginA, endB - beginB];
  const replaced = () => [...Array(n).fill("a"), ...Array(m).fill("b")];
  if (n === 0 || m === 0) return replaced();
  const most = Math.min(n + m, MOST_EDITS);
  const trace = [];
  let furthest = new Int32Array(2 * most + 3);
  for (let d = 0; d <= most; d += 1) {
    trace.push(furthest.slice());
    for (let k = -d; k <= d; k += 2) {
      const at = k + most + 1;
      let x = k === -d || (k !== d && furthest[at - 1] < furthest[at + 1]) ? furthest[at + 1] : furthest[at - 1] + 1;
      let y = x - k;
      while (x < n && y < m && alike(beginA + x, beginB + y)) [x, y] = [x + 1, y + 1];
      furthest[at] = x;
      if (x >= n && y >= m) return backtrack(trace, most, n, m);
    }
  }
  return replaced();
}

function backtrack(trace, most, n, m) {
  const steps = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const [furthest, k] = [trace[d], x - y];
    const at = k + most + 1;
    const down = k === -d || (k !== d && furthest[at - 1] < furthest[at + 1]);
    const before = down ? furthest[at + 1] : furthest[at - 1] + 1;
    while (x > before && y > before - k) {
      steps.push("same");
      [x, y] = [x - 1, y - 1];
    }
    if (d > 0) {
      steps.push(down ? "b" : "a");
      if (down) y -= 1;
      else x -= 1;
    }
  }
  return steps.reverse();
}

/** Changes with nothing but a space between them are one. */
function joined(parts) {
  const out = [];
  for (const part of parts) {
    const [before, last] = [out.at(-2), out.at(-1)];
    const isBridge = part.same === undefined && last?.same !== undefined && before && before.same === undefined && /^\s*$/u.test(last.same);
    if (isBridge) {
      out.pop();
      before.a += last.same + part.a;
      before.b += last.sameB + part.b;
    } else out.push({ ...part });
  }
  return out;
}

/** The words that changed, `[from, to]`, at most so many; white space alone is none. */
export function changes(parts, most = Infinity) {
  const real = parts.filter((part) => part.same === undefined && (part.a.trim() !== "" || part.b.trim() !== ""));
  return real.slice(0, most).map((part) => [part.a.trim(), part.b.trim()]);
}

/** How many words a text has. */
export const wordCount = (text) => tokensOf(text).filter(isWord).length;

/** Cuts a long stretch: its first words, how many are left out, its last words. Nothing for one that is not long. */
export function ends(text, shown = 14) {
  const tokens = tokensOf(text);
  const words = tokens.map((token, place) => (isWord(token) ? place : -1)).filter((place) => place >= 0);
  if (words.length <= 2 * shown + 6) return undefined;
  const [first, last] = [words[shown - 1] + 1, words[words.length - shown]];
  return { first: tokens.slice(0, first).join(""), between: tokens.slice(first, last).join(""), last: tokens.slice(last).join(""), words: words.length - 2 * shown };
}

/** The sentences of a text, about: places from and to. */
export function sentencesOf(text) {
  const places = [];
  const ending = /[.!?؟。！？।]+["'”’»」』)]*\s+|[。！？]|\n+/gu;
  let begin = 0;
  for (const match of text.matchAll(ending)) {
    const end = match.index + match[0].length;
    if (text.slice(begin, end).trim() !== "") places.push([begin, end]);
    begin = end;
  }
  if (text.slice(begin).trim() !== "") places.push([begin, text.length]);
  return places;
}
