// How do the samples of one series behave? Every sample in order, with boxes and bars beside it. A series is chosen by a click on its row in the
// table (series.ts), a point or a box, or with the arrow keys; Escape chooses none.

import { logToggle } from "./charts/distributions";
import { runPlot, sidePlot, stripPlot } from "./charts/run";
import { h, press, toggle } from "./dom";
import { inOrder, type Arm, type Series } from "./model";
import { absent, keyOf, legend, names, piece, type Context, type Piece } from "./piece";
import { logarithmic, roundRange, roundZoom, valueRange, valueZoom } from "./ranges";
import type { Store } from "./state";
import type { Range } from "./ticks";
import { middle, type Zoom, zoomed } from "./zoom";
import { counted, percent, quantity } from "./units";

const TITLE = "Every sample in order";
/** More boxes need more room. */
const FEW_BOXES = 4;

/** `arms`: all that can be chosen, as the table shows them. */
export function runChart(c: Context, choose: (arm: Arm | null) => void, arms: () => Arm[]): Piece {
  const { series } = c.shown;
  const kept = series.filter(({ arm }) => arm.samples.length > 0);
  const ordered = inOrder(kept);
  if (kept.length === 0) return absent("run", TITLE, "the results come from a tool that kept no samples.");
  if (ordered.length === 0) return absent("run", TITLE, "the order of the samples is not known.");
  const pick = (of: Series | null) => choose(of === null || of.arm.key === c.store.view.s ? null : of.arm);
  const shuffled = kept.filter((of) => !ordered.includes(of));
  const left = shuffled.length === 0 ? "" : `Not shown as points, because their order is not known: the samples of ${names(shuffled)}.`;
  const note = h("span", { class: "note" }, left);
  const key = (event: KeyboardEvent) => viewerKey(event, arms(), c.store, choose);
  const run = runPlot(c, key, pick, (beyond) => {
    const outside = beyond === 0 ? "" : `${counted(beyond, "sample")} beyond this axis, marked at its edge.`;
    note.textContent = [left, outside].filter((words) => words !== "").join(" ");
  });
  const strip = stripPlot(c, pick);
  const side = sidePlot(c);
  strip.element.classList.add("strip");
  side.element.classList.add("side");
  const clean = toggle("without outliers", c.store.view.out, (out) => c.store.set({ out }), "The outlier limits lie 1.5 interquartile ranges beyond the quartiles");
  const all = toggle("all values on the axis", c.store.view.y === "all", (on) => c.store.set({ y: on ? "all" : null }));
  const inner = toggle("values within the outlier limits", c.store.view.y === "clean", (on) => c.store.set({ y: on ? "clean" : null }), "The axis ends at the last sample within the outlier limits; outliers are marked at its edge");
  const axis = logToggle(c);
  const closer = (zoom: Zoom, shown: () => Range, log: () => boolean, by: number) => () => zoom.to(zoomed(shown(), zoom.whole(), by, middle(shown(), log()), log()));
  const rounds = (by: number) => closer(roundZoom(c), () => roundRange(c), () => false, by);
  const values = (by: number) => closer(valueZoom(c), () => valueRange(c), () => logarithmic(c), by);
  const button = (label: string, title: string, act: () => void) => h("button", { type: "button", title, "aria-label": title, onclick: act }, label);
  return piece({
    id: "run", title: TITLE, wide: true, plots: [run, strip, side], watch: ["x", "y", "out", "s", "log"], selection: c.selection,
    how: "One point is one sample. Drag to zoom in, double-click to show everything again, click a point to choose its series; ? lists all keys.",
    tools: [clean, setUpToggle(c), all, inner, axis.element,
      h("span", { class: "zoom" }, button("+", "Zoom in on the rounds", rounds(0.5)), button("−", "Zoom out to more rounds", rounds(2)),
        button("↕+", "Zoom in on the values", values(0.5)), button("↕−", "Zoom out to more values", values(2)),
        button("show all", "show all rounds and the usual values", () => c.store.set({ x: null, y: null })))],
    legend: legend(series, ...((c.shown.rounds?.launches ?? ordered[0]?.arm.chart.launches ?? []).length > 1 ? [keyOf("stripe", "every other launch")] : []), h("span", { class: "key chosen-key" }, c.shown.pool === null ? "chosen: — median, ··· quartiles, — · upper limit" : "chosen, or all: — median, ··· quartiles, — · upper limit, – – mean of all")),
    body: h("div", { class: series.length > FEW_BOXES ? "viewer many" : "viewer" }, strip.element, run.element, side.element),
    below: note,
    refresh: () => {
      press(clean, c.store.view.out);
      press(all, c.store.view.y === "all");
      press(inner, c.store.view.y === "clean");
      axis.refresh();
    },
  });
}

/** Where the set-up in each sample is known; the verdict includes it. */
function setUpToggle(c: Context): HTMLElement | null {
  const pool = c.model.data.pools.find(({ set_up, arms }) => set_up !== null && c.shown.series.some(({ arm }) => arms.includes(arm.index)));
  if (pool === undefined || pool.set_up === null) return null;
  const { cost, share, iterations: [few, more] } = pool.set_up;
  const title = `${quantity(cost, c.shown.unit)} in each sample, ${percent(share)} of the smallest sample with ${counted(few, "iteration")}, estimated from the smallest samples with ${few} and ${more} iterations`;
  return toggle("without the set-up", c.store.view.setup, (setup) => c.store.set({ setup }), title);
}

export function viewerKey(event: KeyboardEvent, arms: Arm[], store: Store, choose: (arm: Arm | null) => void): boolean {
  const at = arms.findIndex((arm) => arm.key === store.view.s);
  switch (event.key) {
    case "ArrowDown": choose(arms[Math.min(arms.length - 1, at + 1)] ?? null); return true;
    case "ArrowUp": choose(arms[at < 0 ? arms.length - 1 : Math.max(0, at - 1)] ?? null); return true;
    case "ArrowLeft": store.set({ out: false }); return true;
    case "ArrowRight": store.set({ out: true }); return true;
    case "Escape": choose(null); return true;
    default: return false;
  }
}
