// How is a piece of the page made? By these two functions alone: elements and text nodes, never a string of HTML, because
// the names in a report are anyone's.

import type { Part } from "./data";
import { visible } from "./names";

export type Child = Node | string | number | null | undefined | false | Child[];

type Handler = (event: never) => void;
/** Attributes; those that begin with `on` are listeners. There is no `style`: the page's policy forbids it. */
export type Props = Record<string, string | number | boolean | null | undefined | Handler>;

function fill(element: Element, props: Props | null | undefined, children: Child[]): void {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
}

export function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.appendChild(child);
    else if (child !== null && child !== undefined && child !== false) element.appendChild(document.createTextNode(String(child)));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props?: Props | null, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, props?: Props | null, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, props, children);
  return element;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** A button that is on or off, and says so to those who do not see it. */
export function toggle(label: string, on: boolean, change: (on: boolean) => void, title?: string): HTMLButtonElement {
  const button = h("button", { type: "button", class: "toggle", "aria-pressed": String(on), title }, label);
  button.addEventListener("click", () => change(button.getAttribute("aria-pressed") !== "true"));
  return button;
}

export function press(button: HTMLButtonElement, on: boolean): void {
  button.setAttribute("aria-pressed", String(on));
}

/** A sentence in which each name stands for itself: one in Arabic does not turn around the words beside it. */
export function sentence(parts: Part[]): Child[] {
  return parts.map((part) => (typeof part === "string" ? visible(part) : "name" in part ? h("bdi", null, visible(part.name)) : visible(part.verdict)));
}

/** The row that is shown. */
export function mark(row: HTMLElement, on: boolean): void {
  if (on) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
}
