// What is in the pages of the tests? Data made here from a seed, in the shape of ../src/data.ts. The statistics are simple stand-ins for those that the
// program computes: they only have to look alike.

/** The same numbers for the same seed, everywhere (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const normal = (next) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

/** Times with memory, a long tail and now and then another mode; the same machine for all arms. */
export function machine(n, seed) {
  const next = random(seed);
  let drift = 0;
  return Float64Array.from({ length: n }, () => {
    drift = 0.9 * drift + 0.004 * normal(next);
    return drift + (next() < 0.01 ? 0.3 * next() : 0);
  });
}

export function times(weather, centre, seed, modes = false) {
  const next = random(seed);
  return weather.map((disturbed) => centre * Math.exp(disturbed + 0.004 * Math.abs(normal(next)) + 0.002 * normal(next) + (modes && next() < 0.3 ? 0.02 : 0)));
}

export class Bytes {
  parts = [];
  offset = 0;
  add(array) {
    const kind = { Float64Array: "f64", Float32Array: "f32", Uint32Array: "u32" }[array.constructor.name];
    const column = { kind, offset: this.offset, length: array.length };
    this.parts.push(Buffer.from(array.buffer, array.byteOffset, array.byteLength));
    this.offset += array.byteLength;
    return column;
  }
  base64() {
    return Buffer.concat(this.parts).toString("base64");
  }
}

const quantile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];

function box(sorted) {
  if (sorted.length === 0) return null;
  const mean = sorted.reduce((a, b) => a + b, 0) / sorted.length;
  const sd = Math.sqrt(sorted.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, sorted.length - 1));
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((p) => quantile(sorted, p));
  const [min, max] = [sorted[0], sorted[sorted.length - 1]];
  const over = (value, by) => (by > 0 ? value / by : null);
  return {
    samples: sorted.length, min, q1, median, q3, max, range: max - min, range_over_min: over(max - min, min), iqr: q3 - q1, iqr_over_median: over(q3 - q1, median),
    mean, mean_over_min: over(mean - min, min), sd, cv: over(sd, mean),
  };
}

/** Bins of one standard deviation, as ../src/charts/deviations.ts wants them. */
function deviations(sorted, of) {
  if (of === null || !(of.sd > 0)) return null;
  const edges = Array.from({ length: 13 }, (_, i) => of.mean + (i - 4) * of.sd);
  const counts = new Array(12).fill(0);
  let [below, above] = [0, 0];
  for (const value of sorted) {
    const bin = Math.floor((value - of.mean) / of.sd) + 4;
    if (bin < 0) below += 1;
    else if (bin >= 12) above += 1;
    else counts[bin] += 1;
  }
  return { edges, counts, below, above };
}

function bins(sorted, log, fences, range = null) {
  if (log && sorted[0] <= 0) return null;
  const [low, high] = range ?? (log ? [sorted[0], sorted[sorted.length - 1]] : [Math.max(sorted[0], fences.low), Math.min(sorted[sorted.length - 1], fences.high)]);
  const count = 40;
  const edges = Array.from({ length: count + 1 }, (_, i) => (log ? low * (high / low) ** (i / count) : low + ((high - low) * i) / count));
  const counts = new Array(count).fill(0);
  let [below, above] = [0, 0];
  for (const value of sorted) {
    if (value < low) below += 1;
    else if (value > high) above += 1;
    else counts[Math.min(count - 1, Math.max(0, Math.floor(count * (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)))))] += 1;
  }
  return { edges, counts, below, above };
}

function correlations(values, most) {
  const n = Math.min(values.length, 20_000);
  let mean = 0;
  for (let i = 0; i < n; i += 1) mean += values[i] / n;
  let zero = 0;
  for (let i = 0; i < n; i += 1) zero += (values[i] - mean) ** 2;
  return Array.from({ length: Math.min(most, n - 1) }, (_, k) => {
    let sum = 0;
    for (let i = 0; i + k + 1 < n; i += 1) sum += (values[i] - mean) * (values[i + k + 1] - mean);
    return sum / zero;
  });
}

const probit = (p) => {
  // Good to a hundredth, which is a pixel.
  const t = Math.sqrt(-2 * Math.log(Math.min(p, 1 - p)));
  const z = t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3);
  return p < 0.5 ? -z : z;
};

