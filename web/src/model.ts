// What is on the page, ready to be asked for? Arms with their decoded samples, the series that belong to a comparison, and where each sample
// stands on the axis of rounds. Nothing is computed but decoding, sorting, leaving out what is beyond the fences, and taking off the set-up that the
// program found.

import { bytesOf, numbersOf, type Numbers } from "./columns";
import type { ArmChart, Bins, Box, Boxes, Comparison, ComparisonChart, Effect, Level, PageData, Pool, Statement } from "./data";
import { firstFrom } from "./downsample";
import { visible } from "./names";
import { byChange, labels, type Labels, withoutControls, withoutGroup } from "./suite";
import type { View } from "./state";
import { LOOKS, type Look } from "./theme";

export class Arm {
  readonly name: string;
  /** With the group, where there is one. */
  readonly label: string;
  private readonly sortedOnce: { raw?: Numbers; clean?: Numbers } = {};
  private corrected: Arm | null = null;

  constructor(readonly chart: ArmChart, readonly index: number, readonly key: string, readonly samples: Numbers) {
    this.name = visible(chart.arm);
    this.label = chart.group === "" || chart.group === chart.arm ? this.name : `${visible(chart.group)} · ${this.name}`;
  }

  /** Its group, where its name does not say that already. */
  get groupToo(): string {
    const { arm, group } = this.chart;
    return withoutGroup(arm, group) === arm ? visible(group) : "";
  }

  /** The same with the set-up taken from each sample, where there is one. */
  get withoutSetUp(): Arm {
    const { set_up, without_set_up } = this.chart;
    if (set_up === null || without_set_up === null) return this;
    return (this.corrected ??= new Arm(lowered(this.chart, set_up, without_set_up), this.index, this.key, this.samples.map((sample) => sample - set_up)));
  }

  box(clean: boolean): Box | null {
    return clean ? this.chart.clean : this.chart.raw;
  }

  /** What to keep of the samples; nothing to ask where all are. */
  keep(clean: boolean): ((sample: number) => boolean) | undefined {
    const fences = this.chart.fences;
    return clean && fences !== null ? (sample) => sample >= fences.low && sample <= fences.high : undefined;
  }

  sorted(clean: boolean): Numbers {
    const which = clean ? "clean" : "raw";
    const known = this.sortedOnce[which];
    if (known !== undefined) return known;
    const keep = this.keep(clean);
    const kept = keep === undefined ? this.samples.slice() : this.samples.filter(keep);
    return (this.sortedOnce[which] = kept.sort());
  }
}

/** All that is drawn of an arm, `less` lower; figures that are no mere shift come from the program. */
function lowered(chart: ArmChart, less: number, { raw, clean }: Boxes): ArmChart {
  const ends = <Ends extends { low: number; high: number }>(of: Ends | null) => of && { ...of, low: of.low - less, high: of.high - less };
  const bins = (of: Bins | null) => of && { ...of, edges: of.edges.map((edge) => edge - less) };
  return {
    ...chart, raw, clean, fences: ends(chart.fences), far_fences: ends(chart.far_fences), axis: ends(chart.axis),
    modes: chart.modes.map((mode) => ({ ...mode, place: mode.place - less })),
    histogram: bins(chart.histogram), log_histogram: null, deviations: bins(chart.deviations), clean_deviations: bins(chart.clean_deviations),
    quantiles: chart.quantiles && { ...chart.quantiles, sample: chart.quantiles.sample.map((value) => value - less) },
    normal_fit: chart.normal_fit && { ...chart.normal_fit, location: chart.normal_fit.location - less }, log_normal_fit: null,
    running_mean: chart.running_mean.map((one) => ({ ...one, mean: one.mean - less })),
  };
}

export interface Series {
  arm: Arm;
  look: Look;
  role: "baseline" | "candidate" | null;
  /** Where each of its samples stands on the common axis; ascends. */
  places: ArrayLike<number>;
}

/** Those whose samples stand in the order taken; the samples of the others are shuffled. */
export function inOrder(series: Series[]): Series[] {
  return series.filter(({ arm }) => !arm.chart.order_lost);
}

export interface RoundData {
  count: number;
  baseline: Numbers;
  candidate: Numbers;
  change: Numbers;
  candidateFirst: Numbers | null;
  launches: number[];
}

/** One percentile of a service's response: in each slice, and in a typical one. */
export interface Response {
  percent: number;
  slices: Numbers;
  typical: Effect;
}

/** A service under load. */
export interface Slices {
  started: Numbers;
  responses: Response[];
  errors: Numbers;
  stalls: Numbers;
}

