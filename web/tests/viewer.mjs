// Does the page show all that P. Vaskovic's viewer shows ("Towards Robust Performance Measurement", 2018: its chart of series with its table)? One test
// for each behaviour, on the article's example made anew: an array that is reversed 1, 2, 4 … 1024 times in a sample, each series for about a second,
// with 190 µs of work and 134 µs of set-up. Where we do otherwise, the test says what and why.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawAll, picture } from "./browser.mjs";
import { gathered, pair, suite, thirty } from "./made.mjs";
import { address, changes, close, drag, look, on, RUN, seriesRow, start } from "./steps.mjs";

before(start);
after(close);

const heads = (page) => page.locator("#series thead th").evaluateAll((all) => all.map((head) => head.textContent));
const plain = (text) => text.replaceAll("\u202f", " ");
/** The cells of a row by their headings. */
async function cells(page, row) {
  const [names, texts] = [await heads(page), await row.locator("th, td").allInnerTexts()];
  return Object.fromEntries(names.map((name, at) => [name, plain(texts[at])]));
}
const kinds = (page) => page.locator("#series tbody tr").evaluateAll((rows) => rows.map((row) => `${row.querySelector("th bdi").textContent} ${row.querySelector(".kind").textContent}`));
const current = (page) => page.locator("#series [aria-current]").evaluateAll((rows) => rows.map((row) => `${row.querySelector("th bdi").textContent} ${row.querySelector(".kind").textContent}`));
const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

test("the table has the article's columns, a raw and a clean row of each series, and all together", async () => {
  await on(gathered(), {}, async (page) => {
    // The article's order, with the kind of samples and the iterations as columns of their own, and Lemire's distance of the mean from the minimum.
    assert.deepEqual(await heads(page), ["sorted samples", "series", "samples", "iterations", "n", "min", "max", "R", "R %", "Q1", "Q3", "IQR", "IQR %", "Med", "mean", "mean over min", "s", "CV"]);
    assert.deepEqual(await kinds(page), [...COUNTS.map((count) => `i${count}`), "all"].flatMap((name) => [`${name} raw`, `${name} clean`]));
    const first = await cells(page, seriesRow(page, "i1"));
    assert.deepEqual([first.iterations, first.n, first.min, first.max], ["1", "2 048", "324 µs", "22.95 ms"]);
    const of = await cells(page, seriesRow(page, "i4"));
    const [range, min] = [of.R, of.min].map(parseFloat);
    assert.equal(parseFloat(of["R %"]).toFixed(0), ((100 * range) / min).toFixed(0), "of the minimum");
    assert.equal(parseFloat(of["IQR %"]).toFixed(1), ((100 * parseFloat(of.IQR)) / parseFloat(of.Med)).toFixed(1), "of the median");
    assert.equal(parseFloat(of["mean over min"]).toFixed(0), (100 * (parseFloat(of.mean) / min - 1)).toFixed(0));
    const all = await cells(page, seriesRow(page, "all"));
    assert.deepEqual([all.n, all.iterations, all.min], ["4 094", "", "190.1 µs"]);
    assert.match(all.series, /load a/);
    assert.equal(await page.locator("#series canvas.sparkline").count(), 24, "sorted samples in small");
  });
});

test("all of the clean rows is the union of series that were cleaned each by itself", async () => {
  await on(gathered(), {}, async (page) => {
    const rows = page.locator("#series tbody tr");
    const number = async (row) => Number((await cells(page, row)).n.replaceAll(" ", ""));
    let sum = 0;
    for (const count of COUNTS) sum += await number(seriesRow(page, `i${count}`, "clean"));
    assert.equal(await number(seriesRow(page, "all", "clean")), sum);
    assert.ok(sum < 4094);
    assert.equal(await rows.count(), 24);
  });
});

