// How often does each cost occur? Histograms of both arms, and the share of samples at or below each value. With a logarithmic axis on request:
// times are often lopsided, and then the tail is told only there.

import { h, press, toggle } from "../dom";
import { firstFrom } from "../downsample";
import type { Bins } from "../data";
import { polyline, text, vertical, marker } from "../marks";
import type { Series } from "../model";
import { absent, alphaOf, legend, names, piece, type Context, type Piece } from "../piece";
import { Plot, type Paint } from "../plot";
import { padded, scaledBy } from "../ranges";
import { colour } from "../theme";
import { quantities, shares, type Range } from "../ticks";
import { counted, percent, quantity } from "../units";

interface Bars {
  series: Series;
  bins: Bins;
}

const width = (bins: Bins, log: boolean, at = 0) => (log ? Math.log(bins.edges[at + 1]! / bins.edges[at]!) : bins.edges[at + 1]! - bins.edges[at]!);
const total = (bins: Bins) => bins.counts.reduce((sum, count) => sum + count, bins.below + bins.above);

function barsOf(c: Context): { bars: Bars[]; log: boolean } {
  const able = c.shown.series.some(({ arm }) => arm.chart.histogram !== null) && c.shown.series.every(({ arm }) => arm.chart.histogram === null || arm.chart.log_histogram !== null);
  const log = c.store.view.log && able;
  const bars = c.shown.series.flatMap((series) => {
    const bins = log ? series.arm.chart.log_histogram : series.arm.chart.histogram;
    return bins === null || bins.counts.length === 0 ? [] : [{ series, bins }];
  });
  return { bars, log };
}

export function histogram(c: Context): Piece {
  const title = "How often each value occurs";
  if (barsOf(c).bars.length === 0) return absent("histogram", title, "there are no samples to count.");
  const share = (of: Bars, index: number) => {
    const { bars, log } = barsOf(c);
    // Bins of arms may differ in width: shares are said for the width of the first arm's.
    return (of.bins.counts[index]! / Math.max(1, total(of.bins))) * (width(bars[0]!.bins, log) / width(of.bins, log, index));
  };
  const ends = (): Range => rangeOf(c);
  const note = h("p", { class: "note" });
  const logarithmic = logToggle(c);
  const plot = new Plot({
    label: () => `Histogram of ${names(c.shown.series)}. ${c.shown.series.map(modesInWords).join(" ")}`,
    height: 260,
    x: { range: ends, ticks: quantities(c.shown.unit), log: () => barsOf(c).log, label: c.shown.series[0]?.arm.chart.metric ?? "" },
    y: { range: () => [0, 1.12 * Math.max(1e-6, ...barsOf(c).bars.flatMap((of) => of.bins.counts.map((_, index) => share(of, index))))], ticks: shares },
    paint: (p) => {
      const { bars } = barsOf(c);
      for (const of of bars) {
        const { arm, look } = of.series;
        const alpha = alphaOf(c, of.series);
        p.ctx.save();
        p.ctx.fillStyle = colour(look.colour);
        p.ctx.globalAlpha = 0.28 * alpha;
        of.bins.counts.forEach((_, index) => {
          const [x0, x1, y] = [p.X(of.bins.edges[index]!), p.X(of.bins.edges[index + 1]!), p.Y(share(of, index))];
          p.ctx.fillRect(x0, y, x1 - x0, p.top + p.height - y);
        });
        p.ctx.restore();
        const xs = of.bins.counts.flatMap((_, index) => [of.bins.edges[index]!, of.bins.edges[index + 1]!]);
        const ys = of.bins.counts.flatMap((_, index) => [share(of, index), share(of, index)]);
        polyline(p, [xs[0]!, ...xs, xs[xs.length - 1]!], [0, ...ys, 0], { colour: look.colour, width: 1.6, dash: look.dash, alpha });
        if (arm.chart.modes.length > 1) modesOf(p, of.series, alpha, of === bars[0] ? 0 : 1);
      }
      const beyond = bars.reduce((sum, { bins }) => sum + bins.below + bins.above, 0);
      note.textContent = `Shares are of samples in bins ${binWords(c)} wide.${beyond > 0 ? ` ${counted(beyond, "sample")} beyond this axis.` : ""}`;
    },
  });
  return piece({
    id: "histogram", title, plots: [plot], watch: ["log", "s"], tools: [logarithmic.element], legend: legend(c.shown.series), below: note,
    how: "Higher means more often. Where the times form several clusters, each is marked with its share of the samples.",
    refresh: logarithmic.refresh,
  });
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
  const { bars, log } = barsOf(c);
  const first = bars[0];
  if (first === undefined) return "";
  return log ? percent(Math.expm1(width(first.bins, true))) : quantity(width(first.bins, false), c.shown.unit);
}

