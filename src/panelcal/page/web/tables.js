// One table of the Report: sortable by its headings, searchable, a part at a time, with cells to fill in.

import { announce, button, element, freshId } from "./elements.js";
import { shown } from "./numbers.js";

const AT_ONCE = 100;
const MOST_PRINTED = 3000;
const SEARCHED_FROM = 15;

const styleOf = (column, row) => column.styles[row] || column.style;
const compared = (a, b) => {
  const empty = (value) => value === null || value === undefined || value === "";
  if (empty(a) || empty(b)) return empty(a) - empty(b) || 0;
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return String(a).localeCompare(String(b), "en", { numeric: true });
};

// Sentences take the width that keeps their rows low.
const widthOf = (text) => (text.length > 160 ? "longest" : text.length > 34 ? "long" : "");

function callsForAttention(column, value) {
  const mark = column.highlight;
  if (!mark || value === null || value === "") return false;
  if (mark.kind === "beyond") return typeof value === "number" && Math.abs(value) >= mark.limit;
  if (mark.kind === "below") return typeof value === "number" && value < mark.limit;
  return mark.kind === "text" && String(value).startsWith(mark.starts);
}

/**
 * @param table the data; @param name for its region;
 * @param options `columns` (numbers of those to show), `atOnce`, `sheet` and `number` (where it stands, for decisions),
 *   `decisions` (a Map that holds what was filled in), `order` ([column, direction] to begin with).
 */
export function tableView(table, name, options = {}) {
  const shownColumns = options.columns || table.columns.map((_, k) => k);
  const count = table.columns[0].cells.length;
  const atOnce = options.atOnce || AT_ONCE;
  let [sortedBy, direction] = options.order || [-1, 1];
  let visible = atOnce;
  let wanted = "";
  const body = element("tbody");
  const headings = new Map();
  const more = element("p.more");

  const rows = () => {
    let order = [...Array(count).keys()];
    if (wanted) {
      order = order.filter((row) => shownColumns.some((k) => String(table.columns[k].cells[row] ?? "").toLowerCase().includes(wanted)));
    }
    if (sortedBy >= 0) {
      const { cells } = table.columns[sortedBy];
      const empty = (row) => cells[row] === null || cells[row] === "";
      order.sort((a, b) => (empty(a) || empty(b) ? empty(a) - empty(b) : direction * compared(cells[a], cells[b])) || a - b);
    }
    return order;
  };

  const cell = (k, row) => {
    const column = table.columns[k];
    const value = column.cells[row];
    if (column.style === "input" && options.decisions) return element("td", {}, ...input(k, row));
    const figure = typeof value === "number";
    const classes = [figure ? "figure" : widthOf(String(value ?? "")), callsForAttention(column, value) ? "attention" : ""];
    const tag = k === shownColumns[0] ? "th" : "td";
    const kind = [tag, ...classes.filter(Boolean)].join(".");
    return element(kind, tag === "th" ? { scope: "row" } : {}, shown(value, styleOf(column, row)));
  };

  const input = (k, row) => {
    const key = JSON.stringify([options.sheet, options.number, k, table.rows ? table.rows[row] : row]);
    const label = `${table.columns[k].heading}: ${table.columns[shownColumns[0]].cells[row]}`;
    const entry = element("input.decision.no-print", { type: "text", "aria-label": label, autocomplete: "off", maxlength: 200 });
    entry.value = options.decisions.get(key) || "";
    const printed = element("span.decided", {}, entry.value); // Firefox leaves the text of fields off the paper
    entry.addEventListener("input", () => {
      printed.textContent = entry.value;
      if (entry.value) options.decisions.set(key, entry.value);
      else options.decisions.delete(key);
    });
    return [entry, printed];
  };

  const draw = () => {
    const order = rows();
    body.replaceChildren(...order.slice(0, visible).map((row) => element("tr", {}, ...shownColumns.map((k) => cell(k, row)))));
    for (const [k, heading] of headings) {
      heading.setAttribute("aria-sort", k === sortedBy ? (direction > 0 ? "ascending" : "descending") : "none");
    }
    more.replaceChildren();
    if (order.length > visible) {
      more.append(`${visible.toLocaleString("en-GB")} of ${order.length.toLocaleString("en-GB")} rows. `);
      more.append(button(`Show ${Math.min(order.length - visible, 10 * atOnce).toLocaleString("en-GB")} more`, () => {
        visible += 10 * atOnce;
        draw();
      }, "small.no-print"));
    } else if (!order.length) more.append("No row holds that.");
    if (table.rows) {
      const all = table.total.toLocaleString("en-GB");
      more.append(` The page shows ${count.toLocaleString("en-GB")} of ${all} rows, those of the best rank where there are ranks; the saved workbook has them all.`);
    }
    return order.length;
  };

  const sort = (k) => {
    direction = k === sortedBy ? -direction : 1;
    sortedBy = k;
    draw();
    announce(`Sorted by ${table.columns[k].heading}, ${direction > 0 ? "ascending" : "descending"}.`);
  };

  const head = element("tr");
  for (const k of shownColumns) {
    const column = table.columns[k];
    const figures = column.cells.some((value) => typeof value === "number");
    const title = button(column.heading || "\u00A0", () => sort(k), "sort");
    if (!column.heading) title.setAttribute("aria-label", `Column ${k + 1}`);
    if (column.explanation) title.title = column.explanation;
    const heading = element(figures ? "th.figure" : "th", { scope: "col" }, title);
    headings.set(k, heading);
    head.append(heading);
  }
  const region = element("div.scroll", { tabindex: "0", role: "region", "aria-label": name }, element("table", {}, element("thead", {}, head), body));
  const box = element("div.table-box");
  if (count >= SEARCHED_FROM) {
    const id = freshId("find");
    const find = element("input", { type: "search", id, autocomplete: "off" });
    find.addEventListener("input", () => {
      wanted = find.value.trim().toLowerCase();
      visible = atOnce;
      announce(`${draw()} rows`);
    });
    box.append(element("div.find.no-print", {}, element("label", { for: id }, "Find in this table"), find));
  }
  box.append(region, more);
  // On paper nothing may be missing without a word.
  box.addEventListener("showall", () => {
    visible = MOST_PRINTED;
    draw();
  });
  draw();
  return box;
}
