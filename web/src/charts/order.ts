// Does it matter who runs first? The effect from the rounds in which the candidate ran first, and from the others. If the two intervals are far apart,
// running second helps or hurts; the coin gives both arms that luck alike.

import { h, svg } from "../dom";
import type { Effect } from "../data";
import { absent, type Context, type Piece } from "../piece";
import { counted, effect } from "../units";
import { axisOf, intervalMarks, type EffectAxis } from "./interval";
import { candidate } from "./difference";

export function order(c: Context): Piece {
  const title = "Does it matter who runs first?";
  const of = c.shown.chart?.order ?? null;
  if (of === null || c.shown.comparison === null) return absent("order", title, c.shown.chart === null ? "nothing is compared here." : "the order was not recorded, or was not random.");
  const [first, second] = [of.candidate_first, of.candidate_second];
  const axis = axisOf([first.effect, second.effect, c.shown.comparison.effect], c.shown.chart?.margin ?? 0);
  const rows: [string, number | null, Effect][] = [
    [`${candidate(c)} first`, first.rounds, first.effect],
    [`${candidate(c)} second`, second.rounds, second.effect],
    ["all rounds", null, c.shown.comparison.effect],
  ];
  const element = h("div", { class: "card wide", id: "order" }, h("h3", null, title),
    h("p", { class: "how" }, `The order was random in every round, so neither side was favoured. ${verdict(first.effect, second.effect)}`),
    h("div", { class: "scroll" }, h("table", { class: "forest numbers" }, h("tbody", null, rows.map(([name, rounds, of]) => h("tr", null,
      h("th", { scope: "row" }, h("bdi", null, name), rounds === null ? null : h("small", null, ` ${counted(rounds, "round")}`)),
      h("td", { class: "bar" }, small(of, axis)),
      h("td", null, effect(of))))))));
  return { element, update() {}, destroy() {} };
}

function verdict(first: Effect, second: Effect): string {
  if (first.low === null || first.high === null || second.low === null || second.high === null) return "There are too few rounds to see an effect of the order.";
  const apart = first.low > second.high || second.low > first.high;
  return apart ? "The two intervals do not overlap: the order matters here, and randomising it keeps its effect out of the verdict." : "The two intervals overlap: no effect of the order is visible.";
}

function small(of: Effect, axis: EffectAxis): SVGElement {
  return svg("svg", { class: "interval small", height: 22, width: "100%", role: "img", "aria-label": effect(of) }, intervalMarks(of, axis, 11));
}
