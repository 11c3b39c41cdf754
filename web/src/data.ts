// What is in a report page? The numbers to draw, all computed by the program that wrote the page: the page itself computes no
// statistic. The same names, in Rust: crates/evenhand-report/src/page/ and crates/evenhand-analysis/src/charts/.

/** The JSON in the element `#data`. */
export interface PageData {
  /** The program that wrote the page, with its version. */
  written_by: string;
  title: string;
  /** Whose figures these are: a folder without the way there, branch and commit, host and processor. */
  head: { project?: string; revision?: string; machine?: string };
  /** What is known of machine, tools and settings: a name and its value, both for people. */
  facts: [string, string][];
  analysis: Analysis;
  words: Words;
  arms: ArmChart[];
  /** Arms that are series of one thing, together. */
  pools: Pool[];
  /** One for each comparison of the analysis, in its order. */
  comparisons: ComparisonChart[];
  /** Services that were loaded, slice by slice; absent where nothing was loaded. */
  services?: SlicesChart[];
}

// ---- What the analysis says, part by part: nothing here reads a sentence. crates/evenhand-analysis/src/words/ makes them.

/** Our own words, the name of an arm, or the word of the verdict. */
export type Part = string | { name: string } | { verdict: string };

export interface Words {
  /** One for each comparison of the analysis, in its order. */
  comparisons: Statement[];
  warnings: { about?: string; message: Part[]; advice?: Part[] }[];
  /** What verdicts assume that do not rest on a random order. */
  assumption?: string;
}

export interface Statement {
  /** `new is 1.3 % faster than old [0.9 %, 1.8 %]` */
  claim: Part[];
  /** `99 % sure, 84 rounds, 5.1 s` */
  basis: Part[];
  /** What a positive change is called, and what a negative one: slower and faster, or worse and better. */
  directions: [string, string];
  /** What minima and means say, line by line; the last two: which rounds stand out, and what all of it assumes. */
  means?: string[];
}

// ---- Columns: long lists of numbers, in the element `#columns` as base64 of little-endian bytes, one after the other.

export type Column =
  | { kind: "f64" | "f32" | "u32"; offset: number; length: number }
  /** 0, 1, 2 … */
  | { kind: "counting"; length: number };

// ---- What can be drawn.

/** One arm by one metric. */
export interface ArmChart {
  arm: string;
  group: string;
  metric: string;
  unit: string;
  /** Whether it is not known in which order the samples were taken; they are shuffled then. */
  order_lost: boolean;
  /** The cost of one iteration, of each sample, in the order taken if it is known. Empty where another tool kept no samples. */
  samples: Column;
  /** Where in the samples each launch begins. */
  launches: number[];
  /** In each sample, where the arm is a series of some thing, gathered with ever more iterations. */
  iterations: number | null;
  /** With all samples, and without those beyond the fences. */
  raw: Box | null;
  clean: Box | null;
  fences: { low: number; high: number } | null;
  /** Three interquartile ranges beyond the quartiles, where fences stand at one and a half. */
  far_fences: { low: number; high: number } | null;
  /** What of each cost is set-up, and the figures without it. */
  set_up: number | null;
  without_set_up: Boxes | null;
  /** Where an axis of values goes: to the fences, and on to a mode or a tail that is too large to be outliers. */
  axis: { low: number; high: number } | null;
  modes: { place: number; share: number }[];
  histogram: Bins | null;
  /** The same with bins of equal width on a logarithmic axis; null where a sample is not above zero. */
  log_histogram: Bins | null;
  /** Bins of one standard deviation: four below the mean, eight above it. */
  deviations: Bins | null;
  clean_deviations: Bins | null;
  /** Standard normal quantiles and the samples' quantiles at the same probabilities. */
  quantiles: { normal: number[]; sample: number[] } | null;
  /** Mean and standard deviation of the samples, and of their logarithms. */
  normal_fit: Fit | null;
  log_normal_fit: Fit | null;
  /** At lags 1, 2, …; empty where the order is lost. */
  autocorrelation: number[];
  /** How far from 0 those of independent samples stay, 95 of 100. */
  independent_within: number;
  /** The mean of ever more samples. */
  running_mean: RunningMean[];
}

export interface Boxes {
  raw: Box | null;
  clean: Box | null;
}

/** The series of one thing: arms of one group, or those that differ in iterations alone. */
export interface Pool extends Boxes {
  /** Places in `PageData.arms`. */
  arms: number[];
  /** What they have in common; may be empty. */
  name: string;
  set_up: { cost: number; share: number; iterations: [number, number] } | null;
  without_set_up: Boxes | null;
}

export interface Box {
  samples: number;
  min: number;
  q1: number;
  median: number;
  q3: number;
  max: number;
  range: number;
  range_over_min: number | null;
  iqr: number;
  iqr_over_median: number | null;
  mean: number;
  mean_over_min: number | null;
  sd: number | null;
  cv: number | null;
}

/** `edges` has one more than `counts`. */
export interface Bins {
  edges: number[];
  counts: number[];
  below: number;
  above: number;
}

export interface Fit {
  location: number;
  scale: number;
}

