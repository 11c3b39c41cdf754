// How are numbers said to people? As the program says them in the terminal (crates/evenhand-analysis/src/words/numbers.rs): times in the unit
// that reads best, four significant digits, changes in percent with their sign. Here with a true minus and narrow spaces.

const SECONDS: Record<string, number> = { ps: 1e-12, ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400 };
const TIME_STEPS: [string, number][] = [["d", 86400], ["h", 3600], ["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9], ["ps", 1e-12]];
const BYTE_STEPS: [string, number][] = [["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["B", 1]];
const COUNT_STEPS: [string, number][] = [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]];
/** A count is spelled out below this. */
const LONG_COUNT = 1e4;

/** Narrow and unbroken: between a number and its unit, and between thousands. */
export const NARROW = "\u202f";
export const MINUS = "\u2212";
export const UNKNOWN = "–";

/** What to multiply a number with to have it in the unit that reads best for one of this size, and that unit. */
export function scaleFor(size: number, unit: string): { factor: number; symbol: string } {
  const seconds = Object.hasOwn(SECONDS, unit) ? SECONDS[unit]! : null;
  const base = seconds ?? 1;
  const rounded = Number(Math.abs(size * base).toPrecision(4));
  if (seconds === null && unit !== "B") {
    const [many, step] = (rounded < LONG_COUNT ? undefined : COUNT_STEPS.find(([, step]) => rounded >= step)) ?? ["", 1];
    return { factor: 1 / step, symbol: [many, unit].filter((word) => word !== "").join(NARROW) };
  }
  const steps = seconds === null ? BYTE_STEPS : TIME_STEPS;
  // Hours and days only once the number fills them: 90 s, not 0.025 h.
  const fits = ([, step]: [string, number]) => rounded >= step && (seconds === null || step < 3600 || rounded >= 2 * step);
  const [symbol, step] = rounded === 0 ? (seconds === null ? ["B", 1] as const : ["s", 1] as const) : steps.find(fits) ?? steps[steps.length - 1]!;
  return { factor: base / step, symbol };
}

/** `16.92 ms`, `1.350 GB`, `17 faults`, `35.59 M`. */
export function quantity(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  const { factor, symbol } = scaleFor(value, unit);
  return withUnit(digits(value * factor), symbol);
}

/** A number and how far it may be off, in one unit: `16.94 ± 0.13 ms`. */
export function quantityWithin(value: number | null | undefined, half: number | null | undefined, unit: string): string {
  if (half === null || half === undefined || value === null || value === undefined || !Number.isFinite(half)) return quantity(value, unit);
  const { factor, symbol } = scaleFor(value, unit);
  const [mean, error] = [digits(value * factor), half * factor];
  // As many decimals as the mean has, unless none of the error would be left, or the mean is written with an exponent.
  const decimals = (mean.split(".")[1] ?? "").length;
  const other = mean.includes("e") || !mean.includes(".") || (error !== 0 && error < 0.5 / 10 ** decimals);
  return withUnit(`${mean} ± ${other ? digits(error, 2) : fixed(error, decimals)}`, symbol);
}

export function withUnit(number: string, symbol: string): string {
  return symbol === "" ? number : `${number}${NARROW}${symbol}`;
}

/** Four significant digits; whole numbers keep all of theirs. */
export function digits(value: number | null, significant = 4): string {
  if (value === null || !Number.isFinite(value)) return UNKNOWN;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return minus(value.toExponential(significant - 1).replace("e+", "e"));
  if (Math.abs(value - Math.round(value)) <= 1e-12 * size) return grouped(Math.round(value));
  const before = Math.floor(Math.log10(Number(size.toPrecision(significant)))) + 1;
  return fixed(value, Math.max(0, significant - before));
}

export function fixed(value: number | null, decimals: number): string {
  // JSON has no NaN: what could not be computed arrives as null, whatever its type says.
  if (value === null || !Number.isFinite(value)) return UNKNOWN;
  const text = value.toFixed(Math.min(20, decimals));
  if (decimals === 0 && Math.abs(value) >= 1e4) return grouped(Number(text));
  // A rounded zero has no direction.
  return minus(/^-[0.]*$/.test(text) ? text.slice(1) : text);
}

/** `+1.34 %`, of 0.0134. */
export function change(relative: number | null | undefined): string {
  if (relative === null || relative === undefined || !Number.isFinite(relative)) return "?";
  const percent = 100 * relative;
  if (Math.abs(percent) >= 1e7) return `${signed(percent.toExponential(1).replace("e+", "e"))}${NARROW}%`;
  const decimals = Math.abs(percent) < 9.995 ? 2 : Math.abs(percent) < 99.95 ? 1 : 0;
  const text = percent.toFixed(decimals);
  return `${/^-?[0.]*$/.test(text) ? text.replace("-", "") : signed(text)}${NARROW}%`;
}

/** `+1.34 % [+1.10 %, +1.60 %]`; an end that is not bounded yet is said to be open. */
export function effect(of: { estimate: number | null; low: number | null; high: number | null }): string {
  if (of.low === null && of.high === null) return of.estimate === null ? "not known yet" : `${change(of.estimate)}, no interval yet`;
  return `${change(of.estimate)} ${interval(of)}`;
}

/** `[+1.10 %, +1.60 %]`, or why there is none. */
export function interval({ low, high }: { low: number | null; high: number | null }): string {
  if (low === null && high === null) return "no interval yet";
  const end = (bound: number | null) => (bound === null ? "open" : change(bound));
  return `[${end(low)}, ${end(high)}]`;
}

/** With two digits: nobody plans by the millisecond. */
export function roughDuration(seconds: number): string {
  const rough = Number(seconds.toPrecision(2));
  const { factor, symbol } = scaleFor(rough, "s");
  return withUnit(digits(Number((rough * factor).toPrecision(2)), 2), symbol);
}

/** A share or a ratio without sign: 0.0134 is `1.34 %`. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return UNKNOWN;
  return change(share).replace("+", "");
}

/** A share that somebody chose, with no more digits than it has: 0.01 is `1 %`. */
export function share(of: number): string {
  return withUnit(minus(String(Number((100 * of).toPrecision(4)))), "%");
}

/** 1234567 is `1 234 567`, with narrow spaces. */
export function grouped(whole: number): string {
  return minus(String(whole)).replace(/\B(?=(\d{3})+$)/g, NARROW);
}

export function counted(count: number, noun: string): string {
  const many = noun.endsWith("ch") || noun.endsWith("s") ? `${noun}es` : `${noun}s`;
  return `${grouped(count)} ${count === 1 ? noun : many}`;
}

/** What a chart does not show; nothing where it shows all. */
export function beyondWords(count: number, noun: string): string {
  return count === 0 ? "" : `${counted(count, noun)} beyond this axis.`;
}

export function minus(text: string): string {
  return text.replaceAll("-", MINUS);
}

function signed(text: string): string {
  return text.startsWith("-") ? minus(text) : `+${text}`;
}