/** What is shown together: a comparison with its two arms, or, where there is none, the arms of one metric. */
export interface Shown {
  index: number | null;
  comparison: Comparison | null;
  chart: ComparisonChart | null;
  statement: Statement | null;
  rounds: RoundData | null;
  series: Series[];
  unit: string;
  /** Where nothing is compared: the series of one thing, gathered with ever more iterations. */
  pool: Pool | null;
  /** Of such series places are running time: how much of it from one place to the next. */
  timeOfPlace: number | null;
}

/** The sample of a series that is shown at a place, where the samples have no rounds; none beyond its last. */
export function sampleAt({ places }: Series, place: number): number | undefined {
  const at = firstFrom(places, place);
  return at < places.length ? at : undefined;
}

export class Model {
  readonly arms: Arm[];
  /** What the comparisons are called beside each other; null unless there are several. */
  readonly labels: Labels | null;
  /** Whether several comparisons are told of together; a baseline that was measured against itself makes no suite. */
  readonly isSuite: boolean;
  /** Places of the comparisons, the biggest change first. */
  readonly order: number[];
  private readonly bytes: Uint8Array<ArrayBuffer>;
  private readonly shownOnce = new Map<string, Shown>();

  constructor(readonly data: PageData, base64: string) {
    this.bytes = bytesOf(base64);
    const keys = armKeys(data.arms);
    const { comparisons } = data.analysis;
    this.labels = comparisons.length < 2 ? null : labels(comparisons);
    this.isSuite = withoutControls(comparisons).length > 1;
    this.order = byChange(comparisons);
    this.arms = data.arms.map((chart, index) => new Arm(chart, index, keys[index]!, numbersOf(this.bytes, chart.samples)));
  }

  /** The smallest change worth acting on. */
  get margin(): number {
    return this.data.comparisons[0]?.margin ?? this.data.analysis.settings.margin_percent / 100;
  }

  /** The place of the comparison that is shown; the biggest change where none was chosen. */
  placeOf(chosen: number | null): number {
    return Math.min(chosen ?? this.order[0] ?? 0, this.data.comparisons.length - 1);
  }

  /** What a comparison is called, with what was cut from all names. */
  nameOf(place: number): string {
    const { of, begin, end } = this.labels ?? { of: [], begin: "", end: "" };
    return begin + (of[place] ?? "") + end;
  }

  /** The comparison of this place; where there is none, the arms of the chosen one's pool or metric. */
  shown({ c: place, s: chosen, setup }: Pick<View, "c" | "s" | "setup">): Shown {
    const index = this.data.comparisons.length === 0 ? null : this.placeOf(place);
    const first = this.arms.find((arm) => arm.key === chosen) ?? this.arms[0];
    const gathered = first === undefined ? null : this.gathered(first);
    const key = `${setup} ${index ?? (gathered === null ? `${first?.chart.metric} ${first?.chart.unit}` : `all ${gathered.arms[0]}`)}`;
    let shown = this.shownOnce.get(key);
    if (shown === undefined) {
      shown = index === null ? this.without(first, gathered) : this.of(index);
      if (setup) shown = { ...shown, series: shown.series.map((series) => ({ ...series, arm: series.arm.withoutSetUp })) };
      // One at a time: the lists of a comparison of a million rounds are large.
      this.shownOnce.clear();
      this.shownOnce.set(key, shown);
    }
    return shown;
  }

  levelOf(arm: Arm): Level | undefined {
    const { chart } = arm;
    return this.data.analysis.levels.find((level) => level.arm === chart.arm && (level.group ?? "") === chart.group && level.metric === chart.metric);
  }

  /** The slices of an arm that is a service. */
  slicesOf(arm: Arm): Slices | null {
    const of = this.data.services?.find((service) => service.arm === arm.chart.arm && service.group === arm.chart.group);
    if (of === undefined) return null;
    const numbers = (column: ArmChart["samples"]) => numbersOf(this.bytes, column);
    return { started: numbers(of.started), responses: of.responses.map((response) => ({ ...response, slices: numbers(response.slices) })), errors: numbers(of.errors), stalls: numbers(of.stalls) };
  }