export interface RunningMean {
  after: number;
  mean: number;
  /** Half of the interval, as if samples did not remember each other. */
  naive: number;
  /** The same with their memory; null where too few are independent to know. */
  corrected: number | null;
}

/** A candidate against its baseline. */
export interface ComparisonChart {
  /** Places in `PageData.arms`. */
  baseline: number;
  candidate: number;
  /** What the samples of both took, by the clock; null where that was not recorded. */
  seconds: number | null;
  /** The smallest change worth acting on, 0.01 = 1 %. */
  margin: number;
  /** candidate / baseline − 1 of the smallest costs in these rounds. */
  min_change: number | null;
  /** The rounds that both arms ran, in order; null where no coin was tossed. */
  rounds: Rounds | null;
  /** What a moment counts: `round` or `launch`. */
  unit_of_moments: string;
  /** The effect after ever more of them. */
  moments: Moment[];
  /** Candidate / baseline at every percentile; null where there are no samples. */
  shift: Shift | null;
  /** Of the differences, at lags 1, 2, … */
  autocorrelation: number[];
  independent_within: number;
  /** The effect by who ran first. */
  order: { candidate_first: OneOrder; candidate_second: OneOrder } | null;
}

export interface Rounds {
  /** Places of the round's samples in `ArmChart.samples`. */
  baseline: Column;
  candidate: Column;
  /** The round's relative change, 0.01 = 1 % worse. */
  change: Column;
  /** Where in these rounds each launch begins. */
  launches: number[];
  /** 1 where the candidate ran before the baseline, else 0; null where that is not recorded. */
  candidate_first: Column | null;
}

export interface Moment {
  after: number;
  effect: Effect;
}

/** A number with its interval; of a comparison a relative change, 0.01 = 1 % worse. A missing end is not bounded yet. */
export interface Effect {
  estimate: number | null;
  low: number | null;
  high: number | null;
}

export interface Shift {
  confidence: number;
  percentiles: number[];
  ratios: number[];
  low: (number | null)[];
  high: (number | null)[];
}

/** A service, slice by slice. */
export interface SlicesChart {
  arm: string;
  group: string;
  /** When each slice began, in seconds from the first one of the trial. */
  started: Column;
  /** In nanoseconds, by percentile, the lowest first; in a typical slice, the median over slices. */
  responses: { percent: number; slices: Column; typical: Effect }[];
  /** The share of requests without a right answer, 0.01 = 1 %. */
  errors: Column;
  /** Nanoseconds in which requests were due and none was answered. */
  stalls: Column;
}

export interface OneOrder {
  rounds: number;
  effect: Effect;
}

// ---- The analysis, as `evenhand analyze --json` writes it; only what the page reads.

export interface Analysis {
  trial: {
    id: string;
    label?: string;
    started?: string;
    state: "running" | "complete" | "interrupted";
    randomised: boolean;
  };
  settings: { confidence: number; margin_percent: number };
  comparisons: Comparison[];
  suite?: { metric: string; comparisons: number; effect: Effect; sentence: string };
  levels: Level[];
  notes?: string[];
}

export interface Comparison {
  baseline: string;
  candidate: string;
  group?: string;
  metric: string;
  unit: string;
  better: "lower" | "higher";
  kind: "paired" | "unpaired";
  /** The baseline measured once more. */
  control?: boolean;
  /** slower, faster, slightly slower, slightly faster, same, unclear. */
  verdict: string;
  effect: Effect;
  confidence: number;
  rounds: number;
  launches: number;
  /** Of the whole trial. */
  seconds: number | null;
  tail?: string;
  needed?: number;
  /** Only where some samples are 0: who cost more how often, as there is no ratio. */
  signs?: { of: "rounds" | "launches"; worse: number; better: number; equal: number; baseline_mean: number; candidate_mean: number };
  within_launches?: Effect;
  launch_effects?: number[];
  mean?: {
    baseline_min: number; candidate_min: number; baseline_mean: number; candidate_mean: number;
    difference: number; difference_percent: number; z: number | null; change_detected: boolean;
  };
  percentiles?: { percent: number; baseline: number; candidate: number; scaled: number; low: number | null; high: number | null }[];
  assumptions?: string[];
  limits?: string[];
}

export interface Level {
  arm: string;
  group?: string;
  metric: string;
  unit: string;
  from: "samples" | "histogram" | "reported";
  samples: number;
  failed: number;
  launches: number;
  iterations: number;
  order_lost?: boolean;
  min: number | null;
  mean: number | null;
  median: number | null;
  max: number | null;
  sd: number | null;
  iqr: number | null;
  cv: number | null;
  iqr_over_median: number | null;
  mean_over_min: number | null;
  mean_error?: { half_width: number | null; standard_error: number; naive: number; effective_samples: number; inflation: number; over_launches: boolean };
  percentiles?: { percent: number; value: number; low: number | null; high: number | null }[];
  distribution?: { better: string; normal_p: number; log_normal_p: number; bottom_sigma: number; top_sigma: number; sentence: string };
  modes?: { place: number; share: number }[];
  movements?: { kind: string; sample: number; before: number; after: number }[];
  outliers?: { low_fence: number; high_fence: number; below: number; above: number };
  lag1_autocorrelation?: number | null;
}
