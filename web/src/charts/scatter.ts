// Did both arms of a round see the same machine? Baseline against candidate, one point for each round. Points along the line: what disturbed one disturbed
// the other, and the difference is free of it. Early rounds are pale, late ones dark; the shape says who ran first.

import { h } from "../dom";
import { marker } from "../marks";
import { absent, keyOf, legend, piece, type Context, type Piece } from "../piece";
import { Plot, type Paint } from "../plot";
import { logarithmic, valueRange } from "../ranges";
import { colour } from "../theme";
import { quantities, type Range } from "../ticks";
import { beyondWords, counted } from "../units";
import { moveRounds, pointing } from "../linking";
import type { RoundData } from "../model";
import { shortened } from "../names";
import { baseline, candidate } from "./difference";

/** Steps of time that are told apart. */
const AGES = 12;
/** More than this many are shaded, without shapes. */
const SHAPED = 6000;

export function scatter(c: Context): Piece {
  const title = "Baseline against candidate, round by round";
  const { rounds, series, unit } = c.shown;
  if (rounds === null || series.length < 2 || rounds.count === 0) return absent("scatter", title, "there are no rounds that both ran.");
  const [xs, ys] = [valuesOf(rounds.baseline, series[0]!.arm.samples), valuesOf(rounds.candidate, series[1]!.arm.samples)];
  const dearer = () => {
    let above = 0;
    for (let round = 0; round < rounds.count; round += 1) if (ys[round]! > xs[round]!) above += 1;
    return above;
  };
  const note = h("p", { class: "note" });
  const plot = new Plot({
    label: () => `${counted(rounds.count, "round")}, ${baseline(c)} horizontal and ${candidate(c)} vertical. The candidate has the larger value in ${counted(dearer(), "round")}.`,
    height: 320,
    x: { range: () => valueRange(c), ticks: quantities(unit), log: () => logarithmic(c), label: shortened(series[0]!.arm.name, 40) },
    y: { range: () => valueRange(c), ticks: quantities(unit), log: () => logarithmic(c) },
    ...pointing(c, (x, y, on) => closest(on, x, y, xs, ys)),
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
      note.textContent = beyondWords(beyond(xs, ys, p.xr), "round");
    },
  });
  return piece({
    id: "scatter", title, plots: [plot], watch: ["y", "out", "log"], below: note, selection: c.selection,
    how: `One point is one round. Above the dashed line ${candidate(c)} has the larger value. Points stretched along the line: disturbances affected both alike, and the comparison within rounds cancels them.`,
    legend: legend([], keyOf("ages", "early to late"), ...(rounds.candidateFirst === null || rounds.count > SHAPED ? [] : [keyOf("shape-circle", "baseline ran first"), keyOf("shape-triangle", "candidate ran first")])),
  });
}

function byAge(p: Paint, xs: Float64Array, ys: Float64Array, rounds: RoundData): void {
  const n = rounds.count;
  if (n > SHAPED) { shaded(p, xs, ys); return; }
  const r = Math.min(4, Math.max(1.8, 90 / Math.sqrt(n))) * p.px;
  p.ctx.save();
  p.ctx.globalAlpha = n > 1500 ? 0.55 : 0.85;
  for (let age = 0; age < AGES; age += 1) {
    p.ctx.fillStyle = mixed(age / (AGES - 1));
    const [from, to] = [Math.floor((n * age) / AGES), Math.floor((n * (age + 1)) / AGES)];
    p.ctx.beginPath();
    for (let i = from; i < to; i += 1) marker(p.ctx, rounds.candidateFirst?.[i] === 1 ? "triangle" : "circle", p.X(xs[i]!), p.Y(ys[i]!), r);
    p.ctx.fill();
  }
  p.ctx.restore();
}

/** Where there are too many for shapes: each pixel as strong as points fell on it, in the colour of their mean age. */
function shaded(p: Paint, xs: Float64Array, ys: Float64Array): void {
  const cell = Math.max(1, Math.round(1.5 * p.px));
  const [wide, high] = [Math.ceil(p.width / cell), Math.ceil(p.height / cell)];
  const counts = new Uint32Array(wide * high);
  const ages = new Float64Array(wide * high);
  let most = 1;
  for (let i = 0; i < xs.length; i += 1) {
    const [column, row] = [Math.floor((p.X(xs[i]!) - p.left) / cell), Math.floor((p.Y(ys[i]!) - p.top) / cell)];
    if (!(column >= 0 && column < wide && row >= 0 && row < high)) continue;
    const at = row * wide + column;
    ages[at]! += i / xs.length;
    most = Math.max(most, (counts[at]! += 1));
  }
  const [early, late] = [parts(colour("early")), parts(colour("late"))];
  const image = new ImageData(wide, high);
  counts.forEach((count, at) => {
    if (count === 0) return;
    const age = ages[at]! / count;
    const strength = 255 * (0.35 + (0.65 * Math.log1p(count)) / Math.log1p(most));
    image.data.set([...early.map((from, part) => from + age * (late[part]! - from)), strength], at * 4);
  });
  const layer = new OffscreenCanvas(wide, high);
  layer.getContext("2d")?.putImageData(image, 0, 0);
  p.ctx.save();
  p.ctx.imageSmoothingEnabled = false;
  p.ctx.drawImage(layer, p.left, p.top, wide * cell, high * cell);
  p.ctx.restore();
}

const parts = (hex: string) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

function mixed(share: number): string {
  return `color-mix(in oklab, ${colour("early")} ${Math.round(100 * (1 - share))}%, ${colour("late")})`;
}

/** How many points are not on an axis that both directions share. */
export function beyond(xs: ArrayLike<number>, ys: ArrayLike<number>, [low, high]: Range): number {
  const away = (value: number) => value < low || value > high;
  let count = 0;
  for (let index = 0; index < xs.length; index += 1) if (away(xs[index]!) || away(ys[index]!)) count += 1;
  return count;
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
  const places = plot.places();
  if (places === null) return null;
  const [left, top] = [places.left(x), places.top(y)];
  let best = REACH * REACH;
  let found: number | null = null;
  for (let index = 0; index < xs.length; index += 1) {
    const [dx, dy] = [places.left(xs[index]!) - left, places.top(ys[index]!) - top];
    const far = dx * dx + dy * dy;
    if (far < best) { best = far; found = index; }
  }
  return found;
}

