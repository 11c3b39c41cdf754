// What do several comparisons say together? How many there are of each verdict, which changed most, and what each is called beside the others. These are
// counts and orders of what the program decided; nothing is computed of samples.

import type { Comparison, Statement } from "./data";
import { visible } from "./names";

/** From the worst to the best. */
export const VERDICTS = ["slower", "slightly slower", "unclear", "same", "slightly faster", "faster"];
const SLIGHTLY = "slightly ";

/** The verdict without "slightly". */
export function kindOf(verdict: string): string {
  return verdict.startsWith(SLIGHTLY) ? verdict.slice(SLIGHTLY.length) : verdict;
}

/** The verdict in a word: a metric that is no time is worse or better. */
export function verdictWord(verdict: string, [more, less]: Statement["directions"]): string {
  const kind = kindOf(verdict);
  const words = new Map([["slower", more], ["faster", less], ["unclear", "inconclusive"]]);
  const word = words.get(kind) ?? visible(kind);
  return kind === verdict ? word : SLIGHTLY + word;
}

export interface Count {
  verdict: string;
  word: string;
  count: number;
}

/** Without a baseline that was measured against itself. */
export function withoutControls(comparisons: Comparison[]): Comparison[] {
  return comparisons.filter(({ control }) => !control);
}

/** How many of the counted comparisons have each verdict, changes first. */
export function verdictCounts(comparisons: Comparison[], statements: Statement[]): Count[] {
  const order = ["slower", "slightly slower", "faster", "slightly faster", "same", "unclear"];
  const directions = commonDirections(statements);
  const all = withoutControls(comparisons);
  return order.map((verdict) => ({ verdict, word: verdictWord(verdict, directions), count: all.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0);
}

function commonDirections(statements: Statement[]): Statement["directions"] {
  const alike = new Set(statements.map(({ directions }) => directions.join())).size === 1;
  return alike ? statements[0]!.directions : ["worse", "better"];
}

/** `12 slower, 8 faster, 10 the same, 2 inconclusive` */
export function headline(counts: Count[]): string {
  return counts.map(({ verdict, word, count }) => `${count} ${verdict === "same" ? "the same" : word}`).join(", ") || "Nothing is compared here";
}

/** Twice the time and half of it are changes of one size. */
function size({ effect: { estimate } }: Comparison): number {
  if (estimate === null || !(estimate > -1)) return 0;
  return Math.abs(Math.log1p(estimate));
}

const CHANGES = ["slower", "faster"];

/** Places of the comparisons: changes first, then the inconclusive, then those that are the same; in each the biggest first. */
export function byChange(comparisons: Comparison[]): number[] {
  const rank = ({ verdict, control }: Comparison) => (control ? 3 : CHANGES.includes(kindOf(verdict)) ? 0 : verdict === "same" ? 2 : 1);
  const places = comparisons.map((_, place) => place);
  return places.sort((a, b) => rank(comparisons[a]!) - rank(comparisons[b]!) || size(comparisons[b]!) - size(comparisons[a]!) || a - b);
}

/** Places of those that got slower, or worse, the biggest first. */
export function regressions(comparisons: Comparison[]): number[] {
  return byChange(comparisons).filter((place) => kindOf(comparisons[place]!.verdict) === "slower" && !comparisons[place]!.control);
}

export interface Labels {
  /** One for each comparison: what tells it from the others. */
  of: string[];
  /** ` of work tree against main`, where all compare the same two; ` against main`, where only the baseline is the same. */
  pair: string;
  /** What all names begin and end with, if that was cut. */
  begin: string;
  end: string;
}

/** What differs in the names stays; what is alike in all is said once. */
export function labels(comparisons: Comparison[]): Labels {
  const parts = comparisons.map(({ group = "", candidate, baseline }) => {
    const own = (arm: string) => withoutGroup(visible(arm), visible(group));
    return { group: visible(group), candidate: own(candidate), baseline: own(baseline) };
  });
  const differ = (key: "group" | "candidate" | "baseline") => new Set(parts.map((part) => part[key])).size > 1;
  const [groups, candidates, baselines] = [differ("group"), differ("candidate"), differ("baseline")];
  const whole = parts.map(({ group, candidate, baseline }) => {
    const name = [groups ? group : "", candidates || !groups ? candidate : ""].filter((part) => part !== "").join(" · ");
    return (name || candidate || group) + (baselines && baseline !== "" ? ` against ${baseline}` : "");
  });
  const first = parts[0];
  const of = first === undefined || candidates || !groups || first.candidate === "" ? "" : ` of ${first.candidate}`;
  const against = first?.baseline || (groups ? "" : first?.group ?? "");
  const pair = baselines || against + of === "" ? "" : of + (against === "" ? "" : ` against ${against}`);
  return { ...cut(whole), pair };
}

/** `sort/100 (main)` in the group `sort/100` is `main`, and `sort/100` there is nothing more. */
export function withoutGroup(arm: string, path: string): string {
  // A group may have a path in front that its arms lack: `sort (main)` in the group `lib::sort`.
  const group = arm.includes(path) ? path : path.replace(/^.*::/, "");
  if (group === "" || !arm.includes(group)) return arm;
  if (arm === group) return "";
  const rest = arm.replace(group, "").trim();
  return rest.replace(/^\((.*)\)$/, "$1").replace(/^[\s·:/,-]+|[\s·:/,-]+$/g, "") || arm;
}

/** A shorter common part is no burden. */
const LEAST_CUT = 4;

/** Whole words and folders only, so that of `sort/10` and `sort/100` the numbers stay whole. */
function cut(names: string[]): Omit<Labels, "pair"> {
  const begin = longEnough(shared(names).replace(/[^\s/:]*$/, ""));
  const rest = names.map((name) => name.slice(begin.length));
  const backwards = shared(rest.map((name) => [...name].reverse().join("")));
  const end = longEnough([...backwards].reverse().join("").replace(/^[^\s/]*/, ""));
  const short = rest.map((name) => name.slice(0, name.length - end.length));
  return short.every((name) => name.trim() !== "") ? { of: short, begin, end } : { of: names, begin: "", end: "" };
}

function longEnough(text: string): string {
  return text.length < LEAST_CUT ? "" : text;
}

/** What all begin with. */
function shared(names: string[]): string {
  let [common = ""] = names;
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1);
  return names.length > 1 ? common : "";
}
