// What are the figures of each series? A row with all its samples, a row without those outside the outlier limits, and the same of all series of one thing
// together. Sorted by iterations, or by a click on a heading. The page computes none of it: the program did.

import { sortedPicture, together } from "./charts/sparkline";
import type { Box } from "./data";
import { h, mark, replace } from "./dom";
import type { Arm, Model, Shown } from "./model";
import { visible } from "./names";
import { swatch } from "./piece";
import type { Changed, Store } from "./state";
import { SortedTable, type ColumnOf } from "./table";
import type { Look } from "./theme";
import { grouped, percent, quantity } from "./units";
import { viewerKey } from "./viewer";

interface Row {
  /** One, or all of a pool. */
  arms: Arm[];
  /** What stands below the name. */
  more: string;
  clean: boolean;
  box: Box | null;
  look: Look | null;
}

const COUNT = (of: (box: Box) => number) => ({ by: ({ box }: Row) => (box === null ? null : of(box)), cell: ({ box }: Row) => (box === null ? "" : grouped(of(box))) });
const COST = (of: (box: Box) => number | null) => ({ by: ({ box }: Row) => box && of(box), cell: ({ box, arms }: Row) => (box === null ? "" : quantity(of(box), arms[0]!.chart.unit)) });
const SHARE = (of: (box: Box) => number | null) => ({ by: ({ box }: Row) => box && of(box), cell: ({ box }: Row) => (box === null ? "" : percent(of(box))) });

const isPool = ({ arms }: Row) => arms.length > 1;
const iterationsOf = ({ arms }: Row) => (arms.length > 1 ? null : arms[0]!.chart.iterations);

function columns(rows: Row[]): ColumnOf<Row>[] {
  const gathered = rows.some((row) => iterationsOf(row) !== null);
  return [
    { title: "sorted samples", class: "spark", cell: (row) => picture(row) },
    { title: "series", names: true, by: (row) => nameOf(row), cell: (row) => [row.look === null ? null : swatch(row.look), h("bdi", null, nameOf(row)), h("small", { class: "line" }, row.more)] },
    { title: "samples", class: "kind", hint: "All samples, or those within the outlier limits", by: ({ clean }) => Number(clean), cell: ({ clean, box }) => (box === null ? "none were kept" : clean ? "clean" : "raw") },
    ...(gathered ? [{ title: "iterations", hint: "In each sample", by: iterationsOf, cell: (row: Row) => (iterationsOf(row) === null ? "" : grouped(iterationsOf(row)!)) }] : []),
    { title: "n", ...COUNT(({ samples }) => samples) },
    { title: "min", ...COST(({ min }) => min) },
    { title: "max", ...COST(({ max }) => max) },
    { title: "R", hint: "Range: maximum minus minimum", ...COST(({ range }) => range) },
    { title: "R %", hint: "Range in percent of the minimum", ...SHARE(({ range_over_min }) => range_over_min) },
    { title: "Q1", hint: "First quartile", ...COST(({ q1 }) => q1) },
    { title: "Q3", hint: "Third quartile", ...COST(({ q3 }) => q3) },
    { title: "IQR", hint: "Interquartile range", ...COST(({ iqr }) => iqr) },
    { title: "IQR %", hint: "Interquartile range in percent of the median", ...SHARE(({ iqr_over_median }) => iqr_over_median) },
    { title: "Med", hint: "Median", ...COST(({ median }) => median) },
    { title: "mean", ...COST(({ mean }) => mean) },
    { title: "mean over min", hint: "Distance of the mean from the minimum, in percent of the minimum: how much disturbances added", ...SHARE(({ mean_over_min }) => mean_over_min) },
    { title: "s", hint: "Standard deviation", ...COST(({ sd }) => sd) },
    { title: "CV", hint: "Standard deviation in percent of the mean", ...SHARE(({ cv }) => cv) },
  ];
}

function nameOf(row: Row): string {
  return isPool(row) ? "all" : row.arms[0]!.name;
}

function picture(row: Row): HTMLElement | null {
  if (row.box === null) return null;
  return sortedPicture([{ arm: isPool(row) ? together(row.arms) : row.arms[0]!, look: row.look }], row.clean);
}

/** It stays while the comparison changes, so that the keys can walk over all arms. */
export class SeriesTable {
  readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private shown: Shown | null = null;
  private table: SortedTable<Row> | null = null;
  private readonly marked = new Map<HTMLTableRowElement, Row>();

