// The summary as a page for the chair: what came out, a few figures, what to decide, the ranked list, the charts.

import { element, namesApart } from "./elements.js";
import { figures } from "./charts.js";
import { counted } from "./numbers.js";
import { tableView } from "./tables.js";

const RANKED = 25;

// The ranked list stands below in full, and what is drawn needs no figures beside it.
const isDecisions = (table) => table.columns.some((column) => column.style === "input");
const shownAsTable = (table) => (table.name !== "ranked" || isDecisions(table)) && !table.name.endsWith("drawn");

function cards(tiles) {
  const made = tiles.map((tile) => element(tile.asks ? "li.card.asks" : "li.card", {}, element("strong", {}, tile.figure), element("span", {}, tile.caption)));
  return element("ul.cards", { "aria-label": "In short" }, ...made);
}

function checks(found) {
  const rows = found.map((check) => element("div", {}, element(check.fine ? "dt.good" : "dt.warning", {}, check.name), element("dd", {}, check.words)));
  return [element("h3", {}, "Checks"), element("dl.answers", {}, ...rows)];
}

// Wide columns of words would hide the figures of a ranked list; they stand in full on the tab of the sheet.
function rankedColumns(table) {
  const wanted = [];
  for (const [k, column] of table.columns.entries()) {
    const long = column.cells.some((value) => typeof value === "string" && value.length > 40);
    const blank = column.style === "input" || column.cells.every((value) => value === "" || value === null);
    if (k === 0 || (!long && !blank)) wanted.push(k);
  }
  return wanted.slice(0, 9);
}

function ranked(sheet, ask) {
  const table = sheet && sheet.tables[0];
  if (!table) return [];
  const rank = table.columns.findIndex((column) => /rank/i.test(column.heading) && !/before|from|to$/i.test(column.heading));
  const view = tableView(table, `Ranked list: ${table.columns[0].heading}`, {
    columns: rankedColumns(table),
    atOnce: RANKED,
    order: rank < 0 ? [-1, 1] : [rank, 1],
    ask,
    sheetNumber: sheet.number,
    number: 0,
  });
  return [element("h3", {}, "Ranked list"), view];
}

// Paper and a file of its own say at once what to look at; on the page it stands above already, where it was understood.
function toLookAt({ name, reading }) {
  const cautions = reading ? reading.cautions : [];
  if (!cautions.length) return [];
  const list = element("ul.marked", {}, ...cautions.map((line) => element("li", {}, line)));
  if (!name) return [element("div.look", {}, element("h3", {}, "To look at first"), list)];
  return [element("details.look", {}, element("summary", {}, `To look at first, as said above: ${counted(cautions.length, "thing")}`), list)];
}

/** `sheet` is the first one, `values` the one of which the ranked list is made, if there is one. */
export function summaryView(data, sheet, values, decisions, ask) {
  const { report } = data;
  const box = element("div.sheet.summary", {}, element("h2", { tabindex: "-1" }, sheet.title));
  const { front } = sheet;
  const said = front ? [front.sentence] : data.sentences.filter(Boolean);
  box.append(element("div.headline", {}, ...said.map((line) => element("p", {}, line))));
  if (front) box.append(cards(front.tiles), ...front.warnings.map((line) => element("p.warning", {}, line)), ...front.lines.map((line) => element("p", {}, line)));
  box.append(...toLookAt(data));
  const apart = namesApart();
  for (const [number, table] of sheet.tables.entries()) {
    if (!shownAsTable(table)) continue;
    const title = isDecisions(table) ? "To decide" : table.columns[0].heading;
    const options = { decisions, ask, sheet: sheet.name, sheetNumber: sheet.number, number, atOnce: 50 };
    box.append(element("h3", {}, title), tableView(table, apart(title), options));
  }
  box.append(...ranked(values, ask));
  if (front) box.append(...checks(front.checks));
  if (sheet.charts.length) box.append(element("h3", {}, "Charts"), figures(sheet.charts));
  box.append(element("p.quiet", {}, sheet.explanation));
  for (const note of sheet.notes.filter((one) => /_{8,}/.test(one.text))) box.append(element("p.sign", {}, ...signing(note.text)));
  box.append(element("p.quiet.run", {}, `${report.footer}. Run ${report.run_id}, ${report.created.replace("T", " ")}.`));
  return box;
}

// "Decided on ______ Chair ______" becomes words with a line to write on after each.
function signing(text) {
  return text.split(/\s*_{8,}\s*/).filter((words) => words.trim()).map((words) => element("span", {}, words.trim(), element("i", {}, "\u00A0")));
}
