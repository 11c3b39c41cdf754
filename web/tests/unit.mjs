// Do the parts compute what they say? Columns, down-sampling, the address, numbers in words, names, ticks, sorting: without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { gathered, pair, random, suite, twoModes } from "./made.mjs";

/** The sources are TypeScript: bundled in memory, then imported. */
async function load(name) {
  const { outputFiles } = await build({ entryPoints: [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))], bundle: true, write: false, format: "esm", target: "es2022" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const [columns, downsample, state, units, names, ticks, table, selection, model, growth, together, reach, ranges, zoom, atAGlance] =
  await Promise.all(["columns", "downsample", "state", "units", "names", "ticks", "table", "selection", "model", "growth", "suite", "reach", "ranges", "zoom", "charts/glance"].map(load));
const plain = (text) => text.replaceAll("\u202f", " ").replaceAll("\u2212", "-");

test("columns of every kind come out of base64, also where they are not aligned", () => {
  const bytes = Buffer.concat([Buffer.from([7]), Buffer.from(new Float64Array([1.5, -2.25, 1e300]).buffer), Buffer.from(new Float32Array([0.5]).buffer), Buffer.from(new Uint32Array([4294967295, 0]).buffer)]);
  const decoded = columns.bytesOf(`${bytes.toString("base64").slice(0, 8)}\n ${bytes.toString("base64").slice(8)}`);
  assert.deepEqual([...columns.numbersOf(decoded, { kind: "f64", offset: 1, length: 3 })], [1.5, -2.25, 1e300]);
  assert.deepEqual([...columns.numbersOf(decoded, { kind: "f32", offset: 25, length: 1 })], [0.5]);
  assert.deepEqual([...columns.numbersOf(decoded, { kind: "u32", offset: 29, length: 2 })], [4294967295, 0]);
  assert.deepEqual([...columns.numbersOf(decoded, { kind: "counting", length: 3 })], [0, 1, 2]);
  assert.equal(columns.numbersOf(decoded, { kind: "f64", offset: 0, length: 0 }).length, 0);
  assert.throws(() => columns.numbersOf(decoded, { kind: "f64", offset: 8, length: 9 }), /ends at byte 80, but there are only 37/);
});

test("a column of pixels keeps its smallest and its largest sample", () => {
  const next = random(3);
  const ys = Float64Array.from({ length: 100_000 }, next);
  ys[31_234] = 77;
  ys[90_001] = -5;
  const xs = Float64Array.from(ys, (_, i) => i);
  const { min, max } = downsample.columnExtremes(xs, ys, 0, ys.length, 100, (x) => x / 1000);
  assert.equal(max[31], 77);
  assert.equal(min[90], -5);
  const without = downsample.columnExtremes(xs, ys, 0, ys.length, 100, (x) => x / 1000, (y) => y < 1);
  assert.ok(without.max[31] < 1);
  assert.ok(Number.isNaN(downsample.columnExtremes(xs, ys, 0, 10, 100, () => 5).max[6]));
});

test("a cloud counts each sample once, and leaves out what is beyond it", () => {
  const cells = downsample.density([0, 0, 1, 9], [0, 0, 1, 0], 0, 4, { width: 2, height: 2 }, (x) => x, (y) => y);
  assert.deepEqual([...cells], [2, 0, 0, 1]);
});

test("neighbouring bins are counted together, all of one width", () => {
  const eighty = { edges: Array.from({ length: 81 }, (_, edge) => edge), counts: Array.from({ length: 80 }, (_, bin) => bin % 4), below: 1, above: 2 };
  const twenty = downsample.coarser(eighty, 21);
  assert.deepEqual([twenty.edges.length, twenty.edges[1], twenty.edges[20], twenty.below, twenty.above], [21, 4, 80, 1, 2]);
  assert.deepEqual([...new Set(twenty.counts)], [6]);
  assert.deepEqual(downsample.coarser(eighty, 79).counts.length, 40);
  assert.deepEqual(downsample.coarser(eighty, 80), eighty);
});

test("beside the verdict, samples that lie closer together stand higher, and medians where they are", () => {
  const bins = (edges, counts) => ({ bins: { edges, counts, below: 0, above: 0 }, samples: 100, median: edges[0] + 1 });
  const [narrow, wide] = atAGlance.outlines([bins([0, 1, 2], [50, 50]), bins([2, 6, 10], [100, 0])], [0, 10], false);
  assert.deepEqual(narrow, { steps: [[0, 1], [0.1, 1], [0.1, 1], [0.2, 1]], median: 0.1 });
  assert.deepEqual(wide, { steps: [[0.2, 0.5], [0.6, 0.5], [0.6, 0], [1, 0]].map(([x, up]) => [x, up]), median: 0.3 });
});

test("a reader looks closer around the pointer, moves along, and never leaves what there is", () => {
  const whole = [0, 100];
  assert.deepEqual(zoom.zoomed(whole, whole, 0.5, 20, false), [10, 60]);
  assert.deepEqual(zoom.zoomed([10, 60], whole, 2, 20, false), whole);
  assert.deepEqual(zoom.zoomed([50, 100], whole, 4, 60, false), [20, 100], "not beyond an end");
  assert.deepEqual(zoom.zoomed([-5, 50], whole, 2, 20, false), [-5, 80], "nor back from what is shown already");
  assert.deepEqual(zoom.zoomed([1, 1.00001], whole, 0.5, 1, false), [1, 1.00001], "no closer than can be told apart");
  const near = (found, wanted) => found.forEach((end, at) => assert.ok(Math.abs(end / wanted[at] - 1) < 1e-12, `${found}`));
  near(zoom.zoomed([1, 1e4], [1, 1e4], 0.5, 100, true), [10, 1e3]);
  near(zoom.moved([10, 1e3], [1, 1e4], 0.5, true), [100, 1e4]);
  assert.deepEqual(zoom.moved([10, 60], whole, 0.1, false), [15, 65]);
  assert.deepEqual([zoom.moved([10, 60], whole, 5, false), zoom.moved([10, 60], whole, -5, false)], [[50, 100], [0, 50]]);
  assert.deepEqual([zoom.covers([0, 100], whole), zoom.covers([1e-8, 100], whole), zoom.covers([1, 100], whole)], [true, true, false]);
  assert.ok(Math.abs(zoom.middle([1, 100], true) - 10) < 1e-12);
});

test("parts of ascending lists", () => {
  const list = [1, 2, 2, 5];
  assert.deepEqual([0, 1, 2, 3, 6].map((value) => downsample.firstFrom(list, value)), [0, 0, 1, 3, 4]);
  assert.deepEqual(downsample.within(list, 2, 3), [0, 4]);
  assert.deepEqual(downsample.thinned([1, 2, 3, 4, 5], 3), [1, 3, 5]);
  assert.deepEqual(downsample.thinned([1, 2], 3), [1, 2]);
});

test("a view comes back from its address", () => {
  const view = { c: 3, s: "a&b=c#d /ü", out: true, setup: true, log: false, x: [1.5, 20], y: [-1e-9, 3e12], d: "all", sort: "-2", by: "11", q: "a & b", v: "slightly slower", expert: true, hide: ["top", "tools"], theme: "dark" };
  assert.deepEqual(state.parseView(state.formatView(view)), view);
  assert.deepEqual(state.parseView(""), state.FIRST_VIEW);
  assert.equal(state.formatView(state.FIRST_VIEW), "");
  assert.equal(state.parseView("#y=all").y, "all");
  assert.equal(state.parseView(state.formatView({ ...view, y: "clean" })).y, "clean");
  assert.equal(state.parseView("#log=1").log, true);
  assert.deepEqual(state.parseView("#d=-0.01,0.02").d, [-0.01, 0.02]);
  assert.doesNotThrow(() => state.formatView({ ...view, s: "\ud800" }));
});

test("what is wrong in an address is left out", () => {
  assert.deepEqual(state.parseView("#c=-1&out=2&log=yes&x=5,1&y=a,b&theme=pink&hide=page,readout,%3Cimg%3E&by=x&setup=yes&sort=javascript:&q=&v=1&x"), state.FIRST_VIEW);
  assert.equal(state.parseView("#x=1,2,3").x, null);
  assert.equal(state.parseView("#x=1,Infinity").x, null);
  assert.equal(state.parseView("#c=1e99").c, null);
});

test("a store tells what changed, and only when something did", () => {
  const store = new state.Store({ ...state.FIRST_VIEW });
  const told = [];
  store.subscribe((changed) => told.push([...changed].join()));
  store.set({ c: null, x: [1, 2] });
  store.set({ x: [1, 2] });
  store.set({ out: true, s: "a" });
  assert.deepEqual(told, ["x", "s,out"]);
});

test("quantities have the unit that reads best", () => {
  for (const [value, unit, text] of [[8_123_456, "ns", "8.123 ms"], [0.25, "ns", "250 ps"], [999.96, "ns", "1.000 µs"], [999.94, "ns", "999.9 ns"], [90, "s", "90 s"], [0, "ns", "0 s"], [1.35e9, "B", "1.350 GB"], [17, "", "17"], [17.25, "faults", "17.25 faults"], [9999, "", "9 999"], [12345, "faults", "12.35 k faults"], [35594321, "", "35.59 M"], [null, "ns", "–"], [NaN, "ns", "–"], [-3.5e6, "ns", "-3.500 ms"], [5, "constructor", "5 constructor"]]) {
    assert.equal(plain(units.quantity(value, unit)), text, `${value} ${unit}`);
  }
  assert.equal(plain(units.quantityWithin(16.94e6, 0.13e6, "ns")), "16.94 ± 0.13 ms");
  assert.equal(plain(units.quantityWithin(16.94e6, 130, "ns")), "16.94 ± 0.00013 ms");
  assert.equal(plain(units.quantityWithin(16.94e6, null, "ns")), "16.94 ms");
  assert.equal(plain(units.quantityWithin(3.608e10, 2.1687e9, "B/s")), "36.08 ± 2.17 G B/s");
  assert.equal(plain(units.quantityWithin(1, 0.25, "ms")), "1 ± 0.25 ms");
});

test("changes have a sign, but a rounded zero has none", () => {
  assert.deepEqual([0.0134, -0.0134, 0.00001, -0.00001, 0.5, 12, null, -1e9].map((value) => plain(units.change(value))), ["+1.34 %", "-1.34 %", "0.00 %", "0.00 %", "+50.0 %", "+1200 %", "?", "-1.0e11 %"]);
  assert.equal(plain(units.effect({ estimate: 0.01, low: null, high: 0.02 })), "+1.00 % [open, +2.00 %]");
  assert.equal(plain(units.effect({ estimate: null, low: null, high: null })), "not known yet");
  assert.equal(plain(units.share(0.01)), "1 %");
  assert.equal(plain(units.counted(2, "launch")), "2 launches");
  assert.equal(plain(units.counted(12345, "round")), "12 345 rounds");
});

test("hidden characters of a name are made visible, others stay", () => {
  assert.equal(names.visible("a\u202eb\u0000\n\u200f\ud800"), "a\\u{202e}b\\u{0}\\u{a}\\u{200f}\\u{d800}");
  assert.equal(names.visible("größe 排序 👩\u200d🔬 <img src=x>"), "größe 排序 👩\u200d🔬 <img src=x>");
  assert.equal(names.shortened("abcdefghij", 5), "ab…ij");
});

test("a path is shown without whose home folder it is in", () => {
  for (const [text, shown] of [["built in /home/ada/.cache/evenhand/b", "built in ~/.cache/evenhand/b"], ["`/root/x` and C:\\Users\\ada\\y", "`~/x` and ~\\y"], ["/Users/ada/z", "~/z"], ["/srv/home/ada/x, /rooted/x, /usr/home/x", "/srv/home/ada/x, /rooted/x, /usr/home/x"]]) {
    assert.equal(names.withoutHome(text), shown);
  }
});

test("axes are marked at round numbers of the unit that is written", () => {
  const { at, labels } = ticks.quantities("ns")(16_400_000, 18_100_000, 4, false);
  assert.deepEqual(labels.map(plain), ["16.5 ms", "17.0 ms", "17.5 ms", "18.0 ms"]);
  assert.ok(Math.abs(at[0] - 16.5e6) < 1);
  assert.deepEqual(ticks.quantities("ns")(1e3, 1e6, 5, true).labels.map(plain), ["1 µs", "10 µs", "100 µs", "1 ms"]);
  assert.deepEqual(ticks.changes(-0.021, 0.021, 5).labels.map(plain), ["-2 %", "-1 %", "0 %", "+1 %", "+2 %"]);
  assert.deepEqual(ticks.ordinals(-0.5, 9.5, 2).at, [4, 9]);
  assert.ok(ticks.steps(5, 5, 3).at.length > 0);
});

test("distances from the mean are marked in standard deviations, and running time in its own unit", () => {
  assert.deepEqual(ticks.deviations(-4, 3, 20).labels.map(plain), ["-4s", "-3s", "-2s", "-s", "x\u0305", "s", "2s", "3s"]);
  assert.deepEqual(ticks.deviations(-1, 1, 40).at, [-1, 0, 1], "whole ones only");
  const { at, labels } = ticks.quantitiesOf("us", 500)(0, 2000, 4, false);
  assert.deepEqual([at.map(Math.abs), labels.map(plain)], [[0, 1000, 2000], ["0.0 s", "0.5 s", "1.0 s"]]);
});

test("rows are sorted by size or letter, what is missing last both ways", () => {
  const sorted = (falling) => [3, null, 1, 2].sort((a, b) => table.compared(a, b, falling));
  assert.deepEqual(sorted(false), [1, 2, 3, null]);
  assert.deepEqual(sorted(true), [3, 2, 1, null]);
  assert.ok(table.compared("sort/100", "sort/1000", false) < 0);
});

test("a round that is held stays when the mouse moves on", () => {
  const chosen = new selection.Selection();
  chosen.hover(4);
  chosen.hold(5);
  chosen.hover(6);
  assert.equal(chosen.round, 5);
  chosen.hold(5);
  chosen.hover(6);
  assert.equal(chosen.round, 6);
  chosen.move(10, 12);
  assert.deepEqual([chosen.round, chosen.held], [11, true]);
  chosen.release();
  assert.deepEqual([chosen.round, chosen.held], [null, false]);
});

test("samples stand at their round, and those of no round between", () => {
  assert.deepEqual([...model.placesOf(4, undefined)], [0, 1, 2, 3]);
  assert.deepEqual([...model.placesOf(3, Uint32Array.of(0, 1, 2))], [0, 1, 2]);
  // Sample 0 is a warm-up, 2 and 3 were failed rounds, 5 came after the last.
  assert.deepEqual([...model.placesOf(6, Uint32Array.of(1, 4))], [-0.5, 0, 1 / 3, 2 / 3, 1, 1.5]);
  assert.deepEqual([...model.placesOf(0, Uint32Array.of())], []);
  assert.equal(model.placesOf(2, Uint32Array.of(0, 9)).length, 2);
});

test("arms are named by as much as tells them apart", () => {
  const arm = (name, group = "", metric = "wall") => ({ arm: name, group, metric });
  assert.deepEqual(model.armKeys([arm("a"), arm("b")]), ["a", "b"]);
  assert.deepEqual(model.armKeys([arm("a", "x"), arm("a", "y")]), ["x/a", "y/a"]);
  assert.deepEqual(model.armKeys([arm("a"), arm("a", "", "cpu")]), ["/a/wall", "/a/cpu"]);
  assert.deepEqual(model.armKeys([arm("a"), arm("a")]), ["arm 0", "arm 1"]);
  assert.equal(model.armKeys([arm("\ud800")])[0], "\ufffd");
});

test("arms whose names differ in one number are one line, from the smallest to the largest", () => {
  const { data, bytes } = suite({ rounds: 20 });
  const lines = growth.growths(new model.Model(data, bytes.base64()));
  assert.deepEqual(lines.map(({ name, points }) => [name, points.map(({ at }) => at)]), [["sort/… · main", [100, 1000, 10000, 100000]], ["sort/… · work tree", [100, 1000, 10000, 100000]]]);
  // The size in group and name alike, as `utf8/100_000 · utf8/100_000 (old)`.
  for (const one of data.arms) one.arm = `${one.group.replace("100000", "100_000")} (${one.arm})`;
  const twice = growth.growths(new model.Model(data, bytes.base64()));
  assert.deepEqual(twice.map(({ points }) => points.length), [3, 3]);
  for (const one of data.arms) one.group = one.group.replace("100000", "100_000");
  assert.deepEqual(growth.growths(new model.Model(data, bytes.base64())).map(({ name, points }) => [name, points.length]), [["sort/… · sort/… (main)", 4], ["sort/… · sort/… (work tree)", 4]]);
});

const TIMES = ["slower", "faster"];
const told = (verdict, estimate, more = {}) => ({ verdict, effect: { estimate, low: null, high: null }, baseline: "old", candidate: "new", ...more });

test("a suite is counted by verdict, without a baseline measured against itself", () => {
  const comparisons = [told("same", 0), told("slower", 0.2), told("unclear", 0.1), told("slightly faster", -0.01), told("slower", 0.1), told("slower", 0.3, { control: true })];
  const counts = (directions) => together.headline(together.verdictCounts(comparisons, comparisons.map((_, place) => ({ directions: directions[place % directions.length] }))));
  assert.equal(counts([TIMES]), "2 slower, 1 slightly faster, 1 the same, 1 inconclusive");
  assert.equal(counts([TIMES, ["worse", "better"]]), "2 worse, 1 slightly better, 1 the same, 1 inconclusive");
});

test("a verdict that the page does not know is shown as it is", () => {
  assert.deepEqual(["unclear", "slightly faster", "__proto__"].map((verdict) => together.verdictWord(verdict, TIMES)), ["inconclusive", "slightly faster", "__proto__"]);
});

test("changes come first, the biggest by its factor; then what is inconclusive, then the same", () => {
  const comparisons = [told("same", 0.009), told("unclear", 0.4), told("slower", 0.5), told("faster", -0.4), told("slightly slower", 0.02), told("unclear", null), told("slower", 9, { control: true })];
  assert.deepEqual(together.byChange(comparisons), [3, 2, 4, 1, 5, 0, 6]);
  assert.deepEqual(together.regressions(comparisons), [2, 4]);
});

test("what is alike in all names is cut once, at the end of a word or a folder", () => {
  const labels = (...comparisons) => together.labels(comparisons.map(([group, candidate, baseline]) => told("same", 0, { group, candidate, baseline })));
  assert.deepEqual(labels(["a/sort/10", "a/sort/10 (new)", "a/sort/10 (old)"], ["a/sort/100", "a/sort/100 (new)", "a/sort/100 (old)"]), { of: ["10", "100"], pair: " of new against old", begin: "a/sort/", end: "" });
  assert.deepEqual(labels(["", "gzip -1 words.txt", "cp"], ["", "gzip -9 words.txt", "cp"]), { of: ["-1", "-9"], pair: " against cp", begin: "gzip ", end: " words.txt" });
  assert.deepEqual(labels(["", "b", "a"], ["", "c", "b"]).of, ["b against a", "c against b"]);
  assert.deepEqual(labels(["x", "n", "o"], ["x", "n", "o"]).of, ["n", "n"], "the same two by two metrics");
  assert.deepEqual(labels(["sort/", "n", "o"], ["sort/10", "n", "o"]).of, ["sort/", "sort/10"], "no name becomes empty");
  assert.deepEqual(labels(["us1", "us1 (native)", "us1"], ["us2", "us2 (native)", "us2"]), { of: ["us1", "us2"], pair: " of native", begin: "", end: "" }, "the group's name once");
  assert.deepEqual(labels(["lengths::sort/5", "sort/5 (work tree)", "sort/5 (HEAD)"], ["lengths::scan/5", "scan/5 (work tree)", "scan/5 (HEAD)"]), { of: ["sort/5", "scan/5"], pair: " of work tree against HEAD", begin: "lengths::", end: "" }, "the group's name without its path");
  assert.deepEqual(labels(["us1", "us1 (native)", "us1"], ["us2", "us2 (wide)", "us2"]).of, ["us1 · native", "us2 · wide"]);
  assert.deepEqual(labels(["us1", "us1 (native)", "us1"], ["us1", "us1 (wide)", "us1"]), { of: ["native", "wide"], pair: " against us1", begin: "", end: "" });
});

test("a duration that nobody plans by has two digits", () => {
  assert.deepEqual([6.5301, 0.2134, 1e-5, 123, 0.09999, 59.99].map((seconds) => plain(units.roughDuration(seconds))), ["6.5 s", "210 ms", "10 µs", "120 s", "100 ms", "60 s"]);
});

test("the chart of percentiles holds the line and the band of the middle, not its wildest ends", () => {
  const percentiles = Array.from({ length: 99 }, (_, index) => index + 1);
  const ratios = percentiles.map((percent) => (percent === 88 ? 12 : 0.05));
  const [low, high] = [-0.02, 0.12].map((end) => percentiles.map((percent) => (percent > 90 ? null : percent < 5 ? 9 * Math.sign(end) : end)));
  assert.deepEqual(reach.reachOf(percentiles, ratios, low, high), [-0.02, 0.12]);
  assert.deepEqual(reach.reachOf(percentiles, ratios.map(() => null), low.map(() => null), high.map(() => null)), [0, 0]);
});

test("an axis holds a mode of one sample in eight, and one that is more than twenty times as far is logarithmic", () => {
  const context = (made, view = {}) => {
    const from = new model.Model(made.data, made.bytes.base64());
    return { model: from, store: { view: { ...state.FIRST_VIEW, ...view } }, shown: from.shown({ ...state.FIRST_VIEW, ...view }) };
  };
  const near = context(twoModes(3.5));
  const furthest = Math.max(...near.shown.series.flatMap(({ arm }) => [...arm.samples]));
  assert.ok(ranges.valueRange(near)[1] > furthest && ranges.valueRange(near)[1] < 1.1 * furthest);
  assert.deepEqual([3.5, 13, 40].map((times) => ranges.logarithmic(context(twoModes(times)))), [false, false, true]);
  const far = ranges.valueRange(context(twoModes(40)));
  assert.ok(far[0] > 0 && far[0] < 1e6 && far[1] > 46e6, `${far}`);
  assert.equal(ranges.logarithmic(context(twoModes(40), { log: false })), false);
  assert.ok(ranges.valueRange(context(twoModes(40), { log: true, y: [-5, 2e6] }))[0] > 0, "an address may ask for less than there is");
  const lost = twoModes(40);
  lost.data.arms[0].log_histogram = null;
  assert.equal(ranges.logarithmic(context(lost, { log: true })), false, "zero has no logarithm");
});

test("what lies outside of a range is counted, its ends are not", () => {
  assert.deepEqual([[1, 5], [2, 2], [1.5, 4], [6, 9]].map((range) => downsample.outside([1, 2, 2, 5], range)), [0, 2, 2, 4]);
});

test("the axis of the running mean is not set by its first samples", () => {
  const means = [10, 20, 100, 400].map((after) => ({ after, mean: 100, naive: 1000 / after, corrected: after < 50 ? null : 2000 / after }));
  assert.deepEqual(reach.reachOfMeans([means]), [80, 120]);
  assert.deepEqual(reach.reachOfMeans([means.slice(0, 1)]), [0, 200], "where there are no others, by those");
});

test("series of one thing have the axis of the article, arms that are compared have their own", () => {
  const made = gathered();
  const of = new model.Model(made.data, made.bytes.base64());
  const range = (view, from = of) => ranges.valueRange({ model: from, store: { view: { ...state.FIRST_VIEW, ...view } }, shown: from.shown({ ...state.FIRST_VIEW, ...view }) });
  const ends = (low, high) => ranges.padded(low, high);
  const charts = made.data.arms;
  assert.deepEqual(range({}), ends(Math.min(...charts.map(({ clean }) => clean.min)), Math.max(...charts.map(({ raw, clean }) => raw.mean + clean.iqr))));
  assert.deepEqual(range({ s: "i4" }), range({}), "also where one is chosen");
  assert.ok(range({ out: true })[1] < range({})[1], "the means of the clean rows");
  assert.deepEqual(range({ y: "all" }), ends(Math.min(...charts.map(({ raw }) => raw.min)), 22950));
  assert.deepEqual(range({ y: "clean" }), ends(Math.min(...charts.map(({ clean }) => clean.min)), Math.max(...charts.map(({ clean }) => clean.max))));
  assert.ok(range({ setup: true })[0] > 180 && range({ setup: true })[1] < range({})[1]);
  const two = pair();
  const [old, young] = two.data.arms;
  assert.deepEqual(range({}, new model.Model(two.data, two.bytes.base64())), ends(Math.min(old.axis.low, young.axis.low), Math.max(old.axis.high, young.axis.high)));
});

test("series of about a second each are equally wide, and a sample of two is found at its time", () => {
  const { data, bytes } = gathered();
  const of = new model.Model(data, bytes.base64());
  const { series, timeOfPlace } = of.shown({ ...state.FIRST_VIEW });
  assert.equal(series.length, 11);
  const ends = series.map(({ places }) => places[places.length - 1] * timeOfPlace);
  for (const [at, end] of ends.entries()) assert.ok(Math.abs(end / (data.arms[at].raw.mean * data.arms[at].raw.samples * data.arms[at].iterations) - 1) < 1e-9, `${end}`);
  const last = series[10];
  assert.deepEqual([0, last.places[0], last.places[0] + 1, 1e9].map((place) => model.sampleAt(last, place)), [0, 0, 1, undefined]);
  const corrected = of.shown({ ...state.FIRST_VIEW, setup: true });
  assert.deepEqual(corrected.series[10].places, last.places, "the time that passed stays");
  assert.ok(Math.abs(corrected.series[1].arm.samples[5] - (series[1].arm.samples[5] - 67)) < 1e-9);
});
