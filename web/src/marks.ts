// How are lines, bands, points and clouds painted? In pixels of the canvas, in any chart. Clouds of more points than fit become shades: every
// sample still lights its pixel, so the rarest is seen, and what lies beyond the axis is marked at its edge.

import { columnExtremes, density, within } from "./downsample";
import type { Paint } from "./plot";
import { colour, type Marker } from "./theme";

export interface Line {
  colour: string;
  width?: number;
  dash?: number[];
  alpha?: number;
}

function stroke(p: Paint, line: Line, path: () => void): void {
  const { ctx } = p;
  ctx.save();
  ctx.strokeStyle = colour(line.colour);
  ctx.lineWidth = (line.width ?? 1.5) * p.px;
  ctx.globalAlpha = line.alpha ?? 1;
  ctx.setLineDash((line.dash ?? []).map((length) => length * p.px));
  ctx.lineJoin = "round";
  ctx.beginPath();
  path();
  ctx.stroke();
  ctx.restore();
}

export function horizontal(p: Paint, y: number, line: Line, from = -Infinity, to = Infinity): void {
  stroke(p, line, () => {
    p.ctx.moveTo(Math.max(p.left, from), p.Y(y));
    p.ctx.lineTo(Math.min(p.left + p.width, to), p.Y(y));
  });
}

export function vertical(p: Paint, x: number, line: Line): void {
  stroke(p, line, () => {
    p.ctx.moveTo(p.X(x), p.top);
    p.ctx.lineTo(p.X(x), p.top + p.height);
  });
}

export function polyline(p: Paint, xs: ArrayLike<number>, ys: ArrayLike<number | null>, line: Line, stepped = false): void {
  stroke(p, line, () => {
    let open = false;
    let before = 0;
    for (let index = 0; index < xs.length; index += 1) {
      const y = ys[index];
      if (y === null || y === undefined || !Number.isFinite(y)) { open = false; continue; }
      const [px, py] = [p.X(xs[index]!), p.Y(y)];
      if (!open) p.ctx.moveTo(px, py);
      else {
        if (stepped) p.ctx.lineTo(px, before);
        p.ctx.lineTo(px, py);
      }
      before = py;
      open = true;
    }
  });
}

/** Between two lines; an end that is missing reaches beyond the edge of the chart. */
export function band(p: Paint, xs: ArrayLike<number>, low: ArrayLike<number | null>, high: ArrayLike<number | null>, of: { colour: string; alpha: number }): void {
  const { ctx } = p;
  const n = xs.length;
  if (n === 0) return;
  const y = (value: number | null | undefined, open: number) => (value === null || value === undefined ? open : p.Y(value));
  ctx.save();
  ctx.fillStyle = colour(of.colour);
  ctx.globalAlpha = of.alpha;
  ctx.beginPath();
  for (let index = 0; index < n; index += 1) ctx.lineTo(p.X(xs[index]!), y(high[index], p.top - 9));
  for (let index = n - 1; index >= 0; index -= 1) ctx.lineTo(p.X(xs[index]!), y(low[index], p.top + p.height + 9));
  ctx.closePath();
  ctx.fill();
  ctx.restore();
}

/** Slanted lines over the whole chart, to be clipped before. */
export function hatch(p: Paint, of: string): void {
  const step = 7 * p.px;
  stroke(p, { colour: of, width: 1, alpha: 0.6 }, () => {
    for (let x = p.left - p.height; x < p.left + p.width; x += step) {
      p.ctx.moveTo(x, p.top + p.height);
      p.ctx.lineTo(x + p.height, p.top);
    }
  });
}

export function rectangle(p: Paint, x0: number, x1: number, y0: number, y1: number, of: { colour: string; alpha: number }): void {
  p.ctx.save();
  p.ctx.fillStyle = colour(of.colour);
  p.ctx.globalAlpha = of.alpha;
  p.ctx.fillRect(x0, y0, x1 - x0, y1 - y0);
  p.ctx.restore();
}

export function text(p: Paint, words: string, x: number, y: number, align: CanvasTextAlign = "left", of = "soft"): void {
  p.ctx.save();
  p.ctx.font = `${12 * p.px}px system-ui, sans-serif`;
  p.ctx.fillStyle = colour(of);
  p.ctx.textAlign = align;
  p.ctx.fillText(words, x, y);
  p.ctx.restore();
}

/** One marker at pixels of the canvas. */
export function marker(ctx: CanvasRenderingContext2D, shape: Marker, x: number, y: number, r: number): void {
  if (shape === "circle") { ctx.moveTo(x + r, y); ctx.arc(x, y, r, 0, 2 * Math.PI); return; }
  if (shape === "square") { ctx.rect(x - r * 0.9, y - r * 0.9, 1.8 * r, 1.8 * r); return; }
  const corners = shape === "triangle" ? [[0, -1.25], [1.15, 0.85], [-1.15, 0.85]] : [[0, -1.35], [1.1, 0], [0, 1.35], [-1.1, 0]];
  corners.forEach(([dx, dy], index) => (index === 0 ? ctx.moveTo(x + dx! * r, y + dy! * r) : ctx.lineTo(x + dx! * r, y + dy! * r)));
  ctx.closePath();
}

