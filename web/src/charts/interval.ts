// Where does an interval lie between faster and slower? A bar on an axis with zero and the margin; an end that is not bounded yet has an arrow.

import { svg } from "../dom";
import type { Effect } from "../data";
import { steps } from "../ticks";
import { NARROW, fixed, share } from "../units";

export interface EffectAxis {
  from: number;
  to: number;
  margin: number;
}

/** Zero and the margins are always on it; one wild interval does not make all others dots. */
export function axisOf(effects: Effect[], margin: number): EffectAxis {
  const ends = effects.flatMap(({ low, high, estimate }) => [low, high, estimate]).filter((end): end is number => end !== null && Number.isFinite(end)).sort((a, b) => a - b);
  const cut = ends.length > 30 ? Math.floor(ends.length * 0.03) : 0;
  const low = Math.min(ends[cut] ?? 0, -2 * margin, 0);
  const high = Math.max(ends[ends.length - 1 - cut] ?? 0, 2 * margin, 0);
  const pad = (high - low) * 0.06 || 0.01;
  return { from: low - pad, to: high + pad, margin };
}

const at = (axis: EffectAxis, value: number) => (100 * (value - axis.from)) / (axis.to - axis.from);
const inside = (percent: number) => Math.min(99.4, Math.max(0.6, percent));
const place = (axis: EffectAxis, value: number) => `${inside(at(axis, value)).toFixed(3)}%`;

/** What lies on the axis, around the height `y`. */
export function intervalMarks(effect: Effect, axis: EffectAxis, y: number, tall = false): SVGElement[] {
  const { margin } = axis;
  const [top, bottom] = tall ? [y - 26, y + 26] : [y - 11, y + 11];
  const marks: SVGElement[] = [
    svg("rect", { class: "margin", x: place(axis, -margin), y: top, width: `${Math.max(0, at(axis, margin) - at(axis, -margin)).toFixed(3)}%`, height: bottom - top }),
    svg("line", { class: "zero", x1: place(axis, 0), x2: place(axis, 0), y1: top, y2: bottom }),
  ];
  const { low, high, estimate } = effect;
  if (low === null && high === null && estimate === null) return marks;
  const bar = tall ? 5 : 3;
  if (low !== null || high !== null) {
    const [left, right] = [low === null ? 0.6 : inside(at(axis, low)), high === null ? 99.4 : inside(at(axis, high))];
    marks.push(svg("line", { class: "range", x1: `${left}%`, x2: `${right}%`, y1: y, y2: y, "stroke-width": bar }));
    for (const [value, x, way] of [[low, left, -1], [high, right, 1]] as const) {
      const open = value === null || at(axis, value) !== inside(at(axis, value));
      const h = tall ? 9 : 5;
      // Percentages cannot stand in a path: a nested picture is moved instead.
      marks.push(svg("svg", { x: `${x}%`, y, overflow: "visible" }, open
        ? svg("path", { class: "arrow", d: `M0 ${-h}L${way * h} 0L0 ${h}Z` })
        : svg("line", { class: "range", x1: 0, x2: 0, y1: -h, y2: h, "stroke-width": 2 })));
    }
  }
  if (estimate !== null) {
    const size = tall ? 7 : 4;
    marks.push(svg("svg", { x: place(axis, estimate), y, overflow: "visible" }, svg("path", { class: "estimate", d: `M0 ${-size}L${size} 0L0 ${size}L${-size} 0Z` })));
  }
  return marks;
}

/** The large bar beside the verdict, with numbers and with words at its ends. */
export function largeInterval(effect: Effect, margin: number, [more, less]: [string, string], label: string): SVGElement {
  const axis = axisOf([effect], margin);
  const y = 62;
  const ticks = steps(axis.from * 100, axis.to * 100, 4).at.filter((tick) => at(axis, tick / 100) > 3 && at(axis, tick / 100) < 97);
  const gap = ticks.length > 1 ? ticks[1]! - ticks[0]! : 1;
  const decimals = Math.max(0, -Math.floor(Math.log10(gap) + 1e-9));
  const marginLabel = at(axis, margin) - at(axis, -margin) > 22;
  return svg("svg", { class: "interval large", height: 128, width: "100%", role: "img", "aria-label": label },
    svg("text", { x: "1%", y: 14, class: "end" }, `← ${less}`),
    svg("text", { x: "99%", y: 14, class: "end", "text-anchor": "end" }, `${more} →`),
    marginLabel ? svg("text", { x: place(axis, 0), y: 31, "text-anchor": "middle", class: "end" }, `same: within ±${share(margin)}`) : null,
    svg("line", { class: "axis", x1: "0", x2: "100%", y1: y + 30, y2: y + 30 }),
    ticks.map((tick) => [
      svg("line", { class: "axis", x1: place(axis, tick / 100), x2: place(axis, tick / 100), y1: y + 30, y2: y + 35 }),
      svg("text", { x: place(axis, tick / 100), y: y + 50, "text-anchor": "middle" }, `${tick > 1e-9 ? "+" : ""}${fixed(Math.abs(tick) < 1e-9 ? 0 : tick, decimals)}${NARROW}%`),
    ]),
    intervalMarks(effect, axis, y, true));
}
