// Which keys and gestures are there? A short list, which `?` opens and Escape closes.

import { h } from "./dom";

const KEYS: [string, string][] = [
  ["drag", "zoom in on a part of a chart"],
  ["Shift + drag", "move the part that is shown"],
  ["Ctrl + wheel, pinch", "zoom; with Shift, the other axis. A chart that has the focus needs no Ctrl"],
  ["double-click", "show everything again"],
  ["click", "hold a round, or choose a series"],
  ["+  −  0", "zoom in, zoom out, show everything"],
  ["←  →", "the round before or after, with Shift ten; in \"Every sample in order\", show or hide outliers"],
  ["↑  ↓", "choose a series in \"Every sample in order\" or its table"],
  ["Esc", "let go of the round, choose no series"],
  ["?", "this list"],
];

/** The list and the button that opens it. */
export function keyHelp(): { dialog: HTMLDialogElement; button: HTMLButtonElement } {
  const close = h("button", { type: "button" }, "close");
  const dialog = h("dialog", { id: "keys", "aria-label": "Keys" }, h("h2", null, "Keys, in a chart"),
    h("dl", null, KEYS.map(([key, what]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, what)))), close);
  close.addEventListener("click", () => dialog.close());
  const button = h("button", { type: "button", id: "help", title: "Keys, in a chart (?)" }, "keys");
  button.addEventListener("click", () => dialog.showModal());
  addEventListener("keydown", (event) => {
    if (event.key === "?" && !dialog.open && !(event.target instanceof HTMLInputElement)) dialog.showModal();
  });
  return { dialog, button };
}
