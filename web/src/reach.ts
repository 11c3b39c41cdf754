// How far do the charts of all percentiles and of the running mean reach?

import type { RunningMean } from "./data";

/** This part of the line at either side may go beyond it. */
const WILD = 0.03;

/** The line but for its wildest places, and the band of the middle half: between modes and towards the ends both may reach many times as far. */
export function reachOf(percentiles: number[], ratios: (number | null)[], low: (number | null)[], high: (number | null)[]): [number, number] {
  const known = (values: (number | null | undefined)[]) => values.filter((value): value is number => typeof value === "number" && Number.isFinite(value));
  const line = known(ratios).sort((a, b) => a - b);
  const cut = Math.floor(line.length * WILD);
  const middle = known(percentiles.flatMap((percent, index) => (percent >= 25 && percent <= 75 ? [low[index], high[index]] : [])));
  const held = [...line.slice(cut, line.length - cut), ...middle];
  return [Math.min(0, ...held), Math.max(0, ...held)];
}

/** The first intervals of a mean are so wide that the last would be lines: only those after a twentieth of the samples count. */
export function reachOfMeans(series: RunningMean[][]): [number, number] {
  const late = series.flatMap((means) => means.filter(({ after }) => after > means[means.length - 1]!.after / 20));
  const ends = late.flatMap(({ mean, naive, corrected }) => {
    const half = Math.max(naive, corrected ?? 0);
    return [mean - half, mean + half];
  });
  return [Math.min(...ends), Math.max(...ends)];
}
