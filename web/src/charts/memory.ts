// Are samples autocorrelated? Autocorrelation, each sample against the next, and the mean of ever more samples with two
// errors: one as if they did not, one that allows for it.

import { h } from "../dom";
import { band, cloud, horizontal, marker, polyline, rectangle } from "../marks";
import { absent, alphaOf, keyOf, legend, names, piece, type Context, type Piece } from "../piece";
import { Plot } from "../plot";
import { logarithmic, padded, valueRange } from "../ranges";
import { colour, type Look } from "../theme";
import { counts, plain, quantities, type Range } from "../ticks";
import { beyondWords, counted, digits, fixed, quantity, quantityWithin } from "../units";
import type { RunningMean } from "../data";
import { reachOfMeans } from "../reach";
import { moveRounds, pointing } from "../linking";
import { inOrder, sampleAt, type Series } from "../model";
import { beyond, closest } from "./scatter";

const DIFFERENCE: Look = { colour: "difference", marker: "square", dash: [2, 2] };

export function autocorrelation(c: Context): Piece {
  const title = "Are samples autocorrelated?";
  const { chart } = c.shown;
  const lines: { name: string; look: Look; values: number[]; within: number; series: Series | null }[] = c.shown.series
    .filter(({ arm }) => arm.chart.autocorrelation.length > 0)
    .map((series) => ({ name: series.arm.name, look: series.look, values: series.arm.chart.autocorrelation, within: series.arm.chart.independent_within, series }));
  if (chart !== null && chart.autocorrelation.length > 0) lines.push({ name: "the differences", look: DIFFERENCE, values: chart.autocorrelation, within: chart.independent_within, series: null });
  if (lines.length === 0) return absent("autocorrelation", title, "the order of the samples is not known, or there are too few.");
  const most = Math.max(...lines.map(({ values }) => values.length));
  const bound = Math.max(...lines.map(({ within }) => within));
  const all = lines.flatMap(({ values }) => values);
  const range: Range = [Math.min(-1.6 * bound, ...all) - 0.03, Math.min(1.05, Math.max(1.6 * bound, ...all) + 0.05)];
  const plot = new Plot({
    label: () => `Correlation of samples with earlier ones. At lag 1: ${lines.map(({ name, values }) => `${name} ${fixed(values[0] ?? 0, 2)}`).join(", ")}. 95 % of independent samples stay within ${digits(bound, 2)}.`,
    height: 260,
    x: { range: () => [0.3, most + 0.7], ticks: counts, label: "lag, in samples or rounds" },
    y: { range: () => range, ticks: plain },
    hover: (x) => {
      const at = Math.min(most, Math.max(1, Math.round(x)));
      return [`lag ${at}`, ...lines.flatMap(({ name, values }) => (values[at - 1] === undefined ? [] : [`${name} ${fixed(values[at - 1]!, 2)}`]))];
    },
    paint: (p) => {
      rectangle(p, p.left, p.left + p.width, p.Y(bound), p.Y(-bound), { colour: "margin", alpha: 0.6 });
      horizontal(p, 0, { colour: "ink", width: 1 });
      const room = Math.abs(p.X(2) - p.X(1));
      const several = room > 5 * p.px * lines.length;
      lines.forEach(({ look, values, series }, index) => {
        const alpha = series === null ? 1 : alphaOf(c, series);
        const shift = several ? ((index - (lines.length - 1) / 2) * room * 0.22) : 0;
        p.ctx.save();
        p.ctx.globalAlpha = alpha;
        p.ctx.fillStyle = p.ctx.strokeStyle = colour(look.colour);
        p.ctx.lineWidth = 1.5 * p.px;
        p.ctx.beginPath();
        values.forEach((value, lag) => {
          if (!several) return;
          p.ctx.moveTo(p.X(lag + 1) + shift, p.Y(0));
          p.ctx.lineTo(p.X(lag + 1) + shift, p.Y(value));
        });
        p.ctx.stroke();
        p.ctx.beginPath();
        values.forEach((value, lag) => marker(p.ctx, look.marker, p.X(lag + 1) + shift, p.Y(value), 2.4 * p.px));
        p.ctx.fill();
        p.ctx.restore();
        if (!several) polyline(p, values.map((_, lag) => lag + 1), values, { colour: look.colour, width: 1, dash: look.dash, alpha });
      });
    },
  });
  return piece({
    id: "autocorrelation", title, plots: [plot], watch: ["s"],
    how: "At 0, a sample says nothing about the next; at 1, it determines it. Points beyond the grey band show autocorrelation, which makes a mean less certain than it looks. The differences should stay within the band, because both samples of a round see the same state of the machine.",
    legend: legend(lines.flatMap(({ series }) => (series === null ? [] : [series])), ...(chart !== null && chart.autocorrelation.length > 0 ? [keyOf("square difference", "differences")] : []), keyOf("band margin", "95 % of independent samples")),
  });
}

