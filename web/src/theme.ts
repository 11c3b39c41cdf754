// Which colours? Those of page.css, which has them twice, for light and dark; canvases ask here. Okabe and Ito's palette, which people
// of every colour vision tell apart; and every series has its own marker and dash besides.

export type Marker = "circle" | "triangle" | "square" | "diamond";

export interface Look {
  /** Its name in page.css, without the dashes. */
  colour: string;
  marker: Marker;
  dash: number[];
}

/** Baseline, candidate, then others; after six the colours come again, with other markers and dashes. */
export const LOOKS: Look[] = [
  { colour: "baseline", marker: "circle", dash: [] },
  { colour: "candidate", marker: "triangle", dash: [7, 3] },
  { colour: "third", marker: "square", dash: [2, 3] },
  { colour: "fourth", marker: "diamond", dash: [9, 3, 2, 3] },
  { colour: "fifth", marker: "circle", dash: [4, 2] },
  { colour: "sixth", marker: "triangle", dash: [1, 2] },
  { colour: "baseline", marker: "square", dash: [5, 2, 1, 2] },
  { colour: "candidate", marker: "diamond", dash: [3, 3] },
  { colour: "third", marker: "circle", dash: [8, 2] },
  { colour: "fourth", marker: "triangle", dash: [2, 1] },
  { colour: "fifth", marker: "square", dash: [6, 4] },
  { colour: "sixth", marker: "diamond", dash: [10, 2, 1, 2] },
];

const read = new Map<string, string>();

export function colour(name: string): string {
  let value = read.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888";
    read.set(name, value);
  }
  return value;
}

const systemDark = () => matchMedia("(prefers-color-scheme: dark)");
let printing = false;

export function isDark(theme: "light" | "dark" | null): boolean {
  return !printing && (theme ?? (systemDark().matches ? "dark" : "light")) === "dark";
}

export function isPrinting(): boolean {
  return printing;
}

/** Paper is white. */
export function setPrinting(on: boolean): void {
  printing = on;
}

export function applyTheme(theme: "light" | "dark" | null): void {
  document.documentElement.setAttribute("data-theme", isDark(theme) ? "dark" : "light");
  read.clear();
}

export function onSystemTheme(listener: () => void): void {
  systemDark().addEventListener("change", listener);
}
