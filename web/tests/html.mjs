// How is a page put together? As crates/evenhand-report does it: one file, with a policy that lets nothing in but this script and these styles.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = (name) => readFileSync(fileURLToPath(new URL(`../../crates/evenhand-report/src/page/${name}`, import.meta.url)), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export function html({ data, bytes }) {
  const [script, style] = [built("page.js"), built("page.css")];
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:">
<title>report</title><style>${style}</style></head><body><noscript>plain verdicts</noscript><main id="page"></main>
<script type="application/json" id="data">${json}</script><script type="application/octet-stream" id="columns">${bytes.base64()}</script><script>${script}</script></body></html>`;
}
