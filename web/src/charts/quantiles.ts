// Are the samples normal, or are their logarithms? Points on the straight line say yes; a bend at the right is a tail that means and standard deviations
// do not describe.

import type { Fit } from "../data";
import { firstFrom } from "../downsample";
import { cloud, polyline } from "../marks";
import { absent, alphaOf, keyOf, legend, names, piece, type Context, type Piece } from "../piece";
import { Plot } from "../plot";
import { padded } from "../ranges";
import { plain, quantities, type Range } from "../ticks";
import { fixed, quantity } from "../units";

export function quantilePlot(c: Context, log: boolean): Piece {
  const id = log ? "log-normal" : "normal";
  const title = log ? "Against the log-normal" : "Against the normal";
  const fitOf = (chart: { normal_fit: Fit | null; log_normal_fit: Fit | null }) => (log ? chart.log_normal_fit : chart.normal_fit);
  const series = c.shown.series.filter(({ arm }) => arm.chart.quantiles !== null && (!log || arm.chart.log_normal_fit !== null));
  if (series.length === 0) return absent(id, title, log ? "there are no samples, or some are not above zero." : "there are too few samples.");
  const all = (which: "normal" | "sample") => series.flatMap(({ arm }) => arm.chart.quantiles![which]).filter((value) => !log || which === "normal" || value > 0);
  const ends = (values: number[]): Range => [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
  const [xr, yr] = [ends(all("normal")), ends(all("sample"))];
  const plot = new Plot({
    label: () => `Quantiles of ${names(series)} against those of the ${log ? "log-normal" : "normal"} distribution that fits best. ${series.map(({ arm }) => {
      const told = c.model.levelOf(arm)?.distribution;
      return told === undefined ? "" : `${arm.name}: ${told.sentence}.`;
    }).join(" ")}`,
    height: 260,
    x: { range: () => padded(...xr), ticks: plain, label: "standard deviations from the mean, expected" },
    y: { range: () => (log ? [yr[0] / (yr[1] / yr[0]) ** 0.05, yr[1] * (yr[1] / yr[0]) ** 0.05] : padded(...yr)), ticks: quantities(c.shown.unit), log: () => log },
    hover: (x) => [`at ${fixed(x, 1)} standard deviations`, ...series.map(({ arm }) => {
      const { normal, sample } = arm.chart.quantiles!;
      const at = Math.min(sample.length - 1, firstFrom(normal, x));
      const fit = fitOf(arm.chart);
      const fitted = fit === null ? null : fit.location + fit.scale * normal[at]!;
      return `${arm.name} ${quantity(sample[at], arm.chart.unit)}${fitted === null ? "" : `, the fit ${quantity(log ? Math.exp(fitted) : fitted, arm.chart.unit)}`}`;
    })],
    paint: (p) => {
      for (const of of series) {
        const { quantiles } = of.arm.chart;
        const fit = fitOf(of.arm.chart);
        const alpha = alphaOf(c, of);
        if (fit !== null) {
          const ys = p.xr.map((x) => fit.location + fit.scale * x);
          polyline(p, p.xr, log ? ys.map(Math.exp) : ys, { colour: of.look.colour, width: 1.5, dash: of.look.dash, alpha });
        }
        if (quantiles !== null) cloud(p, quantiles.normal, quantiles.sample, { colour: of.look.colour, marker: of.look.marker, size: 2.4, alpha });
      }
    },
  });
  return piece({
    id, title, plots: [plot], watch: ["s"], legend: legend(series, keyOf("fit", "the fit")),
    how: log ? "If the points follow the line, the samples are log-normal." : "If the points follow the line, the samples are normal. Most times are not: the points bend upwards at the right.",
  });
}
