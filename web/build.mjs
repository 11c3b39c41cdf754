// What becomes of the sources? One script and one style sheet, small enough to be written into every report:
// ../crates/evenhand-report/src/page/page.js and page.css, which are checked in so that Rust builds without Node. Beside them page.hashes, which the
// policy of a report names: the script's on the first line, the style's on the second.
//
//     node build.mjs           writes them
//     node build.mjs --check   fails where the checked-in files are not what the sources give

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../crates/evenhand-report/src/page");

/** What would end the element that a report keeps the script in, whatever stands around it. */
const NEVER_IN_SCRIPT = ["</script", "<!--", "<script"];
const NEVER_IN_STYLE = ["</style", "<!--"];
const MOST_BYTES = 500_000;

const { outputFiles } = await build({
  entryPoints: { page: join(here, "src/main.ts") },
  outdir: folder,
  bundle: true,
  write: false,
  minify: true,
  target: "es2022",
  format: "iife",
  charset: "ascii",
  legalComments: "eof",
  logLevel: "warning",
});

const notice = await readFile(join(here, "node_modules/uplot/LICENSE"), "utf8");
const files = outputFiles.map(({ path, text }) => {
  const name = path.endsWith(".css") ? "page.css" : "page.js";
  // The bundler keeps only uPlot's own line; its licence asks for the whole notice in every copy.
  return { name, text: name === "page.js" ? `${text.trimEnd()}\n/*! uPlot\n${notice.trim()}\n*/\n` : text };
});

const problems = [];
for (const { name, text } of files) {
  for (const bad of name === "page.js" ? NEVER_IN_SCRIPT : NEVER_IN_STYLE) {
    if (text.toLowerCase().includes(bad)) problems.push(`${name} contains ${JSON.stringify(bad)}, which would end its element in a report: write it in another way`);
  }
}
const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
if (bytes > MOST_BYTES) problems.push(`script and styles are ${bytes} bytes, more than ${MOST_BYTES}: every report carries them`);

const hash = (name) => `sha256-${createHash("sha256").update(files.find((file) => file.name === name).text).digest("base64")}`;
files.push({ name: "page.hashes", text: `${hash("page.js")}\n${hash("page.css")}\n` });

if (process.argv.includes("--check")) {
  for (const { name, text } of files) {
    const kept = await readFile(join(folder, name), "utf8").catch(() => null);
    if (kept !== text) problems.push(`${name} is not what the sources give: run "npm run build" in web/ and commit it`);
  }
} else if (problems.length === 0) {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) await writeFile(join(folder, name), text);
}
for (const { name, text } of files) console.log(`${name}  ${Buffer.byteLength(text)} bytes`);
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
