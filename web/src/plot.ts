// What do all charts share? A frame of uPlot (axes, sharp on every screen), a painter for what is inside, marks and a few lines that follow the mouse without
// repainting, zoom by drag, wheel and key, a sentence for those who do not see it, and being drawn only when near the screen.

import uPlot from "uplot";
import { h } from "./dom";
import { colour } from "./theme";
import type { Range, TickMaker } from "./ticks";
import { hideTip, showTip } from "./tip";
import { middle, moved, type Zoom, zoomed } from "./zoom";

export interface Paint {
  ctx: CanvasRenderingContext2D;
  X(value: number): number;
  Y(value: number): number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Pixels of the canvas in one of the page. */
  px: number;
  xr: Range;
  yr: Range;
}

export interface Axis {
  range(): Range;
  ticks: TickMaker;
  log?(): boolean;
  zoom?: Zoom;
  label?: string;
  /** No numbers, but the room for them, so that charts side by side line up. */
  blank?: boolean;
  /** In pixels, for charts that must line up. */
  size?: number;
}

export interface Mark {
  x: number;
  y: number;
  look: string;
}

export interface PlotOptions {
  label(): string;
  height: number;
  x: Axis;
  y: Axis;
  paint(paint: Paint): void;
  /** What is under the mouse, line by line. */
  hover?(x: number, y: number, plot: Plot): string[];
  leave?(): void;
  click?(x: number, y: number, plot: Plot): void;
  key?(event: KeyboardEvent): boolean;
  marks?(): Mark[];
}

const FONT = '12px system-ui, "Segoe UI", Roboto, sans-serif';
const NEAR = "400px";
const LEAST_DRAG = 6;
/** What a step of `+` or `−`, and a turn of the wheel by one pixel, leave of an axis. */
const STEP = 0.5;
const WHEEL = 1.0015;
/** Of a wheel that counts lines, or pages. */
const PIXELS_OF_WHEEL = [1, 18, 400];
/** A second click within this time, in milliseconds, makes a double click. */
const DOUBLE_CLICK = 250;

/** Every chart that is on the page now. */
export const plots = new Set<Plot>();

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    for (const plot of plots) if (plot.element === entry.target) plot.setNear(entry.isIntersecting);
  }
}, { rootMargin: NEAR });

const resized = new ResizeObserver((entries) => {
  for (const entry of entries) {
    for (const plot of plots) if (plot.element === entry.target) plot.resize();
  }
});

