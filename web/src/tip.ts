// What is under the pointer? A few lines beside it, the same for every chart. Those who do not see it hear what a chart's label and the line at the foot say.

import { h, replace } from "./dom";

/** From the pointer, in pixels. */
const AWAY = 14;

const element = h("div", { class: "tip", "aria-hidden": "true" });
element.hidden = true;

export function showTip(lines: string[], { clientX, clientY }: MouseEvent): void {
  element.hidden = lines.length === 0;
  if (element.hidden) return;
  if (!element.isConnected) document.body.append(element);
  replace(element, lines.map((line) => h("div", null, line)));
  const { offsetWidth, offsetHeight } = element;
  // On the other side of the pointer where there is no room.
  const place = (at: number, size: number, room: number) => Math.max(0, at + AWAY + size <= room ? at + AWAY : at - AWAY - size);
  element.style.left = `${place(clientX, offsetWidth, document.documentElement.clientWidth)}px`;
  element.style.top = `${place(clientY, offsetHeight, innerHeight)}px`;
}

export function hideTip(): void {
  element.hidden = true;
}

// A finger that scrolls leaves no chart.
addEventListener("scroll", hideTip, { passive: true, capture: true });
