// The page itself: reads the data, restores the view from the address, lays out the sections, and keeps them in step with the view.

import "uplot/dist/uPlot.min.css";
import "./page.css";
import { armsSection } from "./arms";
import { deviations } from "./charts/deviations";
import { difference, launches } from "./charts/difference";
import { ecdf, histogram } from "./charts/distributions";
import { autocorrelation, lag, runningMean } from "./charts/memory";
import { order } from "./charts/order";
import { quantilePlot } from "./charts/quantiles";
import { runtimes } from "./charts/runtimes";
import { scaling } from "./charts/scaling";
import { scatter } from "./charts/scatter";
import { serviceCharts } from "./charts/service";
import { shift } from "./charts/shift";
import { drawAllSparklines, repaintSparklines } from "./charts/sparkline";
import { comparisonsTable } from "./comparisons";
import type { PageData } from "./data";
import { h, replace } from "./dom";
import { factsSection } from "./facts";
import { keyHelp } from "./keys";
import { readout } from "./linking";
import { type Arm, Model } from "./model";
import { visible } from "./names";
import { absent, arranged, type Context, type Piece } from "./piece";
import { plots } from "./plot";
import { Selection } from "./selection";
import { SeriesTable } from "./series";
import { summarySection } from "./summary";
import { type Changed, formatView, HIDEABLE, parseView, Store } from "./state";
import { applyTheme, isDark, isPrinting, onSystemTheme, setPrinting } from "./theme";
import { verdictSection } from "./verdict";
import { runChart } from "./viewer";

function start(page: HTMLElement): void {
  const text = (id: string) => document.getElementById(id)?.textContent ?? "";
  const model = new Model(JSON.parse(text("data")) as PageData, text("columns"));
  const store = new Store(parseView(location.hash));
  applyTheme(store.view.theme);
  new Page(page, model, store).show();
}

class Page {
  private readonly selection = new Selection();
  private pieces: Piece[] = [];
  private context: Context;
  /** Of the comparison that is shown: the heading of its part of the page, where there are several. */
  private readonly heading = h("h2", { id: "shown", tabindex: -1 });
  private readonly verdict = h("div");
  private readonly arms = h("div");
  private readonly pictures = h("div", { class: "pictures" });
  private readonly run = h("div");
  private series: SeriesTable | null = null;

  constructor(private readonly page: HTMLElement, private readonly model: Model, private readonly store: Store) {
    this.context = this.contextNow();
  }

  show(): void {
    const { model, store } = this;
    const growth = scaling(this.context);
    const kept = model.arms.some((arm) => arm.samples.length > 0 || arm.chart.raw !== null);
    this.series = kept ? new SeriesTable(model, store, (arm) => this.choose(arm)) : null;
    const open = (place: number) => this.open(place);
    const comparisons = comparisonsTable(model, store, open);
    const [first, head] = model.isSuite ? [[summarySection(model, store, open), comparisons], [this.details(), this.verdict]] : [[this.verdict, comparisons], null];
    const paper = model.isSuite ? "screen" : null;
    replace(this.page, this.header(), first,
      growth === null ? null : h("div", { class: paper }, growth.element),
      h("div", { class: paper, id: "details" }, head, this.arms,
        h("section", null, h("h2", null, "Round by round"), this.run, this.series?.element ?? null),
        this.pictures),
      h("div", { class: paper }, factsSection(model)), readout(() => this.context));
    this.rebuild();
    store.subscribe((changed) => this.changed(changed));
    addEventListener("hashchange", () => {
      const before = store.view.c;
      store.set(parseView(location.hash));
      if (store.view.c !== before) this.reveal();
    });
    if (store.view.c !== null && model.isSuite) this.reveal();
    addEventListener("keydown", (event) => {
      // Escape that closes the list of keys is meant for nothing else.
      if (event.key !== "Escape" || document.querySelector("dialog[open]") !== null) return;
      this.selection.release();
      // A chart that let go of its round has had its part; the field of the filter empties itself.
      if (!event.defaultPrevented && !(event.target instanceof HTMLInputElement)) this.choose(null);
    });
    onSystemTheme(() => this.repaint());
    this.listenToPrinting();
  }

