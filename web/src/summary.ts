// How did a suite do? The counts of its verdicts, its geometric mean, and the five biggest regressions.

import { largeInterval } from "./charts/interval";
import { h, type Child } from "./dom";
import type { Model } from "./model";
import { visible } from "./names";
import { formatView, type Store } from "./state";
import { headline, regressions, verdictCounts, withoutControls } from "./suite";
import { change, counted, digits, effect, interval, roughDuration, share } from "./units";
import { stateOf } from "./verdict";
import { foldedWarnings } from "./warnings";

const MOST = 5;

export function summarySection(model: Model, store: Store, open: (place: number) => void): HTMLElement | null {
  if (!model.isSuite) return null;
  const { analysis, words } = model.data;
  const { suite, comparisons } = analysis;
  const state = stateOf(analysis);
  return h("section", { id: "suite", "aria-label": "Summary" },
    h("div", { class: suite === undefined ? null : "answer" },
      h("div", null,
        h("p", { class: "sentence" }, h("strong", null, headline(verdictCounts(comparisons, words.comparisons))), h("span", { class: "basis" }, basis(model))),
        suite === undefined ? null : h("p", { class: "suite" }, `Geometric mean of ${counted(suite.comparisons, "comparison")}: ${effect(suite.effect)}`),
        worst(model, store, open)),
      suite === undefined ? null : h("div", { class: "where" },
        largeInterval(suite.effect, model.margin, words.comparisons[0]!.directions, `The geometric mean is ${effect(suite.effect)}. Changes within ${share(model.margin)} count as the same.`))),
    words.assumption === undefined ? null : h("p", { class: "how", id: "assumption" }, visible(words.assumption)),
    state === null ? null : h("p", { class: "warning" }, state),
    foldedWarnings(words.warnings));
}

/** `30 comparisons of work tree against main in 6.5 s, each 99 % sure` */
function basis(model: Model): Child[] {
  const { comparisons, settings } = model.data.analysis;
  const seconds = comparisons[0]?.seconds ?? null;
  return [
    counted(withoutControls(comparisons).length, "comparison"), h("bdi", null, model.labels?.pair ?? ""),
    seconds === null ? null : ` in ${roughDuration(seconds)}`, `, each ${digits(100 * settings.confidence)}\u00a0% sure`,
  ];
}

function worst(model: Model, store: Store, open: (place: number) => void): Child {
  const { comparisons } = model.data.analysis;
  const places = regressions(comparisons);
  if (places.length === 0) return null;
  const several = new Set(comparisons.map(({ metric }) => metric)).size > 1;
  const line = (place: number) => {
    const { metric, effect: of, signs } = comparisons[place]!;
    const link = h("a", { href: formatView({ ...store.view, c: place }) }, h("bdi", null, model.nameOf(place)));
    link.addEventListener("click", (event) => {
      // With a key held, the link opens in another tab.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(place);
    });
    return h("li", null, link, several ? h("small", null, ` ${visible(metric)}`) : null, " ", signs === undefined ? [h("b", null, change(of.estimate)), " ", h("span", { class: "soft" }, interval(of))] : h("b", null, "no ratio"));
  };
  return [
    h("h2", { class: "why" }, places.length > MOST ? `The ${MOST} largest of ${places.length} regressions` : "Regressions, largest first"),
    h("ol", { class: "worst" }, places.slice(0, MOST).map(line)),
  ];
}