export function arm(bytes, name, samples, { group = "", metric = "wall", unit = "ns", launches = [0], modes = [], orderLost = false, iterations = null, setUp = null, range = null } = {}) {
  const sorted = samples.slice().sort();
  const raw = box(sorted);
  const fences = { low: raw.q1 - 1.5 * raw.iqr, high: raw.q3 + 1.5 * raw.iqr };
  const beyond = Math.max(4, Math.floor(samples.length / 100));
  const axis = { low: Math.max(raw.min, fences.low), high: Math.min(raw.max, Math.max(fences.high, 1.1 * (sorted[sorted.length - 1 - beyond] ?? 0))) };
  const logs = box(sorted.map((value) => Math.log(Math.max(1e-12, value))));
  const ps = Array.from({ length: Math.min(200, samples.length) }, (_, i, all = Math.min(200, samples.length)) => (i + 0.5) / all);
  const every = [];
  let sum = 0;
  let after = 0;
  for (const value of samples) {
    sum += value;
    after += 1;
    if (after >= 5 && (every.length === 0 || after >= 1.08 * every[every.length - 1].after || after === samples.length)) {
      const naive = (2.6 * raw.sd) / Math.sqrt(after);
      every.push({ after, mean: sum / after, naive, corrected: after < 20 ? null : 2.2 * naive });
    }
  }
  const inside = sorted.filter((v) => v >= fences.low && v <= fences.high);
  const clean = box(inside);
  const less = (values) => box(values.map((value) => value - setUp / iterations));
  return {
    arm: name, group, metric, unit, order_lost: orderLost, samples: bytes.add(samples), launches, iterations, raw, clean, fences, axis, modes,
    far_fences: { low: raw.q1 - 3 * raw.iqr, high: raw.q3 + 3 * raw.iqr }, deviations: deviations(sorted, raw), clean_deviations: deviations(inside, clean),
    set_up: setUp === null ? null : setUp / iterations, without_set_up: setUp === null ? null : { raw: less(sorted), clean: less(inside) },
    histogram: bins(sorted, false, axis, range), log_histogram: bins(sorted, true, axis),
    quantiles: { normal: ps.map(probit), sample: ps.map((p) => quantile(sorted, p)) },
    normal_fit: { location: raw.mean, scale: raw.sd }, log_normal_fit: { location: logs.mean, scale: logs.sd },
    autocorrelation: orderLost ? [] : correlations(samples, 30), independent_within: 1.96 / Math.sqrt(samples.length), running_mean: orderLost ? [] : every,
  };
}

export function level(chart) {
  const { raw } = chart;
  return {
    arm: chart.arm, group: chart.group, metric: chart.metric, unit: chart.unit, from: "samples", samples: raw.samples, failed: 0, launches: chart.launches.length, iterations: 1,
    min: raw.min, mean: raw.mean, median: raw.median, max: raw.max, sd: raw.sd, iqr: raw.iqr, cv: raw.cv, iqr_over_median: raw.iqr / raw.median, mean_over_min: raw.mean / raw.min - 1,
    mean_error: { half_width: raw.sd / 8, standard_error: raw.sd / 20, naive: raw.sd / 30, effective_samples: raw.samples / 2, inflation: 2 },
    outliers: outliers(chart),
    percentiles: [{ percent: 95, value: raw.q3 + raw.iqr, low: null, high: null }],
    ...(raw.sd > 0 ? { distribution: { better: "log-normal", normal_p: 0.001, log_normal_p: 0.2, bottom_sigma: (raw.mean - raw.min) / raw.sd, top_sigma: (raw.max - raw.mean) / raw.sd, sentence: `not normal: maximum at ${((raw.max - raw.mean) / raw.sd).toFixed(1)} σ; log-normal fits better` } } : {}),
  };
}

/** As many below as above: the pages only have to show the number. */
function outliers({ raw, clean, fences }) {
  const all = raw.samples - clean.samples;
  return { low_fence: fences.low, high_fence: fences.high, below: Math.floor(all / 2), above: Math.ceil(all / 2) };
}

/** Series of one thing together. Their samples, with and without those beyond each one's own fences. */
export function pool(places, all, { name = "", setUp = null, arms = [] } = {}) {
  const boxes = (less) => {
    const union = (keep) => {
      const values = [];
      places.forEach((place, at) => { for (const value of all[at]) if (keep(arms[place], value)) values.push(value - less(arms[place])); });
      return Float64Array.from(values).sort();
    };
    return { raw: box(union(() => true)), clean: box(union(({ fences }, value) => value >= fences.low && value <= fences.high)) };
  };
  return { arms: places, name, ...boxes(() => 0), set_up: setUp, without_set_up: setUp === null ? null : boxes((of) => of.set_up) };
}

