// What should a reader doubt? Warnings as a list, and as one line that opens.

import type { Words } from "./data";
import { h, sentence } from "./dom";
import { visible } from "./names";
import { counted } from "./units";

type Warnings = Words["warnings"];

/** More would push the answer off the first screen. */
const FEW = 4;

function list(warnings: Warnings): HTMLElement {
  return h("ul", { class: "warning" }, warnings.map(({ about, message, advice }) => {
    const named = message.some((part) => typeof part !== "string" && "name" in part && part.name === about);
    return h("li", null, h("strong", null, "Warning: "), about === undefined || named ? null : [h("bdi", null, visible(about)), ": "], sentence(message), advice === undefined ? null : h("span", { class: "advice" }, " ", sentence(advice)));
  }));
}

/** All of them, or the first few and a line that opens. */
export function warningList(warnings: Warnings): HTMLElement | null {
  if (warnings.length === 0) return null;
  if (warnings.length <= FEW + 1) return list(warnings);
  const rest = warnings.slice(FEW);
  return h("div", null, list(warnings.slice(0, FEW)), h("details", null, h("summary", null, counted(rest.length, "more warning")), list(rest)));
}

/** `12 warnings about other arms`, which opens. */
export function foldedWarnings(warnings: Warnings, about = ""): HTMLElement | null {
  return warnings.length === 0 ? null : h("details", null, h("summary", null, counted(warnings.length, "warning") + about), list(warnings));
}
