// Does the page work in a browser? In Chromium, from a file, with the policy that the reports have: it may run its own script, and fetch nothing.
//
// EVENHAND_REPORTS=folder: opens every report there besides. CHROMIUM=path: another browser than /usr/bin/chromium.

import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { drawAll, open, picture } from "./browser.mjs";
import { Bytes, arm, comparison, gathered, machine, page as pageOf, pair, random, services, suite, thirty, times, twoModes } from "./made.mjs";
import { address, browser, changes, close, drag, on, reveal, RUN, seriesRow, start } from "./steps.mjs";

before(start);
after(close);

const CHARTS = ["difference", "run", "histogram", "ecdf", "runtimes", "deviations", "normal", "log-normal", "shift", "scatter", "autocorrelation", "lag", "mean"];

test("everything is shown, and told in words to those who do not see it", async () => {
  await on(pair({ warnings: [{ about: "old", message: ["the first run of ", { name: "old" }, " took 3 times as long"], advice: ["warm up with --warmup 1"] }, { about: "new", message: ["2 of 400 runs failed"] }] }), {}, async (page) => {
    await drawAll(page);
    for (const chart of CHARTS) assert.ok(await page.locator(`#${chart} canvas`).count() >= 1, chart);
    assert.match(await page.locator("#verdict .sentence").innerText(), /new is 2\.\d+ % slower than old \[.*\]\s+99 % sure, 400 rounds/);
    assert.match(await page.locator("#verdict").innerText(), /order was random/);
    const warnings = await page.locator("#verdict .warning").innerText();
    assert.match(warnings, /Warning: the first run of old took 3 times[\s\S]*--warmup 1/);
    assert.match(warnings, /Warning: new: 2 of 400 runs failed/);
    for (const label of await page.locator("[role=img]").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))) assert.ok(label?.length > 10, label);
    assert.equal(await page.locator("[style*=expression], [onclick]").count(), 0);
    await picture(page, "light", { fullPage: true });
  });
});

test("both distributions stand beside the verdict on the first screen, and nothing moves while the page is drawn", async () => {
  for (const [viewport, beside] of [[{ width: 1440, height: 900 }, true], [{ width: 390, height: 844 }, false]]) {
    await on(pair(), { viewport }, async (page) => {
      const place = (selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().toJSON());
      const [sentence, picture, reasons] = [await place("#verdict .sentence"), await place("#verdict .glance"), await place("#verdict .reasons")];
      assert.ok(picture.bottom <= viewport.height, "on the first screen");
      assert.ok(beside ? picture.left > sentence.right : picture.top > sentence.bottom && picture.bottom <= reasons.top);
      assert.equal(await page.locator(".glance .median").count(), 2);
      assert.match(await page.locator(".glance .legend").innerText(), /old\s+median 16\.90\sms[\s\S]*new\s+median 17\.3\d\sms[\s\S]*\d samples beyond this axis/);
      const moved = await page.evaluate(() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().length)).observe({ type: "layout-shift", buffered: true }) ?? setTimeout(() => done(0), 300)));
      assert.equal(moved, 0);
    });
  }
  await on(VARIANTS["no samples at all"](), {}, async (page) => assert.equal(await page.locator(".glance").count(), 0));
});

test("by launches, the launches are shown", async () => {
  await on(pair({ launches: 40, byLaunch: true, rounds: 1200 }), {}, async (page) => {
    await drawAll(page);
    assert.equal(await page.locator("#launches canvas").count(), 1);
    assert.match(await page.locator("#verdict").innerText(), /40 launches/);
  });
});

test("a name that holds a word of the verdict stays a name, and the claim is apart from what it rests on", async () => {
  const names = ["a, 99 % sure, 5 rounds", "slower than b"];
  await on(pair({ rounds: 60, names }), {}, async (page) => {
    const claim = page.locator("#verdict .sentence strong");
    assert.deepEqual(await claim.locator("bdi").allInnerTexts(), names.toReversed());
    assert.match(await page.locator("#verdict .basis").innerText(), /^99 % sure, 60 rounds/);
    assert.match(await claim.innerText(), /than a, 99 % sure, 5 rounds \[/);
  });
});

const HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>\u202egnp.exe\u0007", "__proto__", "\u0645\u0631\u062d\u0628\u0627 & \"quotes\" '${x}' \ud800"];

test("hostile names run nothing and are shown", async () => {
  for (const names of [HOSTILE.slice(0, 2), HOSTILE.slice(2)]) {
    const made = pair({ rounds: 60, names, title: names[0], label: names[1], notes: names, warnings: [{ about: names[0], message: [names[1], { name: names[1] }], advice: [{ name: names[0] }] }] });
    made.data.facts.push([names[0], names[1]], ["__proto__", "constructor"]);
    for (const told of made.data.analysis.comparisons) { told.group = names[1]; told.assumptions = names; told.verdict = names[0]; told.tail = names[1]; }
    await on(made, {}, async (page) => {
      await drawAll(page);
      const text = await page.evaluate(() => document.getElementById("page").innerText);
      if (names === HOSTILE) assert.ok(text.includes(HOSTILE[0]));
      if (names[0] === HOSTILE[0]) {
        assert.ok(text.includes("<img src=x onerror=alert(1)>"));
        assert.ok(text.includes("\\u{202e}gnp.exe\\u{7}"));
      }
      assert.ok(!/[\u202e\u0007\ud800]/u.test(text));
      assert.equal(await page.locator("#page img, #page script").count(), 0);
      await page.locator("#series tbody tr").first().click();
      assert.match(await address(page), /s=/);
      const chosen = await page.locator("#series [aria-current]").count();
      assert.equal(chosen, 1);
      await page.reload();
      assert.equal(await page.locator("#series [aria-current]").count(), 1);
    });
  }
});

test("where some samples are 0 there is no ratio and no interval, and signs are the reason", async () => {
  const made = pair({ rounds: 60 });
  const [of] = made.data.analysis.comparisons;
  Object.assign(of, { effect: { estimate: null, low: null, high: null }, signs: { of: "rounds", worse: 14, better: 1, equal: 45, baseline_mean: 0, candidate_mean: 0.0012 } });
  await on(made, {}, async (page) => {
    await drawAll(page);
    const verdict = await page.locator("#verdict").innerText();
    assert.match(verdict, /there is no ratio: the candidate was worse in 14 rounds, better in 1, and equal in 45/);
    assert.match(verdict, /The verdict has 99 % confidence/);
    assert.doesNotMatch(verdict, /no interval|not known|counts as the same/);
    assert.equal(await page.locator('#verdict svg[aria-label^="The change is"]').count(), 0);
  });
});

