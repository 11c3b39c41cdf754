// How often does each value occur? The bins of every series, for the axis that is shown.

import type { Bins } from "./data";
import type { Series } from "./model";
import type { Context } from "./piece";
import { logarithmic } from "./ranges";
import { percent, quantity } from "./units";

export interface Bars {
  series: Series;
  bins: Bins;
  /** Of the samples, for each bin. Bins of series may differ in width: all are said for the width of the first one's. */
  shares: number[];
}

/** How wide the bins are: a difference, or on a logarithmic axis the logarithm of a factor. */
export const widthOf = ({ edges: [low = 0, high = 1] }: Bins, log: boolean) => (log ? Math.log(high / low) : high - low);

export function barsOf(c: Context): Bars[] {
  const log = logarithmic(c);
  const all = c.shown.series.flatMap((series) => {
    const bins = log ? series.arm.chart.log_histogram : series.arm.chart.histogram;
    return bins === null || bins.counts.length === 0 ? [] : [{ series, bins }];
  });
  const first = all[0] === undefined ? 1 : widthOf(all[0].bins, log);
  return all.map(({ series, bins }) => {
    const samples = bins.counts.reduce((sum, count) => sum + count, bins.below + bins.above);
    const wider = first / widthOf(bins, log) || 1;
    return { series, bins, shares: bins.counts.map((count) => (count / Math.max(1, samples)) * wider) };
  });
}

/** What share of each series is in the bin of a value. */
export function binLines(c: Context, value: number): string[] {
  const found = barsOf(c).flatMap(({ series, bins: { edges }, shares }) => {
    const bin = edges.findLastIndex((edge) => edge <= value);
    return bin < 0 || bin >= shares.length ? [] : [{ from: edges[bin]!, to: edges[bin + 1]!, line: `${series.arm.name} ${percent(shares[bin]!)}` }];
  });
  const [first] = found;
  return first === undefined ? [] : [`${quantity(first.from, c.shown.unit)} to ${quantity(first.to, c.shown.unit)}`, ...found.map(({ line }) => line)];
}