/** A candidate against its baseline, in rounds that a coin ordered. */
export function comparison(bytes, arms, b, c, old, young, { margin = 0.01, launches = [0], byLaunch = false, group = "", seed = 1 } = {}) {
  const n = Math.min(old.length, young.length);
  const change = Float64Array.from({ length: n }, (_, i) => young[i] / old[i] - 1);
  const coin = random(seed + 99);
  const first = Uint32Array.from({ length: n }, () => (coin() < 0.5 ? 1 : 0));
  const sorted = change.slice().sort();
  const estimate = quantile(sorted, 0.5);
  const spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) || 1e-4;
  const effects = launches.map((start, i) => quantile(change.slice(start, launches[i + 1] ?? n).sort(), 0.5));
  const values = byLaunch ? effects : change;
  const moments = [];
  for (let after = 1; after <= values.length; after = Math.max(after + 1, Math.ceil(after * 1.06))) {
    const half = (3.4 * spread) / Math.sqrt(after);
    const so_far = quantile(Float64Array.from(values.slice(0, after)).sort(), 0.5);
    moments.push({ after, effect: after < 8 ? { estimate: so_far, low: null, high: null } : { estimate: so_far, low: so_far - half, high: so_far + half } });
  }
  const half = (3.4 * spread) / Math.sqrt(values.length);
  const effect = { estimate, low: estimate - half, high: estimate + half };
  const percent = (value) => `${(100 * Math.abs(value)).toFixed(2)} %`;
  const [name, base] = [arms[c].arm, arms[b].arm];
  const verdict = effect.low > margin ? "slower" : effect.high < -margin ? "faster" : effect.low > -margin && effect.high < margin ? "same" : effect.low > 0 ? "slightly slower" : effect.high < 0 ? "slightly faster" : "unclear";
  const [young_, old_] = [{ name }, { name: base }];
  const claim = verdict === "same" ? [young_, " and ", old_, ` are the same within 1 %: ${percent(estimate)}`] : verdict === "unclear" ? [{ verdict: "unclear" }, " whether ", young_, " differs from ", old_, `: ${percent(estimate)}`] : [young_, ` is ${percent(estimate)} `, { verdict: estimate > 0 ? "slower" : "faster" }, " than ", old_, ` [${percent(effect.low)}, ${percent(effect.high)}]`];
  const percents = [0, 25, 50, 67, 80, 85, 90, 95, 99, 100];
  const [so, sy] = [old.slice().sort(), young.slice().sort()];
  const ratio = (p) => quantile(sy, p / 100) / quantile(so, p / 100);
  const fine = Array.from({ length: 99 }, (_, i) => i + 1);
  const width = (p) => 0.002 + 0.02 * Math.abs(p / 100 - 0.5) ** 3;
  return {
    chart: {
      baseline: b, candidate: c, margin, min_change: arms[c].raw.min / arms[b].raw.min - 1, seconds: (old.reduce((a, b) => a + b, 0) + young.reduce((a, b) => a + b, 0)) * 1e-9,
      rounds: { baseline: { kind: "counting", length: n }, candidate: { kind: "counting", length: n }, change: bytes.add(change), launches, candidate_first: bytes.add(first) },
      unit_of_moments: byLaunch ? "launch" : "round", moments,
      shift: { confidence: 0.99, percentiles: fine, ratios: fine.map(ratio), low: fine.map((p) => ratio(p) - width(p)), high: fine.map((p) => (p === 99 ? null : ratio(p) + width(p))) },
      autocorrelation: correlations(change, 30), independent_within: 1.96 / Math.sqrt(n),
      order: {
        candidate_first: { rounds: Math.floor(n / 2), effect: { estimate: estimate + half / 3, low: estimate - half, high: estimate + 1.5 * half } },
        candidate_second: { rounds: n - Math.floor(n / 2), effect: { estimate: estimate - half / 3, low: estimate - 1.5 * half, high: estimate + half } },
      },
    },
    statement: {
      means: [`minima of ${base} and ${name}`, "means", "without 3 rounds that stand out, about as many and as far on both sides", "this assumes independent rounds and a single look at the end; the verdict assumes neither"],
      claim, basis: [`99 % sure, ${launches.length > 1 ? `${launches.length} launches, ` : ""}${n} rounds, 5.1 s`], directions: ["slower", "faster"],
    },
    told: {
      baseline: base, candidate: name, group, metric: arms[b].metric, unit: arms[b].unit, better: "lower", kind: "paired", verdict,
      effect, confidence: 0.99, rounds: n, launches: launches.length, seconds: 5.1, ...(byLaunch ? { launch_effects: effects, within_launches: effect } : {}),
      mean: { baseline_min: arms[b].raw.min, candidate_min: arms[c].raw.min, baseline_mean: arms[b].raw.mean, candidate_mean: arms[c].raw.mean, difference: arms[c].raw.mean - arms[b].raw.mean, difference_percent: 100 * (arms[c].raw.mean / arms[b].raw.mean - 1), z: 7.5, change_detected: true },
      percentiles: percents.map((p) => ({ percent: p, baseline: quantile(so, p / 100), candidate: quantile(sy, p / 100), scaled: ratio(p), low: p === 100 ? null : ratio(p) - 0.004, high: p === 100 ? null : ratio(p) + 0.004 })),
    },
  };
}