test("the head says project, revision, machine and time, and the foot shows no home folder", async () => {
  const made = pair({ notes: ["built in /home/ada/.cache/evenhand"], trial: { started: "2026-03-01T10:12:44.123Z" } });
  made.data.facts.push(["from", "/home/ada/old.json"]);
  await on(made, {}, async (page) => {
    assert.deepEqual(await page.locator("#top p span").allInnerTexts(), ["sorting", "main 0123456789, with changes", "bench1, Intel Xeon, 2 processors", "sort", "2026-03-01 10:12 UTC"]);
    const foot = await page.locator("#facts").innerText();
    assert.match(foot, /built in ~\/\.cache[\s\S]*|~\/old\.json/);
    assert.doesNotMatch(foot, /home\/ada/);
  });
});

test("many warnings do not push the answer away", async () => {
  const warnings = [...Array(12).keys()].map((place) => ({ about: "old", message: [`warning number ${place}`] }));
  await on(pair({ warnings }), {}, async (page) => {
    const shown = page.locator("#verdict .warning li:visible");
    assert.equal(await shown.count(), 4);
    const more = page.locator("#verdict summary", { hasText: "8 more warnings" });
    await more.click();
    assert.equal(await shown.count(), 12);
    assert.match(await shown.last().innerText(), /warning number 11/);
  });
});

/** The row of the table of comparisons with this name. */
const row = (page, name) => page.locator("#comparisons tbody tr", { has: page.getByRole("button", { name, exact: true }) });
const namesOf = (page) => page.locator("#comparisons tbody .name").allInnerTexts();
const inView = (locator) => locator.evaluate((element) => { const { top, bottom } = element.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; });

test("a suite opens with the counts of its verdicts, its mean, and links to the five biggest regressions", async () => {
  const warnings = [{ message: ["the machine was busy"] }, { about: "bench/encode/3 (main)", message: ["few samples"] }];
  await on(thirty({ warnings }), {}, async (page) => {
    assert.equal(await page.locator("#suite .sentence strong").innerText(), "12 slower, 8 faster, 10 the same");
    assert.match(await page.locator("#suite .basis").innerText(), /^30 comparisons of work tree against main in 5\.1\ss, each 99\s% sure$/);
    assert.match(await page.locator("#suite .suite").innerText(), /^Geometric mean of 30 comparisons: −0\.10\s% \[−0\.40\s%, \+0\.20\s%\]$/);
    const links = page.locator("#suite .worst a");
    assert.deepEqual(await links.allInnerTexts(), ["bench/maximum/10", "bench/parse_header/10", "bench/encode/10", "bench/maximum/1", "bench/parse_header/1"]);
    assert.match(await page.locator("#suite .worst li").first().innerText(), /\+70\.\d\s% \[\+6\d\.\d\s%, \+70\.\d\s%\]$/);
    assert.equal(await page.locator("#suite details").getAttribute("open"), null, "warnings are folded");
    assert.equal(await page.locator("#suite summary").innerText(), "2 warnings");
    assert.equal(await page.locator("#verdict .warning").count(), 0, "none is about this comparison");
    await links.nth(2).click();
    assert.equal(await address(page), "#c=20");
    assert.equal(await page.locator("#shown").innerText(), "bench/encode/10");
    assert.ok(await inView(page.locator("#shown")));
  });
});

test("the table has the biggest change first, a line for each comparison, and says once what is alike in all names", async () => {
  await on(thirty(), {}, async (page) => {
    const names = await namesOf(page);
    assert.deepEqual(names.slice(0, 7), ["maximum/10", "parse_header/10", "encode/10", "maximum/1", "parse_header/1", "maximum/50", "encode/1"]);
    const verdicts = await page.locator("#comparisons td.verdict").allInnerTexts();
    assert.deepEqual([...new Set(verdicts.slice(0, 20))].sort(), ["faster", "slower"]);
    assert.deepEqual([...new Set(verdicts.slice(20))], ["same"]);
    assert.match(await page.locator("#alike").innerText(), /^All names begin with bench\/\.$/);
    const heights = await page.locator("#comparisons tbody tr").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(Math.max(...heights) <= 30, `${Math.max(...heights)}`);
    const times = await page.locator("#comparisons tbody tr").evaluateAll((rows) => rows.map((row) => row.cells[6].innerText));
    for (const time of times) assert.match(time, /^\d\d?(\.\d)?0?\s(µs|ms)$/, "two digits");
    assert.equal(times[0], "160\u202fµs");
    await page.locator("#comparisons th button", { hasText: "comparison" }).click();
    assert.deepEqual((await namesOf(page)).slice(0, 10), [1, 3, 5, 9, 10, 20, 50, 100, 1000, 2000].map((size) => `encode/${size}`));
    await page.locator("#comparisons th button", { hasText: "time" }).click();
    await page.locator("#comparisons th button", { hasText: "time" }).click();
    assert.equal((await namesOf(page))[0], "maximum/1", "the longest first");
  });
});

test("comparisons are filtered by words of their names and by verdict, and the address keeps it", async () => {
  await on(thirty(), {}, async (page) => {
    const filter = page.getByRole("searchbox", { name: "filter by name" });
    await filter.fill("ENCode 10");
    assert.deepEqual(await namesOf(page), ["encode/10", "encode/1000", "encode/100"]);
    assert.equal(await page.locator("#comparisons [role=status]").innerText(), "3 of 30 comparisons");
    await page.getByRole("button", { name: "faster 8" }).click();
    assert.deepEqual(await namesOf(page), ["encode/100"]);
    assert.equal(await address(page), "#q=ENCode+10&v=faster");
    await page.reload();
    assert.deepEqual(await namesOf(page), ["encode/100"]);
    assert.equal(await filter.inputValue(), "ENCode 10");
    await page.getByRole("button", { name: "faster 8" }).click();
    await filter.fill("");
    assert.equal((await namesOf(page)).length, 30);
    assert.equal(await address(page), "");
  });
});

