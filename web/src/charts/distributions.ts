// How often does each cost occur? Histograms of both arms, and the share of samples at or below each value. On a logarithmic axis where the
// values ask for one, or a reader: times are often lopsided, and then the tail is told only there.

import { barsOf, type Bars, binLines, widthOf } from "../bars";
import type { Numbers } from "../columns";
import { h, press, toggle } from "../dom";
import { firstFrom, outside } from "../downsample";
import { polyline, text, vertical, marker } from "../marks";
import type { Series } from "../model";
import { absent, alphaOf, legend, names, piece, type Context, type Piece } from "../piece";
import { Plot, type Paint } from "../plot";
import { isWide, logarithmic, mayBeLogarithmic, padded, scaledBy, valueRange } from "../ranges";
import { colour } from "../theme";
import { quantities, shares, type Range } from "../ticks";
import { covers, type Zoom } from "../zoom";
import { beyondWords, percent, quantity } from "../units";

/** Beyond the bins there is nothing to see. */
function zoom(c: Context): Zoom {
  return { whole: () => wholeRange(c), on: () => c.store.view.y !== null, to: (y) => c.store.set({ y: y !== null && covers(y, wholeRange(c)) ? null : y }) };
}

export function histogram(c: Context): Piece {
  const title = "How often each value occurs";
  if (barsOf(c).length === 0) return absent("histogram", title, "there are no samples to count.");
  const note = h("p", { class: "note" });
  const axis = logToggle(c);
  const plot = new Plot({
    label: () => `Histogram of ${names(c.shown.series)}. ${c.shown.series.map(modesInWords).join(" ")}`,
    height: 260,
    x: { range: () => rangeOf(c), ticks: quantities(c.shown.unit), log: () => logarithmic(c), zoom: zoom(c), label: c.shown.series[0]?.arm.chart.metric ?? "" },
    y: { range: () => [0, 1.12 * Math.max(1e-6, ...barsOf(c).flatMap(({ shares }) => shares))], ticks: shares },
    hover: (x) => binLines(c, x),
    paint: (p) => {
      barsOf(c).forEach((of, index) => paintBars(p, of, alphaOf(c, of.series), index));
      note.textContent = [`Shares are of samples in bins ${binWords(c)} wide.`, beyondWords(uncounted(c), "sample")].filter((words) => words !== "").join(" ");
    },
  });
  return piece({
    id: "histogram", title, plots: [plot], watch: ["log", "s", "y"], tools: [axis.element], legend: legend(c.shown.series), below: note,
    how: "Higher means more often. Where the times form several clusters, each is marked with its share of the samples.",
    refresh: axis.refresh,
  });
}

function paintBars(p: Paint, { series, bins, shares }: Bars, alpha: number, place: number): void {
  const { arm, look } = series;
  p.ctx.save();
  p.ctx.fillStyle = colour(look.colour);
  p.ctx.globalAlpha = 0.28 * alpha;
  shares.forEach((share, index) => {
    const [x0, x1, y] = [p.X(bins.edges[index]!), p.X(bins.edges[index + 1]!), p.Y(share)];
    p.ctx.fillRect(x0, y, x1 - x0, p.top + p.height - y);
  });
  p.ctx.restore();
  const xs = shares.flatMap((_, index) => [bins.edges[index]!, bins.edges[index + 1]!]);
  const ys = shares.flatMap((share) => [share, share]);
  polyline(p, [xs[0]!, ...xs, xs[xs.length - 1]!], [0, ...ys, 0], { colour: look.colour, width: 1.6, dash: look.dash, alpha });
  if (arm.chart.modes.length > 1) modesOf(p, series, alpha, place === 0 ? 0 : 1);
}

/** Samples that are in no bin, or in one that the axis does not reach. */
function uncounted(c: Context): number {
  const [low, high] = rangeOf(c);
  return barsOf(c).reduce((sum, { series: { arm }, bins: { edges } }) =>
    sum + outside(arm.sorted(false), [Math.max(low, edges[0]!), Math.min(high, edges[edges.length - 1]!)]), 0);
}