const FACTS = [["machine", "Debian 12, Linux 6.1, 2 cores"], ["processor", "Intel Xeon, 2.1 GHz, pinned to CPU 1"], ["command of old", "target/old/sort bytes.txt"], ["command of new", "target/new/sort bytes.txt"], ["seed", "8127498124"], ["programs", "evenhand 0.1.0, rustc 1.89.0"]];

export function page(arms, comparisons, more = {}) {
  return {
    written_by: "evenhand 0.1.0", title: more.title ?? "sort: new against old", head: { project: "sorting", revision: "main 0123456789, with changes", machine: "bench1, Intel Xeon, 2 processors", ...more.head }, facts: [...FACTS], arms, pools: more.pools ?? [], comparisons: comparisons.map(({ chart }) => chart),
    words: { comparisons: comparisons.map(({ statement }) => statement), warnings: more.warnings ?? [], ...(more.assumption === undefined ? {} : { assumption: more.assumption }) },
    analysis: {
      trial: { id: "4ebabfd2", label: more.label ?? "sort", started: "2026-03-01 10:12:44 UTC", state: "complete", randomised: true, ...more.trial },
      settings: { confidence: 0.99, margin_percent: 1 }, comparisons: comparisons.map(({ told }) => told), levels: more.levels ?? arms.filter(({ raw }) => raw !== null).map(level), warnings: [], notes: more.notes ?? ["a coin decided the order in every round, so noise fell on all alike", "pinned to CPU 1"],
      ...(more.suite === undefined ? {} : { suite: more.suite }),
    },
  };
}

/** Two arms in rounds. */
export function pair({ rounds = 400, effect = 0.021, launches = 1, byLaunch = false, names = ["old", "new"], seed = 7, ...more } = {}) {
  const bytes = new Bytes();
  const weather = machine(rounds, seed);
  const [old, young] = [times(weather, 16.9e6, seed + 1), times(weather, 16.9e6 * (1 + effect), seed + 2, true)];
  const starts = Array.from({ length: launches }, (_, i) => Math.floor((i * rounds) / launches));
  const arms = [arm(bytes, names[0], old, { launches: starts }), arm(bytes, names[1], young, { launches: starts, modes: [{ place: 17.3e6, share: 0.68 }, { place: 17.62e6, share: 0.32 }] })];
  const pools = [pool([0, 1], [old, young], { arms })];
  return { data: page(arms, [comparison(bytes, arms, 0, 1, old, young, { launches: starts, byLaunch, seed })], { pools, ...more }), bytes };
}

/** Two arms of 400 samples, of which one in eight is slower than the others by this factor. */
export function twoModes(times, more = {}) {
  const [bytes, next] = [new Bytes(), random(3)];
  const samples = (centre) => Float64Array.from({ length: 400 }, (_, index) => (index % 8 === 0 ? times : 1) * centre * (1 + 0.1 * next()));
  const [old, young] = [samples(1e6), samples(1.05e6)];
  if (more.stray !== undefined) old[5] = more.stray;
  const arms = [arm(bytes, "old", old), arm(bytes, "new", young)];
  return { data: page(arms, [comparison(bytes, arms, 0, 1, old, young)]), bytes };
}

/** One array that is reversed 1, 2, 4 … times in a sample of about a second each, as in Vaskovic's article: a work of 190 µs and a set-up of 134 µs. */
export function gathered({ counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], first = 2048, label = "sampling" } = {}) {
  const bytes = new Bytes();
  const [work, setUp] = [190, 134];
  const all = counts.map((iterations, at) => {
    const next = random(40 + at);
    return Float64Array.from({ length: first / iterations }, () => work + setUp / iterations + (next() < 0.06 ? 400 * next() / iterations : 2 * next()));
  });
  // Three samples in which another process ran, as the article's i1 has them.
  if (all[0].length > 1500) for (const [at, time] of [[100, 22950], [700, 9000], [1500, 5000]]) all[0][at] = time;
  // The smallest are exact, so that the set-up is.
  all.forEach((samples, at) => { samples[samples.length - 1] = work + setUp / counts[at]; });
  const arms = counts.map((iterations, at) => arm(bytes, `i${iterations}`, all[at], { group: `i${iterations}`, metric: "time", unit: "us", iterations, setUp, range: [work, 2 * work + setUp] }));
  const pools = [pool(counts.map((_, at) => at), all, { name: "load a", setUp: { cost: setUp, share: setUp / (work + setUp), iterations: [counts[0], counts[1]] }, arms })];
  return { data: page(arms, [], { title: label, label, pools }), bytes };
}

