// Which arms are one function at several sizes? Those whose names differ in one number alone, as `sort/100` and `sort/1000` do.

import type { Arm, Model } from "./model";

const NUMBER = /\d+(?:_\d{3})*(?:\.\d+)?/g;
/** Fewer points are no line. */
const LEAST = 3;

export interface Growth {
  /** The name, with `…` for the number. */
  name: string;
  metric: string;
  unit: string;
  points: { at: number; arm: Arm; median: number }[];
}

/** Arms whose names differ in one number alone, three or more with numbers above zero. */
export function growths(model: Model): Growth[] {
  const candidates = new Map<string, Growth>();
  for (const arm of model.arms) {
    const median = arm.chart.raw?.median ?? model.levelOf(arm)?.median ?? null;
    if (median === null || !(median > 0)) continue;
    const label = arm.label;
    // A size may stand in the group and again in the name: all of its places become one.
    for (const written of new Set(label.match(NUMBER))) {
      const at = Number(written.replaceAll("_", ""));
      if (!(at > 0)) continue;
      const name = label.replace(NUMBER, (found) => (found === written ? "…" : found));
      const key = JSON.stringify([name, arm.chart.metric, arm.chart.unit]);
      const growth = candidates.get(key) ?? { name, metric: arm.chart.metric, unit: arm.chart.unit, points: [] };
      growth.points.push({ at, arm, median });
      candidates.set(key, growth);
    }
  }
  const lines = [...candidates.values()].filter(({ points }) => new Set(points.map(({ at }) => at)).size >= LEAST);
  for (const line of lines) line.points.sort((a, b) => a.at - b.at);
  return lines;
}
