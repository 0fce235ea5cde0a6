// Makes the pictures in docs/images: node web/screenshots.mjs, after cargo build and web/test. To be looked at before they are
// committed.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { example, finish, lookalike, open } from "./tests/browser.mjs";

const PICTURES = [
  ["report-overview", "documents", "articles.jsonl", "overview", 1010],
  ["report-clusters", "documents", "articles.jsonl", "clusters", 720],
  ["report-thread", "threads", "threads.jsonl", "pairs", 800, "q-01 q-46"],
  ["report-drifts", "sentences", "encyclopedia.xml", "pairs", 720],
  ["report-passages", "passages", "pages.jsonl", "pairs", 1000, "village survey"],
];

for (const [name, job, input, view, height, search] of PICTURES) {
  lookalike(job, example(input), "--out", name, "--quiet");
  const { page, close } = await open(name, { view });
  await page.setViewportSize({ width: 1120, height });
  if (search) {
    await page.locator("input[type=search]").fill(search);
    await page.locator(".longlist a").first().click();
    await page.locator(".sides").waitFor();
  }
  await page.waitForTimeout(300);
  const file = fileURLToPath(new URL(`../docs/images/${name}.png`, import.meta.url));
  await page.screenshot({ path: file });
  execFileSync("convert", [file, "-colors", "96", "-strip", "-define", "png:compression-level=9", `png8:${file}`]);
  await close();
}
await finish();
