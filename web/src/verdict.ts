// Is B faster than A, by how much, and why believe it? The answer in one sentence, its interval, a few facts, and what to doubt. No more than ten
// seconds of reading.

import { meanOf } from "./arms";
import { glance } from "./charts/glance";
import { largeInterval } from "./charts/interval";
import type { Analysis, Comparison, ComparisonChart, Statement } from "./data";
import { append, h, sentence, svg, type Child } from "./dom";
import { visible } from "./names";
import type { Context } from "./piece";
import { kindOf, verdictWord } from "./suite";
import { change, counted, digits, effect, fixed, quantity, share } from "./units";
import { foldedWarnings, warningList } from "./warnings";

const SIGNS: Record<string, string> = { slower: "M7 1 13 12H1Z", faster: "M1 2H13L7 13Z", same: "M1 3H13V6H1ZM1 8H13V11H1Z", unclear: "M3 7a1.6 1.6 0 1 0 .1 0ZM7 7a1.6 1.6 0 1 0 .1 0ZM11 7a1.6 1.6 0 1 0 .1 0Z" };

export function verdictBadge({ verdict }: Comparison, { directions }: Statement): HTMLElement {
  const kind = kindOf(verdict);
  const known = Object.hasOwn(SIGNS, kind) ? kind : "unclear";
  return h("span", { class: `badge ${known}${kind === verdict ? "" : " slightly"}` }, svg("svg", { viewBox: "0 0 14 14", width: 11, height: 11, "aria-hidden": "true" }, svg("path", { d: SIGNS[known]! })), verdictWord(verdict, directions));
}

export function verdictSection(c: Context): HTMLElement {
  const { analysis } = c.model.data;
  const { comparison, chart, statement } = c.shown;
  const section = h("section", { id: "verdict", "aria-label": "Verdict" });
  if (comparison === null || chart === null || statement === null) {
    const [level, more] = analysis.levels;
    const alone = level !== undefined && more === undefined ? `${visible(level.arm)}: ${meanOf(level)} on average` : "Nothing is compared here.";
    section.append(h("p", { class: "sentence" }, h("strong", null, alone)), h("p", { class: "how" }, "This report shows how long each takes. A comparison needs two commands or functions in one trial."));
  } else {
    const group = comparison.group ?? "";
    section.append(h("div", { class: "answer first" },
      h("div", { class: "said" },
        h("p", { class: "kicker" }, verdictBadge(comparison, statement), group === "" || c.model.isSuite ? null : h("bdi", { class: "group" }, visible(group)), h("span", { class: "soft" }, visible(comparison.metric))),
        // The claim large, what it rests on below.
        h("p", { class: "sentence" }, h("strong", null, sentence(statement.claim)), statement.basis.length === 0 ? null : h("span", { class: "basis" }, sentence(statement.basis)))),
      h("div", { class: "where" }, comparison.signs === undefined && largeInterval(comparison.effect, chart.margin, statement.directions, `The change is ${effect(comparison.effect)}. Changes within ${share(chart.margin)} count as the same.`), glance(c)),
      h("div", { class: "reasons" }, h("h2", { class: "why" }, "Why you can trust it"), h("ul", { class: "facts" }, reasons(c, comparison, analysis).map((reason) => h("li", null, visible(reason)))))));
    append(section, [means(comparison, chart, statement)]);
  }
  const all = c.model.data.words.warnings;
  const of = (arm: string | undefined) => arm !== undefined && (arm === comparison?.baseline || arm === comparison?.candidate);
  if (c.model.isSuite) {
    // What is said of all comparisons stands above their table.
    append(section, [warningList(all.filter(({ about }) => of(about)))]);
    return section;
  }
  const state = stateOf(analysis);
  const near = all.filter(({ about }) => about === undefined || comparison === null || of(about));
  append(section, [
    state === null ? null : h("p", { class: "warning" }, state),
    warningList(near),
    foldedWarnings(all.filter((warning) => !near.includes(warning)), " about others"),
  ]);
  return section;
}