test("a row leads to its details and back, by mouse and by key, and so does an address", async () => {
  await on(thirty(), {}, async (page) => {
    await row(page, "maximum/50").locator("td.verdict").click();
    assert.ok(await inView(page.locator("#shown")));
    assert.equal(await page.locator("#shown").innerText(), "bench/maximum/50");
    assert.equal(await page.locator("#comparisons [aria-current] .name").innerText(), "maximum/50");
    assert.ok(await page.locator("#shown").evaluate((heading) => heading === document.activeElement));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.ok(await inView(row(page, "maximum/50")), "back at the row");
    assert.equal(await page.evaluate(() => document.activeElement.innerText), "maximum/50");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#shown").innerText(), "bench/encode/1");
    assert.ok(await inView(page.locator("#shown")));
  });
  await on(thirty(), { hash: "#c=23" }, async (page) => {
    assert.ok(await inView(page.locator("#shown")), "a link to one comparison opens there");
    assert.equal(await page.locator("#shown").innerText(), "bench/encode/20");
    await page.evaluate(() => { location.hash = "#c=0"; });
    await page.waitForTimeout(50);
    assert.equal(await page.locator("#shown").innerText(), "bench/maximum/10");
  });
});

test("a control beside the only comparison makes no suite", async () => {
  const made = suite({ groups: [["parse", 88e3, 0.02], ["parse again", 88e3, 0]] });
  made.data.analysis.comparisons[1].control = true;
  delete made.data.analysis.suite;
  await on(made, {}, async (page) => {
    assert.equal(await page.locator("#suite, #shown").count(), 0);
    assert.match(await page.locator("#verdict .sentence").innerText(), /^work tree is 2\.\d+ % slower than main/);
    assert.deepEqual(await namesOf(page), ["parse", "parse again"]);
    assert.ok(await page.evaluate(() => document.getElementById("verdict").compareDocumentPosition(document.getElementById("comparisons")) & Node.DOCUMENT_POSITION_FOLLOWING), "the verdict comes first");
  });
});

test("a printed suite is its summary and its table on one sheet, with whole names and folded warnings", async () => {
  const warnings = Array.from({ length: 40 }, (_, index) => ({ message: [`warning ${index}`] }));
  await on(thirty({ warnings }), {}, async (page) => {
    const margin = { top: "10mm", bottom: "10mm", left: "10mm", right: "10mm" };
    const pdf = await page.pdf({ format: "A4", margin });
    assert.equal(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1);
    await page.emulateMedia({ media: "print" });
    await page.waitForTimeout(100);
    assert.equal(await page.locator("#suite .warning").isVisible(), false);
    assert.equal(await page.locator("#details").isVisible(), false);
    const cut = await page.locator("#comparisons .name .link").evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth + 1 || name.getClientRects()[0].height > 20).map((name) => name.textContent));
    assert.deepEqual(cut, []);
    await page.emulateMedia({ media: "screen" });
    assert.ok(await page.locator("#details").isVisible());
  });
});

test("what a button is called begins with what is written on it, and every heading of a table has words", async () => {
  for (const [made, colorScheme] of [[pair(), "light"], [thirty(), "dark"]]) {
    await on(made, { colorScheme }, async (page) => {
      const wrong = await page.evaluate(() => [...document.querySelectorAll("button[aria-label], a[aria-label]")]
        .filter((one) => /[a-z]/i.test(one.innerText) && !one.getAttribute("aria-label").toLowerCase().includes(one.innerText.trim().toLowerCase())).map((one) => one.outerHTML));
      assert.deepEqual(wrong, []);
      assert.deepEqual(await page.locator("th").evaluateAll((heads) => heads.filter((head) => head.textContent.trim() === "").map((head) => head.outerHTML)), []);
    });
  }
});

test("comparisons are sorted by a click or Enter, and the order stands in the address", async () => {
  await on(suite(), {}, async (page) => {
    const first = () => page.locator("#comparisons tbody tr").first().innerText();
    const heading = page.locator("#comparisons th button", { hasText: "change" });
    await heading.click();
    assert.match(await first(), /sort\/100000/);
    assert.equal(await page.locator("#comparisons th[aria-sort=ascending]").count(), 1);
    await heading.focus();
    await page.keyboard.press("Enter");
    assert.match(await first(), /sort\/100\b/);
    assert.match(await address(page), /sort=-\d/);
    await page.reload();
    assert.equal(await page.locator("#comparisons th[aria-sort=descending]").count(), 1);
    await page.locator("#comparisons th button", { hasText: "verdict" }).click();
    assert.match(await first(), /slower/);
  });
});

test("a comparison is chosen by its row or its name; the charts and the address follow", async () => {
  await on(suite(), {}, async (page) => {
    await changes(page, ["#run .plot[tabindex]", "#histogram", "#shift"], () => row(page, "sort/1000").locator("td").nth(2).click());
    assert.match(await address(page), /c=1/);
    assert.match(await page.locator("#details").innerText(), /^sort\/1000\n[\s\S]*slower/);
    await page.reload();
    assert.match(await page.locator("#shown").innerText(), /^sort\/1000$/);
    await row(page, "parse").locator("button").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#shown").innerText(), "parse");
    assert.ok(await page.locator("#scaling canvas").count() === 1);
    assert.match(await page.locator("#scaling .plot").getAttribute("aria-label"), /sort\/… · main: .* at 100,/);
    await drawAll(page);
    await picture(page, "suite", { fullPage: true });
  });
});

test("a series is chosen by row, point and box, with the arrow keys, and let go with Escape", async () => {
  await on(pair(), {}, async (page) => {
    await changes(page, [RUN, "#run .strip", "#histogram"], () => seriesRow(page, "new").click());
    assert.equal(await address(page), "#s=new");
    await seriesRow(page, "new").click();
    assert.equal(await address(page), "");
    await page.locator(RUN).focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await address(page), "#s=old");
    await page.keyboard.press("ArrowDown");
    assert.equal(await address(page), "#s=new");
    await page.keyboard.press("ArrowUp");
    assert.equal(await address(page), "#s=old");
    await page.keyboard.press("Escape");
    assert.equal(await address(page), "");
    const strip = await page.locator("#run .strip .u-over").boundingBox();
    await page.mouse.click(strip.x + strip.width * 0.75, strip.y + strip.height / 2);
    assert.equal(await address(page), "#s=new");
    await page.keyboard.press("Escape");
    // A point: where the mark stands when its round is pointed at.
    const over = await page.locator(`${RUN} .u-over`).boundingBox();
    await page.mouse.move(over.x + over.width * 0.5, over.y + over.height * 0.5);
    await page.waitForTimeout(80);
    const mark = await page.locator(`${RUN} .mark.baseline`).boundingBox();
    await page.locator(RUN).focus();
    await page.keyboard.press("ArrowUp");
    assert.equal(await address(page), "#s=new");
    await page.mouse.move(over.x + over.width * 0.5, over.y + over.height * 0.5);
    await page.mouse.click(mark.x + mark.width / 2, mark.y + mark.height / 2);
    assert.equal(await address(page), "#s=old");
  });
});

