// From where to where does an axis go? Where the view says so, there; else over what is typical, so that one spike does not flatten
// everything else: what lies beyond is marked at the edge and counted.

import { thinned } from "./downsample";
import { inOrder, type RoundData, type Series } from "./model";
import { chosenSeries, type Context } from "./piece";
import type { Range } from "./ticks";

export function padded(low: number, high: number, share = 0.04): Range {
  const span = high - low;
  const pad = span > 0 ? span * share : Math.abs(low) * 0.01 || 1;
  return [low - pad, high + pad];
}

/** Whose values an axis goes over: all that are compared or series of one thing; else arms may be worlds apart, and the chosen one has the axis for itself. */
export function scaledBy(c: Context): Series[] {
  const chosen = c.shown.index === null && c.shown.pool === null ? chosenSeries(c) : null;
  return chosen === null ? c.shown.series : [chosen];
}

/** Of series of one thing, as in the article on robust sampling: from the smallest clean sample to the largest mean and a clean interquartile range more. */
function rangeOfPool(c: Context): Range | null {
  const { y, out } = c.store.view;
  const boxes = c.shown.series.flatMap(({ arm }) => { const [box, clean] = [arm.box(out), arm.chart.clean]; return box === null || clean === null ? [] : [{ mean: box.mean, clean }]; });
  if (c.shown.pool === null || y !== null || boxes.length === 0) return null;
  return padded(Math.min(...boxes.map(({ clean }) => clean.min)), Math.max(...boxes.map(({ mean, clean }) => mean + clean.iqr)));
}

/** The common axis of values: run chart, boxes, bars beside it, scatter and lag plot. */
export function valueRange(c: Context): Range {
  const { y, out } = c.store.view;
  if (Array.isArray(y)) return y;
  const ofPool = rangeOfPool(c);
  if (ofPool !== null) return ofPool;
  let [low, high] = [Infinity, -Infinity];
  for (const { arm } of scaledBy(c)) {
    const { raw, clean, axis } = arm.chart;
    if (raw === null) continue;
    const box = out || y === "clean" ? clean ?? raw : raw;
    const usual = y !== null || out || axis === null ? { low: box.min, high: box.max } : axis;
    low = Math.min(low, usual.low);
    high = Math.max(high, usual.high);
  }
  return low <= high ? padded(low, high) : [0, 1];
}

export function roundCount(c: Context): number {
  const longest = Math.max(0, ...inOrder(c.shown.series).map(({ places }) => (places.length === 0 ? 0 : Math.floor(places[places.length - 1]!) + 1)));
  return Math.max(c.shown.rounds?.count ?? 0, longest);
}

export function roundRange(c: Context): Range {
  const count = roundCount(c);
  const pad = Math.max(0.5, count * 0.01);
  return c.store.view.x ?? [-pad, Math.max(1, count) - 1 + pad];
}

/** The middle of the changes, without the wildest three of a hundred at either side; all where asked. Always with zero and the margin. */
export function changeRange(changes: ArrayLike<number>, margin: number, all: boolean, ends: (number | null)[]): Range {
  const some = Float64Array.from(thinned(changes, 20_000)).filter(Number.isFinite).sort();
  const cut = all || some.length < 50 ? 0 : Math.floor(some.length * 0.03);
  let low = some[cut] ?? 0;
  let high = some[some.length - 1 - cut] ?? 0;
  if (all) {
    for (let index = 0; index < changes.length; index += 1) {
      const value = changes[index]!;
      if (value < low) low = value;
      if (value > high && value < Infinity) high = value;
    }
  }
  const reach = [low, high, 0, -1.3 * margin, 1.3 * margin, ...ends.filter((end): end is number => end !== null)];
  return padded(Math.min(...reach), Math.max(...reach));
}

/** In which launch a round is, from 1. */
export function launchOf(rounds: RoundData, round: number): number {
  let launch = 0;
  for (const start of rounds.launches) if (start <= round) launch += 1;
  return Math.max(1, launch);
}