export class Plot {
  readonly element: HTMLElement;
  private u: uPlot | null = null;
  private isNear = false;
  private dirty = true;
  private dots: HTMLElement[] = [];
  private longestX = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly o: PlotOptions) {
    const reached = o.key !== undefined || this.zooms().length > 0;
    this.element = h("div", { class: "plot", role: "img", "aria-label": o.label(), tabindex: reached ? 0 : null });
    this.element.style.height = `${o.height}px`;
    this.element.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && (o.key?.(event) || this.zoomKey(event.key))) event.preventDefault();
    });
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    // Before uPlot sees it, which would begin to select.
    this.element.addEventListener("mousedown", (event) => this.pan(event), true);
    plots.add(this);
    near.observe(this.element);
    resized.observe(this.element);
  }

  /** Something that it shows has changed. */
  update(): void {
    this.dirty = true;
    this.element.setAttribute("aria-label", this.o.label());
    if (this.isNear) this.draw();
  }

  setNear(isNear: boolean): void {
    this.isNear = isNear;
    if (isNear && this.dirty) this.draw();
  }

  draw(): void {
    if (this.element.clientWidth === 0) return;
    this.dirty = false;
    if (this.u === null) this.u = this.create();
    else {
      this.resize();
      this.rescale(this.u);
    }
    this.placeMarks();
  }

  resize(): void {
    if (this.u === null || this.element.clientWidth === 0) return;
    if (this.u.width !== this.element.clientWidth) this.u.setSize({ width: this.element.clientWidth, height: this.o.height });
    this.placeMarks();
  }

  destroy(): void {
    near.unobserve(this.element);
    resized.unobserve(this.element);
    plots.delete(this);
    clearTimeout(this.waiting);
    hideTip();
    this.u?.destroy();
  }

  /** Where the chart has a value, in pixels of the page; null before it is drawn. */
  places(): { left(x: number): number; top(y: number): number } | null {
    if (this.u === null) return null;
    const { clientWidth, clientHeight } = this.u.over;
    const place = (axis: "x" | "y", length: number) => {
      const [low, high] = this.range(axis);
      return (value: number) => ((this.forth(axis, value) - low) / (high - low)) * length;
    };
    const top = place("y", clientHeight);
    return { left: place("x", clientWidth), top: (y) => clientHeight - top(y) };
  }

  /** In pixels of the page, of a place in the chart. */
  at(x: number, y: number): { left: number; top: number } | null {
    const places = this.places();
    return places && { left: places.left(x), top: places.top(y) };
  }

  placeMarks(): void {
    if (this.u === null || this.o.marks === undefined) return;
    const { width, height } = this.u.over.getBoundingClientRect();
    const marks = this.o.marks();
    while (this.dots.length < marks.length) {
      const dot = h("div", { class: "mark" });
      this.u.over.append(dot);
      this.dots.push(dot);
    }
    this.dots.forEach((dot, index) => {
      const mark = marks[index];
      const place = mark === undefined ? null : this.at(mark.x, mark.y);
      const seen = place !== null && place.left >= -1 && place.left <= width + 1;
      dot.hidden = !seen;
      if (!seen || mark === undefined) return;
      dot.className = `mark ${mark.look}`;
      dot.style.left = `${place.left}px`;
      // One that lies beyond the axis waits at its edge.
      dot.style.top = `${Math.min(height, Math.max(0, place.top))}px`;
    });
  }

  private isLog(axis: "x" | "y"): boolean {
    return this.o[axis].log?.() ?? false;
  }

  private forth(axis: "x" | "y", value: number): number {
    return this.isLog(axis) ? Math.log10(value) : value;
  }

  private back(axis: "x" | "y", value: number): number {
    return this.isLog(axis) ? 10 ** value : value;
  }

  private range(axis: "x" | "y"): Range {
    const [low, high] = this.o[axis].range();
    return low < high ? [this.forth(axis, low), this.forth(axis, high)] : [this.forth(axis, low) - 0.5, this.forth(axis, low) + 0.5];
  }

  private rescale(u: uPlot): void {
    const [x, y] = [this.range("x"), this.range("y")];
    u.batch(() => {
      u.setScale("x", { min: x[0], max: x[1] });
      u.setScale("y", { min: y[0], max: y[1] });
    });
    u.redraw(false, true);
  }

  private axis(which: "x" | "y"): uPlot.Axis {
    const axis = this.o[which];
    let labels: string[] = [];
    const longest = () => Math.max(3, ...labels.map((label) => label.length));
    return {
      scale: which,
      stroke: () => colour("soft"),
      grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { stroke: () => colour("line"), width: 1, size: 4 },
      font: FONT,
      gap: 4,
      splits: (u, _axis, low, high) => {
        const room = which === "x" ? u.width / 84 : u.height / 44;
        const ticks = axis.ticks(this.back(which, low), this.back(which, high), Math.max(2, Math.floor(room)), this.isLog(which));
        labels = axis.blank ? ticks.at.map(() => "") : ticks.labels;
        if (which === "x") this.longestX = longest();
        return ticks.at.map((at) => this.forth(which, at));
      },
      values: () => labels,
      size: which === "x" ? 26 : axis.size ?? (axis.blank ? 6 : () => longest() * 6.6 + 12),
      ...(which === "x" && axis.label !== undefined ? { label: axis.label, labelSize: 18, labelFont: FONT, labelGap: 0 } : {}),
    };
  }

  private create(): uPlot {
    const { o } = this;
    const [x, y] = [o.x.zoom !== undefined, o.y.zoom !== undefined];
    const drag = { x, y, setScale: false, ...(x && y ? { uni: 24 } : {}) };
    const options: uPlot.Options = {
      width: this.element.clientWidth,
      height: o.height,
      legend: { show: false },
      // Room for half of the last number.
      padding: [8, () => Math.max(10, this.longestX * 3.4), 0, 0],
      scales: {
        x: { time: false, range: () => this.range("x") },
        y: { range: () => this.range("y") },
      },
      axes: [this.axis("x"), this.axis("y")],
      series: [{}, { paths: () => null, points: { show: false } }],
      cursor: {
        show: true, x: o.hover !== undefined && o.marks === undefined, y: false, points: { show: false }, drag,
        bind: { dblclick: () => () => { this.showAll(); return null; } },
      },
      hooks: { draw: [(u) => this.paint(u)], setSelect: [(u) => this.selected(u)] },
    };
    const u = new uPlot(options, [[0, 1], [null, null]], this.element);
    this.listen(u);
    return u;
  }

  private listen(u: uPlot): void {
    const { o } = this;
    const values = (event: MouseEvent): [number, number] => {
      const rect = u.over.getBoundingClientRect();
      return [this.back("x", u.posToVal(event.clientX - rect.left, "x")), this.back("y", u.posToVal(event.clientY - rect.top, "y"))];
    };
    if (o.hover !== undefined) {
      const hover = o.hover;
      let last: MouseEvent | null = null;
      // Once a frame: looking for the nearest of a million points takes a while.
      u.over.addEventListener("mousemove", (event) => {
        if (last === null) requestAnimationFrame(() => { if (last !== null) showTip(hover(...values(last), this), last); last = null; });
        last = event;
      });
      u.over.addEventListener("mouseleave", () => { last = null; hideTip(); o.leave?.(); });
    }
    if (o.click !== undefined) {
      const click = o.click;
      u.over.addEventListener("click", (event) => this.clicked(event, () => click(...values(event), this)));
    }
  }

  /** Where a double click shows all again, a first click waits for the second. */
  private clicked(event: MouseEvent, act: () => void): void {
    clearTimeout(this.waiting);
    if (event.detail > 1) return;
    if (this.zooms().some(({ zoom }) => zoom.on())) this.waiting = setTimeout(act, DOUBLE_CLICK);
    else act();
  }

  private showAll(): void {
    clearTimeout(this.waiting);
    for (const { zoom } of this.zooms()) zoom.to(null);
  }

  /** The axes that a reader can look closer at, the one that is meant without saying first. */
  private zooms(): { which: "x" | "y"; zoom: Zoom }[] {
    return (["x", "y"] as const).flatMap((which) => { const { zoom } = this.o[which]; return zoom === undefined ? [] : [{ which, zoom }]; });
  }

  /** Shows `by` times as much around a value; false where that changes nothing. */
  private look(which: "x" | "y", zoom: Zoom, by: number, at: number): boolean {
    const before = this.o[which].range();
    const after = zoomed(before, zoom.whole(), by, at, this.isLog(which));
    if (after[0] === before[0] && after[1] === before[1]) return false;
    zoom.to(after);
    return true;
  }

  private zoomKey(key: string): boolean {
    const [first] = this.zooms();
    const by = { "+": STEP, "=": STEP, "-": 1 / STEP, "−": 1 / STEP }[key];
    if (first === undefined || (by === undefined && key !== "0")) return false;
    if (by === undefined) this.showAll();
    else this.look(first.which, first.zoom, by, middle(this.o[first.which].range(), this.isLog(first.which)));
    return true;
  }

  /** The wheel is the page's, unless Ctrl is held or the chart has the focus, and there is more to see or less. */
  private wheel(event: WheelEvent): void {
    const zooms = this.zooms();
    const meant = event.shiftKey ? zooms.at(-1) : zooms[0];
    if (this.u === null || meant === undefined || !(event.ctrlKey || this.element.contains(document.activeElement))) return;
    const { which, zoom } = meant;
    const rect = this.u.over.getBoundingClientRect();
    const at = this.back(which, this.u.posToVal(which === "x" ? event.clientX - rect.left : event.clientY - rect.top, which));
    // With Shift some browsers turn the wheel sideways.
    const turned = (event.deltaY || event.deltaX) * PIXELS_OF_WHEEL[event.deltaMode]!;
    if (this.look(which, zoom, WHEEL ** turned, at)) event.preventDefault();
  }

  /** With Shift, a drag takes what is shown along. */
  private pan(event: MouseEvent): void {
    const { u } = this;
    const zooms = this.zooms();
    if (u === null || zooms.length === 0 || !event.shiftKey || event.button !== 0 || !u.over.contains(event.target as Node)) return;
    event.stopPropagation();
    event.preventDefault();
    const begun = zooms.map(({ which }) => this.o[which].range());
    const { clientWidth, clientHeight } = u.over;
    const move = (now: MouseEvent) => zooms.forEach(({ which, zoom }, index) => {
      const share = which === "x" ? (event.clientX - now.clientX) / clientWidth : (now.clientY - event.clientY) / clientHeight;
      if (zoom.on()) zoom.to(moved(begun[index]!, zoom.whole(), share, this.isLog(which)));
    });
    // What follows is no click at a point.
    const noClick = (click: MouseEvent) => click.stopPropagation();
    u.over.classList.add("panning");
    document.addEventListener("mousemove", move);
    document.addEventListener("mouseup", () => {
      document.removeEventListener("mousemove", move);
      u.over.classList.remove("panning");
      this.element.addEventListener("click", noClick, { capture: true, once: true });
      setTimeout(() => this.element.removeEventListener("click", noClick, true), 0);
    }, { once: true });
  }

  private selected(u: uPlot): void {
    const { left, top, width, height } = u.select;
    if (width === 0 && height === 0) return;
    const whole = { width: u.over.clientWidth, height: u.over.clientHeight };
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const value = (axis: "x" | "y", at: number) => this.back(axis, u.posToVal(at, axis));
    if (width >= LEAST_DRAG && width < whole.width - 1) this.o.x.zoom?.to([value("x", left), value("x", left + width)]);
    if (height >= LEAST_DRAG && height < whole.height - 1) this.o.y.zoom?.to([value("y", top + height), value("y", top)]);
  }

  private paint(u: uPlot): void {
    const { left, top, width, height } = u.bbox;
    const { ctx } = u;
    const [xr, yr] = [this.range("x"), this.range("y")];
    const place = (axis: "x" | "y", from: number, perUnit: number, low: number) =>
      this.isLog(axis) ? (value: number) => from + (Math.log10(value) - low) * perUnit : (value: number) => from + (value - low) * perUnit;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    this.o.paint({
      ctx, left, top, width, height, px: devicePixelRatio,
      X: place("x", left, width / (xr[1] - xr[0]), xr[0]),
      Y: place("y", top + height, -height / (yr[1] - yr[0]), yr[0]),
      xr: this.o.x.range(), yr: this.o.y.range(),
    });
    ctx.restore();
  }
}