export function lag(c: Context): Piece {
  const title = "Each sample against the next";
  const series = inOrder(c.shown.series).filter(({ arm }) => arm.samples.length > 1);
  if (series.length === 0) return absent("lag", title, "the order of the samples is not known, or none were kept.");
  const { rounds } = c.shown;
  const pairs = series.map((of) => ({ of, now: of.arm.samples.subarray(0, -1), next: of.arm.samples.subarray(1) }));
  const placeOf = (of: Series, round: number) => (rounds === null ? sampleAt(of, round) : (of === c.shown.series[0] ? rounds.baseline : rounds.candidate)[round]);
  const roundAt = (of: Series, place: number) => Math.round(of.places[place] ?? 0);
  const nearestRound = (x: number, y: number, on: Plot): number | null => {
    for (const { of, now, next } of pairs) {
      const found = closest(on, x, y, now, next);
      if (found !== null) return roundAt(of, found);
    }
    return null;
  };
  const note = h("p", { class: "note" });
  const plot = new Plot({
    label: () => `Each sample (horizontal) against the next (vertical), of ${names(series)}. Lag 1 autocorrelation: ${series.map(({ arm }) => `${arm.name} ${fixed(arm.chart.autocorrelation[0] ?? 0, 2)}`).join(", ")}.`,
    height: 320,
    x: { range: () => valueRange(c), ticks: quantities(c.shown.unit), log: () => logarithmic(c), label: "a sample" },
    y: { range: () => valueRange(c), ticks: quantities(c.shown.unit), log: () => logarithmic(c) },
    ...pointing(c, nearestRound),
    key: (event) => moveRounds(event, c, rounds?.count ?? Math.max(...series.map(({ arm }) => arm.samples.length))),
    marks: () => {
      const { round } = c.selection;
      return round === null ? [] : pairs.flatMap(({ of, now, next }) => {
        const place = placeOf(of, round);
        return place === undefined || now[place] === undefined ? [] : [{ x: now[place], y: next[place]!, look: of.look.colour }];
      });
    },
    paint: (p) => {
      for (const { of, now, next } of pairs) {
        const keep = of.arm.keep(c.store.view.out);
        cloud(p, now, next, { colour: of.look.colour, marker: of.look.marker, alpha: alphaOf(c, of), keep });
      }
      note.textContent = beyondWords(pairs.reduce((sum, { now, next }) => sum + beyond(now, next, p.xr), 0), "pair");
    },
  });
  return piece({
    id: "lag", title, plots: [plot], watch: ["y", "out", "s", "log"], selection: c.selection, legend: legend(series), below: note,
    how: "A round cloud: samples are independent. Stretched along the diagonal: slow follows slow. Several clumps: times switch between clusters.",
  });
}

export function runningMean(c: Context): Piece {
  const title = "The mean of more and more samples";
  const series = c.shown.series.filter(({ arm }) => arm.chart.running_mean.length > 1);
  if (series.length === 0) return absent("mean", title, "the order of the samples is not known, or there are too few.");
  const reach = reachOfMeans(series.map(({ arm }) => arm.chart.running_mean));
  const longest = Math.max(...series.map(({ arm }) => arm.chart.running_mean.at(-1)?.after ?? 1));
  const first = Math.min(...series.map(({ arm }) => arm.chart.running_mean[0]?.after ?? 1));
  const plot = new Plot({
    label: () => `The mean of more and more samples. ${series.map(({ arm }) => {
      const last = arm.chart.running_mean.at(-1)!;
      return `${arm.name}: ${quantity(last.mean, arm.chart.unit)} after ${counted(last.after, "sample")}, ± ${last.corrected === null ? "an unknown amount" : quantity(last.corrected, arm.chart.unit)}; without correction for autocorrelation ± ${quantity(last.naive, arm.chart.unit)}`;
    }).join(". ")}.`,
    height: 260,
    x: { range: () => [Math.max(1, first), Math.max(2, longest)], ticks: counts, log: () => longest > 20 * first, label: "samples" },
    y: { range: () => padded(...reach), ticks: quantities(c.shown.unit) },
    hover: (x) => series.flatMap(({ arm }) => {
      const mean = arm.chart.running_mean.findLast(({ after }) => after <= x);
      return mean === undefined ? [] : [`${arm.name}, ${counted(mean.after, "sample")}`, `mean ${quantityWithin(mean.mean, mean.corrected, arm.chart.unit)}${mean.corrected === null ? " ± ?" : ""}, without correction ${quantityWithin(mean.mean, mean.naive, arm.chart.unit)}`];
    }),
    paint: (p) => {
      for (const of of series) {
        const means = of.arm.chart.running_mean;
        const alpha = alphaOf(c, of);
        const xs = means.map(({ after }) => after);
        const edge = (half: (mean: RunningMean) => number | null, way: 1 | -1) => means.map((mean) => {
          const value = half(mean);
          return value === null ? null : mean.mean + way * value;
        });
        const known = means.filter(({ corrected }) => corrected !== null);
        band(p, known.map(({ after }) => after), known.map(({ mean, corrected }) => mean - corrected!), known.map(({ mean, corrected }) => mean + corrected!), { colour: of.look.colour, alpha: 0.16 * alpha });
        for (const way of [1, -1] as const) {
          polyline(p, xs, edge(({ corrected }) => corrected, way), { colour: of.look.colour, width: 1.2, alpha });
          polyline(p, xs, edge(({ naive }) => naive, way), { colour: of.look.colour, width: 1.2, dash: [1.5, 3], alpha });
        }
        polyline(p, xs, means.map(({ mean }) => mean), { colour: of.look.colour, width: 2, dash: of.look.dash, alpha });
      }
    },
  });
  return piece({
    id: "mean", title, wide: true, plots: [plot], watch: ["s"], legend: legend(series, keyOf("band corrected", "error, corrected for autocorrelation"), keyOf("dots", "error without correction")),
    how: "If the mean keeps leaving its dotted lines, their error is too small. The shaded band is corrected for autocorrelation.",
  });
}
