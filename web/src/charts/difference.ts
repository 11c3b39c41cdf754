// What did the candidate change in each round, and how did the interval narrow? The picture that shows why the verdict stands: one point for each
// round, and the interval after ever more rounds, which may be looked at at any time.

import { counting } from "../columns";
import { h, press, toggle } from "../dom";
import { band, cloud, horizontal, polyline, rectangle, vertical } from "../marks";
import { absent, keyOf, legend, piece, type Context, type Piece } from "../piece";
import { Plot, type Paint } from "../plot";
import { changeRange, roundRange, roundZoom } from "../ranges";
import { changes, ordinals, type Range } from "../ticks";
import { change, counted, effect, grouped, share } from "../units";
import { moveRounds, pointing } from "../linking";
import { covers, type Zoom } from "../zoom";
import type { Moment } from "../data";

const AXIS = 62;
const TITLE = "Change in every round";

export function difference(c: Context): Piece {
  const { chart, rounds } = c.shown;
  if (chart === null) return absent("difference", TITLE, "nothing is compared here.");
  if (rounds === null || rounds.count === 0) return absent("difference", TITLE, "the two were measured separately, so their rounds do not correspond.");
  const byRound = chart.unit_of_moments === "round";
  const moments = byRound ? chart.moments : [];
  const last = moments[moments.length - 1]?.effect;
  let known: { key: boolean; range: Range } | null = null;
  const range = (): Range => {
    const { d } = c.store.view;
    if (Array.isArray(d)) return d;
    const all = d === "all";
    if (known?.key !== all) known = { key: all, range: changeRange(rounds.change, chart.margin, all, [last?.low ?? null, last?.high ?? null]) };
    return known.range;
  };
  const whole = (): Range => changeRange(rounds.change, chart.margin, true, []);
  const zoom: Zoom = { whole, on: () => c.store.view.d !== null, to: (d) => c.store.set({ d: d !== null && covers(d, whole()) ? "all" : d }) };
  const mouse = pointing(c, (x) => nearest(x, rounds.count));
  const places = counting(rounds.count);
  const note = h("p", { class: "note" });
  const plot = new Plot({
    label: () => `Each round's change, ${counted(rounds.count, "round")}, ${candidate(c)} against ${baseline(c)}. ${last === undefined ? "" : `At the end ${effect(last)}.`}`,
    height: 300,
    x: { range: () => roundRange(c), ticks: ordinals, zoom: roundZoom(c), label: "round" },
    y: { range, ticks: changes, zoom, size: AXIS },
    ...mouse,
    hover: (...at) => [...mouse.hover(...at), ...soFar(moments, nearest(at[0], rounds.count))],
    key: (event) => moveRounds(event, c, rounds.count),
    marks: () => {
      const { round } = c.selection;
      const at = round === null ? undefined : rounds.change[round];
      return round === null || at === undefined ? [] : [{ x: round, y: at, look: "difference" }];
    },
    paint: (p) => {
      launchStripes(p, rounds.launches, rounds.count);
      marginBand(p, chart.margin);
      const beyond = cloud(p, places, rounds.change, { colour: "difference", marker: "circle", sorted: true, alpha: moments.length > 0 ? 0.75 : 1 });
      sequence(p, moments);
      const missing = beyond.above + beyond.below;
      note.textContent = missing === 0 ? "" : `${counted(missing, "round")} beyond this axis, marked at its edge.`;
    },
  });
  const all = toggle("all rounds on the axis", c.store.view.d === "all", (on) => c.store.set({ d: on ? "all" : null }), "Extend the axis to the most extreme round");
  return piece({
    id: "difference", title: TITLE, wide: true, plots: [plot], watch: ["x", "d"], selection: c.selection, tools: [all], below: note,
    how: `Above zero ${candidate(c)} was ${worse(c)} than ${baseline(c)} in that round, below it ${better(c)}. ${byRound
      ? "The band is the interval after the rounds so far. It narrows as rounds come in, and is valid at any time."
      : "The verdict is based on launches (next chart), because all rounds of a launch share its memory layout."}`,
    legend: legend([], keyOf("point difference", "one round"), rounds.launches.length > 1 ? keyOf("stripe", "every other launch") : null, byRound ? keyOf("band estimate", "interval so far and its estimate") : null, keyOf("band margin", `within the margin of ±${share(chart.margin)}`)),
    refresh: () => press(all, c.store.view.d === "all"),
  });
}

