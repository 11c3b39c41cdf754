// What is known of the round that is pointed at, and how do mouse and keys move it? A few lines at the pointer say it, and of a round that is held a line at the
// foot of the window, for all charts.

import { h } from "./dom";
import { inOrder, sampleAt } from "./model";
import { shortened } from "./names";
import type { Context } from "./piece";
import type { Plot, PlotOptions } from "./plot";
import { launchOf } from "./ranges";
import { change, grouped, quantity } from "./units";

/** Left and right by one round, with Shift by ten; Escape lets go. */
export function moveRounds(event: KeyboardEvent, c: Context, count: number): boolean {
  const step = event.shiftKey ? 10 : 1;
  switch (event.key) {
    case "ArrowLeft": c.selection.move(-step, count); return true;
    case "ArrowRight": c.selection.move(step, count); return true;
    case "Escape": c.selection.release(); return true;
    default: return false;
  }
}

/** Of a name, in one line. */
const MOST = 48;

/** First which round it is. */
function roundLines(c: Context, round: number): string[] {
  const { rounds, series, unit } = c.shown;
  if (rounds === null) {
    const { timeOfPlace } = c.shown;
    const values = inOrder(series).flatMap((of) => {
      const at = sampleAt(of, round);
      return at === undefined ? [] : [`${shortened(of.arm.name, MOST)} ${quantity(of.arm.samples[at], unit)}`];
    });
    return [timeOfPlace === null ? `Sample ${grouped(round + 1)}` : `After ${quantity(round * timeOfPlace, unit)}`, ...values];
  }
  const [baseline, candidate] = series;
  const places = [rounds.baseline[round], rounds.candidate[round]];
  const parts = [baseline, candidate].map((of, index) => (of === undefined ? "" : `${shortened(of.arm.name, MOST)} ${quantity(of.arm.samples[places[index] ?? -1], unit)}`));
  const launch = rounds.launches.length > 1 ? ` (launch ${grouped(launchOf(rounds, round))})` : "";
  const first = rounds.candidateFirst === null ? "" : `; ${shortened((rounds.candidateFirst[round] === 1 ? candidate : baseline)?.arm.name ?? "", MOST)} ran first`;
  return [`Round ${grouped(round + 1)}${launch}`, ...parts, `change ${change(rounds.change[round])}${first}`];
}

/** What a chart of rounds does with the mouse: `find` says which round is there. */
export function pointing(c: Context, find: (x: number, y: number, plot: Plot) => number | null): Required<Pick<PlotOptions, "hover" | "leave" | "click">> {
  return {
    hover: (x, y, plot) => {
      const round = find(x, y, plot);
      c.selection.hover(round);
      return round === null ? [] : roundLines(c, round);
    },
    leave: () => c.selection.hover(null),
    click: (x, y, plot) => c.selection.hold(find(x, y, plot)),
  };
}

/** The line at the foot of the window, of a round that is held. */
export function readout(current: () => Context): HTMLElement {
  const element = h("p", { class: "readout", id: "readout", "aria-live": "polite" });
  element.hidden = true;
  const { selection } = current();
  selection.subscribe(() => {
    element.hidden = !selection.held || selection.round === null;
    if (element.hidden) return;
    const [title, ...lines] = roundLines(current(), selection.round!);
    element.textContent = `${title}: ${lines.join(", ")} · held, Esc lets go`;
  });
  return element;
}
