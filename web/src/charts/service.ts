// How did services answer under load? Their responses slice by slice in the order of time, their percentiles in a typical slice, and the slices in
// which requests failed or nothing was answered.

import { h } from "../dom";
import { band, cloud, marker, polyline } from "../marks";
import { absent, alphaOf, legend, names, piece, type Context, type Piece } from "../piece";
import { Plot, type Paint } from "../plot";
import { padded } from "../ranges";
import { colour } from "../theme";
import { quantities, type Range, shares, type TickMaker } from "../ticks";
import { counted, digits, percent, quantity, share } from "../units";
import type { Response, Series, Slices } from "../model";

/** From the smallest to the largest value, where more than this many times the smallest asks for a logarithmic axis. */
const WIDE = 20;
/** Of axes that stand above each other. */
const AXIS = 62;
const NANOSECONDS = "ns";
const SECONDS = "s";

interface Service {
  series: Series;
  slices: Slices;
}

/** Those of the arms that are shown which are services under load. */
function services(c: Context): Service[] {
  return c.shown.series.flatMap((series) => {
    const slices = c.model.slicesOf(series.arm);
    return slices === null ? [] : [{ series, slices }];
  });
}

/** The charts of services; none of anything else. */
export function serviceCharts(c: Context): Piece[] {
  const of = services(c);
  return of.length === 0 ? [] : [responses(c, of), spectrum(c, of), trouble(c, of)];
}

const highest = ({ slices }: Service): Response | undefined => slices.responses[slices.responses.length - 1];
const nameOf = (response: Response | undefined) => `P${digits(response?.percent ?? null)}`;

/** Seconds from the first slice to the end of the last, about. */
function time(of: Service[]): Range {
  return padded(0, Math.max(1, ...of.map(({ slices }) => slices.started[slices.started.length - 1] ?? 0)), 0.02);
}

function spread(values: number[]): { range: Range; log: boolean } {
  const known = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const log = low > 0 && high > WIDE * low;
  return { range: known.length === 0 ? [0, 1] : log ? padded(low, high, 0.05, true) : padded(0, high), log };
}

/** The slice that began last before a moment, or the first. */
function sliceAt(slices: Slices, at: number): number {
  const next = slices.started.findIndex((started) => started > at);
  return Math.max(0, (next < 0 ? slices.started.length : next) - 1);
}

function responses(c: Context, of: Service[]): Piece {
  const shown = of.map((service) => ({ ...service, high: highest(service), median: service.slices.responses.find((response) => response.percent === 50) }));
  const { range, log } = spread(shown.flatMap(({ high, median }) => [...(high?.slices ?? []), ...(median?.slices ?? [])]));
  const name = nameOf(shown[0]?.high);
  const both = shown.some(({ high, median }) => median !== undefined && high !== median);
  const plot = new Plot({
    label: () => `Response times of ${names(c.shown.series)} in each slice, in the order of time. ${shown.map(({ series, high }) => `${series.arm.name}: ${name} ${quantity(high?.typical.estimate, NANOSECONDS)} in a typical slice`).join(", ")}.`,
    height: 280,
    x: { range: () => time(of), ticks: quantities(SECONDS), label: "time since the first slice" },
    y: { range: () => range, ticks: quantities(NANOSECONDS), log: () => log },
    hover: (x) => [quantity(x, SECONDS), ...shown.map(({ series, slices, high, median }) => {
      const at = sliceAt(slices, x);
      return `${series.arm.name}: ${name} ${quantity(high?.slices[at], NANOSECONDS)}${median === undefined || median === high ? "" : `, P50 ${quantity(median.slices[at], NANOSECONDS)}`}`;
    })],
    paint: (p) => {
      for (const { series, slices, high, median } of shown) {
        const alpha = alphaOf(c, series);
        const { look } = series;
        if (median !== undefined && median !== high) polyline(p, slices.started, median.slices, { colour: look.colour, width: 1.4, dash: look.dash, alpha: 0.75 * alpha });
        if (high !== undefined) cloud(p, slices.started, high.slices, { colour: look.colour, marker: look.marker, size: 3.2, alpha });
      }
    },
  });
  return piece({
    id: "slices", title: "Response over time", wide: true, plots: [plot], watch: ["s"],
    how: `One point is the ${name} of one slice of load${both ? ", a line the P50" : ""}. The services were loaded in turns, in random order, so what disturbed the machine for long disturbed both.`,
    legend: legend(c.shown.series),
  });
}

/** One slower request in 2, 10, 100: percentiles as HdrHistogram draws them, with the same room for each further digit. */
const rarity = (percentile: number) => 100 / (100 - percentile);

const percentileTicks = (percents: number[]): TickMaker => () => ({ at: percents.map(rarity), labels: percents.map((percentile) => `P${digits(percentile)}`) });

