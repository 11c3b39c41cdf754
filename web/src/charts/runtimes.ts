// How long did the samples take, from the fastest to the slowest? Each series sorted, over the share of its samples, on the axis of values that the run
// chart has; where the upper outlier limit cuts it, and how many lie beyond.

import { h } from "../dom";
import { outside, thinned } from "../downsample";
import { horizontal, polyline, text } from "../marks";
import type { Series } from "../model";
import { absent, alphaOf, chosenSeries, keyOf, legend, names, piece, type Context, type Piece } from "../piece";
import { Plot } from "../plot";
import { logarithmic, valueRange, valueZoom } from "../ranges";
import { quantities, shares } from "../ticks";
import { beyondWords, counted, percent, quantity } from "../units";

/** The most places of a line that a reader can distinguish. */
const PLACES = 2000;
/** Limits of more series would hide each other: then only that of the chosen one is drawn. */
const MOST_FENCES = 2;

export function runtimes(c: Context): Piece {
  const title = "Samples from the fastest to the slowest";
  const series = c.shown.series.filter(({ arm }) => arm.samples.length > 0);
  if (series.length === 0) return absent("runtimes", title, "the samples themselves were not kept.");
  const plot = new Plot({
    label: () => `Sorted samples of ${names(series)}. ${series.map((of) => fenceInWords(c, of)).join(" ")}`,
    height: 260,
    x: { range: () => [0, 1], ticks: shares, label: "share of the samples" },
    y: { range: () => valueRange(c), ticks: quantities(c.shown.unit), log: () => logarithmic(c), zoom: valueZoom(c) },
    hover: (x) => {
      const at = Math.min(1, Math.max(0, x));
      return [`at ${percent(at)} of the samples`, ...series.map(({ arm }) => { const sorted = arm.sorted(c.store.view.out); return `${arm.name} ${quantity(sorted[Math.round(at * (sorted.length - 1))], arm.chart.unit)}`; })];
    },
    paint: (p) => {
      const chosen = chosenSeries(c);
      for (const of of series) {
        const ys = thinned(of.arm.sorted(c.store.view.out), PLACES);
        const xs = ys.map((_, place) => place / Math.max(1, ys.length - 1));
        polyline(p, xs, ys, { colour: of.look.colour, width: 1.8, dash: of.look.dash, alpha: alphaOf(c, of) });
        const [fence, above] = [of.arm.chart.fences?.high, beyond(c, of)];
        if (fence === undefined || (of !== chosen && (chosen !== null || series.length > MOST_FENCES))) continue;
        horizontal(p, fence, { colour: of.look.colour, width: 1.2, dash: [8, 3, 1.5, 3] });
        const left = series.indexOf(of) % 2 === 0;
        if (above !== null) text(p, `${percent(1 - above.share)}, ${counted(above.count, "outlier")}`, left ? p.left + 6 * p.px : p.left + p.width - 6 * p.px, p.Y(fence) - 5 * p.px, left ? "left" : "right", "ink");
      }
    },
  });
  const said = () => {
    const chosen = chosenSeries(c);
    const of = chosen === null ? series.slice(0, series.length > MOST_FENCES ? 0 : MOST_FENCES) : [chosen];
    const away = series.reduce((sum, { arm }) => sum + outside(arm.sorted(c.store.view.out), valueRange(c)), 0);
    return [...of.map((one) => fenceInWords(c, one)), beyondWords(away, "sample")].filter((words) => words !== "").join(" ");
  };
  const note = h("p", { class: "note" }, said());
  return piece({
    id: "runtimes", title, plots: [plot], watch: ["y", "out", "s", "log"],
    how: "Flat: most samples took the same time. Steps: clusters. Samples above the upper outlier limit, at the right, were disturbed, or form a tail.",
    legend: legend(series, keyOf("fence", "upper outlier limit")), below: note, refresh: () => { note.textContent = said(); },
  });
}

/** Samples above the upper fence, as the program counted them. */
function beyond(c: Context, { arm }: Series): { count: number; share: number } | null {
  const count = c.model.levelOf(arm)?.outliers?.above;
  return count === undefined ? null : { count, share: count / Math.max(1, arm.samples.length) };
}

function fenceInWords(c: Context, of: Series): string {
  const { name, chart } = of.arm;
  const above = beyond(c, of);
  if (chart.fences === null || above === null) return "";
  return `${name}: ${percent(1 - above.share)} at or below the upper outlier limit of ${quantity(chart.fences.high, chart.unit)}, ${counted(above.count, "outlier")} above it.`;
}
