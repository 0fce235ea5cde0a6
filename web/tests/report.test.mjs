// The report of every job, in a browser.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { example, finish, folder, go, lookalike, open, read, saved, serious, write } from "./browser.mjs";

const JOBS = {
  documents: ["articles.jsonl", "--audit", "50"],
  threads: ["threads.jsonl", "--top", "5"],
  sentences: ["encyclopedia.xml"],
  passages: ["pages.jsonl"],
  messages: ["messages.txt"],
};

/** Records without ids are named by their file, so that names can be as long as its path. */
const LONG = "a_folder_with_a_name_that_no_narrow_screen_can_show_in_one_line";

before(() => {
  mkdirSync(join(folder, LONG));
  for (const [job, [input, ...options]] of Object.entries(JOBS)) {
    lookalike(job, example(input), ...options, "--out", job, "--quiet");
    copyFileSync(example(input), join(folder, LONG, input));
    lookalike(job, join(folder, LONG, input), ...options, "--out", `${job}-named-long`, "--quiet");
  }
});
after(finish);

/** The views that the report of a job has. */
const VIEWS = { documents: [], threads: ["suggestions"], sentences: ["articles"], passages: ["documents"], messages: ["templates"] };

for (const job of Object.keys(JOBS)) {
  test(`${job}: every view opens without an error, in both themes, and axe finds nothing serious`, async () => {
    for (const dark of [false, true]) {
      const { page, wrong, close } = await open(job, { dark });
      const shade = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
      assert.equal(Math.max(...shade) < 100, dark, `background ${shade}`);
      for (const view of ["overview", "clusters", "cluster/0", "pairs", "review", ...VIEWS[job]]) {
        await go(page, view);
        assert.deepEqual(await serious(page), [], `${job}, ${view}, ${dark ? "dark" : "light"}`);
      }
      await go(page, "pairs");
      await page.locator(".longlist a").first().click();
      await page.locator(".sides").waitFor();
      assert.deepEqual(await serious(page), [], `${job}, pair, ${dark ? "dark" : "light"}`);
      assert.deepEqual(wrong, []);
      await close();
    }
  });

  test(`${job}: nothing is wider than a narrow screen`, async () => {
    const { page, wrong, close } = await open(`${job}-named-long`, { narrow: true });
    for (const view of ["overview", "clusters", "cluster/0", "pairs", "review", ...VIEWS[job]]) {
      await go(page, view);
      const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(wide <= seen, `${job}, ${view}: ${wide} of ${seen}`);
    }
    await go(page, "pairs");
    await page.locator(".longlist a").first().click();
    const sides = await page.locator(".side").evaluateAll((all) => all.map((side) => side.getBoundingClientRect().left));
    assert.equal(sides[0], sides[1], "one below the other");
    assert.deepEqual(wrong, []);
    await close();
  });
}

test("the overview says what was found, and what a higher threshold would do", async () => {
  const { page, close } = await open("documents");
  assert.match(await page.locator("h1").innerText(), /25\.8 % of 326 records\s+repeat another one/);
  assert.match(await page.locator(".hero").innerText(), /84 records in 69 clusters can be removed, 242 are kept\. 94 pairs are at 0\.8 or more/);
  assert.match(await page.locator("main").innerText(), /Every pair at or above the threshold was found/);
  assert.match(await page.locator("main").innerText(), /100 % of the true pairs were found/);
  await page.locator("#whatif").fill("90");
  const rows = lookalike("show", "documents", "--json", "--limit", "1000").trim().split("\n").map((line) => JSON.parse(line));
  const left = rows.filter((row) => row.similarity >= 0.9 - 1e-9).length;
  const removed = read("documents/removed.jsonl").trim().split("\n").map((line) => JSON.parse(line)).filter((row) => row.similarity >= 0.9 - 1e-9).length;
  assert.equal(await page.locator(".whatif").innerText(), `At 0.9: ${left} of 94 pairs are left; ${removed} of the 84 removed ones are at least that similar to the one kept instead.`);
  await close();
});

