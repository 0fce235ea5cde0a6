// Puts the page together: the parts in this folder become one file that the program carries. `--check` only says whether
// that file is current. Needs nothing but Node.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (name) => readFileSync(here(name), "utf8");
export const PAGE = here("../crates/app/src/report/page.html");

// Each before those that use it.
const PARTS = [
  "data", "elements", "words", "difference", "plots", "long_list", "marks", "exports", "texts", "overview", "clusters",
  "pair_list", "passages_pair", "pair", "job_views", "changes", "review", "main",
];

/** One script of all parts. Each is a function of its own that returns what it exports, so that names do not clash. */
function script() {
  const parts = PARTS.map((name) => {
    const lines = read(`src/${name}.js`).trimEnd().split("\n");
    const exported = lines.map((line) => /^export (?:const|function) ([\w$]+)/.exec(line)?.[1]).filter(Boolean);
    const code = lines.filter((line) => !/^import .* from "\.\/.*";$/.test(line)).map((line) => line.replace(/^export /, ""));
    return [`const { ${exported.join(", ")} } = (() => {`, ...code, `return { ${exported.join(", ")} };`, "})();"].join("\n");
  });
  return `\n${parts.join("\n")}\n`;
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The page, without data. */
export function page() {
  const [style, code] = [`\n${read("report.css")}`, script()];
  const policy = [
    "default-src 'none'",
    `script-src ${hash(code)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return read("page.html")
    .replace("@POLICY@", () => policy)
    .replace("@STYLE@", () => style)
    .replace("@SCRIPT@", () => code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = page();
  if (!process.argv.includes("--check")) {
    writeFileSync(PAGE, made);
  } else if (readFileSync(PAGE, "utf8") !== made) {
    console.error("the page of the report is not made from the files in web; run node web/build.mjs");
    process.exit(1);
  }
}
