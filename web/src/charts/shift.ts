// Is the candidate as much slower in the tail as in the middle? The change at every percentile, with a band that holds for all of them at once.

import { band, horizontal, polyline } from "../marks";
import { absent, keyOf, legend, piece, type Context, type Piece } from "../piece";
import { Plot } from "../plot";
import { padded } from "../ranges";
import { changes, type TickMaker, steps } from "../ticks";
import { change, digits } from "../units";
import { marginBand } from "./difference";

const percentiles: TickMaker = (low, high, most) => {
  const { at } = steps(low, high, most);
  const shown = at.filter((value) => value >= 0 && value <= 100);
  return { at: shown, labels: shown.map((value) => `P${digits(value)}`) };
};

export function shift(c: Context): Piece {
  const title = "Change at every percentile";
  const of = c.shown.chart?.shift ?? null;
  if (of === null || of.percentiles.length === 0) return absent("shift", title, c.shown.chart === null ? "nothing is compared here." : "it takes the samples of both arms, and one of them has none.");
  const less = (values: (number | null)[]) => values.map((value) => (value === null ? null : value - 1));
  const ratios = less(of.ratios);
  const [low, high] = [less(of.low), less(of.high)];
  const margin = c.shown.chart?.margin ?? 0;
  const reach = middle([...ratios, ...low, ...high]);
  const at = (percent: number) => {
    const index = of.percentiles.findIndex((value) => value >= percent);
    return index < 0 ? null : `${change(ratios[index])} at P${digits(of.percentiles[index]!)}`;
  };
  const plot = new Plot({
    label: () => `Candidate against baseline at every percentile: ${[at(10), at(50), at(90)].filter((words) => words !== null).join(", ")}.`,
    height: 260,
    x: { range: () => [-1, 101], ticks: percentiles, label: "percentile" },
    y: { range: () => padded(Math.min(0, -margin * 1.3, reach[0]), Math.max(0, margin * 1.3, reach[1])), ticks: changes },
    paint: (p) => {
      marginBand(p, margin);
      band(p, of.percentiles, low, high, { colour: "estimate", alpha: 0.22 });
      polyline(p, of.percentiles, ratios, { colour: "estimate", width: 2 });
      horizontal(p, 0, { colour: "ink", width: 1 });
    },
  });
  return piece({
    id: "shift", title, plots: [plot], watch: [],
    how: `Flat: the whole distribution moved alike. ${c.shown.comparison?.better === "higher" ? "Above zero the candidate has more, which is better here." : "Rising at the right: the tail got worse than the middle."} The band holds for all percentiles at once, ${digits(100 * of.confidence)} % sure.`,
    legend: legend([], keyOf("band estimate", "change and its band"), keyOf("band margin", "within the margin")),
  });
}

/** Without the outermost twentieth at either side: the band of the last percentiles is often as wide as the whole picture. */
function middle(values: (number | null)[]): [number, number] {
  const sorted = values.filter((value): value is number => value !== null && Number.isFinite(value)).sort((a, b) => a - b);
  const cut = Math.floor(sorted.length * 0.03);
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0];
}
