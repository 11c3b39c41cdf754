// Is B faster than A, by how much, and why believe it? The answer in one sentence, its interval, a few facts, and what to doubt. No more than ten
// seconds of reading.

import { meanOf } from "./arms";
import { largeInterval } from "./charts/interval";
import type { Analysis, Comparison } from "./data";
import { h, svg, withNames } from "./dom";
import { visible } from "./names";
import type { Context } from "./piece";
import { counted, digits, directions, effect, share } from "./units";

const SIGNS: Record<string, string> = { slower: "M7 1 13 12H1Z", faster: "M1 2H13L7 13Z", same: "M1 3H13V6H1ZM1 8H13V11H1Z", unclear: "M3 7a1.6 1.6 0 1 0 .1 0ZM7 7a1.6 1.6 0 1 0 .1 0ZM11 7a1.6 1.6 0 1 0 .1 0Z" };

export function verdictBadge(comparison: Comparison): HTMLElement {
  const verdict = comparison.verdict.replaceAll(/[_-]/g, " ");
  const kind = verdict.replace("slightly ", "");
  const words = directions(comparison);
  const said = visible(verdict.replace("slower", words.more).replace("faster", words.less));
  const known = Object.hasOwn(SIGNS, kind) ? kind : "unclear";
  return h("span", { class: `badge ${known}${verdict.startsWith("slightly") ? " slightly" : ""}` }, svg("svg", { viewBox: "0 0 14 14", width: 11, height: 11, "aria-hidden": "true" }, svg("path", { d: SIGNS[known]! })), said);
}

/** The claim large, what it rests on below: `new is 1.3 % faster than old [0.9 %, 1.8 %]` and `99 % sure, 84 rounds, 5.1 s`. */
function sentence(said: string, names: string[]): HTMLElement {
  const cut = said.search(/, (?:\d+(?:\.\d+)? % sure|assuming nothing|\d+ (?:rounds?|launch(?:es)?)\b)/);
  const [claim, rest] = cut < 0 ? [said, ""] : [said.slice(0, cut), said.slice(cut)];
  return h("p", { class: "sentence" }, h("strong", null, withNames(claim, names, visible)), rest === "" ? null : h("span", { class: "basis" }, visible(rest.slice(2))));
}

export function verdictSection(c: Context): HTMLElement {
  const { analysis } = c.model.data;
  const { comparison, chart } = c.shown;
  const section = h("section", { id: "verdict", "aria-label": "Verdict" });
  if (comparison === null || chart === null) {
    const [level, more] = analysis.levels;
    const alone = level !== undefined && more === undefined ? `${visible(level.arm)}: ${meanOf(level)} on average` : "Nothing is compared here.";
    section.append(h("p", { class: "sentence" }, h("strong", null, alone)), h("p", { class: "how" }, "This report shows what each arm costs. A comparison takes two arms of one trial."));
  } else {
    const words = directions(comparison);
    const group = comparison.group ?? "";
    section.append(h("div", { class: "answer" },
      h("div", null,
        h("p", { class: "kicker" }, verdictBadge(comparison), group === "" ? null : h("bdi", { class: "group" }, visible(group)), h("span", { class: "soft" }, visible(comparison.metric))),
        sentence(comparison.sentence, [comparison.baseline, comparison.candidate])),
      h("div", { class: "where" }, largeInterval(comparison.effect, chart.margin, words, `The change is ${effect(comparison.effect)}. Changes within ${share(chart.margin)} count as the same.`))));
    section.append(h("h2", { class: "why" }, "Why to believe it"), h("ul", { class: "facts" }, reasons(c, comparison, analysis).map((reason) => h("li", null, visible(reason)))));
  }
  const state = stateOf(analysis);
  if (state !== null) section.append(h("p", { class: "warning" }, state));
  section.append(...warnings(analysis, comparison));
  return section;
}

function reasons(c: Context, comparison: Comparison, analysis: Analysis): string[] {
  const paired = comparison.kind === "paired";
  const reasons: string[] = [];
  if (paired && analysis.trial.randomised) reasons.push("A coin decided who ran first in each round. So noise of the machine fell on both alike.");
  else if (paired) reasons.push("Both ran in rounds, but no coin decided the order. Something that favours one place in the round would favour one arm.");
  else reasons.push("The two were measured separately, without a coin. Whatever else changed between them is part of the answer.");
  const launches = comparison.launches > 1 ? ` in ${counted(comparison.launches, "launch")}, each a new life of the programs` : "";
  if (paired) reasons.push(`${counted(comparison.rounds, "round")}${launches}. Each round is one measurement of both.`);
  const sure = `${digits(100 * comparison.confidence)} %`;
  if (comparison.effect.low !== null || comparison.effect.high !== null) {
    reasons.push(paired ? `The interval is ${sure} sure, however often one looked while it was measured.` : `The interval is ${sure} sure, if the assumption holds.`);
  } else reasons.push("There is no interval yet, so the figure is a first guess.");
  const spread = c.shown.chart?.margin;
  if (spread !== undefined) reasons.push(`A change within ${share(spread)} counts as the same: that is the margin.`);
  if (comparison.within_launches !== undefined) reasons.push(`Inside the launches alone: ${effect(comparison.within_launches)}.`);
  reasons.push(...(comparison.assumptions ?? []).map(assumed), ...(comparison.limits ?? []).map((limit) => `Limit: ${ended(limit)}`));
  return reasons;
}

const assumed = (assumption: string) => (assumption.startsWith("assuming") ? ended(assumption[0]!.toUpperCase() + assumption.slice(1)) : `Assumed: ${ended(assumption)}`);
const ended = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`);

function stateOf(analysis: Analysis): string | null {
  switch (analysis.trial.state) {
    case "running": return "This trial was still running when the report was written: the interval can only get narrower.";
    case "interrupted": return "This trial was interrupted. The verdict holds for the rounds until then.";
    default: return null;
  }
}

/** Those about the arms shown first; those about others behind a line that opens. */
function warnings(analysis: Analysis, comparison: Comparison | null): HTMLElement[] {
  const near = analysis.warnings.filter(({ arm }) => arm === undefined || comparison === null || arm === comparison.baseline || arm === comparison.candidate);
  const far = analysis.warnings.filter((warning) => !near.includes(warning));
  const list = (of: Analysis["warnings"]) => h("ul", { class: "warning" }, of.map(({ arm, message, advice }) => h("li", null,
    h("strong", null, "Warning: "), arm === undefined || message.includes(arm) ? null : [h("bdi", null, visible(arm)), ": "], withNames(message, arm === undefined ? [] : [arm], visible), advice === undefined ? null : h("span", { class: "advice" }, ` ${visible(advice)}`))));
  return [
    ...(near.length === 0 ? [] : [list(near)]),
    ...(far.length === 0 ? [] : [h("details", null, h("summary", null, `${counted(far.length, "warning")} about other arms`), list(far))]),
  ];
}