export interface Cloud {
  colour: string;
  marker: Marker;
  alpha?: number;
  size?: number;
  keep?: ((y: number) => boolean) | undefined;
  /** Ascending positions: only those on the axis are looked at. */
  sorted?: boolean;
}

const EVERY_POINT = 8000;

/** Points, or shades where there are too many; returns how many lie above and below the axis. */
export function cloud(p: Paint, xs: ArrayLike<number>, ys: ArrayLike<number>, of: Cloud): { above: number; below: number } {
  const count = Math.min(xs.length, ys.length);
  const [from, to] = of.sorted ? within(xs, p.xr[0], p.xr[1]) : [0, count];
  p.ctx.save();
  p.ctx.fillStyle = colour(of.colour);
  p.ctx.globalAlpha = of.alpha ?? 1;
  if (to - from <= EVERY_POINT) points(p, xs, ys, from, to, of);
  else shades(p, xs, ys, from, to, of);
  const beyond = edges(p, xs, ys, from, to, of);
  p.ctx.restore();
  return beyond;
}

function points(p: Paint, xs: ArrayLike<number>, ys: ArrayLike<number>, from: number, to: number, of: Cloud): void {
  const room = Math.sqrt((p.width * 40) / Math.max(1, to - from));
  const r = (of.size ?? Math.min(3.2, Math.max(1.7, room / 4))) * p.px;
  p.ctx.globalAlpha *= to - from > 600 ? 0.6 : 0.85;
  p.ctx.beginPath();
  for (let index = from; index < to; index += 1) {
    const y = ys[index]!;
    if (of.keep === undefined || of.keep(y)) marker(p.ctx, of.marker, p.X(xs[index]!), p.Y(y), r);
  }
  p.ctx.fill();
}

/** The fewer on a pixel, the paler, but never so pale that it is not seen. */
const PALEST = 0.3;

function shades(p: Paint, xs: ArrayLike<number>, ys: ArrayLike<number>, from: number, to: number, of: Cloud): void {
  const cell = Math.max(1, Math.round((to - from < 60_000 ? 2 : 1.25) * p.px));
  const size = { width: Math.ceil(p.width / cell), height: Math.ceil(p.height / cell) };
  const cells = density(xs, ys, from, to, size, (x) => (p.X(x) - p.left) / cell, (y) => (p.Y(y) - p.top) / cell, of.keep);
  const filled = cells.filter((count) => count > 0).sort();
  if (filled.length === 0) return;
  const full = Math.max(2, filled[Math.floor(filled.length * 0.98)]!);
  const [red, green, blue] = components(p.ctx);
  const image = new ImageData(size.width, size.height);
  for (let index = 0; index < cells.length; index += 1) {
    const count = cells[index]!;
    if (count === 0) continue;
    const strength = Math.min(1, Math.log1p(count) / Math.log1p(full));
    image.data.set([red, green, blue, 255 * (PALEST + (0.9 - PALEST) * strength)], index * 4);
  }
  const layer = new OffscreenCanvas(size.width, size.height);
  layer.getContext("2d")?.putImageData(image, 0, 0);
  p.ctx.imageSmoothingEnabled = false;
  p.ctx.drawImage(layer, p.left, p.top, size.width * cell, size.height * cell);
}

/** The canvas tells every colour as `#rrggbb`. */
function components(ctx: CanvasRenderingContext2D): [number, number, number] {
  const hex = String(ctx.fillStyle);
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
}

/** A small triangle at the edge for what lies beyond it, at most one in six pixels. */
function edges(p: Paint, xs: ArrayLike<number>, ys: ArrayLike<number>, from: number, to: number, of: Cloud): { above: number; below: number } {
  const [low, high] = p.yr;
  const beyond = { above: 0, below: 0 };
  for (let index = from; index < to; index += 1) {
    const y = ys[index]!;
    if (y > high && (of.keep?.(y) ?? true)) beyond.above += 1;
    else if (y < low && (of.keep?.(y) ?? true)) beyond.below += 1;
  }
  if (beyond.above + beyond.below === 0) return beyond;
  const slot = 6 * p.px;
  const width = Math.ceil(p.width / slot);
  const place = (x: number) => (p.X(x) - p.left) / slot;
  const extremes = columnExtremes(xs, ys, from, to, width, place, of.keep);
  p.ctx.globalAlpha = of.alpha ?? 1;
  p.ctx.beginPath();
  for (let column = 0; column < width; column += 1) {
    const x = p.left + (column + 0.5) * slot;
    if (extremes.max[column]! > high) tip(p, x, p.top + 1, 1);
    if (extremes.min[column]! < low) tip(p, x, p.top + p.height - 1, -1);
  }
  p.ctx.fill();
  return beyond;
}

function tip(p: Paint, x: number, y: number, way: 1 | -1): void {
  const r = 3 * p.px;
  p.ctx.moveTo(x, y);
  p.ctx.lineTo(x + r, y + way * 2 * r);
  p.ctx.lineTo(x - r, y + way * 2 * r);
  p.ctx.closePath();
}
