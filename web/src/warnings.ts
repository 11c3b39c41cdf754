// What should a reader doubt? Warnings as a list, and as one line that opens.

import type { Words } from "./data";
import { h, sentence } from "./dom";
import { visible } from "./names";
import { counted } from "./units";

type Warnings = Words["warnings"];

export function warningList(warnings: Warnings): HTMLElement | null {
  if (warnings.length === 0) return null;
  return h("ul", { class: "warning" }, warnings.map(({ about, message, advice }) => {
    const named = message.some((part) => typeof part !== "string" && "name" in part && part.name === about);
    return h("li", null, h("strong", null, "Warning: "), about === undefined || named ? null : [h("bdi", null, visible(about)), ": "], sentence(message), advice === undefined ? null : h("span", { class: "advice" }, " ", sentence(advice)));
  }));
}

/** `12 warnings about other arms`, which opens. */
export function foldedWarnings(warnings: Warnings, about = ""): HTMLElement | null {
  return warnings.length === 0 ? null : h("details", null, h("summary", null, counted(warnings.length, "warning") + about), warningList(warnings));
}
