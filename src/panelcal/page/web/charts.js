// The charts of the Report, drawn with Observable Plot: what stands in the workbook stands here, in the same colours.

/* global Plot, d3 */
import { element, freshId } from "./elements.js";
import { inTurn } from "./frames.js";

const PALETTE = ["var(--c0)", "var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)", "var(--c7)"];
const SYMBOLS = { circle: "circle", triangle: "triangle", x: "times", plus: "plus", diamond: "diamond", none: "circle" };
const CROWDED = 120;
const DENSE = 500;
// Marks of a dense picture, drawn at a place in one path whose unit is a third of a pixel.
const STROKES = { circle: "h0", triangle: "m0-8l7 12h-14z", x: "m-6-6l12 12m0-12l-12 12", plus: "m-7 0h14m-7-7v14", diamond: "m0-8l8 8-8 8-8-8z" };
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

/** Bars from top to bottom, each beside its name, with their intervals. */
function barsOf(points) {
  const colour = (p) => PALETTE[p.series.colour % PALETTE.length];
  return [
    Plot.gridX({ strokeOpacity: 0.12 }),
    Plot.ruleX([0], { strokeOpacity: 0.45 }),
    Plot.rectX(points, { x1: 0, x2: "y", y1: (p) => p.x - 0.38, y2: (p) => p.x + 0.38, fill: colour }),
    Plot.ruleY(points.filter((p) => p.high !== p.low), { y: "x", x1: "low", x2: "high", stroke: "currentColor", strokeWidth: 1.2 }),
  ];
}

function marksOf(chart, points) {
  if (chart.kind === "bar") return barsOf(points);
  const marks = [Plot.gridY({ strokeOpacity: 0.12 })];
  const crowded = points.length > CROWDED;
  const dense = points.length > DENSE;
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
  if (bars.length && !dense) {
    marks.push(Plot.ruleX(bars, { x: "x", y1: "low", y2: "high", stroke: colour, strokeWidth: crowded ? 0.8 : 1.4, strokeOpacity: 0.6 }));
  }
  if (dense) for (const series of chart.series) marks.push(denseBars(bars.filter((p) => p.series === series), PALETTE[series.colour % PALETTE.length]));
  for (const series of chart.series.filter((one) => one.line || chart.kind === "line")) {
    const own = points.filter((p) => p.series === series);
    marks.push(Plot.line(own, { x: "x", y: "y", stroke: PALETTE[series.colour % PALETTE.length], strokeWidth: 1.6 }));
  }
  const dots = chart.kind === "column" ? [] : points.filter((p) => p.series.marker !== "none");
  for (const series of chart.series) {
    const own = dots.filter((p) => p.series === series);
    if (own.length && dense) marks.push(denseDots(own, series.marker, PALETTE[series.colour % PALETTE.length]));
    else if (own.length) {
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

// A picture with an element for each of some thousand points would stop the page: here each series is one path.
const third = (place) => Math.round(place * 3);

function path(context, d, attributes) {
  const made = context.document.createElementNS("http://www.w3.org/2000/svg", "path");
  made.setAttribute("d", d);
  made.setAttribute("transform", "scale(0.33333)");
  made.setAttribute("fill", "none");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function denseDots(points, marker, tint) {
  const stroke = STROKES[marker] || STROKES.circle;
  return (index, { x, y }, values, dimensions, context) => {
    const d = points.map((p) => `M${third(x(p.x))} ${third(y(p.y))}${stroke}`).join("");
    return path(context, d, { stroke: tint, "stroke-width": stroke === STROKES.circle ? 11 : 3, "stroke-linecap": "round", "stroke-opacity": 0.8 });
  };
}

function denseBars(points, tint) {
  return (index, { x, y }, values, dimensions, context) => {
    const columns = new Map();
    for (const p of points) {
      const at = third(x(p.x));
      if (!columns.has(at)) columns.set(at, []);
      columns.get(at).push([third(y(p.high)), third(y(p.low))]);
    }
    const lines = [...columns].flatMap(([at, bars]) => joined(bars).map(([top, bottom]) => `M${at} ${top}V${bottom}`));
    return path(context, lines.join(""), { stroke: tint, "stroke-width": 1.5, "stroke-opacity": 0.6 });
  };
}

/** Bars that overlap, as one. */
function joined(bars) {
  const found = [];
  for (const [top, bottom] of bars.sort(([a], [b]) => a - b)) {
    const last = found.at(-1);
    if (last && top <= last[1]) last[1] = Math.max(last[1], bottom);
    else found.push([top, bottom]);
  }
  return found;
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
    const sign = ["column", "bar"].includes(chart.kind) ? "\u25A0" : series.line && series.marker !== "none" ? `${mark}\u2014` : mark;
    return element("li", {}, element(`span.key.c${series.colour % 8}`, { "aria-hidden": "true" }, sign), ` ${series.name}`);
  });
  return element("ul.legend", {}, ...keys);
}

/** Figures side by side, each drawn in its turn. */
export function figures(charts) {
  const boxes = charts.map((chart) => {
    const title = freshId("chart");
    const box = element("figure.chart", {}, element("figcaption", { id: title }, chart.title));
    inTurn(() => box.append(...pictureOf(chart, title)));
    return box;
  });
  return element("div.charts", {}, ...boxes);
}

function plotOfBars(chart, points) {
  const names = new Map(points.map((p) => [p.x, p.label]));
  const last = Math.max(...names.keys());
  return Plot.plot({
    width: 640,
    height: 90 + 22 * last,
    marginLeft: 120,
    marginBottom: 46,
    className: "plot-d6a7b5",
    x: { label: chart.y_title, labelAnchor: "center", labelArrow: "none", domain: ends(chart.y, [0, ...points.flatMap((p) => [p.low, p.high])], false), nice: !known(chart.y[0]) },
    y: { label: chart.x_title, labelArrow: "none", domain: [last + 0.6, 0.4], reverse: false, ticks: [...names.keys()], tickFormat: (k) => shortened(names.get(k) || "") },
    marks: barsOf(points),
  });
}

function plotUpright(chart, points) {
  const axis = ticksOf(chart, points);
  return Plot.plot({
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
}

/** Legend, picture and, for whoever does not see it, the words of the Report. */
function pictureOf(chart, title) {
  const points = pointsOf(chart);
  if (!points.length) return [element("p.quiet", {}, "There is nothing to draw.")];
  if (typeof Plot === "undefined") return [element("p", {}, chart.alt_text)];
  const plot = chart.kind === "bar" ? plotOfBars(chart, points) : plotUpright(chart, points);
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-labelledby", title);
  const words = freshId("alt");
  plot.setAttribute("aria-describedby", words);
  plot.removeAttribute("aria-label");
  for (const part of plot.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  return [chart.series.length > 1 ? legendOf(chart) : "", plot, element("p.visually-hidden", { id: words }, chart.alt_text)];
}

function ends([low, high], values, upright) {
  const room = upright ? 0.6 : 0;
  const [least, greatest] = d3.extent(values); // Math.min(...values) takes no more than some 100,000
  const [first, last] = [least - room, greatest + room];
  const gap = upright ? 0 : (last - first || 1) * 0.02;
  return [known(low) ? low : first === 0 ? 0 : first - gap, known(high) ? high : last + gap];
}