test("clusters are searched, sorted and opened, by mouse and by keys", async () => {
  const { page, close } = await open("documents", { view: "clusters" });
  assert.equal(await page.locator(".told").innerText(), "69 clusters");
  await page.locator("input[type=search]").fill("河岸路");
  assert.match(await page.locator(".told").innerText(), /^[1-9] clusters? of 69$/);
  assert.match(await page.locator("#said").innerText(), /of 69/);
  await page.locator("input[type=search]").fill("nothing has these words");
  assert.equal(await page.locator(".longlist .row").count(), 0);
  await page.locator("input[type=search]").fill("");
  await page.getByLabel("Sort").selectOption("weak");
  const least = await page.locator(".row .similarity b").first().innerText();
  assert.match(least, /^0\.80/);
  await page.locator(".longlist a").first().focus();
  for (const key of ["ArrowDown", "ArrowDown", "End", "Home", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.closest("[aria-posinset]").getAttribute("aria-posinset")), "2");
  await page.keyboard.press("Enter");
  await page.locator(".keptcard").waitFor();
  assert.match(await page.locator(".keptcard").innerText(), /kept/);
  assert.match(await page.locator(".why").first().innerText(), /Removed: .* which is kept/);
  await page.goBack();
  assert.equal(await page.getByLabel("Sort").inputValue(), "weak");
  await close();
});

test("a pair shows exactly the words that differ, in Chinese character by character", async () => {
  const { page, close } = await open("documents", { view: "pairs" });
  await page.locator("input[type=search]").fill("ex-0137 ex-0239");
  await page.locator(".longlist a").first().click();
  const texts = (selector) => page.locator(selector).allInnerTexts();
  assert.deepEqual(await texts(".side del"), ["宜", "清", "之", "能够"]);
  assert.deepEqual(await texts(".side ins"), ["合", "早", "以", "可以"]);
  const folds = await page.locator(".fold").count();
  assert.ok(folds >= 2 && folds % 2 === 0, `${folds}`);
  const before = (await page.locator(".side .text").first().innerText()).length;
  await page.locator(".fold").first().click();
  assert.equal(await page.locator(".fold").count(), folds - 2);
  assert.ok((await page.locator(".side .text").first().innerText()).length > before);
  await close();
});

test("drifts come first, with what changed", async () => {
  const { page, close } = await open("sentences", { view: "pairs" });
  const first = await page.locator(".pairentry").first().innerText();
  assert.match(first, /factual drift/);
  assert.match(first, /→/);
  await page.getByRole("combobox", { name: "Kind" }).selectOption("factual-drift");
  const { sentences } = JSON.parse(read("sentences/summary.json"));
  assert.match(await page.locator(".told").innerText(), new RegExp(`^${sentences.kinds["factual-drift"]} pairs`));
  await page.locator("input[type=search]").fill("Marlstone 1892 1890");
  await page.locator(".longlist a").first().click();
  assert.deepEqual(await page.locator(".side del").allInnerTexts(), ["1892"]);
  assert.deepEqual(await page.locator(".side ins").allInnerTexts(), ["1890"]);
  const links = await page.locator(".sidehead a").evaluateAll((all) => all.map((each) => each.href));
  assert.deepEqual(links, ["Marlstone", "River_Yarrel"].map((title) => `https://encyclopedia.example/wiki/${title}`));
  await close();
});

