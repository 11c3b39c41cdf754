// How do the samples of one series behave? Every sample in order, with boxes and bars beside it, and under it one row for each arm of the page.
// A series is chosen by a click on its row, a point or a box, or with the arrow keys; Escape chooses none.

import { runPlot, sidePlot, stripPlot } from "./charts/run";
import { sortedPicture } from "./charts/sparkline";
import { h, mark, press, toggle } from "./dom";
import { inOrder, type Arm, type Model, type Series } from "./model";
import { visible } from "./names";
import { absent, keyOf, legend, names, piece, swatch, type Context, type Piece } from "./piece";
import { roundCount, roundRange, valueRange } from "./ranges";
import type { Changed, Store } from "./state";
import type { Range } from "./ticks";
import { counted, grouped, percent, quantity } from "./units";

const TITLE = "Every sample in order";

export function runChart(c: Context, choose: (arm: Arm | null) => void): Piece {
  const { series } = c.shown;
  const kept = series.filter(({ arm }) => arm.samples.length > 0);
  const ordered = inOrder(kept);
  if (kept.length === 0) return absent("run", TITLE, "the results were taken from a tool that kept no samples.");
  if (ordered.length === 0) return absent("run", TITLE, "the order in which the samples were taken is not known.");
  const pick = (of: Series | null) => choose(of === null || of.arm.key === c.store.view.s ? null : of.arm);
  const shuffled = kept.filter((of) => !ordered.includes(of));
  const left = shuffled.length === 0 ? "" : `Not among the points, because their order is not known: the samples of ${names(shuffled)}.`;
  const note = h("span", { class: "note" }, left);
  const key = (event: KeyboardEvent) => viewerKey(event, c.model, c.store, choose) || zoomKey(event, c);
  const run = runPlot(c, key, pick, (beyond) => {
    const outside = beyond === 0 ? "" : `${counted(beyond, "sample")} beyond this axis, marked at its edge.`;
    note.textContent = [left, outside].filter((words) => words !== "").join(" ");
  });
  const strip = stripPlot(c, pick);
  const side = sidePlot(c);
  strip.element.classList.add("strip");
  side.element.classList.add("side");
  const clean = toggle("without samples beyond the fences", c.store.view.out, (out) => c.store.set({ out }), "Fences stand 1.5 times the distance of the quartiles beyond them");
  const all = toggle("all values on the axis", c.store.view.y === "all", (on) => c.store.set({ y: on ? "all" : null }));
  const zoom = (by: number) => () => c.store.set({ x: scaled(roundRange(c), by, [-1, roundCount(c) + 1]) });
  const button = (label: string, title: string, act: () => void) => h("button", { type: "button", title, "aria-label": title, onclick: act }, label);
  return piece({
    id: "run", title: TITLE, wide: true, plots: [run, strip, side], watch: ["x", "y", "out", "s"], selection: c.selection,
    how: "One point is one sample. Drag over the chart to look closer, sideways or upwards; a double click shows everything again. Keys, when the chart has the focus: up and down choose a series, left and right take samples beyond the fences out and in, + and − zoom, 0 shows all, Esc chooses none.",
    tools: [clean, all,
      h("span", { class: "zoom" }, button("+", "Look closer at the rounds", zoom(0.5)), button("−", "Show more rounds", zoom(2)),
        button("↕+", "Look closer at the values", () => c.store.set({ y: scaled(valueRange(c), 0.5) })), button("↕−", "Show more values", () => c.store.set({ y: scaled(valueRange(c), 2) })),
        button("show all", "show all rounds and the usual values", () => c.store.set({ x: null, y: null })))],
    legend: legend(series, ...((c.shown.rounds?.launches ?? ordered[0]?.arm.chart.launches ?? []).length > 1 ? [keyOf("stripe", "every other launch")] : []), h("span", { class: "key chosen-key" }, "chosen: — median, ··· quartiles, — · upper fence")),
    body: h("div", { class: "viewer" }, strip.element, run.element, side.element),
    below: note,
    refresh: () => {
      press(clean, c.store.view.out);
      press(all, c.store.view.y === "all");
    },
  });
}

