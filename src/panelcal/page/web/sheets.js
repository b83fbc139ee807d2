// A result sheet as it stands in the workbook: notes, tables and charts from top to bottom.

import { element, namesApart } from "./elements.js";
import { figures } from "./charts.js";
import { tableView } from "./tables.js";

const TAGS = { heading: "h3", strong: "p.strong", warning: "p.warning", good: "p.good", small: "p.quiet", plain: "p" };
const BLANKS = /_{8,}/g;

export function noteView(note) {
  return element(TAGS[note.style] || "p", {}, note.text.replace(BLANKS, "____________________"));
}

/** `ask` gets the rows of long tables that are not here. */
export function sheetView(sheet, decisions, ask) {
  const box = element("div.sheet", {}, element("h2", { tabindex: "-1" }, sheet.title), element("p.lead", {}, sheet.explanation));
  const apart = namesApart();
  const parts = [
    ...sheet.notes.filter((note) => note.text.trim()).map((note) => ({ row: note.row, order: 0, make: () => noteView(note) })),
    ...sheet.tables.map((table, number) => ({
      row: table.row,
      order: 1,
      make: () => tableView(table, apart(`${sheet.title}: ${table.columns[0].heading}`), { decisions, ask, sheet: sheet.name, sheetNumber: sheet.number, number }),
    })),
  ].sort((a, b) => a.row - b.row || a.order - b.order);
  const [above, below] = [parts.filter((part) => part.order === 0 && part.row <= 4), parts.filter((part) => !(part.order === 0 && part.row <= 4))];
  box.append(...above.map((part) => part.make()));
  if (sheet.charts.length) box.append(figures(sheet.charts));
  box.append(...below.map((part) => part.make()));
  return box;
}
