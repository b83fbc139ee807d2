// The charts of the Report, drawn with Observable Plot: what stands in the workbook stands here, in the same colours.

/* global Plot */
import { element, freshId } from "./elements.js";

const PALETTE = ["var(--c0)", "var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)", "var(--c7)"];
const SYMBOLS = { circle: "circle", triangle: "triangle", x: "times", plus: "plus", diamond: "diamond", none: "circle" };
const known = (value) => typeof value === "number" && Number.isFinite(value);

/** One row for each point of each series: where it is, its ends, and to which series it belongs. */
export function pointsOf(chart) {
  const points = [];
  for (const [place, series] of chart.series.entries()) {
    const labels = chart.kind !== "scatter" && series.x;
    for (const [k, y] of (series.y || []).entries()) {
      const x = !labels && series.x ? series.x[k] : k + 1;
      if (!known(y) || !known(x)) continue;
      points.push({
        x, y, place, series,
        label: labels ? String(series.x[k]) : "",
        high: y + (known(series.plus?.[k]) ? series.plus[k] : 0),
        low: y - (known(series.minus?.[k]) ? series.minus[k] : 0),
      });
    }
  }
  return points;
}

function marksOf(chart, points) {
  const marks = [Plot.gridY({ strokeOpacity: 0.12 })];
  const crowded = points.length > 120;
  const colour = (p) => PALETTE[p.series.colour % PALETTE.length];
  if (chart.kind !== "scatter" || points.some((p) => p.y < 0)) marks.push(Plot.ruleY([0], { strokeOpacity: 0.45 }));
  if (chart.kind === "column") {
    const count = chart.series.length;
    const width = 0.8 / count;
    marks.push(
      Plot.rectY(points, {
        x1: (p) => p.x - 0.4 + p.place * width,
        x2: (p) => p.x - 0.4 + (p.place + 1) * width,
        y1: 0, y2: "y", fill: colour,
      }),
    );
  }
  const bars = points.filter((p) => p.high !== p.low);
  if (bars.length) {
    marks.push(Plot.ruleX(bars, { x: "x", y1: "low", y2: "high", stroke: colour, strokeWidth: crowded ? 0.8 : 1.4, strokeOpacity: 0.6 }));
  }
  for (const series of chart.series.filter((one) => one.line || chart.kind === "line")) {
    const own = points.filter((p) => p.series === series);
    marks.push(Plot.line(own, { x: "x", y: "y", stroke: PALETTE[series.colour % PALETTE.length], strokeWidth: 1.6 }));
  }
  const dots = chart.kind === "column" ? [] : points.filter((p) => p.series.marker !== "none");
  for (const series of chart.series) {
    const own = dots.filter((p) => p.series === series);
    if (own.length) {
      const open = ["x", "plus"].includes(series.marker);
      const tint = PALETTE[series.colour % PALETTE.length];
      marks.push(Plot.dot(own, {
        x: "x", y: "y", symbol: SYMBOLS[series.marker] || "circle", r: crowded ? 2.2 : 3.4,
        stroke: tint, fill: open ? "none" : tint, fillOpacity: 0.75, strokeWidth: 1,
      }));
    }
  }
  return marks;
}

function ticksOf(chart, points) {
  const labelled = points.filter((p) => p.label);
  if (!labelled.length) return {};
  const names = new Map(labelled.map((p) => [p.x, p.label]));
  const every = Math.max(1, Math.ceil(names.size / 24));
  return {
    ticks: [...names.keys()].filter((_, k) => k % every === 0),
    tickFormat: (x) => shortened(names.get(x) || ""),
    tickRotate: names.size > 8 || [...names.values()].some((name) => name.length > 9) ? -45 : 0,
  };
}

const shortened = (name) => (name.length > 14 ? `${name.slice(0, 13)}\u2026` : name);

function legendOf(chart) {
  const keys = chart.series.map((series) => {
    const mark = { circle: "\u25CF", triangle: "\u25B2", x: "\u00D7", plus: "+", diamond: "\u25C6", none: "\u2014" }[series.marker] || "\u25CF";
    const sign = chart.kind === "column" ? "\u25A0" : series.line && series.marker !== "none" ? `${mark}\u2014` : mark;
    return element("li", {}, element(`span.key.c${series.colour % 8}`, { "aria-hidden": "true" }, sign), ` ${series.name}`);
  });
  return element("ul.legend", {}, ...keys);
}

/** A figure with title, legend, picture and, for whoever does not see it, the words of the Report. */
export function figure(chart) {
  const points = pointsOf(chart);
  const title = freshId("chart");
  const box = element("figure.chart", {}, element("figcaption", { id: title }, chart.title));
  if (!points.length) {
    box.append(element("p.quiet", {}, "There is nothing to draw."));
    return box;
  }
  const axis = ticksOf(chart, points);
  const plot = Plot.plot({
    width: 640,
    height: 360,
    marginLeft: 56,
    marginBottom: axis.tickRotate ? 78 : 46,
    marginTop: 26,
    className: "plot-d6a7b5",
    x: { label: chart.x_title, labelAnchor: "center", labelArrow: "none", domain: ends(chart.x, points.map((p) => p.x), chart.kind === "column"), ...axis },
    y: { label: chart.y_title, labelArrow: "none", domain: ends(chart.y, [...(chart.kind === "column" ? [0] : []), ...points.flatMap((p) => [p.low, p.high])], false), nice: !known(chart.y[0]) },
    marks: marksOf(chart, points),
  });
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-labelledby", title);
  const words = freshId("alt");
  plot.setAttribute("aria-describedby", words);
  plot.removeAttribute("aria-label");
  for (const part of plot.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  if (chart.series.length > 1) box.append(legendOf(chart));
  box.append(plot, element("p.visually-hidden", { id: words }, chart.alt_text));
  return box;
}

function ends([low, high], values, upright) {
  const room = upright ? 0.6 : 0;
  const first = Math.min(...values) - room;
  const last = Math.max(...values) + room;
  const gap = upright ? 0 : (last - first || 1) * 0.02;
  return [known(low) ? low : first === 0 ? 0 : first - gap, known(high) ? high : last + gap];
}
