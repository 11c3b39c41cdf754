// Did both arms of a round see the same machine? Baseline against candidate, one point for each round. Points along the line: what disturbed one disturbed
// the other, and the difference is free of it. Early rounds are pale, late ones dark; the shape says who ran first.

import { marker } from "../marks";
import { absent, keyOf, legend, piece, type Context, type Piece } from "../piece";
import { Plot, type Paint } from "../plot";
import { valueRange } from "../ranges";
import { colour } from "../theme";
import { quantities } from "../ticks";
import { counted } from "../units";
import { moveRounds } from "../linking";
import type { RoundData } from "../model";
import { baseline, candidate } from "./difference";

/** Steps of time that are told apart. */
const AGES = 12;
/** More than this many are drawn as dots without a shape. */
const SHAPED = 6000;

export function scatter(c: Context): Piece {
  const title = "Baseline against candidate";
  const { rounds, series, unit } = c.shown;
  if (rounds === null || series.length < 2 || rounds.count === 0) return absent("scatter", title, "there are no rounds that both arms ran.");
  const [xs, ys] = [valuesOf(rounds.baseline, series[0]!.arm.samples), valuesOf(rounds.candidate, series[1]!.arm.samples)];
  const dearer = () => {
    let above = 0;
    for (let round = 0; round < rounds.count; round += 1) if (ys[round]! > xs[round]!) above += 1;
    return above;
  };
  const plot = new Plot({
    label: () => `${counted(rounds.count, "round")}, ${baseline(c)} sideways and ${candidate(c)} upwards. The candidate cost more in ${counted(dearer(), "round")}.`,
    height: 320,
    x: { range: () => valueRange(c), ticks: quantities(unit), label: series[0]!.arm.name },
    y: { range: () => valueRange(c), ticks: quantities(unit) },
    hover: (x, y, on) => c.selection.hover(closest(on, x, y, xs, ys)),
    leave: () => c.selection.hover(null),
    click: (x, y, on) => c.selection.hold(closest(on, x, y, xs, ys)),
    key: (event) => moveRounds(event, c, rounds.count),
    marks: () => pointMarks(c.selection.round, xs, ys),
    paint: (p) => {
      p.ctx.save();
      p.ctx.strokeStyle = colour("ink");
      p.ctx.lineWidth = p.px;
      p.ctx.setLineDash([5 * p.px, 4 * p.px]);
      p.ctx.beginPath();
      p.ctx.moveTo(p.X(p.xr[0]), p.Y(p.xr[0]));
      p.ctx.lineTo(p.X(p.xr[1]), p.Y(p.xr[1]));
      p.ctx.stroke();
      p.ctx.restore();
      byAge(p, xs, ys, rounds);
    },
  });
  return piece({
    id: "scatter", title, plots: [plot], watch: ["y", "out"], selection: c.selection,
    how: `One point is one round. Above the dashed line ${candidate(c)} cost more than ${baseline(c)}. Points stretched along the line: the machine disturbed both alike, and the rounds cancel it.`,
    legend: legend([], keyOf("ages", "early to late"), ...(rounds.candidateFirst === null || rounds.count > SHAPED ? [] : [keyOf("shape-circle", "baseline ran first"), keyOf("shape-triangle", "candidate ran first")])),
  });
}

function byAge(p: Paint, xs: Float64Array, ys: Float64Array, rounds: RoundData): void {
  const n = rounds.count;
  const shaped = n <= SHAPED;
  const r = shaped ? Math.min(4, Math.max(1.8, 90 / Math.sqrt(n))) * p.px : 1.2 * p.px;
  p.ctx.save();
  p.ctx.globalAlpha = n > 1500 ? 0.55 : 0.85;
  for (let age = 0; age < AGES; age += 1) {
    p.ctx.fillStyle = mixed(age / (AGES - 1));
    const [from, to] = [Math.floor((n * age) / AGES), Math.floor((n * (age + 1)) / AGES)];
    p.ctx.beginPath();
    if (shaped) for (let i = from; i < to; i += 1) marker(p.ctx, rounds.candidateFirst?.[i] === 1 ? "triangle" : "circle", p.X(xs[i]!), p.Y(ys[i]!), r);
    else once(p, xs, ys, from, to, r);
    p.ctx.fill();
  }
  p.ctx.restore();
}

/** Each pixel once: a million rectangles in one place take as long as a million rectangles. */
function once(p: Paint, xs: Float64Array, ys: Float64Array, from: number, to: number, r: number): void {
  const step = Math.max(1, Math.floor(r));
  const wide = Math.ceil(p.width / step);
  const seen = new Uint8Array(wide * Math.ceil(p.height / step));
  for (let i = from; i < to; i += 1) {
    const [column, row] = [Math.floor((p.X(xs[i]!) - p.left) / step), Math.floor((p.Y(ys[i]!) - p.top) / step)];
    if (column < 0 || column >= wide || row < 0) continue;
    const cell = row * wide + column;
    if (cell >= seen.length || seen[cell] === 1) continue;
    seen[cell] = 1;
    p.ctx.rect(p.left + column * step, p.top + row * step, r, r);
  }
}

function mixed(share: number): string {
  return `color-mix(in oklab, ${colour("early")} ${Math.round(100 * (1 - share))}%, ${colour("late")})`;
}

export function valuesOf(places: ArrayLike<number>, samples: ArrayLike<number>): Float64Array {
  const values = new Float64Array(places.length);
  for (let index = 0; index < values.length; index += 1) values[index] = samples[places[index]!] ?? NaN;
  return values;
}

export function pointMarks(round: number | null, xs: ArrayLike<number>, ys: ArrayLike<number>): { x: number; y: number; look: string }[] {
  if (round === null || xs[round] === undefined || ys[round] === undefined) return [];
  return [{ x: xs[round]!, y: ys[round]!, look: "difference" }];
}

const REACH = 24;

/** The point nearest to the mouse, in pixels, if one is near. */
export function closest(plot: Plot, x: number, y: number, xs: ArrayLike<number>, ys: ArrayLike<number>): number | null {
  const [origin, unit, mouse] = [plot.at(0, 0), plot.at(1, 1), plot.at(x, y)];
  if (origin === null || unit === null || mouse === null) return null;
  const [wide, high] = [unit.left - origin.left, unit.top - origin.top];
  let best = REACH * REACH;
  let found: number | null = null;
  for (let index = 0; index < xs.length; index += 1) {
    const [dx, dy] = [(xs[index]! - x) * wide, (ys[index]! - y) * high];
    const far = dx * dx + dy * dy;
    if (far < best) { best = far; found = index; }
  }
  return found;
}