test("inside a comparison, only its own series are listed and walked through", async () => {
  await on(suite(), { hash: "#c=4" }, async (page) => {
    const listed = () => page.locator("#series tbody tr").evaluateAll((rows) => rows.map((row) => row.querySelector("th bdi").textContent));
    assert.deepEqual(await listed(), ["main", "main", "work tree", "work tree", "all", "all"]);
    await page.locator(RUN).focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowDown");
    assert.equal(await address(page), "#c=4&s=parse%2Fwork+tree");
    await row(page, "sort/1000").click();
    assert.deepEqual([await address(page), (await listed()).length], ["#c=1", 6]);
  });
});

test("charts for statisticians are folded, the address keeps them open, and paper shows them", async () => {
  await on(pair({ rounds: 60 }), {}, async (page) => {
    const open = () => page.locator("#experts").evaluate((details) => details.open);
    assert.deepEqual([await open(), await page.locator("#lag").isVisible()], [false, false]);
    await page.locator("#experts summary").click();
    await page.locator("#lag canvas").waitFor();
    assert.equal(await page.evaluate(() => location.hash), "#expert=1");
    await page.reload();
    assert.equal(await open(), true);
    await page.locator("#experts summary").click();
    await page.waitForFunction(() => location.hash === "");
    await page.emulateMedia({ media: "print" });
    await page.waitForTimeout(100);
    assert.ok(await page.locator("#mean canvas").isVisible());
    await page.emulateMedia({ media: "screen" });
    await page.waitForTimeout(100);
    assert.deepEqual([await open(), await address(page)], [false, ""]);
  });
});

test("outliers are taken out and in", async () => {
  await on(pair(), {}, async (page) => {
    const current = async () => (await page.locator("#series [aria-current] .kind").innerText());
    await changes(page, ["#run .strip", "#lag"], async () => { await page.locator(RUN).focus(); await page.keyboard.press("ArrowRight"); });
    assert.equal(await address(page), "#out=1");
    assert.equal(await current(), "clean");
    assert.equal(await page.locator("#run button[aria-pressed=true]", { hasText: "outliers" }).count(), 1);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await current(), "raw");
    await page.locator("#run button", { hasText: "without outliers" }).click();
    assert.equal(await address(page), "#out=1");
  });
});