  constructor(private readonly model: Model, private readonly store: Store, private readonly choose: (arm: Arm | null) => void) {
    this.scroller = h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Series: up and down choose one, left and right hide and show outliers, Escape chooses none" });
    this.scroller.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && viewerKey(event, this.arms(), store, choose)) event.preventDefault();
    });
    this.element = h("div", { class: "card wide", id: "series" },
      h("h3", null, "The series in numbers"),
      h("p", { class: "how" }, "Choose a row to see this series alone, a heading to sort. Raw rows include all samples, clean rows those within the outlier limits; \"all\" combines every series of one function. The small chart shows the samples sorted: flat is steady, a rise at the end is a tail."),
      this.scroller);
    this.update(new Set(["c"]));
    store.subscribe((changed) => this.update(changed));
  }

  /** In the order shown. */
  arms(): Arm[] {
    return [...new Set((this.table?.rows ?? []).filter((row) => !isPool(row)).map(({ arms }) => this.model.arms[arms[0]!.index]!))];
  }

  private update(changed: Changed): void {
    const { view } = this.store;
    const shown = this.model.shown(view);
    if (shown !== this.shown) {
      this.shown = shown;
      this.build();
    } else if (changed.has("by")) this.table?.sort(view.by);
    this.marked.forEach((row, element) => {
      const current = isPool(row) ? view.s === null && row.arms.some((arm) => shown.series.some((series) => series.arm.index === arm.index)) : row.arms[0]!.key === view.s;
      mark(element, current && row.clean === view.out);
    });
  }

  private build(): void {
    const { store } = this;
    this.marked.clear();
    const rows = this.rows();
    this.table = new SortedTable(columns(rows), rows, store.view.by, (by) => store.set({ by }), (row, element) => {
      element.classList.add("pick");
      element.addEventListener("click", () => this.pick(row));
      this.marked.set(element, row);
    });
    replace(this.scroller, this.table.element);
  }

  private pick(row: Row): void {
    const again = row.arms[0]!.key === this.store.view.s && row.clean === this.store.view.out;
    this.store.set({ out: row.clean });
    this.choose(isPool(row) || again ? null : this.model.arms[row.arms[0]!.index]!);
  }

  /** Those of the comparison that is shown; where nothing is compared, all. */
  private listed(): Arm[] {
    const { arms } = this.model;
    return this.shown === null || this.shown.index === null ? [...arms] : this.shown.series.map(({ arm }) => arms[arm.index]!);
  }

  /** Series of one thing by their iterations, and after them all together; else as they came. */
  private rows(): Row[] {
    const { model, store: { view } } = this;
    const { pools } = model.data;
    const several = new Set(model.arms.map((arm) => arm.chart.metric)).size > 1;
    const poolOf = (arm: Arm) => pools.find(({ arms }) => arms.includes(arm.index));
    const first = (arm: Arm) => poolOf(arm)?.arms[0] ?? arm.index;
    const order = this.listed().sort((a, b) => first(a) - first(b) || (a.chart.iterations ?? 0) - (b.chart.iterations ?? 0) || a.index - b.index);
    const below = (arm: Arm, name: string) => [name, several ? visible(arm.chart.metric) : ""].filter((part) => part !== "").join(" · ");
    const look = (arm: Arm) => this.shown?.series.find((series) => series.arm.index === arm.index)?.look ?? null;
    return order.flatMap((raw, place) => {
      const arm = view.setup ? raw.withoutSetUp : raw;
      const own = this.pair([arm], below(arm, arm.groupToo), arm.chart.raw, arm.chart.clean, look(arm));
      const pool = poolOf(arm);
      const next = order[place + 1];
      if (pool === undefined || !pool.arms.every((index) => order.some((one) => one.index === index)) || (next !== undefined && poolOf(next) === pool)) return own;
      const { raw: all, clean } = view.setup ? pool.without_set_up ?? pool : pool;
      const arms = pool.arms.map((index) => model.arms[index]!).map((one) => (view.setup ? one.withoutSetUp : one));
      return [...own, ...this.pair(arms, below(arm, visible(pool.name)), all, clean, null)];
    });
  }

  private pair(arms: Arm[], more: string, raw: Box | null, clean: Box | null, look: Look | null): Row[] {
    const row = (box: Box | null, clean: boolean): Row => ({ arms, more, clean, box, look });
    return raw === null ? [row(null, false)] : [row(raw, false), row(clean, true)];
  }
}