  private contextNow(): Context {
    return { model: this.model, store: this.store, selection: this.selection, shown: this.model.shown(this.store.view) };
  }

  /** Shows a comparison of the table, and goes there. */
  private open(place: number): void {
    this.store.set({ c: place, s: null, x: null, y: null, d: null });
    this.reveal();
    this.heading.focus({ preventScroll: true });
  }

  private reveal(): void {
    (this.model.isSuite ? this.heading : this.verdict).scrollIntoView();
  }

  private details(): HTMLElement {
    const back = h("button", { type: "button" }, "back to the table");
    back.addEventListener("click", () => {
      const row = document.querySelector<HTMLElement>("#comparisons [aria-current] button") ?? document.getElementById("filter");
      row?.focus({ preventScroll: true });
      row?.scrollIntoView({ block: "center" });
    });
    const step = (by: number, label: string) => h("button", { type: "button", onclick: () => this.step(by) }, label);
    return h("div", { class: "shown" }, this.heading, h("span", { class: "tools" }, back, step(-1, "previous"), step(1, "next")));
  }

  /** The comparison before or after this one, the biggest change first as in their table. */
  private step(by: number): void {
    const { order } = this.model;
    const at = order.indexOf(this.model.placeOf(this.store.view.c));
    const place = order[Math.min(order.length - 1, Math.max(0, at + by))];
    if (place !== undefined) this.store.set({ c: place, s: null, x: null, y: null, d: null });
  }

  /** What the address leaves out, and the headings that would then stand over nothing. */
  private hide(): void {
    const { hide } = this.store.view;
    for (const part of HIDEABLE) {
      const element = document.getElementById(part);
      if (element !== null) element.hidden = hide.includes(part);
    }
    document.documentElement.classList.toggle("no-tools", hide.includes("tools"));
    for (const section of this.page.querySelectorAll<HTMLElement>("section:not([id])")) {
      const parts = [...section.querySelectorAll<HTMLElement>("[id]")].filter(({ id }) => HIDEABLE.includes(id));
      section.hidden = parts.length > 0 && parts.every((part) => part.hidden);
    }
  }

