// What is a picture on the page? A heading that asks, a line that says how to read it, the chart, and its tools. One that cannot be drawn says
// why in a sentence.

import { h, svg, type Child } from "./dom";
import type { Model, Series, Shown } from "./model";
import type { Plot } from "./plot";
import type { Selection } from "./selection";
import type { Changed, Store, View } from "./state";
import { colour, type Look } from "./theme";
import { marker } from "./marks";

export interface Context {
  model: Model;
  store: Store;
  selection: Selection;
  shown: Shown;
}

export interface Piece {
  element: HTMLElement;
  update(changed: Changed): void;
  destroy(): void;
}

export interface Parts {
  id: string;
  title: string;
  /** How to read it, in a sentence or two. */
  how: string;
  plots: Plot[];
  /** Changes of these parts of the view ask for another drawing. */
  watch: (keyof View)[];
  tools?: Child[];
  legend?: Child;
  /** Instead of the plots in a row. */
  body?: HTMLElement;
  below?: Child;
  wide?: boolean;
  /** What else changes with the view. */
  refresh?(): void;
  selection?: Selection;
}

export function piece(parts: Parts): Piece {
  const element = h("figure", { class: parts.wide ? "card wide" : "card", id: parts.id },
    h("figcaption", null,
      h("h3", null, parts.title),
      h("p", { class: "how" }, parts.how)),
    parts.tools === undefined ? null : h("div", { class: "tools", role: "group", "aria-label": `How to show: ${parts.title}` }, parts.tools),
    parts.legend ?? null,
    parts.body ?? parts.plots.map((plot) => plot.element),
    parts.below ?? null);
  const stop = parts.selection?.subscribe(() => { for (const plot of parts.plots) plot.placeMarks(); });
  return {
    element,
    update(changed) {
      if (!parts.watch.some((key) => changed.has(key))) return;
      parts.refresh?.();
      for (const plot of parts.plots) plot.update();
    },
    destroy() {
      stop?.();
      for (const plot of parts.plots) plot.destroy();
    },
  };
}

export function absent(id: string, title: string, why: string): Piece {
  const element = h("li", { class: "absent", id }, h("b", null, title), " ", h("span", { class: "how" }, `Not shown: ${why}`));
  return { element, update() {}, destroy() {} };
}

/** The pictures, and then what there is none of, in a line each. */
export function arranged(pieces: Piece[], className: string): HTMLElement {
  const missing = pieces.filter(({ element }) => element.classList.contains("absent"));
  const there = pieces.filter((piece) => !missing.includes(piece));
  return h("div", null,
    there.length === 0 ? null : h("div", { class: className }, there.map(({ element }) => element)),
    missing.length === 0 ? null : h("ul", { class: "missing" }, missing.map(({ element }) => element)));
}

/** The marker and the dash of a series, as they are in the charts. */
export function swatch(look: Look): SVGElement {
  const shapes = {
    circle: svg("circle", { cx: 13, cy: 7, r: 4.2 }),
    square: svg("rect", { x: 9, y: 3, width: 8, height: 8 }),
    triangle: svg("path", { d: "M13 1.5 18 11H8Z" }),
    diamond: svg("path", { d: "M13 1 18 7 13 13 8 7Z" }),
  };
  return svg("svg", { class: `swatch ${look.colour}`, viewBox: "0 0 26 14", width: 26, height: 14, "aria-hidden": "true" },
    svg("line", { x1: 0, x2: 26, y1: 7, y2: 7, "stroke-width": 2, "stroke-dasharray": look.dash.length === 0 ? null : look.dash.join(" ") }),
    shapes[look.marker]);
}

export function legend(series: Series[], ...more: Child[]): HTMLElement {
  return h("div", { class: "legend" },
    series.map(({ arm, look, role }) => h("span", { class: "key" }, swatch(look), h("bdi", null, arm.name), role === null ? null : h("small", null, ` ${role}`))),
    more);
}

/** An entry of a legend that is no series. */
export function keyOf(kind: string, words: string): HTMLElement {
  return h("span", { class: "key" }, h("span", { class: `sign ${kind}`, "aria-hidden": "true" }), words);
}

/** The two names, or all, in a sentence. */
export function names(series: Series[]): string {
  return series.map(({ arm }) => arm.name).join(" and ");
}

/** A marker on a small canvas outside the plots. */
export function dot(ctx: CanvasRenderingContext2D, look: Look, x: number, y: number, r: number): void {
  ctx.fillStyle = colour(look.colour);
  ctx.beginPath();
  marker(ctx, look.marker, x, y, r);
  ctx.fill();
}

/** Which series fade: all but the chosen one, where one of those shown is chosen. */
export function alphaOf(c: Context, series: Series): number {
  const chosen = c.store.view.s;
  return chosen === null || series.arm.key === chosen || !c.shown.series.some(({ arm }) => arm.key === chosen) ? 1 : 0.15;
}

export function chosenSeries(c: Context): Series | null {
  return c.shown.series.find(({ arm }) => arm.key === c.store.view.s) ?? null;
}
