// How is a table sorted and filtered? Sorted by a click on a heading, or with Enter or the space bar on it: up, then down. Numbers by size, words by
// letter with the numbers in them by size, what is missing last. Without a heading chosen, rows stand as they came.

import { h, type Child } from "./dom";

export interface ColumnOf<Row> {
  title: string;
  /** What to sort by; a column without it is not sorted. */
  by?: (row: Row) => number | string | null;
  cell: (row: Row) => Child;
  class?: string;
  hint?: string;
  /** Whether it says what the row is about. */
  names?: boolean;
}

/** `3` is the third column from 0 upwards, `-3` downwards; as text because −0 is no number. */
export type Sort = string;

export class SortedTable<Row> {
  readonly element: HTMLTableElement;
  private readonly body = h("tbody");
  private readonly heads: HTMLTableCellElement[];
  private readonly lines: { row: Row; element: HTMLTableRowElement }[];
  private order: { row: Row; element: HTMLTableRowElement }[] = [];
  private keep: (row: Row) => boolean = () => true;

  constructor(private readonly columns: ColumnOf<Row>[], rows: Row[], sort: Sort | null, changed: (sort: Sort) => void, decorate: (row: Row, element: HTMLTableRowElement) => void) {
    this.heads = columns.map((column, index) => h("th", { scope: "col", class: column.class, title: column.hint },
      column.by === undefined ? column.title : h("button", { type: "button", class: "sort", onclick: () => changed(this.next(index)) }, column.title, h("span", { class: "way", "aria-hidden": "true" }))));
    this.lines = rows.map((row) => {
      const element = h("tr", null, columns.map((column) => h(column.names === true ? "th" : "td", { class: column.class, scope: column.names === true ? "row" : null }, column.cell(row))));
      decorate(row, element);
      return { row, element };
    });
    this.element = h("table", { class: "numbers" }, h("thead", null, h("tr", null, this.heads)), this.body);
    this.sort(sort);
  }

  sort(sort: Sort | null): void {
    const index = sort === null ? -1 : Number(sort.replace("-", ""));
    const falling = sort?.startsWith("-") ?? false;
    this.heads.forEach((head, at) => {
      if (this.columns[at]?.by !== undefined) head.setAttribute("aria-sort", at !== index ? "none" : falling ? "descending" : "ascending");
    });
    const by = this.columns[index]?.by;
    this.order = by === undefined ? this.lines : [...this.lines].sort((a, b) => compared(by(a.row), by(b.row), falling));
    this.show();
  }

  /** In the order shown. */
  get rows(): Row[] {
    return this.order.map(({ row }) => row);
  }

  /** Returns how many rows are left. */
  filter(keep: (row: Row) => boolean): number {
    this.keep = keep;
    return this.show();
  }

  private show(): number {
    const kept = this.order.filter(({ row }) => this.keep(row));
    this.body.replaceChildren(...kept.map(({ element }) => element));
    return kept.length;
  }

  private next(index: number): Sort {
    const up = this.heads[index]?.getAttribute("aria-sort") === "ascending";
    return up ? `-${index}` : String(index);
  }
}

export function compared(a: number | string | null, b: number | string | null, falling: boolean): number {
  const missing = (value: number | string | null) => value === null || Number.isNaN(value);
  if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b));
  const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  return falling ? -order : order;
}
