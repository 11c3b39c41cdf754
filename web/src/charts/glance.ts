// How do the two lie beside each other, at a glance? Both distributions and their medians, small, beside the verdict: an SVG that has its whole height
// from the start, so that nothing moves while the page is drawn.

import type { Bins } from "../data";
import { coarser } from "../downsample";
import { h, svg } from "../dom";
import type { Series } from "../model";
import { swatch, type Context } from "../piece";
import type { Look } from "../theme";
import { isWide } from "../ranges";
import { quantities, type Range } from "../ticks";
import { counted, quantity } from "../units";

/** The area of the bars, in the picture's own units; it is stretched to the room there is. */
const [WIDE, HIGH] = [1000, 100];
const [TOP, HEIGHT, AXIS] = [8, 96, 22];
const TICKS = 4;

export interface Outline {
  /** Corners of the steps, from 0 to 1 along the axis and up to the highest bar of all. */
  steps: [number, number][];
  median: number;
}

/** Bars of both, so wide that those of few samples are no comb; higher where samples lie closer together. */
export function outlines(series: { bins: Bins; samples: number; median: number }[], range: Range, log: boolean): Outline[] {
  const at = along(range, log);
  const fewest = Math.min(...series.map(({ samples }) => samples));
  const most = Math.min(40, Math.max(10, Math.ceil(2 * Math.sqrt(fewest))));
  const bars = series.map(({ bins, samples, median }) => {
    const { edges, counts } = coarser(bins, most);
    const dense = counts.map((count, index) => count / samples / (at(edges[index + 1]!) - at(edges[index]!)));
    return { edges: edges.map(at), dense, median: at(median) };
  });
  const highest = Math.max(...bars.flatMap(({ dense }) => dense));
  return bars.map(({ edges, dense, median }) => ({
    steps: dense.flatMap((height, index): [number, number][] => [[edges[index]!, height / highest], [edges[index + 1]!, height / highest]]),
    median,
  }));
}

/** From 0 at the beginning of an axis to 1 at its end. */
function along([low, high]: Range, log: boolean): (value: number) => number {
  return log ? (value) => Math.log(value / low) / Math.log(high / low) : (value) => (value - low) / (high - low);
}

interface Drawn {
  series: Series;
  bins: Bins;
  samples: number;
  median: number;
}

/** Null unless both have samples, and not all of them alike. */
export function glance(c: Context): HTMLElement | null {
  const log = isWide(c);
  const drawn = c.shown.series.flatMap((series): Drawn[] => {
    const { histogram, log_histogram, raw } = series.arm.chart;
    const bins = log ? log_histogram : histogram;
    return bins === null || raw === null ? [] : [{ series, bins, samples: raw.samples, median: raw.median }];
  });
  if (drawn.length < 2) return null;
  const ends = drawn.flatMap(({ bins: { edges } }) => [edges[0]!, edges[edges.length - 1]!]);
  const range: Range = [Math.min(...ends), Math.max(...ends)];
  if (!(range[1] > range[0])) return null;
  const beyond = drawn.reduce((sum, { bins }) => sum + bins.below + bins.above, 0);
  const said = drawn.map(({ series, median }) => `${series.arm.name}: median ${quantity(median, c.shown.unit)}`);
  return h("figure", { class: "glance" },
    svg("svg", { class: "interval", height: TOP + HEIGHT + AXIS, width: "100%", role: "img", "aria-label": `Both distributions. ${said.join("; ")}.` },
      axis(c.shown.unit, range, log),
      svg("svg", { y: TOP, height: HEIGHT, width: "100%", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" },
        outlines(drawn, range, log).map((outline, index) => shape(drawn[index]!.series.look, outline)))),
    h("figcaption", { class: "legend" },
      drawn.map(({ series, median }) => h("span", { class: "key" }, swatch(series.look), h("bdi", null, series.arm.name), h("small", null, `median ${quantity(median, c.shown.unit)}`))),
      beyond === 0 ? null : h("span", { class: "key soft" }, `${counted(beyond, "sample")} beyond this axis`)));
}

function shape(look: Look, { steps, median }: Outline): SVGElement {
  const corner = ([x, up]: [number, number]) => `${(x * WIDE).toFixed(1)} ${((1 - up) * HIGH).toFixed(1)}`;
  const ground = (x: number | undefined) => `${((x ?? 0) * WIDE).toFixed(1)} ${HIGH}`;
  const line = `M${ground(steps[0]?.[0])}L${steps.map(corner).join("L")}L${ground(steps.at(-1)?.[0])}`;
  const at = (median * WIDE).toFixed(1);
  return svg("g", { class: look.colour },
    svg("path", { class: "area", d: `${line}Z` }),
    svg("path", { class: "outline", d: line }),
    svg("path", { class: "median", d: `M${at} 0V${HIGH}`, "stroke-dasharray": look.dash.join(" ") || null }));
}

function axis(unit: string, range: Range, log: boolean): SVGElement[] {
  const { at, labels } = quantities(unit)(...range, TICKS, log);
  const place = along(range, log);
  const ground = TOP + HEIGHT;
  return [
    svg("line", { class: "axis", x1: 0, x2: "100%", y1: ground, y2: ground }),
    ...at.flatMap((value, index) => {
      const x = 100 * place(value);
      // A number at the very end would be cut.
      const anchor = x < 8 ? "start" : x > 92 ? "end" : "middle";
      return [svg("line", { class: "axis", x1: `${x}%`, x2: `${x}%`, y1: ground, y2: ground + 4 }), svg("text", { x: `${x}%`, y: ground + 18, "text-anchor": anchor }, labels[index])];
    }),
  ];
}
