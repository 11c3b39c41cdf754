// What shape do the samples of an arm have, in the height of a line of text? Sorted ascending, drawn over the usual axis: flat where the arm is
// steady, stepped where it has modes, steep at the right where it has a tail.

import { h } from "../dom";
import { thinned } from "../downsample";
import type { Numbers } from "../columns";
import type { Arm } from "../model";
import { colour, type Look } from "../theme";

const WIDTH = 96;
const HEIGHT = 24;

/** An arm, or several together. */
interface Sorted {
  name: string;
  chart: Pick<Arm["chart"], "axis">;
  sorted(clean: boolean): Numbers;
}

interface Line {
  arm: Sorted;
  look: Look | null;
}

/** More samples of all arms together are thinned before they are sorted. */
const MOST = 20_000;

/** All samples of these arms in one line; each arm's extremes are kept. */
export function together(arms: Arm[]): Sorted {
  const ends = arms.flatMap(({ chart }) => (chart.axis === null ? [] : [chart.axis]));
  return {
    name: arms.map(({ name }) => name).join(" and "),
    chart: { axis: ends.length === 0 ? null : { low: Math.min(...ends.map(({ low }) => low)), high: Math.max(...ends.map(({ high }) => high)) } },
    sorted: (clean) => {
      const lists = arms.map((arm) => arm.sorted(clean));
      const kept = Math.min(1, MOST / Math.max(1, lists.reduce((sum, { length }) => sum + length, 0)));
      return Float64Array.from(lists.flatMap((list) => thinned(list, Math.max(2, Math.ceil(list.length * kept))))).sort();
    },
  };
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
