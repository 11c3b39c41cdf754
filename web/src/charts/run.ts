// What did every sample cost, in the order taken? The run chart, with each arm's box to its left and bars of how often to its right, all on one axis
// of values. Choosing a series fades the others and draws its median, quartiles and fence. A series whose order is lost has its box and bars, but
// no points.

import { barsOf, binLines } from "../bars";
import { columnExtremes, within } from "../downsample";
import { cloud, horizontal, marker, polyline, rectangle } from "../marks";
import { pointing } from "../linking";
import { alphaOf, chosenSeries, type Context } from "../piece";
import { Plot, type Paint } from "../plot";
import { logarithmic, roundCount, roundRange, roundZoom, valueRange, valueZoom } from "../ranges";
import { colour } from "../theme";
import { none, ordinals, quantities, quantitiesOf } from "../ticks";
import { counted, quantity } from "../units";
import type { Box } from "../data";
import { inOrder, sampleAt, type Series } from "../model";
import { launchStripes, nearest } from "./difference";

export const HEIGHT = 340;
const AXIS = 74;

export function runPlot(c: Context, key: (event: KeyboardEvent) => boolean, choose: (series: Series | null) => void, said: (beyond: number) => void): Plot {
  const { rounds, unit, timeOfPlace } = c.shown;
  const series = inOrder(c.shown.series);
  const paired = rounds !== null;
  const mouse = pointing(c, (x) => nearest(x, roundCount(c)));
  return new Plot({
    label: () => `Every sample in the order taken. ${series.map((of) => inWords(c, of)).join("; ")}.`,
    height: HEIGHT,
    x: timeOfPlace === null
      ? { range: () => roundRange(c), ticks: ordinals, zoom: roundZoom(c), label: paired ? "round" : "sample" }
      : { range: () => roundRange(c), ticks: quantitiesOf(unit, timeOfPlace), zoom: roundZoom(c), label: "running time" },
    y: { range: () => valueRange(c), ticks: quantities(unit), log: () => logarithmic(c), zoom: valueZoom(c), size: AXIS },
    ...mouse,
    click: (x, y, plot) => {
      const near = nearestSeries(c, x, y, plot);
      choose(near);
      if (near === null) mouse.click(x, y, plot);
    },
    key,
    marks: () => marksOf(c),
    paint: (p) => {
      launchesOf(c, p);
      const chosen = chosenSeries(c);
      let beyond = 0;
      // The chosen one last, so that it lies on top.
      for (const of of [...series].sort((a, b) => Number(a === chosen) - Number(b === chosen))) {
        const keep = of.arm.keep(c.store.view.out);
        if (of === chosen) filledToMean(c, p, of, keep);
        const outside = cloud(p, of.places, of.arm.samples, { colour: of.look.colour, marker: of.look.marker, alpha: alphaOf(c, of), keep, sorted: true });
        beyond += outside.above + outside.below;
      }
      const pool = c.store.view.setup ? c.shown.pool?.without_set_up ?? null : c.shown.pool;
      if (chosen !== null) linesOf(p, chosen.arm.box(c.store.view.out), chosen.arm.chart.fences?.high ?? null);
      else if (pool !== null) linesOfAll(p, c.store.view.out ? pool.clean : pool.raw);
      said(beyond);
    },
  });
}

export function inWords(c: Context, { arm }: Series): string {
  const box = arm.box(c.store.view.out);
  return box === null ? `${arm.name}: no samples` : `${arm.name}: ${counted(box.samples, "sample")}, median ${quantity(box.median, arm.chart.unit)}, from ${quantity(box.min, arm.chart.unit)} to ${quantity(box.max, arm.chart.unit)}`;
}

function launchesOf(c: Context, p: Paint): void {
  const first = inOrder(c.shown.series)[0];
  const starts = c.shown.rounds?.launches ?? first?.arm.chart.launches.map((at) => first.places[at] ?? at) ?? [];
  launchStripes(p, starts, roundCount(c));
}

