// Which steps do the tests of the page share? Opening one, looking at a chart before and after, dragging, finding a row.

import assert from "node:assert/strict";
import { launch, open } from "./browser.mjs";

let running;
export const start = async () => { running = await launch(); };
export const close = async () => { await running.close(); };
export const browser = () => running;

export const RUN = "#run .plot[tabindex]";

/** Opens a page, runs the steps, and asks that nothing was complained of and nothing was fetched. */
export async function on(made, options, steps) {
  const opened = await open(running, made, options);
  try {
    await steps(opened.page, opened);
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.requests, []);
  } finally {
    await opened.context.close();
  }
}

/** Without whether the charts for statisticians are open: steps here open them. */
export const address = (page) => page.evaluate(() => location.hash.replace(/&?expert=1/, "").replace(/^#&?(.)/, "#$1").replace(/^#$/, ""));
/** A chart that is folded is opened, and all are gone to. */
export async function reveal(page, chart) {
  await page.locator(chart).first().evaluate((element) => element.closest("details")?.setAttribute("open", ""));
  await page.locator(chart).first().scrollIntoViewIfNeeded();
}
/** What a chart looks like now; waits until it is drawn. */
export async function look(page, chart) {
  await reveal(page, chart);
  await page.waitForTimeout(80);
  return page.locator(`${chart} canvas`).first().evaluate((canvas) => canvas.toDataURL());
}
export async function changes(page, charts, act) {
  const seen = [];
  for (const chart of charts) seen.push(await look(page, chart));
  await act();
  for (const [index, chart] of charts.entries()) assert.notEqual(await look(page, chart), seen[index], `${chart} did not change`);
}
export async function drag(page, chart, from, to) {
  await page.locator(chart).scrollIntoViewIfNeeded();
  const box = await page.locator(`${chart} .u-over`).boundingBox();
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + (from[0] + to[0]) / 2 * box.width, box.y + (from[1] + to[1]) / 2 * box.height);
  await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height);
  await page.mouse.up();
}

/** A row of the table of series. */
export const seriesRow = (page, name, kind = "raw") => page.locator("#series tbody tr").filter({ has: page.locator("th bdi", { hasText: new RegExp(`^${name}$`) }) }).filter({ has: page.locator("td.kind", { hasText: new RegExp(`^${kind}$`) }) });