/** Minima and means of the rounds that both ran, as in the article on paired benchmarking: for who reports means. */
function means({ mean, unit, baseline, candidate }: Comparison, { min_change }: ComparisonChart, { means: lines }: Statement): Child {
  if (mean === undefined) return null;
  const head = (name: string) => h("th", { scope: "col" }, h("bdi", null, visible(name)));
  const row = (name: string, cells: string[]) => h("tr", null, h("th", { scope: "row" }, name), cells.map((cell) => h("td", null, cell)));
  const cost = (value: number) => quantity(value, unit);
  const paired = `${mean.difference < 0 ? "" : "+"}${cost(mean.difference)} (${change(mean.difference_percent / 100)})`;
  return h("div", { id: "means" }, h("h2", { class: "why" }, "Minima and means, with the paired z-test"),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Minima and means" }, h("table", { class: "numbers few" },
      h("thead", null, h("tr", null, h("td"), head(baseline), head(candidate), ["difference", "z", "z-test"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null,
        row("minimum", [cost(mean.baseline_min), cost(mean.candidate_min), change(min_change), "", ""]),
        row("mean", [cost(mean.baseline_mean), cost(mean.candidate_mean), paired, fixed(mean.z, 2), mean.change_detected ? "CHANGE DETECTED" : "no change detected"])))),
    h("ul", { class: "facts" }, (lines ?? []).slice(-2).map((line) => h("li", null, visible(line)))));
}

function reasons(c: Context, comparison: Comparison, analysis: Analysis): string[] {
  const paired = comparison.kind === "paired";
  const reasons: string[] = [];
  if (paired && analysis.trial.randomised) reasons.push("The order was random in each round, so disturbances affected both alike.");
  else if (paired) reasons.push("Both ran in rounds, but not in random order. An effect of the place in the round would favour one side.");
  else reasons.push("The two were measured separately, not in random order. Anything else that changed in between is part of the result.");
  const launches = comparison.launches > 1 ? ` in ${counted(comparison.launches, "launch")}, each a new process` : "";
  if (paired) reasons.push(`${counted(comparison.rounds, "round")}${launches}. Each round is one measurement of both.`);
  const sure = `${digits(100 * comparison.confidence)} %`;
  const { signs } = comparison;
  if (signs !== undefined) {
    reasons.push(`Some samples are 0, so there is no ratio: the candidate was worse in ${counted(signs.worse, unitOf(signs))}, better in ${signs.better}, and equal in ${signs.equal}.`);
    reasons.push(`The verdict has ${sure} confidence, however often it was looked at during the measurement.`);
  } else if (comparison.effect.low !== null || comparison.effect.high !== null) {
    reasons.push(paired ? `The interval has ${sure} confidence, however often it was looked at during the measurement.` : `The interval has ${sure} confidence if the assumption holds.`);
  } else reasons.push("There is no interval yet: the figure is a first estimate.");
  const spread = c.shown.chart?.margin;
  if (spread !== undefined && signs === undefined) reasons.push(`A change within the margin of ${share(spread)} counts as the same.`);
  if (comparison.within_launches !== undefined) reasons.push(`Within these launches alone: ${effect(comparison.within_launches)}.`);
  const assumed = (comparison.assumptions ?? []).join(", ");
  if (assumed !== "") reasons.push(ended(paired ? `Assumed: ${assumed}` : assumed[0]!.toUpperCase() + assumed.slice(1)));
  reasons.push(...(comparison.limits ?? []).map((limit) => `Limit: ${ended(limit)}`));
  return reasons;
}

const unitOf = ({ of }: { of: "rounds" | "launches" }) => (of === "rounds" ? "round" : "launch");

const ended = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`);

export function stateOf(analysis: Analysis): string | null {
  switch (analysis.trial.state) {
    case "running": return "This trial was still running when the report was written: the result may still change.";
    case "interrupted": return "This trial was interrupted. The verdict is valid for the rounds until then.";
    default: return null;
  }
}
