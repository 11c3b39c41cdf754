// Is the candidate as much slower in the tail as in the middle? The change at every percentile, with a band that holds for all of them at once.

import { h } from "../dom";
import { band, hatch, horizontal, polyline } from "../marks";
import { absent, keyOf, legend, piece, type Context, type Piece } from "../piece";
import { Plot, type Paint } from "../plot";
import { padded } from "../ranges";
import { reachOf } from "../reach";
import { changes, type Range, type TickMaker, steps } from "../ticks";
import { change, counted, digits, effect } from "../units";
import { marginBand } from "./difference";

const percentiles: TickMaker = (low, high, most) => {
  const { at } = steps(low, high, most);
  const shown = at.filter((value) => value >= 0 && value <= 100);
  return { at: shown, labels: shown.map((value) => `P${digits(value)}`) };
};

export function shift(c: Context): Piece {
  const title = "Change at every percentile";
  const of = c.shown.chart?.shift ?? null;
  if (of === null || of.percentiles.length === 0) return absent("shift", title, c.shown.chart === null ? "nothing is compared here." : "one of the two has no samples.");
  const less = (values: (number | null)[]) => values.map((value) => (value === null ? null : value - 1));
  const ratios = less(of.ratios);
  const [low, high] = [less(of.low), less(of.high)];
  const margin = c.shown.chart?.margin ?? 0;
  const banded = [...low, ...high].some((end) => end !== null);
  const open = banded && [...low, ...high].some((end) => end === null);
  const orLine = (ends: (number | null)[]) => ends.map((end, index) => end ?? ratios[index] ?? null);
  const reach = reachOf(of.percentiles, ratios, low, high);
  const at = (percent: number) => {
    const index = of.percentiles.findIndex((value) => value >= percent);
    return index < 0 ? null : `${change(ratios[index])} at P${digits(of.percentiles[index]!)}`;
  };
  const yr = (): Range => padded(Math.min(0, -margin * 1.3, reach[0]), Math.max(0, margin * 1.3, reach[1]));
  const plot = new Plot({
    label: () => `Candidate against baseline at every percentile: ${[at(10), at(50), at(90)].filter((words) => words !== null).join(", ")}.`,
    height: 260,
    x: { range: () => [-1, 101], ticks: percentiles, label: "percentile" },
    y: { range: yr, ticks: changes },
    hover: (x) => {
      const index = nearestOf(of.percentiles, x);
      return [`P${digits(of.percentiles[index]!)}`, banded ? effect({ estimate: ratios[index]!, low: low[index]!, high: high[index]! }) : change(ratios[index])];
    },
    paint: (p) => {
      marginBand(p, margin);
      polyline(p, of.percentiles, ratios, { colour: "estimate", width: 2 });
      if (banded) {
        band(p, of.percentiles, orLine(low), orLine(high), { colour: "estimate", alpha: 0.22 });
        unbounded(p, of.percentiles, ratios, low, p.top + p.height);
        unbounded(p, of.percentiles, ratios, high, p.top);
      }
      cutOff(p, of.percentiles, orLine(low), orLine(high));
      horizontal(p, 0, { colour: "ink", width: 1 });
    },
  });
  return piece({
    id: "shift", title, plots: [plot], watch: [], below: h("p", { class: "note" }, beyondInWords(of.percentiles, ratios, yr())),
    how: `Flat: all percentiles changed alike. ${c.shown.comparison?.better === "higher" ? "Above zero the candidate has more, which is better here." : "Rising at the right: the tail got worse than the middle."} ${banded ? `The band holds for all percentiles at once, ${digits(100 * of.confidence)} % sure. ` : "There is no band, because the samples are not paired. "}A dotted edge continues beyond the chart.`,
    legend: legend([], banded ? keyOf("band estimate", "change and its band") : keyOf("fit", "change"), ...(open ? [keyOf("hatched", "no bound yet")] : []), keyOf("band margin", "within the margin")),
  });
}

/** `2 percentiles beyond this axis, the furthest P98 with +7.1 %.` */
function beyondInWords(percentiles: number[], ratios: (number | null)[], [low, high]: Range): string {
  const away = percentiles.map((percent, index) => ({ percent, ratio: ratios[index] ?? 0 })).filter(({ ratio }) => ratio < low || ratio > high);
  const [furthest] = [...away].sort((a, b) => Math.abs(b.ratio) - Math.abs(a.ratio));
  return furthest === undefined ? "" : `${counted(away.length, "percentile")} beyond this axis, the furthest P${digits(furthest.percent)} with ${change(furthest.ratio)}.`;
}

function nearestOf(places: number[], at: number): number {
  return places.reduce((best, place, index) => (Math.abs(place - at) < Math.abs(places[best]! - at) ? index : best), 0);
}

/** From half way to the percentile before to half way to the one after. */
function slot(p: Paint, percentiles: number[], index: number): [number, number] {
  const middle = (a: number, b: number) => (p.X(percentiles[a] ?? percentiles[index]!) + p.X(percentiles[b] ?? percentiles[index]!)) / 2;
  return [middle(index - 1, index), middle(index, index + 1)];
}

/** Hatched from the line to the edge of the chart, at percentiles that have no bound at this side. */
function unbounded(p: Paint, percentiles: number[], ratios: (number | null)[], ends: (number | null)[], edge: number): void {
  p.ctx.save();
  p.ctx.beginPath();
  ends.forEach((end, index) => {
    const ratio = ratios[index];
    if (end !== null || typeof ratio !== "number") return;
    const [from, to] = slot(p, percentiles, index);
    p.ctx.rect(from, Math.min(edge, p.Y(ratio)), to - from, Math.abs(edge - p.Y(ratio)));
  });
  p.ctx.clip();
  hatch(p, "estimate");
  p.ctx.restore();
}

/** Dots along the edge of the chart where the band, or the line, goes on beyond it. */
function cutOff(p: Paint, percentiles: number[], low: (number | null)[], high: (number | null)[]): void {
  const [bottom, top] = p.yr;
  percentiles.forEach((_, index) => {
    const [from, to] = slot(p, percentiles, index);
    const line = { colour: "estimate", width: 3, dash: [2, 3] };
    if ((high[index] ?? -Infinity) > top) horizontal(p, top, line, from, to);
    if ((low[index] ?? Infinity) < bottom) horizontal(p, bottom, line, from, to);
  });
}
