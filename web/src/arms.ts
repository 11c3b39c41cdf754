// How long does each arm take? The levels of the arms compared, or of all where nothing is; and the percentiles of both with their ratio.

import type { Level } from "./data";
import { h, type Child } from "./dom";
import { visible } from "./names";
import { swatch, type Context } from "./piece";
import { LOOKS, type Look } from "./theme";
import { digits, fixed, grouped, percent, quantity, quantityWithin, UNKNOWN } from "./units";

export function armsSection(c: Context): HTMLElement {
  const { comparison } = c.shown;
  const { levels } = c.model.data.analysis;
  const names = comparison === null ? null : [comparison.baseline, comparison.candidate];
  const of = names === null ? levels : names.flatMap((name) => levels.filter((level) => level.arm === name && level.metric === comparison?.metric && ofGroup(level, c)));
  // A level of another group may carry the only record of this arm.
  const shown = of.length > 0 ? of : levels;
  return h("section", { id: "arms" }, h("h2", null, comparison?.better === "higher" ? "What each reaches" : "What each takes"),
    h("div", { class: "card wide" },
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What each takes" }, levelTable(shown, names)),
      h("p", { class: "how" }, "± is the error of the mean, corrected for autocorrelation; ± ? means that there are too few independent samples to know it. σ events: how many standard deviations the minimum and the maximum lie from the mean. CV: standard deviation divided by mean.")),
    percentiles(c));
}

function ofGroup(level: Level, c: Context): boolean {
  const group = c.shown.comparison?.group ?? "";
  const groups = new Set(c.shown.series.map(({ arm }) => arm.chart.group));
  return (level.group ?? "") === group || groups.has(level.group ?? "");
}

interface Column {
  title: string;
  hint?: string;
  cell(level: Level): Child;
}

function levelTable(levels: Level[], names: string[] | null): HTMLElement {
  const any = (of: (level: Level) => unknown) => levels.some((level) => of(level) !== undefined && of(level) !== null);
  const p95 = (level: Level) => level.percentiles?.find((percentile) => percentile.percent === 95)?.value;
  // Another run's mean may lie outside of what was seen within one.
  const within = levels.some((level) => level.mean_error?.over_launches === false);
  const columns: Column[] = [
    { title: "min", cell: (level) => quantity(level.min, level.unit) },
    { title: within ? "mean ± within run" : "mean ± error", hint: `The error is corrected for autocorrelation${within ? "; it covers this run, not the next" : ""}`, cell: (level) => meanOf(level) },
    { title: "median", cell: (level) => quantity(level.median, level.unit) },
    ...(any(p95) ? [{ title: "P95", cell: (level: Level) => quantity(p95(level), level.unit) }] : []),
    { title: "max", cell: (level) => quantity(level.max, level.unit) },
    { title: "mean over min", hint: "Distance of the mean from the minimum, in percent of the minimum: how much disturbances added", cell: (level) => percent(level.mean_over_min) },
    { title: "CV", hint: "Standard deviation divided by mean", cell: (level) => percent(level.cv) },
    { title: "IQR/median", hint: "Interquartile range divided by median", cell: (level) => percent(level.iqr_over_median) },
    ...(any((level) => level.distribution) ? [{
      title: "σ events", hint: "How many standard deviations the minimum and the maximum lie from the mean",
      cell: (level: Level) => (level.distribution === undefined ? UNKNOWN : `${fixed(-Math.abs(level.distribution.bottom_sigma), 1)}, +${fixed(level.distribution.top_sigma, 1)}`),
    }] : []),
    { title: "samples", cell: (level) => grouped(level.samples) },
    ...(levels.some((level) => level.failed > 0) ? [{ title: "failed", cell: (level: Level) => grouped(level.failed) }] : []),
  ];
  const several = (of: (level: Level) => string | undefined) => new Set(levels.map(of)).size > 1;
  const [groups, metrics] = [several((level) => level.group), several((level) => level.metric)];
  return h("table", { class: "numbers" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "name"), columns.map(({ title, hint }) => h("th", { scope: "col", title: hint }, title)))),
    h("tbody", null, levels.map((level) => h("tr", null,
      h("th", { scope: "row" }, names === null ? null : swatchOf(level, names), groups && (level.group ?? "") !== "" && level.group !== level.arm ? [h("bdi", null, visible(level.group ?? "")), " · "] : null, h("bdi", null, visible(level.arm)), metrics ? h("small", null, ` ${visible(level.metric)}`) : null,
        level.from === "samples" ? null : h("small", { class: "line" }, level.from === "histogram" ? "from a histogram" : "as reported by the tool")),
      columns.map((column) => h("td", null, column.cell(level)))))));
}

/** Where too few samples are independent, how far the mean may be off is not known, and that is said. */
export function meanOf(level: Level): string {
  const unknown = level.mean_error !== undefined && level.mean_error.half_width === null;
  return quantityWithin(level.mean, level.mean_error?.half_width, level.unit) + (unknown ? " ± ?" : "");
}

function swatchOf(level: Level, names: string[]): Child {
  const look: Look | undefined = LOOKS[names.indexOf(level.arm)];
  return look === undefined ? null : swatch(look);
}

function percentiles(c: Context): HTMLElement | null {
  const { comparison } = c.shown;
  const rows = comparison?.percentiles ?? [];
  if (comparison === null || rows.length === 0) return null;
  const ratio = (value: number | null) => (value === null ? UNKNOWN : digits(value));
  const names = [comparison.baseline, comparison.candidate];
  const line = (head: Child, cell: (row: (typeof rows)[number]) => string) => h("tr", null, h("th", { scope: "row" }, head), rows.map((row) => h("td", null, cell(row))));
  const bounded = rows.some(({ low, high }) => low !== null || high !== null);
  const arm = (place: 0 | 1) => [swatch(LOOKS[place]!), h("bdi", null, visible(names[place]!))];
  return h("div", { class: "card wide", id: "percentiles" }, h("h3", null, "Percentiles"),
    h("p", { class: "how" }, `The ratio is candidate divided by baseline at the same percentile: 1 is the same, 1.05 is 5 % more. ${bounded ? "Its interval is below." : "It has no interval here."}`),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Percentiles" }, h("table", { class: "numbers" },
      h("thead", null, h("tr", null, h("td"), rows.map(({ percent }) => h("th", { scope: "col" }, `P${digits(percent)}`)))),
      h("tbody", null,
        line(arm(0), (row) => quantity(row.baseline, comparison.unit)),
        line(arm(1), (row) => quantity(row.candidate, comparison.unit)),
        line("ratio", (row) => digits(row.scaled)),
        bounded ? line(h("span", { class: "soft" }, "upper end"), (row) => ratio(row.high)) : null,
        bounded ? line(h("span", { class: "soft" }, "lower end"), (row) => ratio(row.low)) : null))));
}
