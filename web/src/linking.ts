// What is known of the round that is pointed at, and how do the keys move it? One line at the foot of the window says it, for all charts.

import { h } from "./dom";
import { inOrder, sampleAt } from "./model";
import { shortened } from "./names";
import type { Context } from "./piece";
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

export function roundInWords(c: Context, round: number): string {
  const { rounds, series, unit } = c.shown;
  if (rounds === null) {
    const { timeOfPlace } = c.shown;
    const values = inOrder(series).flatMap((of) => {
      const at = sampleAt(of, round);
      return at === undefined ? [] : [`${shortened(of.arm.name, MOST)} ${quantity(of.arm.samples[at], unit)}`];
    });
    return `${timeOfPlace === null ? `Sample ${grouped(round + 1)}` : `After ${quantity(round * timeOfPlace, unit)}`}: ${values.join(", ")}`;
  }
  const [baseline, candidate] = series;
  const places = [rounds.baseline[round], rounds.candidate[round]];
  const parts = [baseline, candidate].map((of, index) => (of === undefined ? "" : `${shortened(of.arm.name, MOST)} ${quantity(of.arm.samples[places[index] ?? -1], unit)}`));
  const launch = rounds.launches.length > 1 ? ` (launch ${grouped(launchOf(rounds, round))})` : "";
  const first = rounds.candidateFirst === null ? "" : `; ${shortened((rounds.candidateFirst[round] === 1 ? candidate : baseline)?.arm.name ?? "", MOST)} ran first`;
  return `Round ${grouped(round + 1)}${launch}: ${parts.join(", ")}, change ${change(rounds.change[round])}${first}`;
}

/** The line at the foot of the window. It speaks only of rounds that were chosen, not of all that the mouse passes. */
export function readout(current: () => Context): HTMLElement {
  const element = h("p", { class: "readout", id: "readout" });
  element.hidden = true;
  const { selection } = current();
  selection.subscribe(() => {
    element.hidden = selection.round === null;
    element.setAttribute("aria-live", selection.held ? "polite" : "off");
    element.classList.toggle("held", selection.held);
    if (selection.round !== null) element.textContent = roundInWords(current(), selection.round) + (selection.held ? " · held, Esc lets go" : "");
  });
  return element;
}