function marksOf(c: Context): { x: number; y: number; look: string }[] {
  const { round } = c.selection;
  if (round === null) return [];
  const { rounds, series } = c.shown;
  return series.flatMap(({ arm, look, places }, index) => {
    if (arm.chart.order_lost) return [];
    const at = rounds === null ? sampleAt(c.shown.series[index]!, round) : (index === 0 ? rounds.baseline : rounds.candidate)[round];
    const y = at === undefined ? undefined : arm.samples[at];
    if (at === undefined || y === undefined) return [];
    return [{ x: rounds === null ? places[at]! : round, y, look: look.colour }];
  });
}

const CLICK_REACH = 14;

/** The series whose sample of this round is near the mouse. */
function nearestSeries(c: Context, x: number, y: number, plot: Plot): Series | null {
  const mouse = plot.at(x, y);
  if (mouse === null) return null;
  let best: { series: Series; far: number } | null = null;
  for (const series of inOrder(c.shown.series)) {
    // As many rounds as the reach has pixels, where they stand that close.
    const rounds = Math.min(20_000, Math.max(3, CLICK_REACH / Math.abs((plot.at(x + 1, y)?.left ?? 0) - mouse.left)));
    const [from, to] = within(series.places, x - rounds, x + rounds);
    for (let index = from; index < to; index += 1) {
      const at = plot.at(series.places[index]!, series.arm.samples[index]!);
      if (at === null) continue;
      const far = Math.hypot(at.left - mouse.left, at.top - mouse.top);
      if (far <= CLICK_REACH && (best === null || far < best.far)) best = { series, far };
    }
  }
  return best?.series ?? null;
}

function filledToMean(c: Context, p: Paint, { arm, places, look }: Series, keep: ((y: number) => boolean) | undefined): void {
  const mean = arm.box(c.store.view.out)?.mean;
  if (mean === undefined) return;
  const [from, to] = within(places, p.xr[0], p.xr[1]);
  const level = p.Y(mean);
  p.ctx.save();
  p.ctx.fillStyle = colour(look.colour);
  p.ctx.globalAlpha = 0.18;
  if (to - from < p.width / 2) {
    p.ctx.beginPath();
    let last = NaN;
    for (let index = from; index < to; index += 1) {
      const y = arm.samples[index]!;
      if (keep !== undefined && !keep(y)) continue;
      if (Number.isNaN(last)) p.ctx.moveTo(p.X(places[index]!), level);
      last = p.X(places[index]!);
      p.ctx.lineTo(last, p.Y(y));
    }
    p.ctx.lineTo(last, level);
    p.ctx.fill();
  } else {
    const { min, max } = columnExtremes(places, arm.samples, from, to, Math.ceil(p.width), (x) => p.X(x) - p.left, keep);
    min.forEach((low, column) => {
      if (Number.isNaN(low)) return;
      const [top, bottom] = [Math.min(level, p.Y(max[column]!)), Math.max(level, p.Y(low))];
      p.ctx.fillRect(p.left + column, top, 1, bottom - top);
    });
  }
  p.ctx.restore();
}

/** Of all series together, also their mean: it is in no box beside it. */
function linesOfAll(p: Paint, box: Box | null): void {
  linesOf(p, box, null);
  if (box !== null) horizontal(p, box.mean, { colour: "ink", width: 1.4, dash: [7, 4] });
}

function linesOf(p: Paint, box: Box | null, fence: number | null): void {
  if (box === null) return;
  horizontal(p, box.median, { colour: "ink", width: 1.6 });
  horizontal(p, box.q1, { colour: "ink", width: 1.4, dash: [1.5, 3] });
  horizontal(p, box.q3, { colour: "ink", width: 1.4, dash: [1.5, 3] });
  if (fence !== null) horizontal(p, fence, { colour: "ink", width: 1.4, dash: [8, 3, 1.5, 3] });
}

