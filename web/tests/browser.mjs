// Results to look at, and the browser to look with.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import axe from "axe-core";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.LOOKALIKE ?? join(root, "target/debug/lookalike");
export const folder = mkdtempSync(join(tmpdir(), "lookalike-report-"));

/** Runs the program in the folder of the tests, and says what it prints. */
export function lookalike(...words) {
  return execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A file in the folder of the tests. */
export function write(name, lines) {
  writeFileSync(join(folder, name), lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return name;
}
export const read = (name) => readFileSync(join(folder, name), "utf8");
export const example = (name) => join(root, "examples", name);

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });

export async function finish() {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Opens a report. What goes wrong in it is in `wrong`, and so is whatever it asks a network for. */
export async function open(result, { dark = false, narrow = false, view = "" } = {}) {
  const context = await browser.newContext({ viewport: narrow ? { width: 375, height: 800 } : { width: 1280, height: 900 }, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => { wrong.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || wrong.push(`asked for ${request.url()}`));
  page.on("popup", () => wrong.push("opened another window"));
  const address = `${pathToFileURL(join(folder, result, "report.html"))}`;
  await page.goto(`${address}${view ? `#/${view}` : ""}`);
  await page.locator("main h1").first().waitFor();
  return { page, wrong, address, close: () => context.close() };
}

/** Goes to a view of an open report. */
export async function go(page, view) {
  await page.evaluate((to) => { location.hash = `#/${to}`; }, view);
  await page.waitForTimeout(60);
}

/** What axe has to say that is serious. The page lets no script in, so axe comes in by the debugger. */
export async function serious(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.enable");
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await evaluate(axe.source);
  const found = await evaluate(`axe.run(document, { resultTypes: ["violations"] }).then((run) => JSON.stringify(run.violations.filter((each) => ["serious", "critical"].includes(each.impact)).map((each) => [each.id, each.nodes.slice(0, 3).map((node) => node.html + " " + node.failureSummary)])))`);
  await session.detach();
  return JSON.parse(found);
}

/** What a click saves. */
export async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(selector).click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}