test("series stand by their iterations, and a click on a heading sorts them, raw and clean apart", async () => {
  const made = gathered({ counts: [4, 1, 2] });
  await on(made, {}, async (page) => {
    assert.deepEqual((await kinds(page)).filter((kind) => kind.endsWith("raw")), ["i1 raw", "i2 raw", "i4 raw", "all raw"]);
    await page.locator("#series th button", { hasText: /^min/ }).click();
    const rising = await page.locator("#series tbody tr").evaluateAll((rows) => rows.map((row) => parseFloat(row.cells[5].textContent)));
    assert.deepEqual(rising, rising.toSorted((a, b) => a - b));
    assert.equal(await address(page), "#by=5");
    await page.reload();
    assert.equal(await page.locator("#series th[aria-sort=ascending]").innerText(), "min");
    await page.locator("#series th button", { hasText: "iterations" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.equal((await kinds(page))[0], "i4 raw");
    // The arrow keys go by the rows that are seen.
    await page.locator(RUN).focus();
    await page.keyboard.press("ArrowDown");
    assert.match(await address(page), /s=i4/);
    await page.keyboard.press("ArrowDown");
    assert.match(await address(page), /s=i2/);
  });
});

test("a series is selected by its row, a point or its box and by the arrow keys; Escape is all", async () => {
  // The article's viewer moves the pseudo-series `all` to the top on Escape; ours marks its row.
  await on(gathered(), {}, async (page) => {
    assert.deepEqual(await current(page), ["all raw"]);
    await seriesRow(page, "i4").click();
    assert.deepEqual([await address(page), await current(page)], ["#s=i4", ["i4 raw"]]);
    await seriesRow(page, "all").click();
    assert.deepEqual([await address(page), await current(page)], ["", ["all raw"]]);
    await page.locator("#run .strip").scrollIntoViewIfNeeded();
    const strip = await page.locator("#run .strip .u-over").boundingBox();
    await page.mouse.click(strip.x + strip.width * (2.6 / 11), strip.y + strip.height / 2);
    assert.deepEqual(await current(page), ["i4 raw"], "the third box");
    await page.locator(RUN).focus();
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await current(page), ["i8 raw"]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.deepEqual(await current(page), ["i2 raw"]);
    await page.keyboard.press("Escape");
    assert.deepEqual(await current(page), ["all raw"]);
    const over = await page.locator(`${RUN} .u-over`).boundingBox();
    await page.mouse.move(over.x + over.width * 0.3, over.y + over.height * 0.8);
    await page.waitForTimeout(80);
    const point = await page.locator(`${RUN} .mark.third:not([hidden])`).first().boundingBox();
    await page.mouse.click(point.x + point.width / 2, point.y + point.height / 2);
    assert.equal((await current(page)).length, 1);
    assert.match(await address(page), /^#s=i\d+$/, "a point");
  });
});

test("the others fade, and the chosen series gets its lines and the area to its mean, on top", async () => {
  await on(gathered(), {}, async (page) => {
    const colours = async () => {
      await look(page, RUN);
      return page.locator(`${RUN} canvas`).first().evaluate((canvas) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let strong = 0;
        // Far from grey: the colour of a series that is not faded.
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 110) strong += 1;
        return strong;
      });
    };
    const all = await colours();
    await changes(page, [RUN, "#run .strip", "#run .side", "#histogram", "#runtimes", "#deviations", "#lag"], () => seriesRow(page, "i1024").click());
    const one = await colours();
    assert.ok(one < all / 3, `${one} of ${all} pixels are left of eleven series`);
    assert.match(await page.locator("#run .legend").innerText(), /median, ··· quartiles, — · upper limit, – – mean of all/);
  });
});

test("left and right are raw and outliers excluded", async () => {
  // The article cuts only above the upper fence of order statistics; we cut at both fences, with quartiles of type 7 as everywhere here: samples that
  // are too fast to be true are outliers, too. `evenhand-experiments` keeps the article's own rule.
  await on(gathered(), {}, async (page) => {
    await seriesRow(page, "i2").click();
    await changes(page, ["#run .strip", "#runtimes", "#deviations", "#lag"], async () => { await page.locator(RUN).focus(); await page.keyboard.press("ArrowRight"); });
    assert.deepEqual([await address(page), await current(page)], ["#s=i2&out=1", ["i2 clean"]]);
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual([await address(page), await current(page)], ["#s=i2", ["i2 raw"]]);
    await seriesRow(page, "i8", "clean").click();
    assert.deepEqual([await address(page), await current(page)], ["#s=i8&out=1", ["i8 clean"]], "a clean row is both at once");
    await seriesRow(page, "all", "clean").click();
    assert.deepEqual([await address(page), await current(page)], ["#out=1", ["all clean"]]);
  });
});

test("the set-up is taken off, in the charts of the samples and in every figure of the table", async () => {
  await on(gathered(), {}, async (page) => {
    const before = await cells(page, seriesRow(page, "i1"));
    const toggle = page.locator("#run button", { hasText: "without the set-up" });
    assert.match(plain(await toggle.getAttribute("title")), /^134 µs in each sample, 41\.4 % of the smallest sample with 1 iteration, estimated from the smallest samples with 1 and 2 iterations$/);
    await changes(page, [RUN, "#run .strip", "#run .side", "#runtimes", "#lag"], () => toggle.click());
    assert.equal(await address(page), "#setup=1");
    const without = await cells(page, seriesRow(page, "i1"));
    assert.deepEqual([without.min, without.R, without.IQR], ["190 µs", before.R, before.IQR], "a shift leaves spreads alone");
    assert.notEqual(without["R %"], before["R %"]);
    assert.equal((await cells(page, seriesRow(page, "all"))).min, "190 µs");
    await page.reload();
    assert.equal((await cells(page, seriesRow(page, "i1"))).min, "190 µs");
    await seriesRow(page, "i1").click();
    assert.match(await address(page), /^#s=i1&setup=1$/);
  });
  await on(pair(), {}, async (page) => {
    assert.equal(await page.locator("button", { hasText: "set-up" }).count(), 0, "two programs are no series of one");
  });
});

test("the axis of values is automatic, home, or the clean range; the default leaves out what flattens it", async () => {
  // Series of one thing have the article's default: from the clean minimum to the largest mean plus its clean interquartile range. Where arms are compared,
  // it goes to the fences, and on to every mode of more than one sample in a hundred: a mode of one arm alone is what a comparison is about. What lies
  // beyond is marked at the edge and counted.
  await on(gathered(), {}, async (page) => {
    await look(page, RUN);
    assert.match(await page.locator("#run .note").innerText(), /beyond this axis, marked at its edge/);
    const button = (name) => page.locator("#run button", { hasText: name });
    await changes(page, [RUN, "#run .strip", "#run .side"], () => button("all values on the axis").click());
    assert.equal(await address(page), "#y=all");
    assert.equal(await page.locator("#run .note").innerText(), "");
    await changes(page, [RUN], () => button("values within the outlier limits").click());
    assert.equal(await address(page), "#y=clean");
    assert.match(await page.locator("#run .note").innerText(), /beyond this axis/);
    await button("show all").click();
    assert.equal(await address(page), "");
  });
});

test("one zoom of the values is for the run, the boxes, the bars beside it, the sorted samples and the lag plot", async () => {
  await on(gathered(), {}, async (page) => {
    await changes(page, [RUN, "#run .strip", "#run .side", "#runtimes", "#lag"], () => drag(page, RUN, [0.5, 0.5], [0.51, 0.9]));
    assert.match(await address(page), /^#y=[\d.]+,[\d.]+$/);
    await page.locator(`${RUN} .u-over`).dblclick();
    assert.equal(await address(page), "");
    await changes(page, [RUN, "#runtimes"], () => drag(page, "#runtimes", [0.5, 0.4], [0.51, 0.9]));
    assert.match(await address(page), /^#y=/, "dragged in either");
  });
});

test("series of one thing stand over the running time; rounds of a comparison stand over each other", async () => {
  // The article has running time under all of its charts. Where two arms are compared, both samples of a round must stand over each other, so rounds are
  // the axis there; who ran them when is in the columns of the trial.
  await on(gathered(), {}, async (page) => {
    await page.locator(RUN).scrollIntoViewIfNeeded();
    const over = await page.locator(`${RUN} .u-over`).boundingBox();
    await page.mouse.move(over.x + over.width * 0.2, over.y + over.height * 0.8);
    await page.waitForTimeout(80);
    assert.match(plain((await page.locator(".tip div").allInnerTexts()).join("|")), /^After 1\d\d(\.\d)? ms\|i1 \d+(\.\d)? µs\|i2 .*\|i512 .*\|i1024 /);
    assert.equal(await page.locator(`${RUN} .mark:not([hidden])`).count(), 11, "one of each series, also of two samples");
  });
  await on(pair(), {}, async (page) => {
    await page.locator("#difference .plot").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#readout").innerText(), /^Round 1:/);
  });
});

test("runtimes are sorted, with the upper outlier limit, the share below it and the count of outliers", async () => {
  await on(gathered(), {}, async (page) => {
    await page.locator("#runtimes").scrollIntoViewIfNeeded();
    assert.match(plain(await page.locator("#runtimes .note").innerText()), /^\d+ samples beyond this axis\.$/, "eleven fences would hide each other");
    await changes(page, ["#runtimes"], () => seriesRow(page, "i1").click());
    assert.match(plain(await page.locator("#runtimes .note").innerText()), /^i1: 9\d\.\d % at or below the upper outlier limit of 3\d\d\.\d µs, \d+ outliers above it\./);
  });
  await on(pair(), {}, async (page) => {
    assert.match(await page.locator("#runtimes .note").innerText(), /^old: .* new: .*outliers? above it\. \d+ samples beyond this axis\.$/);
  });
});

test("the histogram in steps of s is around the mean, and each sample is compared with the next", async () => {
  await on(pair({ rounds: 300 }), {}, async (page) => {
    await drawAll(page);
    assert.match(plain(await page.locator("#deviations .plot").getAttribute("aria-label")), /in standard deviations, of old and new\. old: [89]\d\.\d % within one\. new:/);
    assert.match(await page.locator("#lag .plot").getAttribute("aria-label"), /Lag 1 autocorrelation: old/);
    // The article's bars beside the run are a thousandth of the clean maximum wide; ours are eighty over the shared axis, so that arms can be compared.
    assert.match(await page.locator("#run .side").getAttribute("aria-label"), /same axis as the samples/);
  });
});

test("the whole state is in the address, and comes back from it", async () => {
  const made = gathered();
  const hash = "#s=i4&out=1&setup=1&x=10,900&y=150,260&by=-4&hide=facts&theme=dark";
  await on(made, { hash }, async (page) => {
    assert.deepEqual(await current(page), ["i4 clean"]);
    assert.equal(await page.locator("#series th[aria-sort=descending]").innerText(), "n");
    assert.ok(await page.locator("#facts").isHidden());
    const before = await look(page, RUN);
    await page.reload();
    assert.equal(await look(page, RUN), before);
    assert.equal(await address(page), hash);
  });
});

test("hide leaves out parts of the page, for where it is embedded", async () => {
  // The article's viewer has one word for its static embeds; here each part has a name, so that a page can show one chart alone.
  await on(pair(), { hash: "#hide=top,verdict,arms,difference,series,histogram,ecdf,runtimes,deviations,normal,log-normal,shift,scatter,order,autocorrelation,lag,mean,facts,tools,page,__proto__" }, async (page) => {
    assert.equal(await page.locator("h1, h3, button, table").locator("visible=true").count(), 1, "the heading of the only chart");
    assert.ok(await page.locator(`${RUN} canvas`).isVisible());
    assert.deepEqual(await page.locator("h2").locator("visible=true").allInnerTexts(), ["Round by round"]);
    await picture(page, "embedded", { fullPage: true });
    await page.evaluate(() => { location.hash = "#hide=tools"; });
    await page.locator("#verdict").waitFor({ state: "visible" });
    assert.ok(await page.locator("#histogram canvas, #histogram .plot").first().isVisible());
  });
  await on(suite(), { hash: "#hide=suite,run" }, async (page) => {
    await page.getByRole("button", { name: "parse" }).click();
    assert.ok(await page.locator("#run").isHidden(), "and stays so when another comparison is shown");
  });
});

test("the comparison before and the one after are a click away", async () => {
  await on(thirty(), {}, async (page) => {
    const shown = () => page.locator("#shown").innerText();
    assert.equal(await shown(), "bench/maximum/10");
    await page.getByRole("button", { name: "next" }).click();
    assert.deepEqual([await shown(), await address(page)], ["bench/parse_header/10", "#c=10"]);
    await page.getByRole("button", { name: "previous" }).click();
    await page.getByRole("button", { name: "previous" }).click();
    assert.equal(await shown(), "bench/maximum/10", "the first stays the first");
  });
});

test("of a pair, minima and means are in view, with the paired z-test and what it assumes", async () => {
  await on(pair(), {}, async (page) => {
    const means = page.locator("#means");
    assert.ok(await means.locator("table").isVisible());
    assert.match(plain(await means.innerText()), /minimum\s+16\.\d\d ms\s+16\.\d\d ms\s+\+\d\.\d\d %[\s\S]*mean\s+16\.\d\d ms\s+17\.\d\d ms\s+\+4\d\d\.\d µs \(\+2\.\d\d %\)\s+7\.50\s+CHANGE DETECTED/);
    assert.deepEqual(await means.locator("li").allInnerTexts(), ["without 3 rounds that stand out, about as many and as far on both sides", "this assumes independent rounds and a single look at the end; the verdict assumes neither"]);
  });
});

test("a suite says what its unpaired verdicts assume", async () => {
  const assumption = "not measured in random order: this assumes independent samples";
  await on(thirty({ assumption }), {}, async (page) => {
    assert.equal(await page.locator("#assumption").innerText(), assumption);
  });
  await on(thirty(), {}, async (page) => assert.equal(await page.locator("#assumption").count(), 0));
});

for (const [size, viewport] of [["phone", { width: 360, height: 740 }], ["tablet", { width: 820, height: 1180 }], ["desk", { width: 1440, height: 900 }]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`the viewer fits a ${size}, ${colorScheme}`, async () => {
      await on(gathered(), { viewport, colorScheme, hash: "#s=i2&setup=1" }, async (page) => {
        await drawAll(page);
        await picture(page, `viewer ${size} ${colorScheme}`, { fullPage: true });
        const wide = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, worst: [...document.querySelectorAll("#page *")].filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, .plot")).map((element) => element.className) }));
        assert.deepEqual(wide, { scroll: viewport.width, worst: [] });
      });
    });
  }
}
