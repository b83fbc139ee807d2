// The summary as a page for the chair: what came out, a few figures, what to decide, the ranked list, the charts.

import { element } from "./elements.js";
import { figures } from "./charts.js";
import { noteView } from "./sheets.js";
import { shown } from "./numbers.js";
import { tableView } from "./tables.js";

const CARDS = 4;
const LONGEST_FIGURE = 16;
const RANKED = 25;

const columnNamed = (table, heading) => table.columns.findIndex((column) => column.heading === heading);
const isQuestions = (table) => table.columns.length === 3 && columnNamed(table, "Question") === 0 && columnNamed(table, "Answer") === 1;
const isDecisions = (table) => table.columns.some((column) => column.style === "input");

function cards(table) {
  const found = [];
  const [questions, answers, words] = table.columns;
  for (const [row, value] of answers.cells.entries()) {
    const text = shown(value, answers.styles[row] || answers.style);
    if (text && text.length <= LONGEST_FIGURE) found.push([row, text]);
  }
  // Figures say more at a glance than "firm" or "yes", which stand below in words.
  const figures = found.filter(([, text]) => /\d/.test(text));
  const chosen = [...figures, ...found.filter((one) => !figures.includes(one))].slice(0, CARDS).sort(([a], [b]) => a - b);
  const made = chosen.map(([row, text]) =>
    element("li.card", { title: words.cells[row] || null }, element("strong", {}, text), element("span", {}, questions.cells[row])),
  );
  return element("ul.cards", { "aria-label": "In short" }, ...made);
}

function inWords(table) {
  const [questions, answers, words] = table.columns;
  const rows = questions.cells.map((question, row) => {
    const answer = shown(answers.cells[row], answers.styles[row] || answers.style);
    return element("div", {}, element("dt", {}, question), element("dd", {}, answer ? element("strong", {}, `${answer}. `) : null, words.cells[row] ?? ""));
  });
  return element("dl.answers", {}, ...rows);
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

/** `sheet` is the first one, `values` the one of which the ranked list is made, if there is one. */
export function summaryView(data, sheet, values, decisions, ask) {
  const { report } = data;
  const box = element("div.sheet.summary", {}, element("h2", { tabindex: "-1" }, sheet.title));
  box.append(element("div.headline", {}, ...data.sentences.filter(Boolean).map((line) => element("p", {}, line))));
  const questions = sheet.tables.find(isQuestions);
  if (questions) box.append(cards(questions));
  const cautions = data.reading ? data.reading.cautions : [];
  if (cautions.length) {
    box.append(
      element("div.look", {}, element("h3", {}, "To look at first"), element("ul.marked", {}, ...cautions.map((line) => element("li", {}, line)))),
    );
  }
  for (const [number, table] of sheet.tables.entries()) {
    if (table === questions) continue;
    const title = isDecisions(table) ? `To decide: ${table.columns[0].heading.toLowerCase()}` : table.columns[0].heading;
    const options = { decisions, ask, sheet: sheet.name, sheetNumber: sheet.number, number, atOnce: 50 };
    box.append(element("h3", {}, title), tableView(table, title, options));
  }
  for (const note of sheet.notes.filter((one) => one.style === "strong" && one.text.trim())) box.append(noteView(note));
  box.append(...ranked(values, ask));
  if (sheet.charts.length) box.append(element("h3", {}, "Charts"), figures(sheet.charts));
  if (questions) box.append(element("h3", {}, "In words"), inWords(questions));
  box.append(element("p.quiet", {}, sheet.explanation));
  for (const note of sheet.notes.filter((one) => /_{8,}/.test(one.text))) box.append(element("p.sign", {}, ...signing(note.text)));
  box.append(element("p.quiet.run", {}, `${report.footer}. Run ${report.run_id}, ${report.created.replace("T", " ")}.`));
  return box;
}

// "Decided on ______ Chair ______" becomes words with a line to write on after each.
function signing(text) {
  return text.split(/\s*_{8,}\s*/).filter((words) => words.trim()).map((words) => element("span", {}, words.trim(), element("i", {}, "\u00A0")));
}
