// From where to where does an axis go? Where the view says so, there; else over what is typical, so that one spike does not flatten
// everything else: what lies beyond is marked at the edge and counted.

import { thinned } from "./downsample";
import { inOrder, type RoundData, type Series } from "./model";
import { chosenSeries, type Context } from "./piece";
import type { Range } from "./ticks";
import { covers, type Zoom } from "./zoom";

/** With a little room at either side: a share of the axis, which is one of its logarithm where that is the axis. */
export function padded(low: number, high: number, share = 0.04, log = false): Range {
  if (log && low > 0) return [low / (high / low || 1) ** share, high * (high / low || 1) ** share];
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
function endsOfPool(c: Context): Range | null {
  const { y, out } = c.store.view;
  const boxes = c.shown.series.flatMap(({ arm }) => { const [box, clean] = [arm.box(out), arm.chart.clean]; return box === null || clean === null ? [] : [{ mean: box.mean, clean }]; });
  if (c.shown.pool === null || y === "all" || y === "clean" || boxes.length === 0) return null;
  return [Math.min(...boxes.map(({ clean }) => clean.min)), Math.max(...boxes.map(({ mean, clean }) => mean + clean.iqr))];
}

/** From the smallest to the largest value that is shown where nobody zoomed in; null without samples. */
function ends(c: Context): Range | null {
  const { y, out } = c.store.view;
  const ofPool = endsOfPool(c);
  if (ofPool !== null) return ofPool;
  let [low, high] = [Infinity, -Infinity];
  for (const { arm } of scaledBy(c)) {
    const { raw, clean, axis } = arm.chart;
    if (raw === null) continue;
    const box = out || y === "clean" ? clean ?? raw : raw;
    const usual = y === "all" || y === "clean" || out || axis === null ? { low: box.min, high: box.max } : axis;
    low = Math.min(low, usual.low);
    high = Math.max(high, usual.high);
  }
  return low <= high ? [low, high] : null;
}

/** From the smallest to the largest value, where more than this many times the smallest is no longer told apart on a linear axis. */
const WIDE = 20;

/** Whether the values ask for a logarithmic axis. */
export function isWide(c: Context): boolean {
  const axes = scaledBy(c).flatMap(({ arm: { chart } }) => (chart.axis === null ? [] : [chart.axis]));
  const low = Math.min(...axes.map((axis) => axis.low));
  return mayBeLogarithmic(c) && Math.max(...axes.map((axis) => axis.high)) > WIDE * low;
}

/** Only values above zero have logarithms. */
export function mayBeLogarithmic(c: Context): boolean {
  const charts = scaledBy(c).map(({ arm }) => arm.chart).filter(({ histogram }) => histogram !== null);
  return charts.length > 0 && charts.every(({ log_histogram, raw }) => log_histogram !== null && (raw?.min ?? 0) > 0);
}

/** Whether the axes of values are logarithmic: as the reader wants them, else as the values ask for. */
export function logarithmic(c: Context): boolean {
  return c.store.view.log === null ? isWide(c) : c.store.view.log && mayBeLogarithmic(c);
}

/** The common axis of values where nobody zoomed in. */
export function wholeValueRange(c: Context): Range {
  const found = ends(c);
  return found === null ? [0, 1] : padded(...found, 0.04, logarithmic(c));
}

/** The common axis of values: run chart, boxes, bars beside it, scatter and lag plot. */
export function valueRange(c: Context): Range {
  const { y } = c.store.view;
  if (!Array.isArray(y)) return wholeValueRange(c);
  return logarithmic(c) && y[0] <= 0 ? [Math.min(wholeValueRange(c)[0], y[1] / 2), y[1]] : y;
}

export function roundCount(c: Context): number {
  const longest = Math.max(0, ...inOrder(c.shown.series).map(({ places }) => (places.length === 0 ? 0 : Math.floor(places[places.length - 1]!) + 1)));
  return Math.max(c.shown.rounds?.count ?? 0, longest);
}

function wholeRoundRange(c: Context): Range {
  const count = roundCount(c);
  const pad = Math.max(0.5, count * 0.01);
  return [-pad, Math.max(1, count) - 1 + pad];
}

export function roundRange(c: Context): Range {
  return c.store.view.x ?? wholeRoundRange(c);
}

/** The rounds, for who looks closer. */
export function roundZoom(c: Context): Zoom {
  const { store } = c;
  return { whole: () => wholeRoundRange(c), on: () => store.view.x !== null, to: (x) => store.set({ x: x === null || covers(x, wholeRoundRange(c)) ? null : x }) };
}

/** The values of all charts; out to the furthest sample. */
export function valueZoom(c: Context): Zoom {
  const { store } = c;
  const whole = (): Range => {
    const boxes = scaledBy(c).flatMap(({ arm: { chart } }) => (chart.raw === null ? [] : [chart.raw]));
    const all: Range = boxes.length === 0 ? [0, 1] : [Math.min(...boxes.map(({ min }) => min)), Math.max(...boxes.map(({ max }) => max))];
    return padded(...all, 0.04, logarithmic(c));
  };
  return { whole, on: () => store.view.y !== null, to: (y) => store.set({ y: y !== null && covers(y, whole()) ? "all" : y }) };
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
