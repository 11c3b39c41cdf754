// Which comparisons are there, and which are worth a look? A table with a bar for each interval on one axis. A click on a row, or Enter on its name,
// shows that comparison below.

import { sortedPicture } from "./charts/sparkline";
import { axisOf, intervalMarks } from "./charts/interval";
import type { Comparison, Statement } from "./data";
import { h, mark, svg } from "./dom";
import type { Model } from "./model";
import { visible } from "./names";
import type { Store } from "./state";
import { SortedTable, type ColumnOf } from "./table";
import { LOOKS } from "./theme";
import { change, effect, grouped } from "./units";
import { verdictBadge } from "./verdict";

interface Row {
  index: number;
  comparison: Comparison;
  statement: Statement;
}

export function comparisonsTable(model: Model, store: Store): HTMLElement | null {
  const { analysis, comparisons, words } = model.data;
  if (analysis.comparisons.length < 2) return null;
  const rows: Row[] = analysis.comparisons.map((comparison, index) => ({ index, comparison, statement: words.comparisons[index]! }));
  const axis = axisOf(analysis.comparisons.map((comparison) => comparison.effect), comparisons[0]?.margin ?? analysis.settings.margin_percent / 100);
  const several = (of: (comparison: Comparison) => string | undefined) => new Set(analysis.comparisons.map(of)).size > 1;
  const armsOf = ({ index }: Row) => {
    const chart = comparisons[index];
    return [chart?.baseline, chart?.candidate].map((place) => (place === undefined ? undefined : model.arms[place]));
  };
  const pick = (row: Row) => store.set({ c: row.index, s: null, x: null, y: null, d: null });
  const columns: ColumnOf<Row>[] = [
    {
      title: "comparison", class: "name", by: ({ comparison }) => visible(`${comparison.group ?? ""} ${comparison.candidate}`),
      cell: (row) => {
        const { comparison } = row;
        const names = [h("bdi", null, visible(comparison.candidate)), h("small", null, " against "), h("bdi", null, visible(comparison.baseline))];
        return h("button", { type: "button", class: "link", onclick: () => pick(row) }, (comparison.group ?? "") === "" ? names : [h("bdi", null, visible(comparison.group ?? "")), h("small", { class: "line" }, names)]);
      },
    },
    ...(several((comparison) => comparison.metric) ? [{ title: "metric", by: ({ comparison }: Row) => comparison.metric, cell: ({ comparison }: Row) => visible(comparison.metric) }] : []),
    { title: "verdict", by: ({ comparison }) => VERDICTS.indexOf(comparison.verdict), cell: ({ comparison, statement }) => verdictBadge(comparison, statement) },
    { title: "change", by: ({ comparison }) => comparison.effect.estimate, cell: ({ comparison }) => change(comparison.effect.estimate) },
    {
      title: "interval", class: "bar",
      cell: ({ comparison }) => svg("svg", { class: "interval small", width: "100%", height: 22, role: "img", "aria-label": effect(comparison.effect) }, intervalMarks(comparison.effect, axis, 11)),
    },
    { title: "from", by: ({ comparison }) => comparison.effect.low, cell: ({ comparison }) => (comparison.effect.low === null ? "open" : change(comparison.effect.low)) },
    { title: "to", by: ({ comparison }) => comparison.effect.high, cell: ({ comparison }) => (comparison.effect.high === null ? "open" : change(comparison.effect.high)) },
    { title: "rounds", by: ({ comparison }) => comparison.rounds, cell: ({ comparison }) => (comparison.kind === "paired" ? grouped(comparison.rounds) : "unpaired") },
    {
      title: "sorted samples", class: "spark",
      cell: (row) => {
        const lines = armsOf(row).flatMap((arm, index) => (arm === undefined || arm.samples.length === 0 ? [] : [{ arm, look: LOOKS[index]! }]));
        return lines.length === 0 ? null : sortedPicture(lines, false);
      },
    },
  ];
  const marked = new Map<number, HTMLTableRowElement>();
  const table = new SortedTable(columns, rows, store.view.sort, (sort) => store.set({ sort }), (row, element) => {
    element.classList.add("pick");
    element.addEventListener("click", (event) => {
      if (!(event.target instanceof Element && event.target.closest("button"))) pick(row);
    });
    marked.set(row.index, element);
  });
  const follow = () => marked.forEach((element, index) => mark(element, index === Math.min(store.view.c, rows.length - 1)));
  follow();
  store.subscribe((changed) => {
    if (changed.has("sort")) table.sort(store.view.sort);
    if (changed.has("c")) follow();
  });
  return h("section", { id: "comparisons" }, h("h2", null, "All comparisons"),
    analysis.suite === undefined ? null : h("p", { class: "suite" }, visible(analysis.suite.sentence)),
    h("div", { class: "card wide" },
      h("p", { class: "how" }, "Grey is within the margin: a bar wholly inside says the same, one wholly outside says a change worth acting on. Click a row to see it below, a heading to sort."),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All comparisons" }, table.element)));
}

/** From the worst to the best. */
const VERDICTS = ["slower", "slightly slower", "unclear", "same", "slightly faster", "faster"];
