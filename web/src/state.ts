// What is being looked at? All of it stands in the address after `#`, so that a view can be sent to a colleague:
//
//     #c=0&s=old&out=1&log=1&x=10,90&y=1.2,1.5&q=sort&v=slower&theme=dark
//     #s=i4&out=1&hide=top,verdict,facts,tools
//
// | key | what |
// |---|---|
// | `c` | which comparison, from 0; without it the one that changed most |
// | `s` | the chosen series, by its key (`armKeys` in model.ts) |
// | `out` | 1: without the samples beyond the fences |
// | `setup` | 1: with the set-up taken from each sample |
// | `log` | 1: logarithmic axes of values, 0: linear ones; without it as the values ask for |
// | `x`, `y` | the part of the rounds, and of the values, that is shown; `y=all` for every value, `y=clean` for those inside the fences |
// | `d` | the part of the changes that is shown; `all` for that of every round |
// | `sort` | the table of comparisons: a column from 0, after `-` falling |
// | `by` | the table of series: as `sort` |
// | `q`, `v` | the table of comparisons: only names with these words, only this verdict |
// | `expert` | 1: the charts for statisticians are open |
// | `hide` | parts of the page to leave out, for where it is embedded: ids of `HIDEABLE` |
// | `theme` | `light` or `dark`, against what the system prefers |

import { VERDICTS } from "./suite";

export interface View {
  c: number | null;
  s: string | null;
  out: boolean;
  setup: boolean;
  /** Null: logarithmic where the values span too much for a linear axis. */
  log: boolean | null;
  x: [number, number] | null;
  y: [number, number] | "all" | "clean" | null;
  d: [number, number] | "all" | null;
  sort: string | null;
  by: string | null;
  q: string | null;
  v: string | null;
  expert: boolean;
  hide: string[];
  theme: "light" | "dark" | null;
}

export const FIRST_VIEW: View = { c: null, s: null, out: false, setup: false, log: null, x: null, y: null, d: null, sort: null, by: null, q: null, v: null, expert: false, hide: [], theme: null };

/** What an address may hide: elements with these ids; `tools` are all buttons and hints. */
export const HIDEABLE = [
  "top", "suite", "verdict", "comparisons", "scaling", "arms", "difference", "launches", "run", "series", "slices", "spectrum", "trouble", "histogram", "ecdf", "runtimes", "deviations",
  "normal", "log-normal", "shift", "scatter", "order", "autocorrelation", "lag", "mean", "facts", "tools",
];

/** Whatever is wrong in an address is left out: half a view is better than none. */
export function parseView(hash: string): View {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const c = said.get("c") ?? "";
  const theme = said.get("theme");
  const column = (key: string) => said.get(key)?.match(/^-?\d{1,2}$/)?.[0] ?? null;
  const hide = new Set((said.get("hide") ?? "").split(","));
  return {
    c: /^\d{1,9}$/.test(c) ? Number(c) : null,
    s: said.get("s"),
    out: said.get("out") === "1",
    setup: said.get("setup") === "1",
    log: said.get("log") === "1" ? true : said.get("log") === "0" ? false : null,
    x: range(said.get("x")),
    y: said.get("y") === "clean" ? "clean" : rangeOrAll(said.get("y")),
    d: rangeOrAll(said.get("d")),
    sort: column("sort"),
    by: column("by"),
    q: said.get("q") || null,
    v: VERDICTS.find((verdict) => verdict === said.get("v")) ?? null,
    expert: said.get("expert") === "1",
    hide: HIDEABLE.filter((part) => hide.has(part)),
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}

export function formatView(view: View): string {
  const parts: string[] = [];
  const say = (key: string, value: string) => parts.push(`${key}=${value}`);
  // The class and not `encodeURIComponent`, which throws on halves of characters.
  const quote = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  if (view.c !== null) say("c", String(view.c));
  if (view.s !== null) say("s", quote(view.s));
  if (view.out) say("out", "1");
  if (view.setup) say("setup", "1");
  if (view.log !== null) say("log", view.log ? "1" : "0");
  if (view.x !== null) say("x", view.x.map(short).join(","));
  if (view.y !== null) say("y", typeof view.y === "string" ? view.y : view.y.map(short).join(","));
  if (view.d !== null) say("d", view.d === "all" ? "all" : view.d.map(short).join(","));
  if (view.sort !== null) say("sort", view.sort);
  if (view.by !== null) say("by", view.by);
  if (view.q !== null) say("q", quote(view.q));
  if (view.v !== null) say("v", quote(view.v));
  if (view.expert) say("expert", "1");
  if (view.hide.length > 0) say("hide", view.hide.join(","));
  if (view.theme !== null) say("theme", view.theme);
  return parts.length === 0 ? "" : `#${parts.join("&")}`;
}

function rangeOrAll(text: string | null): [number, number] | "all" | null {
  return text === "all" ? "all" : range(text);
}

function range(text: string | null): [number, number] | null {
  if (text === null || text === "") return null;
  const ends = text.split(",").map(Number);
  const [low, high] = ends;
  if (ends.length !== 2 || low === undefined || high === undefined) return null;
  return Number.isFinite(low) && Number.isFinite(high) && low < high ? [low, high] : null;
}

function short(value: number): string {
  return String(Number(value.toPrecision(7)));
}

export type Changed = ReadonlySet<keyof View>;

/** The view, and who wants to know when it changes. */
export class Store {
  private readonly listeners = new Set<(changed: Changed) => void>();
  constructor(public view: View) {}

  set(part: Partial<View>): void {
    const next = { ...this.view, ...part };
    const keys = (Object.keys(next) as (keyof View)[]).filter((key) => JSON.stringify(next[key]) !== JSON.stringify(this.view[key]));
    if (keys.length === 0) return;
    this.view = next;
    const changed = new Set(keys);
    for (const listener of this.listeners) listener(changed);
  }

  subscribe(listener: (changed: Changed) => void): void {
    this.listeners.add(listener);
  }
}
