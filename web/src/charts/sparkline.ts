// What shape do the samples of an arm have, in the height of a line of text? Sorted ascending, drawn over the usual axis: flat where the arm is
// steady, stepped where it has modes, steep at the right where it has a tail.

import { h } from "../dom";
import { thinned } from "../downsample";
import type { Arm } from "../model";
import { colour, type Look } from "../theme";

const WIDTH = 96;
const HEIGHT = 24;

interface Line {
  arm: Arm;
  look: Look | null;
}

const waiting = new Map<Element, () => void>();
/** Sorting a million samples waits until somebody looks. */
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) draw(entry.target);
}, { rootMargin: "200px" });

function draw(element: Element): void {
  waiting.get(element)?.();
  waiting.delete(element);
  seen.unobserve(element);
}

/** Before printing. */
export function drawAllSparklines(): void {
  for (const element of [...waiting.keys()]) if (element.isConnected) draw(element);
}

const painters = new Set<{ canvas: WeakRef<HTMLCanvasElement>; paint: () => void }>();

/** After a change of colours. */
export function repaintSparklines(): void {
  for (const painter of painters) {
    const canvas = painter.canvas.deref();
    if (canvas === undefined || !canvas.isConnected) painters.delete(painter);
    else if (!waiting.has(canvas)) painter.paint();
  }
}

export function sortedPicture(lines: Line[], clean: boolean): HTMLCanvasElement {
  const canvas = h("canvas", { width: WIDTH * 2, height: HEIGHT * 2, class: "sparkline", role: "img", "aria-label": `sorted samples of ${lines.map(({ arm }) => arm.name).join(" and ")}` });
  const paint = () => paintSorted(canvas, lines, clean);
  waiting.set(canvas, paint);
  painters.add({ canvas: new WeakRef(canvas), paint });
  seen.observe(canvas);
  return canvas;
}

function paintSorted(canvas: HTMLCanvasElement, lines: Line[], clean: boolean): void {
  const ctx = canvas.getContext("2d");
  if (ctx === null) return;
  const kept = lines.map(({ arm, look }) => ({ arm, look, ys: thinned(arm.sorted(clean), WIDTH * 2) }));
  const ends = kept.flatMap(({ arm, ys }) => {
    const axis = arm.chart.axis;
    const [low, high] = [ys[0] ?? 0, ys[ys.length - 1] ?? 0];
    return [Math.max(low, axis?.low ?? low), Math.min(high, axis?.high ?? high)];
  });
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  ctx.clearRect(0, 0, canvas.width, canvas.height);
  ctx.lineWidth = 2.5;
  for (const { look, ys } of kept) {
    ctx.strokeStyle = colour(look?.colour ?? "soft");
    ctx.setLineDash((look?.dash ?? []).map((length) => length * 1.6));
    ctx.beginPath();
    ys.forEach((y, index) => {
      const x = (index / Math.max(1, ys.length - 1)) * canvas.width;
      const up = high > low ? Math.min(1.2, (y - low) / (high - low)) : 0.5;
      ctx.lineTo(x, canvas.height - 3 - up * (canvas.height - 6));
    });
    ctx.stroke();
  }
}