/** A box from quartile to quartile, a line at the median, whiskers to the ends; the mean a dash, a ring beyond a fence, a full circle beyond a far one. */
export function stripPlot(c: Context, choose: (series: Series | null) => void): Plot {
  const { series } = c.shown;
  return new Plot({
    label: () => `Boxes from first to third quartile. ${series.map((of) => inWords(c, of)).join("; ")}.`,
    height: HEIGHT,
    x: { range: () => [-0.6, series.length - 0.4], ticks: none, label: " " },
    y: { range: () => valueRange(c), ticks: quantities(c.shown.unit), log: () => logarithmic(c), blank: true },
    hover: (x) => boxLines(c, series[nearest(x, series.length)]),
    click: (x) => choose(series[nearest(x, series.length)] ?? null),
    paint: (p) => {
      series.forEach((of, index) => {
        const box = of.arm.box(c.store.view.out);
        if (box === null) return;
        const { ctx } = p;
        const half = Math.min(16 * p.px, (p.X(1) - p.X(0)) * 0.32);
        const x = p.X(index);
        ctx.save();
        ctx.globalAlpha = alphaOf(c, of);
        ctx.strokeStyle = colour(of.look.colour);
        ctx.fillStyle = colour(of.look.colour);
        ctx.lineWidth = 1.5 * p.px;
        ctx.beginPath();
        ctx.moveTo(x, p.Y(box.min)); ctx.lineTo(x, p.Y(box.q1));
        ctx.moveTo(x, p.Y(box.q3)); ctx.lineTo(x, p.Y(box.max));
        for (const end of [box.min, box.max]) { ctx.moveTo(x - half / 2, p.Y(end)); ctx.lineTo(x + half / 2, p.Y(end)); }
        ctx.stroke();
        ctx.globalAlpha *= 0.25;
        ctx.fillRect(x - half, p.Y(box.q3), 2 * half, p.Y(box.q1) - p.Y(box.q3));
        ctx.globalAlpha = alphaOf(c, of);
        ctx.strokeRect(x - half, p.Y(box.q3), 2 * half, p.Y(box.q1) - p.Y(box.q3));
        horizontal(p, box.median, { colour: of.look.colour, width: 2.5, alpha: alphaOf(c, of) }, x - half, x + half);
        const { fences, far_fences } = of.arm.chart;
        const beyond = (ends: { low: number; high: number } | null) => ends !== null && (box.mean > ends.high || box.mean < ends.low);
        ctx.beginPath();
        if (beyond(fences)) marker(ctx, "circle", x, p.Y(box.mean), 4 * p.px);
        else { ctx.moveTo(x - half * 0.6, p.Y(box.mean)); ctx.lineTo(x + half * 0.6, p.Y(box.mean)); ctx.setLineDash([3 * p.px, 2 * p.px]); }
        ctx.stroke();
        if (beyond(far_fences)) ctx.fill();
        ctx.restore();
      });
    },
  });
}

function boxLines(c: Context, of: Series | undefined): string[] {
  const box = of?.arm.box(c.store.view.out);
  if (of === undefined || box === null || box === undefined) return [];
  const line = (name: string, value: number) => `${name} ${quantity(value, c.shown.unit)}`;
  return [of.arm.name, line("maximum", box.max), line("third quartile", box.q3), line("mean", box.mean), line("median", box.median), line("first quartile", box.q1), line("minimum", box.min)];
}

/** The bars of the histogram, lying on their side. */
export function sidePlot(c: Context): Plot {
  const { series } = c.shown;
  const tallest = () => Math.max(1e-9, ...barsOf(c).flatMap(({ shares }) => shares));
  return new Plot({
    label: () => `How often each value occurred, on the same axis as the samples: ${series.map(({ arm }) => arm.name).join(" and ")}.`,
    height: HEIGHT,
    x: { range: () => [0, tallest() * 1.05], ticks: none, label: " " },
    y: { range: () => valueRange(c), ticks: quantities(c.shown.unit), log: () => logarithmic(c), blank: true },
    hover: (_, y) => binLines(c, y),
    paint: (p) => {
      for (const { series: of, bins, shares } of barsOf(c)) {
        const alpha = alphaOf(c, of);
        shares.forEach((share, index) => {
          if (share > 0) rectangle(p, p.X(0), p.X(share), p.Y(bins.edges[index + 1]!), p.Y(bins.edges[index]!), { colour: of.look.colour, alpha: 0.35 * alpha });
        });
        const xs = shares.flatMap((share) => [share, share]);
        const ys = shares.flatMap((_, index) => [bins.edges[index]!, bins.edges[index + 1]!]);
        polyline(p, xs, ys, { colour: of.look.colour, width: 1.2, dash: of.look.dash, alpha });
      }
    },
  });
}
