// The page that the program carries, and how it tells differences.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAGE, page } from "../build.mjs";
import { changes, difference, ends, tokensOf, wordCount } from "../src/difference.js";

test("the page that the program carries is made from these files", () => {
  assert.equal(readFileSync(PAGE, "utf8"), page(), "run node web/build.mjs");
});

const told = (a, b) => changes(difference(a, b));

test("words differ, or characters where there are no spaces", () => {
  assert.deepEqual(told("It opens at nine.", "It opens at ten."), [["nine", "ten"]]);
  assert.deepEqual(told("渡轮九点出发", "渡轮十点出发"), [["九", "十"]]);
  assert.deepEqual(told("the same", "the same"), []);
  assert.deepEqual(told("the  same", "the same"), []);
  assert.deepEqual(told("", "new words"), [["", "new words"]]);
  assert.deepEqual(told("1,200 kroner", "1.2k kroner"), [["1,200", "1.2k"]]);
});

test("both sides are all of both texts", () => {
  const texts = ["a b c d e f g", "x b c y e g h", "", "渡轮 a b", "a\n\nb  c", "سفينة قديمة"];
  for (const a of texts) {
    for (const b of texts) {
      const parts = difference(a, b);
      assert.equal(parts.map((part) => part.same ?? part.a).join(""), a);
      assert.equal(parts.map((part) => part.sameB ?? part.b).join(""), b);
    }
  }
});

test("texts that have nothing in common are told in no time", () => {
  const words = (seed) => Array.from({ length: 6000 }, (_, place) => `${seed}${place}`).join(" ");
  assert.equal(difference(words("a"), words("b")).filter((part) => part.same === undefined).length, 1);
});

test("a long stretch is shown by its ends", () => {
  const text = Array.from({ length: 100 }, (_, place) => `w${place}`).join(" ");
  const cut = ends(text);
  assert.equal(cut.first + cut.between + cut.last, text);
  assert.equal(cut.words, 72);
  assert.equal(ends("a few words"), undefined);
  assert.equal(wordCount(text), 100);
  assert.deepEqual(tokensOf("isn't 3.5"), ["isn't", " ", "3.5"]);
});