test("axes become logarithmic, and rounds and values are zoomed by dragging, keys and buttons", async () => {
  await on(pair(), {}, async (page) => {
    await changes(page, ["#histogram", "#ecdf"], () => page.locator("#histogram button").click());
    assert.equal(await address(page), "#log=1");
    await page.locator("#histogram button").click();
    await changes(page, ["#difference", RUN], () => drag(page, "#difference", [0.3, 0.5], [0.6, 0.52]));
    const [, low, high] = (await address(page)).match(/x=([\d.]+),([\d.]+)/).map(Number);
    assert.ok(low > 80 && low < 160 && high > 200 && high < 280, `${low} ${high}`);
    await drag(page, RUN, [0.5, 0.2], [0.51, 0.7]);
    assert.match(await address(page), /y=\d/);
    await page.reload();
    assert.match(await address(page), /x=.*y=/);
    await page.locator(`${RUN} .u-over`).dblclick();
    assert.equal(await address(page), "");
    await page.locator(RUN).focus();
    await page.keyboard.press("+");
    assert.match(await address(page), /x=/);
    await page.keyboard.press("0");
    assert.equal(await address(page), "");
    await page.getByRole("button", { name: "Zoom in on the values" }).click();
    assert.match(await address(page), /y=\d/);
    await page.locator("#run button", { hasText: "all values" }).click();
    assert.equal(await address(page), "#y=all");
    await page.locator("#run button", { hasText: "show all" }).click();
    await page.locator("#difference button").click();
    assert.equal(await address(page), "#d=all");
    await changes(page, ["#difference"], () => drag(page, "#difference", [0.5, 0.2], [0.51, 0.6]));
    assert.match(await address(page), /^#d=-?[\d.e-]+,-?[\d.e-]+$/);
  });
});

/** Moves the mouse to a place in a chart, as shares of its width and height. */
async function point(page, chart, [x, y]) {
  await reveal(page, chart);
  const box = await page.locator(`${chart} .u-over`).first().boundingBox();
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  await page.waitForTimeout(80);
  return { x: box.x + x * box.width, y: box.y + y * box.height };
}

const HOVERED = {
  "#difference": /^Round 20\d\|old .*\|new .*\|change .* ran first\|by then \+2\.\d+\s% \[/,
  "#run .strip": /^old\|maximum .*\|third quartile .*\|mean .*\|median 16\.90\sms\|first quartile .*\|minimum/,
  "#run .side": /^1\d\.\d+\sms to 1\d\.\d+\sms\|old [\d.]+\s%/,
  "#histogram": /^1\d\.\d+\sms to 1\d\.\d+\sms\|old [\d.]+\s%/,
  "#ecdf": /^at or below 18\.\d+\sms\|old 9\d\.\d\s%\|new 9\d\.\d\s%$/,
  "#runtimes": /^at (49\.\d|50\.\d)\s% of the samples\|old 16\.9\d*\sms\|new 17\.\d+\sms$/,
  "#deviations": /^mean to 1 s\|old [\d.]+\s%\|new [\d.]+\s%$/,
  "#normal": /^at −?0\.\d standard deviations\|old .*, the fit 1.*\sms\|new .*, the fit/,
  "#shift": /^P50\|\+2\.\d+\s% \[\+\d.*, \+\d.*\]$/,
  "#autocorrelation": /^lag 1[56]\|old −?0\.\d\d\|new −?0\.\d\d\|the differences −?0\.\d\d$/,
  "#mean": /^old, \d+ samples\|mean 1[67].* ± .*, without correction 1[67].* ± .*\|new, /,
};

test("every chart says at the pointer what is there, and nothing once the pointer is gone", async () => {
  await on(pair(), {}, async (page) => {
    for (const [chart, said] of Object.entries(HOVERED)) {
      const place = chart === "#run .strip" ? [0.25, 0.5] : chart === "#run .side" ? [0.1, 0.9] : chart === "#histogram" ? [0.15, 0.5] : chart === "#deviations" ? [0.36, 0.5] : [0.5, 0.5];
      const at = await point(page, chart, place);
      assert.match((await page.locator(".tip div").allInnerTexts()).join("|"), said, chart);
      const tip = await page.locator(".tip").boundingBox();
      const beside = Math.max(tip.x - at.x, at.x - tip.x - tip.width, tip.y - at.y, at.y - tip.y - tip.height);
      assert.ok(beside > 0 && beside < 30 && tip.x >= 0 && tip.x + tip.width <= 1280 && tip.y >= 0 && tip.y + tip.height <= 900, `${chart} ${JSON.stringify([at, tip])}`);
    }
    await page.mouse.move(2, 2);
    await page.waitForTimeout(80);
    assert.ok(await page.locator(".tip").isHidden());
  });
});

test("the wheel scrolls the page, and zooms with Ctrl or where the chart has the focus; Shift and a drag move what is shown", async () => {
  await on(pair(), {}, async (page) => {
    const rounds = async () => (await address(page)).match(/x=([-\d.]+),([-\d.]+)/)?.slice(1).map(Number);
    const wheel = async (turn) => { await page.mouse.wheel(0, turn); await page.waitForTimeout(120); };
    await point(page, RUN, [0.25, 0.5]);
    const before = await page.evaluate(() => scrollY);
    await wheel(60);
    assert.deepEqual([await address(page), (await page.evaluate(() => scrollY)) > before], ["", true]);
    await point(page, RUN, [0.25, 0.5]);
    await page.keyboard.down("Control");
    await wheel(-400);
    await page.keyboard.up("Control");
    const [low, high] = await rounds();
    assert.ok(high - low < 230 && Math.abs((100 - low) / (high - low) - 0.25) < 0.02, `what was under the pointer stays there: ${low} ${high}`);
    assert.deepEqual(await page.evaluate(() => visualViewport.scale), 1);
    const { x, y } = await point(page, RUN, [0.5, 0.5]);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(x - 60, y, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const [moved, end] = await rounds();
    assert.ok(moved > low + 5 && Math.abs(end - moved - (high - low)) < 0.01, `${moved} ${end}`);
    assert.doesNotMatch(await address(page), /s=|y=/, "nothing is selected by it");
    await page.locator(RUN).focus();
    const top = await page.evaluate(() => scrollY);
    await point(page, RUN, [0.5, 0.5]);
    await wheel(3000);
    assert.deepEqual([await rounds(), await page.evaluate(() => scrollY)], [undefined, top], "all the way out");
    await wheel(200);
    assert.ok((await page.evaluate(() => scrollY)) > top, "and then it is the page's");
  });
});

test("a double click that shows everything again chooses no series and holds no round", async () => {
  await on(pair(), {}, async (page) => {
    await drag(page, RUN, [0.3, 0.5], [0.6, 0.52]);
    await point(page, RUN, [0.5, 0.5]);
    const mark = await page.locator(`${RUN} .mark.baseline`).boundingBox();
    await page.mouse.dblclick(mark.x + mark.width / 2, mark.y + mark.height / 2);
    await page.waitForTimeout(400);
    assert.deepEqual([await address(page), await page.locator("#readout").isHidden()], ["", true]);
    await drag(page, RUN, [0.3, 0.5], [0.6, 0.52]);
    await point(page, RUN, [0.5, 0.5]);
    const again = await page.locator(`${RUN} .mark.baseline`).boundingBox();
    await page.mouse.click(again.x + again.width / 2, again.y + again.height / 2);
    await page.waitForTimeout(400);
    assert.match(await address(page), /s=old/, "a single click does");
  });
});

test("a question mark opens the list of keys, and Escape closes it and nothing else", async () => {
  await on(pair(), { hash: "#s=old" }, async (page) => {
    await page.keyboard.press("?");
    assert.match(await page.locator("#keys").innerText(), /Shift \+ drag/);
    await page.keyboard.press("Escape");
    assert.deepEqual([await page.locator("#keys").isVisible(), await address(page)], [false, "#s=old"]);
    await page.locator("#help").click();
    assert.ok(await page.locator("#keys").isVisible());
    await page.getByRole("button", { name: "close" }).click();
    assert.ok(!await page.locator("#keys").isVisible());
  });
});

test("a round pointed at in one chart is marked in all others", async () => {
  await on(pair(), { hash: "#expert=1", viewport: { width: 1280, height: 7000 } }, async (page) => {
    await page.waitForTimeout(300);
    for (const chart of ["#difference", RUN, "#scatter", "#lag"]) {
      const box = await page.locator(`${chart} .u-over`).boundingBox();
      // In the middle of a cloud, so that there is a point nearby.
      const mark = chart === "#lag" ? [0.25, 0.75] : chart === "#scatter" ? [0.25, 0.5] : [0.5, 0.5];
      await page.mouse.move(box.x + mark[0] * box.width, box.y + mark[1] * box.height);
      await page.waitForTimeout(80);
      const lines = await page.locator(".tip div").allInnerTexts();
      assert.match(lines.slice(0, 4).join("|"), /^Round \d+\|old .*\sms\|new .*\sms\|change .*\s%; (old|new) ran first/, chart);
      for (const [other, marks] of [["#difference", 1], [RUN, 2], ["#scatter", 1], ["#lag", 2]]) assert.equal(await page.locator(`${other} .mark:not([hidden])`).count(), marks, `${chart} → ${other}`);
    }
    await page.mouse.move(5, 5);
    await page.waitForTimeout(50);
    assert.ok(await page.locator(".tip").isHidden());
    await page.locator("#difference .plot").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    assert.match(await page.locator("#readout").innerText(), /^Round 11:.*held/);
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#readout").isHidden());
  });
});

test("colours follow the system, and the choice stands in the address", async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await on(pair(), { colorScheme: "dark" }, async (page) => {
    assert.equal(await ground(page), "rgb(16, 19, 23)");
    await drawAll(page);
    await picture(page, "dark", { fullPage: true });
    await changes(page, ["#difference", "#scatter"], () => page.locator("#theme").click());
    assert.equal(await address(page), "#theme=light");
    assert.notEqual(await ground(page), "rgb(16, 19, 23)");
    await page.reload();
    assert.notEqual(await ground(page), "rgb(16, 19, 23)");
    await page.locator("#theme").click();
    assert.equal(await address(page), "#theme=dark");
    await page.locator("#theme").click();
  });
  await on(pair(), {}, async (page) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(100);
    assert.equal(await ground(page), "rgb(16, 19, 23)");
  });
});

test("all words can be read on their ground, light and dark", async () => {
  for (const theme of ["light", "dark"]) {
    await on(suite(), { hash: `#theme=${theme}` }, async (page) => {
      const pale = await page.evaluate(() => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
        const light = ([r, g, b]) => [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (element) => { for (let at = element; at; at = at.parentElement) { const colour = rgba(getComputedStyle(at).backgroundColor); if (colour[3] === 255) return colour; } return [255, 255, 255]; };
        const found = [];
        for (const element of document.querySelectorAll("#page *")) {
          const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
          if (!own || element.closest("[hidden], button:disabled, .way") || element.getClientRects().length === 0) continue;
          const style = getComputedStyle(element);
          const [a, b] = [light(rgba(element instanceof SVGElement ? style.fill : style.color)), light(ground(element))].sort((x, y) => y - x);
          if ((a + 0.05) / (b + 0.05) < 4.5) found.push(`${element.textContent.slice(0, 30)}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
        }
        return found;
      });
      assert.deepEqual(pale, []);
    });
  }
});

test("everything is reached with the keyboard, and what has the focus is seen", async () => {
  await on(suite(), { hash: "#expert=1" }, async (page) => {
    const reached = new Set();
    for (let step = 0; step < 90; step += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return { in: element.closest("[id]")?.id ?? "", name: element.getAttribute("aria-label") ?? element.textContent, seen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 };
      });
      if (at === null) break;
      assert.ok(at.seen, `no outline: ${at.in} ${at.name}`);
      reached.add(at.in);
    }
    for (const place of ["theme", "comparisons", "difference", "run", "series", "histogram", "scatter", "lag"]) assert.ok(reached.has(place), place);
  });
});

test("nothing is wider than a phone", async () => {
  const long = `a_very_long_name_without_any_blank_in_it_${"x".repeat(120)}`;
  for (const [name, made] of [["phone", pair()], ["phone suite", suite()], ["phone long", pair({ names: [long, `${long}2`], title: long })]]) {
    await on(made, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }, async (page) => {
      await drawAll(page);
      await picture(page, name, { fullPage: true });
      const wide = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, worst: [...document.querySelectorAll("#page *")].filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, .plot")).map((element) => element.className).slice(0, 5) }));
      assert.deepEqual([wide.scroll, wide.worst], [360, []], name);
    });
  }
});

/** How bright the brightest point of a strip of the page is, from 0 to 255. */
async function brightest(page, clip) {
  const png = (await page.screenshot({ clip })).toString("base64");
  const blank = await page.context().newPage();
  const found = await blank.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    return data.reduce((most, part, at) => (at % 4 === 1 ? Math.max(most, part) : most), 0);
  }, png);
  await blank.close();
  return found;
}

test("a table that is wider than the phone has a shade where more of it is, and none at its end", async () => {
  await on(pair(), { viewport: { width: 390, height: 844 } }, async (page) => {
    const table = page.locator("#arms .scroll").first();
    await table.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await table.boundingBox();
    const edge = (left) => brightest(page, { x: left, y: y + 4, width: 2, height: height - 8 });
    const edges = async () => [await edge(x), await edge(x + width - 2)];
    const [left, right] = await edges();
    assert.ok(left === 255 && right < 245, `${left} ${right}`);
    await table.evaluate((element) => { element.scrollLeft = element.scrollWidth; });
    const [before, end] = await edges();
    assert.ok(before < 245 && end === 255, `${before} ${end}`);
  });
});

test("charts follow the window", async () => {
  await on(pair(), {}, async (page) => {
    await drawAll(page);
    for (const width of [700, 1500, 420]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(200);
      const off = await page.evaluate(() => [...document.querySelectorAll(".plot")].filter((plot) => plot.clientWidth > 0 && plot.querySelector("canvas") !== null)
        .filter((plot) => Math.abs(plot.clientWidth - plot.querySelector("canvas").clientWidth) > 1).map((plot) => plot.closest("[id]").id));
      assert.deepEqual(off, [], `at ${width}`);
    }
  });
});

test("paper shows all of it, on white", async () => {
  await on(pair({ rounds: 200 }), { colorScheme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.waitForTimeout(200);
    for (const chart of CHARTS) {
      assert.ok(await page.locator(`#${chart} canvas`).count() >= 1, `${chart} is not drawn`);
      assert.ok(await page.locator(`#${chart}`).isVisible());
    }
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    assert.ok(await page.locator("#theme").isHidden());
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 20_000);
    writeFileSync(fileURLToPath(new URL("../screenshots/paper.pdf", import.meta.url)), pdf);
    await picture(page, "print", { fullPage: true });
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  });
});

test("a million rounds open soon and stay smooth", async (t) => {
  const made = pair({ rounds: 1_000_000 });
  await on(made, {}, async (page, { milliseconds }) => {
    const times = { open: milliseconds };
    const timed = async (name, act) => {
      const start = performance.now();
      await act();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
      times[name] = performance.now() - start;
    };
    await timed("scroll to the charts and draw", async () => { await page.locator("#run").scrollIntoViewIfNeeded(); await page.locator(`${RUN} canvas`).waitFor(); });
    await timed("zoom in", () => page.getByRole("button", { name: "Zoom in on the rounds" }).click());
    await timed("choose a series", () => page.locator("#series tbody tr").first().click());
    await timed("all charts", () => drawAll(page));
    t.diagnostic(Object.entries(times).map(([name, time]) => `${name} ${Math.round(time)} ms`).join(", "));
    assert.ok(milliseconds < 10_000);
    assert.ok(times["zoom in"] < 3000);
    for (const chart of CHARTS) assert.ok(await page.locator(`#${chart} canvas`).count() >= 1, chart);
    await picture(page, "million", { fullPage: true });
  });
});

/** Two that were not measured together; of these arms the order is lost. */
function unpaired(...lost) {
  const made = pair({ rounds: 40, trial: { randomised: false } });
  for (const place of lost) Object.assign(made.data.arms[place], { order_lost: true, autocorrelation: [], running_mean: [] });
  Object.assign(made.data.comparisons[0], { rounds: null, moments: [], order: null, autocorrelation: [] });
  Object.assign(made.data.analysis.comparisons[0], { kind: "unpaired", assumptions: ["assuming that nothing else changed between the two measurements"], effect: { estimate: 0.02, low: null, high: null } });
  return made;
}

/** Pages from which much is missing. */
const VARIANTS = {
  "a single arm": () => {
    const bytes = new Bytes();
    return { data: pageOf([arm(bytes, "alone", times(machine(200, 1), 5e3, 2))], []), bytes };
  },
  "no comparison, eight arms, one of another unit": () => {
    const bytes = new Bytes();
    const arms = Array.from({ length: 8 }, (_, i) => arm(bytes, `arm ${i}`, times(machine(50, i), 1e3 * (i + 1), i)));
    arms.push(arm(bytes, "arm 1", Float64Array.from({ length: 50 }, (_, i) => 1e6 + i), { metric: "max_rss", unit: "B" }));
    return { data: pageOf(arms, []), bytes };
  },
  "unpaired, the order lost": () => unpaired(0, 1),
  "unpaired, the order of one arm lost": () => unpaired(1),
  "no samples at all": () => {
    const made = pair({ rounds: 30 });
    for (const one of made.data.arms) Object.assign(one, { samples: { kind: "f64", offset: 0, length: 0 }, launches: [], iterations: null, raw: null, clean: null, fences: null, far_fences: null, set_up: null, without_set_up: null, deviations: null, clean_deviations: null, axis: null, modes: [], histogram: null, log_histogram: null, quantiles: null, normal_fit: null, log_normal_fit: null, autocorrelation: [], running_mean: [] });
    Object.assign(made.data.comparisons[0], { rounds: null, moments: [], shift: null, order: null, autocorrelation: [] });
    Object.assign(made.data.analysis.comparisons[0], { verdict: "unclear", effect: { estimate: null, low: null, high: null }, percentiles: [], kind: "unpaired" });
    for (const level of made.data.analysis.levels) Object.assign(level, { from: "reported", min: null, max: null, sd: null, iqr: null, cv: null, iqr_over_median: null, percentiles: [], distribution: undefined, mean_error: undefined });
    return made;
  },
  "nothing": () => ({ data: { ...pageOf([], []), facts: [] }, bytes: new Bytes() }),
  "one round": () => pair({ rounds: 2 }),
  "all samples alike": () => {
    const bytes = new Bytes();
    const same = new Float64Array(30).fill(7);
    const arms = [arm(bytes, "old", same), arm(bytes, "new", same)];
    return { data: pageOf(arms, [comparison(bytes, arms, 0, 1, same, same)]), bytes };
  },
  "samples below zero": () => {
    const bytes = new Bytes();
    const next = random(5);
    const [a, b] = [Float64Array.from({ length: 60 }, () => next() - 0.5), Float64Array.from({ length: 60 }, () => next() - 0.5)];
    const arms = [arm(bytes, "old", a, { unit: "score", metric: "score" }), arm(bytes, "new", b, { unit: "score", metric: "score" })];
    for (const one of arms) one.log_normal_fit = null;
    return { data: pageOf(arms, [comparison(bytes, arms, 0, 1, a, b)]), bytes };
  },
  "more is better": () => {
    const made = pair({ rounds: 50 });
    for (const one of made.data.arms) Object.assign(one, { metric: "rate", unit: "op/s" });
    Object.assign(made.data.analysis.comparisons[0], { better: "higher", metric: "rate", unit: "op/s" });
    return made;
  },
  "still running, open ends": () => {
    const made = pair({ rounds: 6, trial: { state: "running" } });
    Object.assign(made.data.analysis.comparisons[0], { verdict: "slightly slower", effect: { estimate: 0.02, low: 0.005, high: null }, needed: 40 });
    return made;
  },
};

for (const [name, made] of Object.entries(VARIANTS)) {
  test(`what is missing is said: ${name}`, async () => {
    await on(made(), {}, async (page) => {
      await drawAll(page);
      for (const line of await page.locator(".absent .how").allInnerTexts()) assert.match(line, /^Not shown: .+\.$/);
      const text = await page.evaluate(() => document.getElementById("page").innerText);
      assert.doesNotMatch(text, /\bNaN\b|undefined|Infinity|\bnull\b|\[object/);
      for (const label of await page.locator("[aria-label]").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))) assert.doesNotMatch(label, /NaN|undefined|Infinity|\bnull\b/);
      await page.locator("#facts").waitFor();
      if (await page.locator("#series tbody tr").count() > 0) await page.locator("#series tbody tr").last().click();
      await picture(page, `missing ${name}`, { fullPage: true });
    });
  });
}

test("where nothing is compared, the chosen arm has the axis for itself", async () => {
  await on(VARIANTS["no comparison, eight arms, one of another unit"](), {}, async (page) => {
    await changes(page, [RUN, "#histogram"], () => page.locator("#series tbody tr").first().click());
    await page.locator("#series tbody tr").last().click();
    assert.match(await page.locator("#run .legend").innerText(), /^arm 1/);
    assert.equal(await page.locator("#run .legend .swatch").count(), 1);
  });
});

test("a mode of one sample in eight is on every axis, and what lies beyond is counted on the chart", async () => {
  await on(twoModes(13, { stray: 200e6 }), {}, async (page) => {
    await drawAll(page);
    const note = (chart) => page.locator(`#${chart} .note`).innerText();
    assert.match(await note("run"), /^1.sample beyond this axis, marked at its edge\.$/);
    assert.match(await note("histogram"), /wide\. 1.sample beyond this axis\.$/);
    assert.equal(await note("ecdf"), "1 sample beyond this axis.");
    assert.match(await note("runtimes"), /1 sample beyond this axis\.$/);
    assert.equal(await note("lag"), "2 pairs beyond this axis.");
    assert.equal(await note("scatter"), "1 round beyond this axis.");
    assert.match(await page.locator(".glance .legend").innerText(), /1 sample beyond this axis/);
  });
});

test("values that span more than twenty times the smallest have a logarithmic axis, until a reader asks for another", async () => {
  await on(twoModes(40), {}, async (page) => {
    await drawAll(page);
    const pressed = () => page.locator("button", { hasText: "logarithmic axis" }).evaluateAll((all) => all.map((one) => one.getAttribute("aria-pressed")));
    assert.deepEqual([await pressed(), await address(page)], [["true", "true"], ""]);
    await changes(page, [RUN, "#run .side", "#histogram", "#ecdf", "#runtimes", "#lag", "#scatter"], () => page.locator("#run button", { hasText: "logarithmic axis" }).click());
    assert.deepEqual([await pressed(), await address(page)], [["false", "false"], "#log=0"]);
    // The nearest point is looked for in pixels, also where these are logarithms.
    await page.evaluate(() => { location.hash = ""; });
    await page.locator("#scatter").scrollIntoViewIfNeeded();
    const { x, y, width, height } = await page.locator("#scatter .u-over").boundingBox();
    await page.mouse.move(x + 0.05 * width, y + 0.95 * height);
    await page.waitForTimeout(80);
    const mark = await page.locator("#scatter .mark:not([hidden])").boundingBox();
    assert.ok(Math.hypot(mark.x + mark.width / 2 - x - 0.05 * width, mark.y + mark.height / 2 - y - 0.95 * height) < 26, JSON.stringify(mark));
  });
  await on(twoModes(13), {}, async (page) => assert.equal(await page.locator("button[aria-pressed=true]", { hasText: "logarithmic axis" }).count(), 0));
});

test("a band is drawn only where there is one, and it is said where it has no bound", async () => {
  await on(pair(), {}, async (page) => {
    assert.match(await page.locator("#shift .legend").innerText(), /change and its band[\s\S]*no bound yet/);
  });
  const made = unpaired();
  const { shift } = made.data.comparisons[0];
  shift.low.fill(null);
  shift.high.fill(null);
  await on(made, {}, async (page) => {
    assert.doesNotMatch(await page.locator("#shift .legend").innerText(), /band|bound/);
    assert.match(await page.locator("#shift .how").innerText(), /There is no band, because the samples are not paired/);
  });
});

test("where an order is not known, no chart pretends one", async () => {
  await on(VARIANTS["unpaired, the order lost"](), {}, async (page) => {
    for (const chart of ["difference", "run", "scatter", "order", "autocorrelation", "lag", "mean"]) assert.ok(await page.locator(`#${chart}.absent`).count() === 1, chart);
    assert.match(await page.locator("#verdict").innerText(), /not in random order/);
  });
});

test("an arm whose order is lost has no points in the order taken", async () => {
  await on(VARIANTS["unpaired, the order of one arm lost"](), {}, async (page) => {
    await drawAll(page);
    const label = await page.locator(RUN).getAttribute("aria-label");
    assert.match(label, /old: 40.samples/);
    assert.doesNotMatch(label, /new/);
    assert.match(await page.locator("#run .note").innerText(), /order is not known: the samples of new\./);
    assert.equal(await page.locator("#run .legend .swatch").count(), 2, "both have a box and bars");
    await page.locator(RUN).scrollIntoViewIfNeeded();
    const over = await page.locator(`${RUN} .u-over`).boundingBox();
    await page.mouse.move(over.x + over.width / 2, over.y + over.height / 2);
    await page.waitForTimeout(80);
    assert.equal(await page.locator(`${RUN} .mark:not([hidden])`).count(), 1);
    assert.match((await page.locator(".tip div").allInnerTexts()).join("|"), /^Sample \d+\|old [\d.]+\sms$/);
  });
});

test("data that is cut off is said, not drawn", async () => {
  const made = pair({ rounds: 50 });
  made.data.arms[0].samples.length = 1e6;
  const { page, complaints, context } = await open(browser(), made, { hash: "" }).catch((error) => { throw error; });
  assert.match(await page.locator("#page").innerText(), /cannot be shown: a column ends at byte/);
  assert.ok(complaints.length > 0);
  await context.close();
});

const folder = process.env.EVENHAND_REPORTS;
if (folder !== undefined && folder !== "") {
  const reports = readdirSync(resolve(folder)).filter((name) => name.endsWith(".html"));
  test("there are reports to open", () => assert.ok(reports.length > 0, `no *.html in ${folder}`));
  for (const name of reports) {
    test(`the report ${name} opens`, async (t) => {
      await on(join(resolve(folder), name), {}, async (page, { milliseconds }) => {
        t.diagnostic(`${Math.round(milliseconds)} ms`);
        await drawAll(page);
        const text = await page.evaluate(() => document.getElementById("page").innerText);
        assert.doesNotMatch(text, /\bNaN\b|undefined|Infinity|\[object/);
        await picture(page, `report ${name}`, { fullPage: true });
      });
    });
  }
}

test("services under load show their slices, their percentiles, their errors and stalls", async () => {
  await on(services(), {}, async (page) => {
    await drawAll(page);
    assert.deepEqual(await page.locator("section h2").filter({ hasText: "Under load" }).count(), 1);
    for (const chart of ["slices", "spectrum"]) assert.equal(await page.locator(`#${chart} canvas`).count(), 1, chart);
    assert.equal(await page.locator("#trouble canvas").count(), 2);
    const label = (chart) => page.locator(`#${chart} .plot`).first().getAttribute("aria-label");
    assert.match(await label("slices"), /old: P99 2\.\d+\sms in a typical slice, new: P99 2\.\d+\sms/);
    assert.match(await label("spectrum"), /old: P50 .*µs, P90 .*, P95 .*, P99 2\.\d+\sms\. new: P50/);
    assert.match(await page.locator("#spectrum .how").innerText(), /the band its interval, 99\s%\ssure/);
    assert.match(await page.locator("#trouble .note").innerText(), /old: errors in 0 slices, stalls of 0\ss in all\. new: errors in \d+ slices, stalls of \d+/);
    const over = page.locator("#spectrum .u-over");
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + 0.95 * box.width, box.y + 0.5 * box.height);
    assert.match((await page.locator(".tip div").allInnerTexts()).join("|"), /P99\|old 2\.\d+\sms \[2\.\d+\sms, 2\.\d+\sms\]/);
    await changes(page, ["#slices", "#spectrum"], () => seriesRow(page, "old").click());
  });
  await on(services({ calm: true, slices: 5 }), {}, async (page) => {
    assert.match(await page.locator("#trouble").innerText(), /every request was answered, and no service stalled/);
    assert.match(await page.locator("#spectrum .how").innerText(), /too few slices for intervals/);
  });
  await on(pair(), {}, async (page) => assert.equal(await page.locator("#slices, #spectrum, #trouble").count(), 0));
});