/** A line at each mode with its share of the samples; two arms and two near modes do not write over each other. */
function modesOf(p: Paint, { arm, look }: Series, alpha: number, row: number): void {
  arm.chart.modes.forEach((mode, index) => {
    const y = p.top + (8 + 15 * (2 * (index % 2) + row)) * p.px;
    vertical(p, mode.place, { colour: look.colour, width: 1, dash: [2, 3], alpha });
    p.ctx.save();
    p.ctx.fillStyle = colour(look.colour);
    p.ctx.globalAlpha = alpha;
    p.ctx.beginPath();
    marker(p.ctx, look.marker, p.X(mode.place), y, 3.5 * p.px);
    p.ctx.fill();
    p.ctx.restore();
    if (alpha === 1) text(p, percent(mode.share), p.X(mode.place) + 6 * p.px, y + 4 * p.px);
  });
}

function binWords(c: Context): string {
  const first = barsOf(c)[0];
  const log = logarithmic(c);
  if (first === undefined) return "";
  const width = widthOf(first.bins, log);
  return log ? percent(Math.expm1(width)) : quantity(width, c.shown.unit);
}

function modesInWords({ arm }: Series): string {
  const { modes } = arm.chart;
  return modes.length < 2 ? "" : `${arm.name} has ${modes.length} clusters: ${modes.map(({ place, share }) => `${percent(share)} near ${quantity(place, arm.chart.unit)}`).join(", ")}.`;
}

/** Over all bins, which hold every cluster, or the part of them that a reader zoomed into. */
function rangeOf(c: Context): Range {
  const { y } = c.store.view;
  return Array.isArray(y) ? valueRange(c) : wholeRange(c);
}

function wholeRange(c: Context): Range {
  const of = scaledBy(c);
  const edges = barsOf(c).filter(({ series }) => of.includes(series)).flatMap(({ bins }) => [bins.edges[0]!, bins.edges[bins.edges.length - 1]!]);
  return edges.length === 0 ? [0, 1] : padded(Math.min(...edges), Math.max(...edges), 0.02, logarithmic(c));
}

/** For all charts that have an axis of values. */
export function logToggle(c: Context): { element: HTMLElement; refresh(): void } {
  const button = toggle("logarithmic axis", logarithmic(c), (on) => c.store.set({ log: on === isWide(c) ? null : on }));
  if (!mayBeLogarithmic(c)) {
    button.disabled = true;
    button.title = c.store.view.setup ? "Not available without the set-up" : "Some samples are zero or negative and have no logarithm";
  }
  return { element: button, refresh: () => press(button, logarithmic(c)) };
}

export function ecdf(c: Context): Piece {
  const title = "Share of samples at or below";
  const series = c.shown.series.filter(({ arm }) => arm.samples.length > 0);
  if (series.length === 0) return absent("ecdf", title, "the samples themselves were not kept.");
  const note = h("p", { class: "note" });
  const plot = new Plot({
    label: () => `Share of samples at or below each value. ${series.map(({ arm }) => `${arm.name}: half at or below ${quantity(arm.chart.raw?.median, arm.chart.unit)}`).join("; ")}.`,
    height: 260,
    x: { range: () => rangeOf(c), ticks: quantities(c.shown.unit), log: () => logarithmic(c), zoom: zoom(c), label: c.shown.series[0]?.arm.chart.metric ?? "" },
    y: { range: () => [0, 1.02], ticks: shares },
    hover: (x) => [`at or below ${quantity(x, c.shown.unit)}`, ...series.map(({ arm }) => `${arm.name} ${percent(atOrBelow(arm.sorted(false), x))}`)],
    paint: (p) => {
      const [low, high] = p.xr;
      const log = logarithmic(c);
      const places = Math.ceil(p.width / p.px);
      const xs = Array.from({ length: places + 1 }, (_, index) => (log ? low * (high / low) ** (index / places) : low + ((high - low) * index) / places));
      for (const of of series) {
        const sorted = of.arm.sorted(false);
        polyline(p, xs, xs.map((x) => atOrBelow(sorted, x)), { colour: of.look.colour, width: 2, dash: of.look.dash, alpha: alphaOf(c, of) }, true);
      }
      note.textContent = beyondWords(series.reduce((sum, { arm }) => sum + outside(arm.sorted(false), p.xr), 0), "sample");
    },
  });
  return piece({
    id: "ecdf", title, plots: [plot], watch: ["log", "s", "y"], legend: legend(series), below: note,
    how: "The line further left has the smaller values. Where the lines cross, one is better in the middle and worse in the tail.",
  });
}

function atOrBelow(sorted: Numbers, value: number): number {
  return firstFrom(sorted, value + Math.abs(value) * 1e-12) / sorted.length;
}