function scaled([low, high]: Range, by: number, limits: Range = [-Infinity, Infinity]): Range {
  const [middle, half] = [(low + high) / 2, ((high - low) / 2) * by];
  return [Math.max(limits[0], middle - half), Math.min(limits[1], middle + half)];
}

function zoomKey(event: KeyboardEvent, c: Context): boolean {
  const step = { "+": 0.5, "=": 0.5, "-": 2, "−": 2 }[event.key];
  if (step !== undefined) c.store.set({ x: scaled(roundRange(c), step, [-1, roundCount(c) + 1]) });
  else if (event.key === "0") c.store.set({ x: null, y: null });
  else return false;
  return true;
}

export function viewerKey(event: KeyboardEvent, model: Model, store: Store, choose: (arm: Arm | null) => void): boolean {
  const { arms } = model;
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

const COLUMNS = ["sorted samples", "series", "n", "min", "Q1", "median", "Q3", "max", "IQR", "mean", "s", "CV"];

/** One row for each arm of the page. It stays while the comparison changes, so that the keys can walk over all arms. */
export class SeriesTable {
  readonly element: HTMLElement;
  private readonly rows = new Map<string, HTMLTableRowElement>();
  private readonly body = h("tbody");

  constructor(private readonly model: Model, private readonly store: Store, private readonly choose: (arm: Arm | null) => void) {
    const clean = toggle("without samples beyond the fences", store.view.out, (out) => store.set({ out }));
    const several = new Set(model.arms.map((arm) => arm.chart.metric)).size > 1;
    const table = h("table", { class: "numbers" }, h("thead", null, h("tr", null, COLUMNS.map((name) => h("th", { scope: "col" }, name)))), this.body);
    const scroller = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Series: up and down choose one, left and right take samples beyond the fences out and in, Escape chooses none" }, table);
    scroller.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && viewerKey(event, model, store, choose)) event.preventDefault();
    });
    this.element = h("div", { class: "card wide", id: "series" },
      h("h3", null, "The series in numbers"),
      h("p", { class: "how" }, "Choose a row to see this series alone. The small picture shows its samples sorted: flat is steady, a rise at the end is a tail."),
      h("div", { class: "tools" }, clean), scroller);
    for (const arm of model.arms) this.add(arm, several);
    this.update(new Set(["s", "out", "c"]));
    store.subscribe((changed) => { press(clean, store.view.out); this.update(changed); });
  }

  private add(arm: Arm, several: boolean): void {
    const row = h("tr", { class: "pick" });
    row.addEventListener("click", () => this.choose(this.store.view.s === arm.key ? null : arm));
    this.rows.set(arm.key, row);
    row.dataset["more"] = [arm.chart.group === arm.chart.arm ? "" : arm.chart.group, several ? arm.chart.metric : ""].filter((part) => part !== "").map(visible).join(" · ");
    this.body.append(row);
  }

  /** Whatever the figures are: they were computed by the program, with all samples and without those beyond the fences. */
  private update(changed: Changed): void {
    const { s, out, c } = this.store.view;
    const shown = this.model.shown(c, s).series;
    for (const arm of this.model.arms) {
      const row = this.rows.get(arm.key);
      if (row === undefined) continue;
      mark(row, arm.key === s);
      if (!changed.has("out") && !changed.has("c") && !(changed.has("s") && this.model.data.comparisons.length === 0)) continue;
      const of = shown.find((series) => series.arm === arm);
      const box = arm.box(out);
      const value = (number: number | null | undefined) => quantity(number, arm.chart.unit);
      const cells = box === null
        ? [h("td", { colspan: 10 }, "no samples were kept")]
        : [grouped(box.samples), value(box.min), value(box.q1), value(box.median), value(box.q3), value(box.max), value(box.iqr), value(box.mean), value(box.sd), percent(box.cv)].map((text) => h("td", null, text));
      row.replaceChildren(
        h("td", { class: "spark" }, arm.samples.length === 0 ? null : sortedPicture([{ arm, look: of?.look ?? null }], out)),
        h("th", { scope: "row" }, of === undefined ? null : swatch(of.look), h("bdi", null, arm.name), h("small", { class: "line" }, row.dataset["more"] ?? "")),
        ...cells);
    }
  }
}
