// Makes the pictures in docs/images: node web/screenshots.mjs, after cargo build and web/test. Needs ImageMagick and a font with
// Chinese characters (Debian: fonts-noto-cjk). To be looked at before they are committed.
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { example, finish, folder, lookalike, open } from "./tests/browser.mjs";

const PICTURES = [
  ["report-overview", "documents", "articles.jsonl", "overview", 1010],
  ["report-clusters", "documents", "articles.jsonl", "clusters", 720],
  ["report-thread", "threads", "threads.jsonl", "pairs", 800, "q-01 q-46"],
  ["report-drifts", "sentences", "encyclopedia.xml", "pairs", 720],
  ["report-passages", "passages", "pages.jsonl", "pairs", 1000, "village survey"],
];

// So that no picture shows where this checkout is.
symlinkSync(example(""), join(folder, "examples"));
for (const [name, job, input, view, height, search] of PICTURES) {
  lookalike(job, `examples/${input}`, "--out", name, "--quiet");
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