const GROUPS = [["sort/100", 1.2e3, 0.03], ["sort/1000", 15e3, 0.025], ["sort/10000", 190e3, 0.002], ["sort/100000", 2.4e6, -0.05], ["parse", 88e3, 0.006], ["encode", 3.1e6, -0.012]];

/** Thirty benchmarks that begin alike, as `evenhand compare` names them: twelve slower, eight faster, ten the same. */
export function thirty(more = {}) {
  const effects = [0.7, 0.03, -0.05, 0.001, 0.12, -0.0005, -0.2, 0.045, 0.0012, 0.33];
  const groups = ["maximum", "parse_header", "encode"].flatMap((name, kind) => effects.map((effect, at) => [`bench/${name}/${[10, 9, 100, 20, 1000, 2000, 50, 5, 3, 1][at]}`, 1e3 * 4 ** (at % 5), effect * (1 - kind / 5)]));
  groups[7][2] = -0.05;
  groups[14][2] = -0.04;
  groups[4][2] = 0.002;
  return suite({ rounds: 60, groups, named: true, ...more });
}

/** A suite of benchmarks, three of them of growing size. */
export function suite({ rounds = 120, groups = GROUPS, ...more } = {}) {
  const bytes = new Bytes();
  const arms = [];
  const samples = [];
  const comparisons = [];
  groups.forEach(([group, centre, effect], index) => {
    const weather = machine(rounds, 100 + index);
    const [old, young] = [times(weather, centre, 200 + index), times(weather, centre * (1 + effect), 300 + index)];
    const name = (revision) => (more.named ? `${group} (${revision})` : revision);
    arms.push(arm(bytes, name("main"), old, { group }), arm(bytes, name("work tree"), young, { group }));
    samples.push(old, young);
    comparisons.push(comparison(bytes, arms, 2 * index, 2 * index + 1, old, young, { group, seed: index }));
  });
  const pools = groups.map(([group], index) => pool([2 * index, 2 * index + 1], samples.slice(2 * index, 2 * index + 2), { name: group, arms }));
  const data = page(arms, comparisons, { pools, title: "compare --git main", suite: { metric: "wall", comparisons: groups.length, effect: { estimate: -0.001, low: -0.004, high: 0.002 }, sentence: "" }, ...more });
  return { data, bytes };
}

/** Two services under load, in slices of a second that a coin ordered: four percentiles of each, and some trouble of the second one. */
export function services({ slices = 60, calm = false, ...more } = {}) {
  const bytes = new Bytes();
  const next = random(17);
  const weather = machine(slices, 5);
  const all = [2.1e6, 2.6e6].map((centre, side) => times(weather, centre, 18 + side));
  const names = ["old", "new"];
  const percents = [[50, 0.2], [90, 0.45], [95, 0.6], [99, 1]];
  const arms = all.map((samples, side) => arm(bytes, names[side], samples, { metric: "response_p99" }));
  const first = Array.from({ length: slices }, () => (next() < 0.5 ? 0 : 1));
  const charts = all.map((samples, side) => {
    const trouble = (most, often) => Float32Array.from(samples, () => (side === 1 && !calm && next() < often ? most * next() : 0));
    const middle = (values) => {
      const sorted = Float64Array.from(values).sort();
      return { estimate: quantile(sorted, 0.5), low: slices < 8 ? null : quantile(sorted, 0.3), high: slices < 8 ? null : quantile(sorted, 0.7) };
    };
    return {
      arm: names[side], group: "", started: bytes.add(Float32Array.from({ length: slices }, (_, slice) => 1.2 * (2 * slice + (first[slice] === side ? 0 : 1)))),
      responses: percents.map(([percent, share]) => ({ percent, slices: bytes.add(Float32Array.from(samples, (sample) => sample * share)), typical: middle(samples.map((sample) => sample * share)) })),
      errors: bytes.add(trouble(0.04, 0.1)), stalls: bytes.add(trouble(2e8, 0.06)),
    };
  });
  const data = page(arms, [comparison(bytes, arms, 0, 1, all[0], all[1], { seed: 4, margin: 0.03 })], { title: "new against old", label: "load", ...more });
  return { data: { ...data, services: charts }, bytes };
}
