// How and where was it measured? What is known of the machine and the settings, the notes of the analysis, and who wrote the page.

import { h } from "./dom";
import type { Model } from "./model";
import { visible, withoutHome } from "./names";

const shown = (text: string) => visible(withoutHome(text));

export function factsSection(model: Model): HTMLElement {
  const { facts, written_by, analysis } = model.data;
  const notes = analysis.notes ?? [];
  const distributions = analysis.levels.flatMap(({ arm, distribution }) => (distribution === undefined ? [] : [`${visible(arm)}: ${visible(distribution.sentence)}`]));
  const list = (title: string, items: string[]) => (items.length === 0 ? null : [h("h3", null, title), h("ul", null, items.map((item) => h("li", null, shown(item))))]);
  return h("section", { id: "facts" }, h("h2", null, "How it was measured"),
    h("div", { class: "card wide" },
      facts.length === 0 ? h("p", { class: "how" }, "The machine is unknown.") : h("dl", null, facts.map(([name, value]) => h("div", null, h("dt", null, visible(name)), h("dd", null, shown(value))))),
      list("Notes", notes),
      list("Shapes", distributions.slice(0, 20))),
    h("footer", null, `Written by ${visible(written_by)}. Trial ${visible(analysis.trial.id)}. This file contains everything; nothing is downloaded.`));
}