/** The same by launches, where these decide. */
export function launches(c: Context): Piece | null {
  const { chart, comparison } = c.shown;
  if (chart === null || chart.unit_of_moments !== "launch") return null;
  const effects = comparison?.launch_effects ?? [];
  const title = "Change in every launch";
  if (effects.length === 0) return absent("launches", title, "no launch had enough rounds for a change of its own.");
  const last = chart.moments[chart.moments.length - 1]?.effect;
  const places = counting(effects.length);
  const plot = new Plot({
    label: () => `The change in each of ${counted(effects.length, "launch")}, ${candidate(c)} against ${baseline(c)}. ${last === undefined ? "" : `At the end ${effect(last)}.`}`,
    height: 260,
    x: { range: () => [-0.5, effects.length - 0.5], ticks: ordinals, label: "launch" },
    y: { range: () => changeRange(effects, chart.margin, true, [last?.low ?? null, last?.high ?? null]), ticks: changes, size: AXIS },
    hover: (x) => {
      const launch = nearest(x, effects.length);
      return [`Launch ${grouped(launch + 1)}`, `change ${change(effects[launch])}`, ...soFar(chart.moments, launch)];
    },
    paint: (p) => {
      marginBand(p, chart.margin);
      cloud(p, places, effects, { colour: "difference", marker: "diamond", size: 3.5 });
      sequence(p, chart.moments);
    },
  });
  return piece({
    id: "launches", title, wide: true, plots: [plot], watch: [],
    how: "A launch is one process from start to end. Each has its own memory layout, whose effect is larger than most changes. So each launch counts once, by its median round. The band is the interval after the launches so far.",
    legend: legend([], keyOf("point difference", "one launch"), keyOf("band estimate", "interval so far and its estimate"), keyOf("band margin", `within the margin of ±${share(chart.margin)}`)),
  });
}

/** What was known after this round or launch. */
function soFar(moments: Moment[], place: number): string[] {
  const moment = moments.findLast(({ after }) => after - 1 <= place);
  return moment === undefined ? [] : [`by then ${effect(moment.effect)}`];
}

export function marginBand(p: Paint, margin: number): void {
  rectangle(p, p.left, p.left + p.width, p.Y(margin), p.Y(-margin), { colour: "margin", alpha: 0.5 });
  horizontal(p, margin, { colour: "soft", width: 1, dash: [2, 3] });
  horizontal(p, -margin, { colour: "soft", width: 1, dash: [2, 3] });
  horizontal(p, 0, { colour: "ink", width: 1 });
}

/** The interval after ever more rounds or launches; where an end is open, the band reaches the edge. */
function sequence(p: Paint, moments: Moment[]): void {
  const xs = moments.map(({ after }) => after - 1);
  const low = moments.map(({ effect }) => effect.low);
  const high = moments.map(({ effect }) => effect.high);
  band(p, xs, low, high, { colour: "estimate", alpha: 0.22 });
  polyline(p, xs, low, { colour: "estimate", width: 1.2 });
  polyline(p, xs, high, { colour: "estimate", width: 1.2 });
  polyline(p, xs, moments.map(({ effect }) => effect.estimate), { colour: "estimate", width: 2 });
}

/** Every other launch on a shaded ground, as far as they can be told apart. */
export function launchStripes(p: Paint, starts: number[], end: number): void {
  if (starts.length < 2 || p.width / starts.length < 3 * p.px) return;
  starts.forEach((start, index) => {
    if (index > 0) vertical(p, start - 0.5, { colour: "grid", width: 1 });
    if (index % 2 === 1) rectangle(p, p.X(start - 0.5), p.X((starts[index + 1] ?? end) - 0.5), p.top, p.top + p.height, { colour: "stripe", alpha: 1 });
  });
}

export function nearest(x: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.round(x)));
}

export function worse(c: Context): string {
  return c.shown.statement?.directions[0] ?? "worse";
}

export function better(c: Context): string {
  return c.shown.statement?.directions[1] ?? "better";
}

export function baseline(c: Context): string {
  return c.shown.series[0]?.arm.name ?? "the baseline";
}

export function candidate(c: Context): string {
  return c.shown.series[1]?.arm.name ?? "the candidate";
}