function modesInWords({ arm }: Series): string {
  const { modes } = arm.chart;
  return modes.length < 2 ? "" : `${arm.name} has ${modes.length} clusters: ${modes.map(({ place, share }) => `${percent(share)} near ${quantity(place, arm.chart.unit)}`).join(", ")}.`;
}

function rangeOf(c: Context): Range {
  const { bars, log } = barsOf(c);
  const of = scaledBy(c);
  const edges = bars.filter(({ series }) => of.includes(series)).flatMap(({ bins }) => [bins.edges[0]!, bins.edges[bins.edges.length - 1]!]);
  if (edges.length === 0) return [0, 1];
  const [low, high] = [Math.min(...edges), Math.max(...edges)];
  return log ? [low / (high / low) ** 0.02, high * (high / low) ** 0.02] : padded(low, high, 0.02);
}

function logToggle(c: Context): { element: HTMLElement; refresh(): void } {
  const button = toggle("logarithmic axis", c.store.view.log, (log) => c.store.set({ log }));
  if (c.shown.series.some(({ arm }) => arm.chart.histogram !== null && arm.chart.log_histogram === null)) {
    button.disabled = true;
    button.title = c.store.view.setup ? "Not available without the set-up" : "Some samples are zero or negative and have no logarithm";
  }
  return { element: button, refresh: () => press(button, c.store.view.log) };
}

export function ecdf(c: Context): Piece {
  const title = "Share of samples at or below";
  const series = c.shown.series.filter(({ arm }) => arm.samples.length > 0);
  if (series.length === 0) return absent("ecdf", title, "the samples themselves were not kept.");
  const plot = new Plot({
    label: () => `Share of samples at or below each value. ${series.map(({ arm }) => `${arm.name}: half at or below ${quantity(arm.chart.raw?.median, arm.chart.unit)}`).join("; ")}.`,
    height: 260,
    x: { range: () => rangeOf(c), ticks: quantities(c.shown.unit), log: () => barsOf(c).log, label: c.shown.series[0]?.arm.chart.metric ?? "" },
    y: { range: () => [0, 1.02], ticks: shares },
    paint: (p) => {
      const [low, high] = p.xr;
      const log = barsOf(c).log;
      const places = Math.ceil(p.width / p.px);
      const xs = Array.from({ length: places + 1 }, (_, index) => (log ? low * (high / low) ** (index / places) : low + ((high - low) * index) / places));
      for (const of of series) {
        const sorted = of.arm.sorted(false);
        const below = (x: number) => firstFrom(sorted, x * (1 + 1e-12)) / sorted.length;
        polyline(p, xs, xs.map(below), { colour: of.look.colour, width: 2, dash: of.look.dash, alpha: alphaOf(c, of) }, true);
      }
    },
  });
  return piece({
    id: "ecdf", title, plots: [plot], watch: ["log", "s"], legend: legend(series),
    how: "The line further left has the smaller values. Where the lines cross, one is better in the middle and worse in the tail.",
  });
}
