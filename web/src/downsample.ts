// What is drawn of a million samples on a thousand pixels? For each column of pixels its smallest and its largest sample, so that no
// extreme is lost, however narrow. And, for clouds, how many samples fell on each pixel.

import type { Bins } from "./data";
import type { Range } from "./ticks";

export interface Columns {
  /** Per pixel column, NaN where there is none. */
  min: Float64Array;
  max: Float64Array;
}

/** `place` gives the pixel column of a position; those outside 0…width−1 are left out. Positions need not be sorted. */
export function columnExtremes(
  xs: ArrayLike<number>, ys: ArrayLike<number>, from: number, to: number, width: number, place: (x: number) => number, keep?: (y: number) => boolean,
): Columns {
  const min = new Float64Array(width).fill(NaN);
  const max = new Float64Array(width).fill(NaN);
  for (let index = from; index < to; index += 1) {
    const y = ys[index]!;
    if (keep !== undefined && !keep(y)) continue;
    const column = Math.floor(place(xs[index]!));
    if (column < 0 || column >= width) continue;
    if (!(y >= min[column]!)) min[column] = y;
    if (!(y <= max[column]!)) max[column] = y;
  }
  return { min, max };
}

/** How many points fell on each cell of a grid, row by row. */
export function density(
  xs: ArrayLike<number>, ys: ArrayLike<number>, from: number, to: number,
  size: { width: number; height: number }, column: (x: number) => number, row: (y: number) => number, keep?: (y: number) => boolean,
): Uint32Array {
  const cells = new Uint32Array(size.width * size.height);
  for (let index = from; index < to; index += 1) {
    const y = ys[index]!;
    if (keep !== undefined && !keep(y)) continue;
    const c = Math.floor(column(xs[index]!));
    const r = Math.floor(row(y));
    if (c < 0 || r < 0 || c >= size.width || r >= size.height) continue;
    cells[r * size.width + c]! += 1;
  }
  return cells;
}

/** The first place whose value is not below; the list ascends. */
export function firstFrom(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of an ascending list lie outside of a range. */
export function outside(sorted: ArrayLike<number>, [low, high]: Range): number {
  let past = firstFrom(sorted, high);
  while (past < sorted.length && sorted[past] === high) past += 1;
  return firstFrom(sorted, low) + sorted.length - past;
}

/** The part of an ascending list that lies in a range, with one more at either side so that lines reach the edge. */
export function within(sorted: ArrayLike<number>, low: number, high: number): [number, number] {
  return [Math.max(0, firstFrom(sorted, low) - 1), Math.min(sorted.length, firstFrom(sorted, high) + 1)];
}

/** Neighbouring bins together, so that no more than `most` are left, all of one width. */
export function coarser(bins: Bins, most: number): Bins {
  const count = bins.counts.length;
  let together = Math.max(1, Math.ceil(count / most));
  while (count % together !== 0) together += 1;
  const first = Array.from({ length: count / together }, (_, bin) => bin * together);
  return {
    ...bins,
    edges: [...first.map((bin) => bins.edges[bin]!), bins.edges[count]!],
    counts: first.map((bin) => bins.counts.slice(bin, bin + together).reduce((sum, one) => sum + one, 0)),
  };
}

/** As many of a list as there are places, first and last among them: for tiny pictures of sorted samples. */
export function thinned(sorted: ArrayLike<number>, places: number): number[] {
  if (sorted.length <= places) return Array.from(sorted);
  return Array.from({ length: places }, (_, place) => sorted[Math.round((place * (sorted.length - 1)) / (places - 1))]!);
}
