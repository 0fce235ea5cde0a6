// The marks of a reviewer. They stay in this browser, for this result.
import { DATA, unit } from "./data.js";

const PLACE = `lookalike:${DATA.about.job}:${DATA.about.result}`;
export const MARKS = { right: "Right", wrong: "Wrong", seen: "Seen" };

/** A browser may keep nothing for pages from disk: then marks last as long as the page. */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

const marks = new Map(Object.entries(stored()));
const listeners = new Set();

/** What a pair is known by, whatever is in the page. */
function nameOfPair(pair) {
  return JSON.stringify([pair.a, pair.b].map((number) => [unit(number).idJson, unit(number).sentence ?? null]));
}

export const markOf = (pair) => marks.get(nameOfPair(pair))?.mark;
export const markCount = () => marks.size;

/** Marks a pair, or takes the mark back where it has that one already. */
export function setMark(pair, mark) {
  const name = nameOfPair(pair);
  if (marks.get(name)?.mark === mark) marks.delete(name);
  else marks.set(name, { mark, a: pair.a, b: pair.b });
  keep();
}

export function clearMarks() {
  marks.clear();
  keep();
}

function keep() {
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(marks)));
  } catch {
    // Nothing to do about it: the page says that marks are to be exported.
  }
  for (const listener of listeners) listener();
}

export const onMarks = (listener) => listeners.add(listener);

/** The marked pairs as far as they are in this page, in the order in which they were marked. */
export function markedPairs(find) {
  const inPage = [];
  for (const [name, { mark, a, b }] of marks) {
    const pair = a < DATA.units.id.length && b < DATA.units.id.length ? find(a, b) : undefined;
    if (pair && nameOfPair(pair) === name) inPage.push({ pair, mark });
  }
  return inPage;
}