test("a pair of threads says how its fields add up", async () => {
  const { page, close } = await open("threads", { view: "pairs" });
  await page.locator("input[type=search]").fill("q-01 q-46");
  assert.match(await page.locator(".longlist .names").first().innerText(), /^How much is a year's library card\? – How much does /);
  await page.locator(".longlist a").first().click();
  assert.deepEqual((await page.locator(".fields tbody tr").allInnerTexts()).map((row) => row.split(/\s+/).slice(0, 4).join(" ")), ["title 0.866 50 % 0.433", "body does not count", "answer 1 50 % 0.500"].map((row, place) => (place === 1 ? row : row.split(" ").slice(0, 4).join(" "))));
  assert.match(await page.locator(".fields tfoot").innerText(), /0\.933/);
  await close();
});

test("a pair says of what kind it is, and whether that removes anything", async () => {
  const { page, wrong, close } = await open("messages", { view: "pairs" });
  const { kinds } = JSON.parse(read("messages/summary.json"));
  await page.getByRole("combobox", { name: "Kind" }).selectOption("other-number");
  assert.match(await page.locator(".told").innerText(), new RegExp(`^${kinds["other-number"]} pairs?`));
  await page.locator(".longlist a").first().click();
  assert.match(await page.locator(".verdict").innerText(), /pairs of this kind are listed but not removed\. other number: alike except for a number/);
  await go(page, "pairs?kind=wording");
  await page.locator(".longlist a").first().click();
  await page.locator(".verdict", { hasText: "wording" }).waitFor();
  assert.doesNotMatch(await page.locator(".verdict").innerText(), /not removed/);
  assert.deepEqual(wrong, []);
  await close();
});

test("templates have slots, and what stands in these", async () => {
  const { page, close } = await open("messages", { view: "templates" });
  const largest = JSON.parse(lookalike("show", "messages", "--templates", "--json", "--limit", "1"));
  const first = page.locator(".templates > li").first();
  assert.match(await first.innerText(), new RegExp(`${largest.size} messages`));
  assert.equal(await first.locator("tbody tr").count(), largest.slots.length);
  assert.equal(await first.locator("tbody .value").first().innerText(), largest.slots[0][0] || "–");
  await close();
});

test("suggestions lead to pairs", async () => {
  const { page, close } = await open("threads", { view: "suggestions" });
  await page.locator("input[type=search]").fill("library card");
  assert.ok(await page.locator(".suggestions > li").count() >= 1);
  await page.locator(".suggestions a").first().click();
  await page.locator(".sides").waitFor();
  await close();
});

test("passages have matching colours, a dot plot, and scroll together", async () => {
  const { page, close } = await open("passages", { view: "pairs" });
  await page.getByLabel("Sort").selectOption("strong");
  await page.locator(".longlist a").first().click();
  const marks = (side) => page.locator(`.side:nth-child(${side}) mark[data-passage="0"]`).first();
  const colour = (side) => marks(side).evaluate((mark) => getComputedStyle(mark).backgroundColor);
  assert.equal(await colour(1), await colour(2));
  assert.ok(await page.locator(".dots .sentence").count() > 0);
  assert.ok(await page.locator(".dots .passage").count() > 0);
  await go(page, "pairs");
  await page.getByLabel("Relation").selectOption("contains");
  await page.locator(".longlist a").first().click();
  await page.waitForTimeout(100);
  const panes = page.locator(".pane");
  await panes.nth(0).hover();
  await panes.nth(0).evaluate((pane) => { pane.scrollTop = 0; });
  await page.waitForTimeout(100);
  const top = await panes.nth(1).evaluate((pane) => pane.scrollTop);
  await panes.nth(0).evaluate((pane) => { pane.scrollTop = pane.scrollHeight; });
  await page.waitForTimeout(150);
  const [moved, room] = await panes.nth(1).evaluate((pane) => [pane.scrollTop, pane.scrollHeight - pane.clientHeight]);
  assert.ok(moved > top || room <= 1, `${top} → ${moved} of ${room}`);
  await close();
});

test("marks are set by key and click, stay, and are exported in three forms", async () => {
  const { page, address, wrong, close } = await open("documents", { view: "pairs" });
  await page.locator(".longlist a").first().click();
  await page.locator("main").focus();
  await page.keyboard.press("r");
  assert.equal(await page.locator("[data-mark=right]").getAttribute("aria-pressed"), "true");
  await page.keyboard.press("j");
  await page.waitForTimeout(80);
  await page.locator("[data-mark=wrong]").click();
  await page.keyboard.press("j");
  await page.waitForTimeout(80);
  await page.keyboard.press("s");
  await page.keyboard.press("k");
  await page.waitForTimeout(80);
  assert.equal(await page.locator("[data-mark=wrong]").getAttribute("aria-pressed"), "true");
  await page.goto("about:blank");
  await page.goto(`${address}#/review`);
  assert.match(await page.locator(".lead").innerText(), /3 pairs marked: 1 right, 1 wrong, 1 seen/);
  const labels = await saved(page, "[data-export=labels]");
  const weakest = lookalike("show", "documents", "--json", "--sort", "similarity", "--limit", "2").trim().split("\n").map((line) => JSON.parse(line));
  const expected = weakest.map(({ a, b }, place) => ({ a, b, label: 1 - place }));
  assert.deepEqual(labels.text.trim().split("\n").map((line) => JSON.parse(line)), expected);
  write("marks.jsonl", labels.text.trim().split("\n"));
  assert.match(lookalike("judge", "documents", "--gold", "marks.jsonl", "--listed"), /precision\s+0\.5/);
  const csv = await saved(page, "[data-export=csv]");
  assert.equal(csv.text.split("\r\n")[0], "a,b,title_a,title_b,similarity,kind,changed,mark");
  assert.equal(csv.text.trim().split("\r\n").length, 4);
  const wiki = await saved(page, "[data-export=wiki]");
  assert.match(wiki.text, /^\{\| class="wikitable sortable"\n/);
  assert.equal(wiki.text.match(/^\|-$/gm).length, 3);
  assert.deepEqual(wrong, []);
  await close();
});

test("labelled sentences go by their texts, which tune and judge read", async () => {
  const { page, close } = await open("sentences", { view: "pairs" });
  await page.locator(".longlist a").first().click();
  for (const key of ["r", "j", "w", "j", "r", "j", "w"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
  }
  await go(page, "review");
  const { text } = await saved(page, "[data-export=labels]");
  write("sentence-marks.jsonl", text.trim().split("\n"));
  const rows = text.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(rows.map((row) => row.label), [1, 0, 1, 0]);
  assert.match(rows[0].a, /\w+ \w+/);
  assert.match(lookalike("judge", "--gold", "sentence-marks.jsonl", "--features", "shingles:letters:5"), /pairs/);
  await close();
});

test("what stands just below the threshold and what was missed is shown where a run was audited", async () => {
  const { page, close } = await open("documents", { view: "pairs" });
  await page.getByLabel("Show").selectOption("below");
  const values = (await page.locator(".row .similarity b").allInnerTexts()).map(Number);
  assert.ok(values.length > 0);
  assert.ok(values.every((value) => value >= 0.7 && value < 0.8), `${values}`);
  await page.locator(".longlist a").first().click();
  assert.match(await page.locator(".verdict").innerText(), /below the threshold/);
  await close();
});

test("two runs: what changed", async () => {
  lookalike("documents", example("articles.jsonl"), "--threshold", "0.9", "--out", "stricter", "--quiet");
  lookalike("report", "stricter", "--with", "documents");
  const { page, wrong, close } = await open("stricter", { view: "changes" });
  const main = await page.locator("main").innerText();
  assert.match(main, /threshold\s+0\.8\s+0\.9/);
  assert.match(main, /Pairs\s+94\s+51\s+-43/);
  assert.equal(await page.locator(".longlist .row").count() > 0, true);
  assert.deepEqual(await serious(page), []);
  await page.locator(".longlist a").first().click();
  await page.locator(".side del, .side ins").first().waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

test("hostile names and texts are shown as they are and never run", async () => {
  const evil = ["</script><script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>", "<!--<script>", "javascript:window.hacked=1", "\" onfocus=window.hacked=1 autofocus x=\"", "{{constructor.constructor('window.hacked=1')()}}", "\u2028window.hacked=1//", "<svg onload=window.hacked=1>", "=cmd|' /C calc'!A0", "‮evil‬"];
  const body = (word) => `${evil.join(" ")} The ferry leaves the old harbour at nine and the crossing takes ${word} minutes in calm weather, says the notice at the pier.`;
  const rows = evil.flatMap((name) => [{ id: name, title: name, text: body("forty") }, { id: `${name} again`, title: `${name} again`, text: body("fifty") }]);
  for (const [job, options] of [["documents", ["--threshold", "0.5"]], ["messages", ["--threshold", "0.5"]], ["passages", []], ["sentences", []]]) {
    lookalike(job, write("evil <b>.jsonl", rows), ...options, "--out", `evil-${job}`, "--quiet");
    const { page, wrong, close } = await open(`evil-${job}`);
    for (const view of ["clusters", "cluster/0", "pairs", ...(job === "sentences" ? ["articles"] : []), ...(job === "messages" ? ["templates"] : []), ...(job === "passages" ? ["documents"] : [])]) await go(page, view);
    await go(page, "pairs");
    if (await page.locator(".longlist a").count() > 0) {
      await page.locator(".longlist a").first().click();
      await page.locator("main").focus();
      await page.keyboard.press("r");
      while (await page.locator(".fold").count() > 0) await page.locator(".fold").first().click();
      assert.match(await page.locator(".sides").innerText(), /onerror=window\.hacked=1>/);
      await go(page, "review");
      const { text } = await saved(page, "[data-export=csv]");
      assert.doesNotMatch(text, /^=|,=|\n=/);
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined, job);
    assert.equal(await page.locator("main img, main script, main iframe, main object").count(), 0, job);
    assert.deepEqual(wrong, [], job);
    await close();
  }
});

test("a page refuses scripts that are not its own", async () => {
  const { page, wrong, close } = await open("documents");
  await page.evaluate(() => {
    const script = document.createElement("script");
    try {
      script.textContent = "window.hacked = 1";
    } catch {
      // Refused before it is one.
    }
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.ok(wrong.length > 0);
  await close();
});

test("an anonymous report has no ids, titles and names of files", async () => {
  lookalike("report", "sentences", "--anonymous", "--output", "anonymous.html");
  const page = read("anonymous.html");
  for (const name of ["encyclopedia.xml", "Kettlebridge – ", "\"title\":\"Netherby\""]) assert.ok(!page.includes(name), name);
  lookalike("report", "documents", "--anonymous", "--output", "anonymous.html");
  for (const name of ["ex-0020", "articles.jsonl"]) assert.ok(!read("anonymous.html").includes(name), name);
});

test("ten thousand clusters are one page of less than five megabytes that shows a few rows at a time", async () => {
  const words = (number) => Array.from({ length: 14 }, (_, place) => `w${number * 14 + place}`).join(" ");
  const rows = Array.from({ length: 10_000 }, (_, number) => [0, 1].map((copy) => ({ id: `${number}-${copy}`, text: `${words(number)} ${copy === 0 ? "渡轮" : "旧港"}` }))).flat();
  lookalike("documents", write("many.jsonl", rows), "--threshold", "0.5", "--features", "shingles:words:1", "--out", "many", "--report-limit", "10000", "--quiet");
  assert.ok(read("many/report.html").length < 5_000_000);
  const { page, wrong, close } = await open("many", { view: "clusters" });
  assert.equal(await page.locator(".told").innerText(), "10,000 clusters");
  assert.ok(await page.locator(".longlist .row").count() < 60);
  await page.locator("input[type=search]").fill("9876-1");
  assert.match(await page.locator(".told").innerText(), /^1 cluster of 10,000$/);
  // It takes some ten milliseconds.
  assert.ok(Number(await page.locator(".longlist").getAttribute("data-milliseconds")) < 200);
  assert.deepEqual(wrong, []);
  await close();
});

test("clusters are filtered by what the field of sources says, and what removing them saves is told in bytes", async () => {
  const text = (number) => `渡轮${number}号每天早上九点离开旧港口，中午带着邮件和面包回来。`.repeat(2);
  const rows = [["甲", 1], ["乙", 1], ["丙", 2], ["丙", 2]].map(([site, number], place) => ({ id: place, title: `第${place}页`, site, text: text(number) }));
  lookalike("documents", write("sites.jsonl", rows), "--source-field", "site", "--out", "sites", "--quiet");
  const { page, wrong, close } = await open("sites");
  const saved = [rows[1], rows[3]].map((row) => Buffer.byteLength(row.text)).reduce((sum, each) => sum + each);
  assert.match(await page.locator("main").innerText(), new RegExp(`Removing them saves ${saved} B of text`));
  await go(page, "clusters");
  const source = page.locator("label.choice", { hasText: "Source" }).locator("select");
  assert.deepEqual(await source.locator("option").allInnerTexts(), ["any", "甲", "乙", "丙"]);
  await source.selectOption({ label: "丙" });
  assert.equal(await page.locator(".told").innerText(), "1 cluster of 2");
  await page.locator(".longlist a").first().click();
  assert.deepEqual(await page.locator(".name").allInnerTexts(), ["第2页", "第3页"]);
  assert.deepEqual(wrong, []);
  await close();
});

test("right-to-left text has its own direction", async () => {
  const text = (word) => `العبارة تغادر الميناء القديم في الساعة التاسعة والعبور يستغرق ${word} دقيقة في الطقس الهادئ كما يقول الإعلان على الرصيف`;
  lookalike("documents", write("arabic.jsonl", [{ id: "أ", text: text("أربعين") }, { id: "ب", text: text("خمسين") }]), "--threshold", "0.3", "--out", "arabic", "--quiet");
  const { page, close } = await open("arabic", { view: "pairs" });
  await page.locator(".longlist a").first().click();
  assert.deepEqual(await page.locator(".side del").allInnerTexts(), ["أربعين"]);
  assert.equal(await page.locator(".side .text").first().evaluate((each) => getComputedStyle(each).direction), "rtl");
  await close();
});

test("on paper there is no navigation, and lists are written out", async () => {
  const { page, close } = await open("documents", { view: "clusters" });
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator(".top").isVisible(), false);
  assert.equal(await page.locator(".longlist .row").count(), 69);
  await close();
});
