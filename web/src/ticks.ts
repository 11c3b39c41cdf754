// Where do the marks of an axis stand, and what is written beside them? At round numbers in the unit that is written, not in the
// unit of the data; on a logarithmic axis at 1, 2 and 5 of each power of ten.

import { fixed, grouped, minus, NARROW, scaleFor, withUnit } from "./units";

export type Range = [number, number];
export interface Ticks {
  at: number[];
  labels: string[];
}
export type TickMaker = (low: number, high: number, most: number, log: boolean) => Ticks;

/** Steps of 1, 2 or 5 times a power of ten, no more than `most` of them. */
export function steps(low: number, high: number, most: number): { at: number[]; step: number } {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { at: [low], step: 1 };
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999) ?? 10 * power;
  const at: number[] = [];
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high + step * 1e-9; index += 1) at.push(index * step);
  return { at, step };
}

/** Powers of ten, with 2 and 5 between where there is room; plain steps where the axis spans less than a power of ten. */
export function logSteps(low: number, high: number, most: number): number[] {
  const decades = Math.log10(high / low);
  if (!(decades > 1)) return steps(low, high, most).at.filter((at) => at > 0);
  const factors = decades * 3 <= most ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / most));
  const at: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += every) {
    for (const factor of factors) {
      const place = factor * 10 ** power;
      if (place >= low * 0.999 && place <= high * 1.001) at.push(place);
    }
  }
  return at;
}

function places(low: number, high: number, most: number, log: boolean): number[] {
  return log ? logSteps(low, high, most) : steps(low, high, most).at;
}

/** As many decimals as tell these numbers apart. */
function decimals(at: number[], at_most = 6): number {
  const gap = at.length > 1 ? Math.min(...at.slice(1).map((value, index) => Math.abs(value - at[index]!))) : Math.abs(at[0] ?? 1);
  return Math.min(at_most, Math.max(0, -Math.floor(Math.log10(gap || 1) + 1e-9)));
}

/** Quantities of a unit: `16.9 ms`. */
export function quantities(unit: string): TickMaker {
  return (low, high, most, log) => {
    const { factor, symbol } = scaleFor(Math.max(Math.abs(low), Math.abs(high)), unit);
    const at = places(low * factor, high * factor, most, log);
    const wide = log && high / low > 10;
    return {
      at: at.map((value) => value / factor),
      labels: at.map((value) => {
        if (!wide) return withUnit(fixed(value, decimals(at)), symbol);
        const own = scaleFor(value / factor, unit);
        return withUnit(minus(String(Number(((value / factor) * own.factor).toPrecision(3)))), own.symbol);
      }),
    };
  };
}

/** Quantities of a unit, of which one place of the axis has so much. */
export function quantitiesOf(unit: string, each: number): TickMaker {
  return (low, high, most, log) => {
    const { at, labels } = quantities(unit)(low * each, high * each, most, log);
    return { at: at.map((value) => value / each), labels };
  };
}

/** Distances from the mean, in standard deviations: `−s`, `x̅`, `s`, `2s`. */
export const deviations: TickMaker = (low, high, most) => {
  const { at } = steps(low, high, most);
  const whole = at.filter((value) => Math.abs(value - Math.round(value)) < 1e-9).map(Math.round);
  const factor = (value: number) => (Math.abs(value) === 1 ? minus(value < 0 ? "-" : "") : minus(String(value)));
  return { at: whole, labels: whole.map((value) => (value === 0 ? "x\u0305" : `${factor(value)}s`)) };
};

/** Relative changes as percent with their sign: 0.01 is `+1 %`. */
export const changes: TickMaker = (low, high, most) => {
  const { at } = steps(low * 100, high * 100, most);
  const shown = at.map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
  return { at: shown.map((value) => value / 100), labels: shown.map((value) => `${value > 0 ? "+" : ""}${fixed(value, decimals(at))}${NARROW}%`) };
};

/** Shares as percent: 0.5 is `50 %`. */
export const shares: TickMaker = (low, high, most) => {
  const { at } = steps(low * 100, high * 100, most);
  return { at: at.map((value) => value / 100), labels: at.map((value) => `${fixed(value, decimals(at))}${NARROW}%`) };
};

/** Whole numbers: rounds, samples, lags. */
export const counts: TickMaker = (low, high, most, log) => {
  const at = places(low, high, most, log).filter((value) => Math.abs(value - Math.round(value)) < 1e-9);
  return { at, labels: at.map((value) => grouped(Math.round(value))) };
};

/** The first is 1, though it stands at 0. */
export const ordinals: TickMaker = (low, high, most, log) => {
  const { at, labels } = counts(low + 1, high + 1, most, log);
  return { at: at.map((value) => value - 1), labels };
};

export const plain: TickMaker = (low, high, most, log) => {
  const at = places(low, high, most, log);
  return { at, labels: at.map((value) => fixed(value, decimals(at))) };
};

export const none: TickMaker = () => ({ at: [], labels: [] });
