// How does a reader look closer? The part of an axis after a step of the wheel, a key or a drag; nothing here draws.

import type { Range } from "./ticks";

/** What of an axis is shown, and how to ask for another part. */
export interface Zoom {
  /** As far as there is something to see. */
  whole(): Range;
  /** Whether another part is shown than at first. */
  on(): boolean;
  /** Null: as at first. */
  to(range: Range | null): void;
}

/** Closer makes no sense. */
const CLOSEST = 1e-6;

const scales = (log: boolean): [(value: number) => number, (value: number) => number] => (log ? [Math.log, Math.exp] : [(value) => value, (value) => value]);

/** `by` times as much of the axis, with what is at `at` where it was, and no further out than `whole`. On a logarithmic axis in its logarithms. */
export function zoomed(range: Range, whole: Range, by: number, at: number, log: boolean): Range {
  const [forth, back] = scales(log);
  const end = (value: number) => back(forth(at) + (forth(value) - forth(at)) * by);
  // What is shown already may reach further than the whole.
  const next: Range = [Math.max(Math.min(whole[0], range[0]), end(range[0])), Math.min(Math.max(whole[1], range[1]), end(range[1]))];
  return forth(next[1]) - forth(next[0]) > CLOSEST * (forth(whole[1]) - forth(whole[0])) ? next : range;
}

/** As much of the axis, further by this share of it, as far as there is something to see. */
export function moved(range: Range, whole: Range, share: number, log: boolean): Range {
  const [forth, back] = scales(log);
  const [low, high] = [forth(range[0]), forth(range[1])];
  const step = share * (high - low);
  const most = Math.max(0, forth(whole[1]) - high);
  const least = Math.min(0, forth(whole[0]) - low);
  const by = Math.min(most, Math.max(least, step));
  return [back(low + by), back(high + by)];
}

/** Whether nothing of the whole is left out, but for what rounding takes. */
export function covers([low, high]: Range, whole: Range): boolean {
  const rounding = 1e-9 * (whole[1] - whole[0]);
  return low <= whole[0] + rounding && high >= whole[1] - rounding;
}

/** The middle of an axis, as it is seen. */
export function middle([low, high]: Range, log: boolean): number {
  const [forth, back] = scales(log);
  return back((forth(low) + forth(high)) / 2);
}