  private header(): HTMLElement {
    const { title, head, analysis } = this.model.data;
    const { label, started } = analysis.trial;
    const help = keyHelp();
    const theme = h("button", { type: "button", id: "theme" });
    const say = () => { theme.textContent = isDark(this.store.view.theme) ? "light colours" : "dark colours"; };
    theme.addEventListener("click", () => this.store.set({ theme: isDark(this.store.view.theme) ? "light" : "dark" }));
    say();
    this.store.subscribe(say);
    onSystemTheme(say);
    const said = [head.project, head.revision, head.machine, label, started?.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, "$1 $2 UTC")].filter((words) => words !== undefined && words !== title);
    return h("header", { id: "top" }, h("h1", null, visible(title)), h("span", { class: "tools" }, help.button, theme), h("p", { class: "soft" }, said.map((words) => h("span", null, visible(words!)))), help.dialog);
  }

  /** Everything that belongs to the comparison chosen. */
  private rebuild(): void {
    for (const piece of this.pieces) piece.destroy();
    this.selection.release();
    this.context = this.contextNow();
    const c = this.context;
    const run = tried("run", () => runChart(c, (arm) => this.choose(arm), () => this.series?.arms() ?? c.model.arms));
    const change = c.shown.chart === null ? [] : [tried("difference", () => difference(c)), launches(c)].filter((piece) => piece !== null);
    const groups: [string, Piece[]][] = [
      ["Under load", serviceCharts(c)],
      ["Distributions", [tried("histogram", () => histogram(c)), tried("ecdf", () => ecdf(c)), tried("runtimes", () => runtimes(c)), tried("deviations", () => deviations(c))]],
      ["Baseline and candidate", c.shown.chart === null ? [] : [tried("shift", () => shift(c)), tried("scatter", () => scatter(c)), tried("order", () => order(c))]],
    ];
    const expert = [tried("normal", () => quantilePlot(c, false)), tried("log-normal", () => quantilePlot(c, true)), tried("autocorrelation", () => autocorrelation(c)), tried("lag", () => lag(c)), tried("mean", () => runningMean(c))];
    this.pieces = [...change, run, ...groups.flatMap(([, pieces]) => pieces), ...expert];
    replace(this.heading, h("bdi", null, c.shown.index === null ? "" : this.model.nameOf(c.shown.index)));
    replace(this.verdict, verdictSection(c));
    replace(this.arms, armsSection(c));
    replace(this.run, arranged([...change, run], "rows"));
    replace(this.pictures, groups.filter(([, pieces]) => pieces.length > 0).map(([title, pieces]) => h("section", null, h("h2", null, title), arranged(pieces, "grid"))), h("section", null, this.folded(expert)));
    this.hide();
  }

  /** What few readers look for; on paper all of it. */
  private folded(pieces: Piece[]): HTMLElement {
    const details = h("details", { id: "experts", open: this.store.view.expert || isPrinting() },
      h("summary", null, h("h2", null, "For statisticians"), h("span", { class: "how" }, "Are the samples normal, are they autocorrelated, and how does the mean settle?")),
      arranged(pieces, "grid"));
    details.addEventListener("toggle", () => { if (!isPrinting()) this.store.set({ expert: details.open }); });
    return details;
  }

  private unfold(): void {
    document.getElementById("experts")?.toggleAttribute("open", this.store.view.expert || isPrinting());
  }

  private changed(changed: Changed): void {
    history.replaceState(history.state, "", formatView(this.store.view) || location.pathname + location.search);
    if (changed.has("theme")) this.repaint();
    const before = this.context.shown;
    const now = this.model.shown(this.store.view);
    if (changed.has("hide")) this.hide();
    if (changed.has("expert")) this.unfold();
    if (before !== now) {
      const inRun = this.run.contains(document.activeElement);
      this.rebuild();
      if (inRun) this.run.querySelector<HTMLElement>("#run .plot[tabindex]")?.focus({ preventScroll: true });
      return;
    }
    for (const piece of this.pieces) piece.update(changed);
  }

  private choose(arm: Arm | null): void {
    this.store.set({ s: arm?.key ?? null });
  }

  private repaint(): void {
    applyTheme(this.store.view.theme);
    for (const plot of plots) plot.update();
    repaintSparklines();
  }

  /** Paper is white, and shows charts that nobody scrolled to. Of several comparisons it shows the summary and the table; what is folded stays so. */
  private listenToPrinting(): void {
    let on = false;
    const print = (begin: boolean) => {
      if (begin === on) return;
      on = begin;
      setPrinting(begin);
      document.documentElement.classList.toggle("printing", begin);
      applyTheme(this.store.view.theme);
      this.unfold();
      if (begin) drawAllSparklines();
      for (const plot of plots) if (begin) plot.draw(); else plot.update();
      repaintSparklines();
    };
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
    matchMedia("print").addEventListener("change", (event) => print(event.matches));
  }
}

/** One chart whose data is wrong takes no other with it. */
function tried(id: string, make: () => Piece): Piece {
  try {
    return make();
  } catch (error) {
    console.error(error);
    return absent(id, "A chart", "its data is not as it should be.");
  }
}

const page = document.getElementById("page");
if (page !== null) {
  try {
    start(page);
  } catch (error) {
    // Whatever is wrong with the data, the page says so instead of staying white; the verdict stands in the text before it.
    replace(page, h("p", { class: "warning" }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}. Its data may be cut off. Write it again with evenhand.`));
    console.error(error);
  }
}
