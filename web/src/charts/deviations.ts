// How far from its mean does a series spread, in its own standard deviations? Bins of one standard deviation, so that series of any size lie over each
// other. A normal distribution has 34 of 100 samples in each of the two bins beside its mean; a series with a tail has nearly all in one.

import type { Bins } from "../data";
import { h } from "../dom";
import { polyline, vertical } from "../marks";
import type { Series } from "../model";
import { absent, alphaOf, keyOf, legend, names, piece, type Context, type Piece } from "../piece";
import { Plot } from "../plot";
import { deviations as ticks, shares } from "../ticks";
import { counted, minus, percent } from "../units";

/** Where the first edge stands; every further one is a standard deviation up. */
const FIRST = -4;

export function deviations(c: Context): Piece {
  const title = "How many standard deviations from the mean";
  const binsOf = ({ arm }: Series) => (c.store.view.out ? arm.chart.clean_deviations : arm.chart.deviations);
  const series = c.shown.series.filter(({ arm }) => arm.chart.deviations !== null);
  const bars = () => series.flatMap((of) => { const bins = binsOf(of); return bins === null ? [] : [{ of, bins, all: total(bins) }]; });
  const edges = series[0]?.arm.chart.deviations?.edges.length;
  if (edges === undefined) return absent("deviations", title, "all samples are equal, or there are none.");
  const note = h("p", { class: "note" });
  const plot = new Plot({
    label: () => `Samples by their distance from the mean of their series, in standard deviations, of ${names(series)}. ${bars().map(({ of, bins, all }) => `${of.arm.name}: ${percent((bins.counts[-FIRST - 1]! + bins.counts[-FIRST]!) / all)} within one.`).join(" ")}`,
    height: 260,
    x: { range: () => [FIRST, FIRST + edges - 1], ticks, label: "distance from the mean" },
    y: { range: () => [0, 1.1 * Math.max(0.1, ...bars().flatMap(({ bins, all }) => bins.counts.map((count) => count / all)))], ticks: shares },
    hover: (x) => {
      const bin = Math.floor(x) - FIRST;
      const end = (of: number) => (of === 0 ? "mean" : `${minus(String(of))} s`);
      const shown = bars().filter(({ bins }) => bins.counts[bin] !== undefined);
      return shown.length === 0 ? [] : [`${end(FIRST + bin)} to ${end(FIRST + bin + 1)}`, ...shown.map(({ of, bins, all }) => `${of.arm.name} ${percent(bins.counts[bin]! / all)}`)];
    },
    paint: (p) => {
      vertical(p, 0, { colour: "soft", width: 1, dash: [7, 4] });
      for (const { of, bins, all } of bars()) {
        const xs = bins.counts.flatMap((_, bin) => [FIRST + bin, FIRST + bin + 1]);
        const ys = bins.counts.flatMap((count) => [count / all, count / all]);
        polyline(p, [FIRST, ...xs, FIRST + bins.counts.length], [0, ...ys, 0], { colour: of.look.colour, width: 1.8, dash: of.look.dash, alpha: alphaOf(c, of) });
      }
      const beyond = bars().reduce((sum, { bins }) => sum + bins.below + bins.above, 0);
      note.textContent = beyond === 0 ? "" : `${counted(beyond, "sample")} beyond this axis.`;
    },
  });
  return piece({
    id: "deviations", title, plots: [plot], watch: ["out", "s"], below: note,
    how: "Each series around its own mean, in steps of its own standard deviation s. If nearly all samples are in one step, a few far samples have made s large, and mean and s describe the series badly.",
    legend: legend(series, keyOf("dashes", "mean")),
  });
}

function total(bins: Bins): number {
  return Math.max(1, bins.counts.reduce((sum, count) => sum + count, bins.below + bins.above));
}