  private of(index: number): Shown {
    const chart = this.data.comparisons[index]!;
    const [baseline, candidate] = [this.arms[chart.baseline], this.arms[chart.candidate]];
    const rounds = chart.rounds === null ? null : {
      count: chart.rounds.change.length,
      baseline: numbersOf(this.bytes, chart.rounds.baseline),
      candidate: numbersOf(this.bytes, chart.rounds.candidate),
      change: numbersOf(this.bytes, chart.rounds.change),
      candidateFirst: chart.rounds.candidate_first === null ? null : numbersOf(this.bytes, chart.rounds.candidate_first),
      launches: chart.rounds.launches,
    };
    const series: Series[] = [];
    if (baseline !== undefined) series.push({ arm: baseline, look: LOOKS[0]!, role: "baseline", places: placesOf(baseline.samples.length, rounds?.baseline) });
    if (candidate !== undefined) series.push({ arm: candidate, look: LOOKS[1]!, role: "candidate", places: placesOf(candidate.samples.length, rounds?.candidate) });
    const comparison = this.data.analysis.comparisons[index] ?? null;
    return { index, comparison, chart, statement: this.data.words.comparisons[index] ?? null, rounds, series, unit: baseline?.chart.unit ?? comparison?.unit ?? "", pool: null, timeOfPlace: null };
  }

  /** The pool of an arm that is a series of some thing. */
  private gathered(arm: Arm): Pool | null {
    return arm.chart.iterations === null ? null : this.data.pools.find(({ arms }) => arms.includes(arm.index)) ?? null;
  }

  private without(first: Arm | undefined, pool: Pool | null): Shown {
    const alike = this.arms.filter((arm) => (pool === null ? arm.chart.metric === first?.chart.metric && arm.chart.unit === first?.chart.unit : pool.arms.includes(arm.index))).slice(0, LOOKS.length);
    const kept = first === undefined || alike.includes(first) ? alike : [first, ...alike.slice(0, -1)];
    const { places, timeOfPlace } = pool === null ? { places: kept.map(({ samples }) => placesOf(samples.length, undefined)), timeOfPlace: null } : runningTimes(kept);
    const series = kept.map((arm, index) => ({ arm, look: LOOKS[index]!, role: null, places: places[index]! }));
    return { index: null, comparison: null, chart: null, statement: null, rounds: null, series, unit: first?.chart.unit ?? "", pool, timeOfPlace };
  }
}

/** When each sample ended, in steps of which the longest series has as many as samples: series of a second each are then equally wide. */
function runningTimes(arms: Arm[]): { places: Numbers[]; timeOfPlace: number | null } {
  const times = arms.map(({ chart, samples }) => {
    let time = 0;
    return Float64Array.from(samples, (cost) => (time += Math.max(0, cost) * (chart.iterations ?? 1)));
  });
  const longest = Math.max(...times.map((ends) => ends[ends.length - 1] ?? 0));
  const most = Math.max(1, ...arms.map(({ samples }) => samples.length));
  if (!(longest > 0 && longest < Infinity)) return { places: arms.map(({ samples }) => Float64Array.from(samples, (_, index) => index)), timeOfPlace: null };
  return { places: times.map((ends) => ends.map((end) => (end / longest) * (most - 1))), timeOfPlace: longest / Math.max(1, most - 1) };
}

/** Sample by sample its round, if it has one; samples between two rounds stand between them. */
export function placesOf(samples: number, ofRounds: Numbers | undefined): ArrayLike<number> {
  const places = new Float64Array(samples);
  const rounds = ofRounds?.length ?? 0;
  if (ofRounds === undefined || rounds === 0) {
    for (let index = 0; index < samples; index += 1) places[index] = index;
    return places;
  }
  let next = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const at = round < rounds ? Math.min(ofRounds[round]!, samples - 1) : samples;
    const before = at - next;
    for (let index = next; index < at; index += 1) places[index] = round - 1 + (index - next + 1) / (before + 1);
    if (round < rounds && at >= next) places[at] = round;
    next = Math.max(next, at + 1);
  }
  return places;
}

/** What names an arm in an address: its name, and as much more as tells it from the others. */
export function armKeys(arms: ArmChart[]): string[] {
  const wider = [(arm: ArmChart) => arm.arm, (arm: ArmChart) => `${arm.group}/${arm.arm}`, (arm: ArmChart) => `${arm.group}/${arm.arm}/${arm.metric}`];
  const counts = wider.map((key) => {
    const count = new Map<string, number>();
    for (const arm of arms) count.set(key(arm), (count.get(key(arm)) ?? 0) + 1);
    return count;
  });
  return arms.map((arm, index) => {
    const which = counts.findIndex((count, width) => count.get(wider[width]!(arm)) === 1);
    // Halves of characters cannot stand in an address.
    return which < 0 ? `arm ${index}` : wider[which]!(arm).replace(/\p{Cs}/gu, "\ufffd");
  });
}
