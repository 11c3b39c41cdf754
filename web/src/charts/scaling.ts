// How does the cost grow with the size of the input? Where the names of arms or groups differ only in one number (`sort/100`, `sort/1000`), their
// medians over that number, both axes logarithmic: a straight line is a power of the size.

import { h } from "../dom";
import { cloud, polyline } from "../marks";
import { growths } from "../growth";
import { piece, swatch, type Context, type Piece } from "../piece";
import { Plot } from "../plot";
import { LOOKS, type Look } from "../theme";
import { plain, quantities, type Range, type TickMaker } from "../ticks";
import { digits, quantity } from "../units";

export function scaling(c: Context): Piece | null {
  const [first, ...others] = growths(c.model);
  if (first === undefined) return null;
  const lines = [first, ...others.filter(({ unit, metric }) => unit === first.unit && metric === first.metric)].slice(0, LOOKS.length);
  const look = (index: number): Look => LOOKS[index]!;
  const points = lines.flatMap((line) => line.points);
  const wide = (values: number[], share: number): Range => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const factor = (high / low) ** share;
    return high > low ? [low / factor, high * factor] : [low / 2, high * 2];
  };
  const sizes: TickMaker = (low, high, most, log) => {
    const { at } = plain(low, high, most, log);
    return { at, labels: at.map((value) => digits(value)) };
  };
  const plot = new Plot({
    label: () => lines.map((line) => `${line.name}: ${line.points.map(({ at, median }) => `${quantity(median, line.unit)} at ${digits(at)}`).join(", ")}`).join("; "),
    height: 300,
    x: { range: () => wide(points.map(({ at }) => at), 0.04), ticks: sizes, log: () => true, label: "the number in the name" },
    y: { range: () => wide(points.map(({ median }) => median), 0.06), ticks: quantities(first.unit), log: () => true },
    hover: (x) => lines.map((line) => {
      const near = line.points.reduce((best, point) => (Math.abs(Math.log(point.at / x)) < Math.abs(Math.log(best.at / x)) ? point : best));
      return `${line.name} at ${digits(near.at)}: ${quantity(near.median, line.unit)}`;
    }),
    paint: (p) => {
      lines.forEach((line, index) => {
        const xs = line.points.map(({ at }) => at);
        const ys = line.points.map(({ median }) => median);
        polyline(p, xs, ys, { colour: look(index).colour, width: 2, dash: look(index).dash });
        cloud(p, xs, ys, { colour: look(index).colour, marker: look(index).marker, size: 4 });
      });
    },
  });
  return piece({
    id: "scaling", title: "How the cost grows", wide: true, plots: [plot], watch: [],
    how: "Medians by the number in the name, with logarithmic axes: a straight line is a power of the size, and parallel lines grow alike.",
    legend: h("div", { class: "legend" }, lines.map((line, index) => h("span", { class: "key" }, swatch(look(index)), h("bdi", null, line.name)))),
  });
}

