// How is a page opened? In the Chromium of the system, from a file; everything it complains of or asks for is kept.

import { chromium } from "playwright-core";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { html } from "./html.mjs";

const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const folder = mkdtempSync(join(tmpdir(), "evenhand page "));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const pictures = fileURLToPath(new URL("../screenshots/", import.meta.url));
mkdirSync(pictures, { recursive: true });

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });

/** Writes the page into a folder with a space in its name, and opens it. */
export async function open(browser, made, { hash = "", ...options } = {}) {
  const path = typeof made === "string" ? made : join(folder, `a report ${Math.random().toString(36).slice(2)}.html`);
  if (typeof made !== "string") writeFileSync(path, html(made));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const url = pathToFileURL(path).href;
  const before = performance.now();
  await page.goto(url + hash, { waitUntil: "load" });
  await page.waitForSelector("#verdict, #page > .warning", { state: "attached" });
  return { page, context, complaints, requests: requests.filter((asked) => asked.split("#")[0] !== url), milliseconds: performance.now() - before };
}

export const picture = (page, name, options = {}) => page.screenshot({ path: join(pictures, `${name}.png`), ...options });

/** All charts, also those far below, are drawn as on paper. */
export async function drawAll(page) {
  await page.evaluate(() => document.getElementById("experts")?.setAttribute("open", ""));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 700) {
    await page.evaluate((y) => scrollTo(0, y), at);
    await page.waitForTimeout(60);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(60);
}