function spectrum(c: Context, of: Service[]): Piece {
  const title = "Percentiles in a typical slice";
  const percents = [...new Set(of.flatMap(({ slices }) => slices.responses.map((response) => response.percent)))].filter((one) => one < 100).sort((a, b) => a - b);
  if (percents.length < 2) return absent("spectrum", title, "a slice had enough requests for one percentile only.");
  const typical = of.flatMap(({ slices }) => slices.responses.flatMap(({ typical: { estimate, low, high } }) => [estimate, low, high].filter((value): value is number => value !== null)));
  const { range, log } = spread(typical);
  const bounded = of.every(({ slices }) => slices.responses.every(({ typical }) => typical.low !== null && typical.high !== null));
  const xr = padded(rarity(percents[0]!), rarity(percents[percents.length - 1]!), 0.06, true);
  const plot = new Plot({
    label: () => `Response times by percentile in a typical slice. ${of.map(({ series, slices }) => `${series.arm.name}: ${slices.responses.map((response) => `${nameOf(response)} ${quantity(response.typical.estimate, NANOSECONDS)}`).join(", ")}`).join(". ")}.`,
    height: 280,
    x: { range: () => xr, ticks: percentileTicks(percents), log: () => true, label: "percentile" },
    y: { range: () => range, ticks: quantities(NANOSECONDS), log: () => log },
    hover: (x) => {
      const nearest = percents.reduce((best, one) => (Math.abs(Math.log(rarity(one) / x)) < Math.abs(Math.log(rarity(best) / x)) ? one : best));
      return [`P${digits(nearest)}`, ...of.map(({ series, slices }) => `${series.arm.name} ${typicalWords(slices.responses.find((response) => response.percent === nearest))}`)];
    },
    paint: (p) => { for (const service of of) paintSpectrum(p, service, alphaOf(c, service.series), bounded); },
  });
  return piece({
    id: "spectrum", title, plots: [plot], watch: ["s"],
    how: `Half of the requests of a slice took longer than P50, one in 100 longer than P99; each tenfold has the same room. A point is the median over all slices${bounded ? `, and the band its interval, ${share(c.model.data.analysis.settings.confidence)} sure` : "; there are too few slices for intervals"}.`,
    legend: legend(c.shown.series),
  });
}

function typicalWords(response: Response | undefined): string {
  if (response === undefined) return "not known";
  const { estimate, low, high } = response.typical;
  const ends = low === null || high === null ? "" : ` [${quantity(low, NANOSECONDS)}, ${quantity(high, NANOSECONDS)}]`;
  return quantity(estimate, NANOSECONDS) + ends;
}

function paintSpectrum(p: Paint, { series: { look }, slices }: Service, alpha: number, bounded: boolean): void {
  const xs = slices.responses.map((response) => rarity(response.percent));
  const at = slices.responses.map(({ typical }) => typical);
  if (bounded) band(p, xs, at.map(({ low }) => low), at.map(({ high }) => high), { colour: look.colour, alpha: 0.18 * alpha });
  polyline(p, xs, at.map(({ estimate }) => estimate), { colour: look.colour, width: 2, dash: look.dash, alpha });
  p.ctx.save();
  p.ctx.globalAlpha = alpha;
  p.ctx.fillStyle = colour(look.colour);
  p.ctx.beginPath();
  at.forEach(({ estimate }, index) => { if (estimate !== null) marker(p.ctx, look.marker, p.X(xs[index]!), p.Y(estimate), 4 * p.px); });
  p.ctx.fill();
  p.ctx.restore();
}

function trouble(c: Context, of: Service[]): Piece {
  const title = "Errors and stalls";
  const some = (values: ArrayLike<number>) => Array.from(values).filter((value) => value > 0);
  const [errors, stalls] = [of.flatMap(({ slices }) => some(slices.errors)), of.flatMap(({ slices }) => some(slices.stalls))];
  if (errors.length + stalls.length === 0) return absent("trouble", title, "every request was answered, and no service stalled.");
  const points = (label: () => string, values: (slices: Slices) => ArrayLike<number>, most: number, ticks: TickMaker, words: (value: number | undefined) => string) => new Plot({
    label, height: 150,
    x: { range: () => time(of), ticks: quantities(SECONDS), label: "time since the first slice" },
    y: { range: () => [-0.06 * most, 1.1 * most], ticks, size: AXIS },
    hover: (x) => of.map(({ series, slices }) => `${series.arm.name} ${words(values(slices)[sliceAt(slices, x)])}`),
    paint: (p) => { for (const { series, slices } of of) cloud(p, slices.started, values(slices), { colour: series.look.colour, marker: series.look.marker, size: 3, alpha: alphaOf(c, series) }); },
  });
  const sum = (values: ArrayLike<number>) => Array.from(values).reduce((all, value) => all + (value > 0 ? value : 0), 0);
  const inWords = of.map(({ series, slices }) => `${series.arm.name}: errors in ${counted(some(slices.errors).length, "slice")}, stalls of ${quantity(sum(slices.stalls), NANOSECONDS)} in all`).join(". ");
  const plots = [
    ...(errors.length === 0 ? [] : [points(() => `Share of requests without a right answer in each slice. ${inWords}.`, (slices) => slices.errors, Math.max(...errors), shares, percent)]),
    ...(stalls.length === 0 ? [] : [points(() => `Time in each slice in which requests were due and none was answered. ${inWords}.`, (slices) => slices.stalls, Math.max(...stalls), quantities(NANOSECONDS), (value) => quantity(value, NANOSECONDS))]),
  ];
  const what = [errors.length === 0 ? null : "the share of requests without a right answer", stalls.length === 0 ? null : "the time in which requests were due and none was answered"].filter((words) => words !== null);
  return piece({
    id: "trouble", title, plots, watch: ["s"], legend: legend(c.shown.series),
    how: `In each slice, ${what.join("; below, ")}.`,
    below: h("p", { class: "note" }, `${inWords}.`),
  });
}
