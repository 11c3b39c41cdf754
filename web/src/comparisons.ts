// Which comparisons are there, and which are worth a look? A line for each, the biggest change first, with a bar for each interval on one axis. A click
// on a row, or Enter on its name, goes to the details of that comparison.

import { sortedPicture } from "./charts/sparkline";
import { axisOf, intervalMarks } from "./charts/interval";
import type { Comparison, ComparisonChart, Statement } from "./data";
import { h, mark, press, svg, toggle, type Child } from "./dom";
import type { Model } from "./model";
import { visible } from "./names";
import type { Store } from "./state";
import { type Labels, verdictCounts, VERDICTS } from "./suite";
import { SortedTable, type ColumnOf } from "./table";
import { LOOKS } from "./theme";
import { change, counted, effect, grouped, interval, roughDuration } from "./units";
import { verdictBadge } from "./verdict";

interface Row {
  place: number;
  comparison: Comparison;
  statement: Statement;
  chart: ComparisonChart | undefined;
  /** What tells it from the others. */
  label: string;
  /** The same with what is alike in all. */
  name: string;
}

export function comparisonsTable(model: Model, store: Store, open: (place: number) => void): HTMLElement | null {
  const { labels } = model;
  if (labels === null) return null;
  const rows = model.order.map((place) => rowOf(model, labels, place));
  const marked = new Map<number, HTMLTableRowElement>();
  const table = new SortedTable(columns(model, rows, open), rows, store.view.sort, (sort) => store.set({ sort }), (row, element) => {
    element.classList.add("pick");
    element.addEventListener("click", (event) => {
      if (!(event.target instanceof Element && event.target.closest("button"))) open(row.place);
    });
    marked.set(row.place, element);
  });
  const tools = filters(model, store, table, rows);
  const follow = () => marked.forEach((element, place) => mark(element, place === model.placeOf(store.view.c)));
  follow();
  store.subscribe((changed) => {
    if (changed.has("sort")) table.sort(store.view.sort);
    if (changed.has("c")) follow();
  });
  return h("section", { id: "comparisons" }, h("h2", null, "All comparisons"),
    h("div", { class: "card wide" },
      h("p", { class: "how" }, "Grey: within the margin. Click a row for details, a heading to sort."),
      alike(labels), tools,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All comparisons" }, table.element)));
}

function rowOf(model: Model, labels: Labels, place: number): Row {
  const comparison = model.data.analysis.comparisons[place]!;
  const statement = model.data.words.comparisons[place]!;
  return { place, comparison, statement, chart: model.data.comparisons[place], label: labels.of[place]!, name: model.nameOf(place) };
}

/** What was cut from the names. */
function alike({ begin, end }: Labels): Child {
  if (begin === "" && end === "") return null;
  return h("p", { class: "how", id: "alike" }, "All names ",
    begin === "" ? null : ["begin with ", h("code", null, begin.trim())], begin === "" || end === "" ? null : " and ",
    end === "" ? null : ["end with ", h("code", null, end.trim())], ".");
}

function columns(model: Model, rows: Row[], open: (place: number) => void): ColumnOf<Row>[] {
  const axis = axisOf(rows.map(({ comparison }) => comparison.effect), model.margin);
  const metrics = new Set(rows.map(({ comparison }) => comparison.metric)).size > 1;
  const timed = rows.some(({ chart }) => typeof chart?.seconds === "number");
  return [
    {
      title: "comparison", class: "name", by: ({ label }) => label,
      cell: ({ place, label, name }) => h("button", { type: "button", class: "link", title: name, onclick: () => open(place) }, h("bdi", null, label)),
    },
    ...(metrics ? [{ title: "metric", by: ({ comparison }: Row) => comparison.metric, cell: ({ comparison }: Row) => visible(comparison.metric) }] : []),
    { title: "verdict", class: "verdict", by: ({ comparison }) => VERDICTS.indexOf(comparison.verdict), cell: ({ comparison, statement }) => verdictBadge(comparison, statement) },
    { title: "change", by: ({ comparison }) => comparison.effect.estimate, cell: ({ comparison }) => (comparison.signs === undefined ? change(comparison.effect.estimate) : "no ratio") },
    {
      title: "interval", class: "bar",
      cell: ({ comparison }) => comparison.signs === undefined && svg("svg", { class: "interval small", width: "100%", height: 22, role: "img", "aria-label": effect(comparison.effect) }, intervalMarks(comparison.effect, axis, 11)),
    },
    { title: "from, to", class: "more", cell: ({ comparison }) => (comparison.signs === undefined ? interval(comparison.effect) : "") },
    { title: "rounds", class: "most", by: ({ comparison }) => comparison.rounds, cell: ({ comparison }) => (comparison.kind === "paired" ? grouped(comparison.rounds) : "unpaired") },
    ...(timed ? [{ title: "time", class: "more", hint: "How long the samples of this comparison took", by: ({ chart }: Row) => chart?.seconds ?? null, cell: ({ chart }: Row) => (typeof chart?.seconds === "number" ? roughDuration(chart.seconds) : "") }] : []),
    { title: "sorted samples", class: "spark", cell: ({ chart }) => spark(model, chart) },
  ];
}

function spark(model: Model, chart: ComparisonChart | undefined): Child {
  const arms = [chart?.baseline, chart?.candidate].map((place) => (place === undefined ? undefined : model.arms[place]));
  const lines = arms.flatMap((arm, index) => (arm === undefined || arm.samples.length === 0 ? [] : [{ arm, look: LOOKS[index]! }]));
  return lines.length === 0 ? null : sortedPicture(lines, false);
}

/** Words of names to look for, and a button for each verdict there is. */
function filters(model: Model, store: Store, table: SortedTable<Row>, rows: Row[]): HTMLElement {
  const { analysis, words } = model.data;
  const text = h("input", { type: "search", id: "filter", placeholder: "filter by name", "aria-label": "filter by name" });
  text.addEventListener("input", () => store.set({ q: text.value || null }));
  const verdicts = verdictCounts(analysis.comparisons, words.comparisons).map(({ verdict, word, count }) => ({ verdict, button: toggle(`${word} ${count}`, false, (on) => store.set({ v: on ? verdict : null })) }));
  const left = h("span", { class: "soft", role: "status" });
  const update = () => {
    const { q, v } = store.view;
    const sought = (q ?? "").toLowerCase().split(/\s+/);
    const kept = table.filter(({ name, comparison }) => (v === null || comparison.verdict === v) && sought.every((word) => name.toLowerCase().includes(word)));
    if (text.value !== (q ?? "")) text.value = q ?? "";
    for (const { verdict, button } of verdicts) press(button, verdict === v);
    left.textContent = kept === rows.length ? "" : `${grouped(kept)} of ${counted(rows.length, "comparison")}`;
  };
  update();
  store.subscribe((changed) => { if (changed.has("q") || changed.has("v")) update(); });
  return h("div", { class: "tools", role: "group", "aria-label": "Filter" }, text, verdicts.map(({ button }) => button), left);
}
