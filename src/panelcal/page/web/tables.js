// One table of the Report: sortable by its headings, searchable, a part at a time, with cells to fill in.

import { announce, button, element, freshId } from "./elements.js";
import { inTurn } from "./frames.js";
import { shown } from "./numbers.js";
import { rowsOf } from "./rows.js";

const AT_ONCE = 100;
const MORE = 100;
const MOST_CELLS = 4000; // on the screen: a browser lays out all of them anew for each row that is added
const MOST_PRINTED = 3000;
const SEARCHED_FROM = 15;
const CELLS_A_FRAME = 800;

// Sentences take the width that keeps their rows low.
const widthOf = (text) => (text.length > 160 ? "longest" : text.length > 34 ? "long" : "");

function standsOut(column, value) {
  const mark = column.highlight;
  if (!mark || value === null || value === "") return false;
  if (mark.kind === "beyond") return typeof value === "number" && Math.abs(value) >= mark.limit;
  if (mark.kind === "below") return typeof value === "number" && value < mark.limit;
  return mark.kind === "text" && String(value).startsWith(mark.starts);
}

/**
 * @param table the data; @param name for its region;
 * @param options `columns` (numbers of those to show), `atOnce`, `sheet` and `number` (where it stands, for decisions),
 *   `decisions` (a Map that holds what was filled in), `order` ([column, direction] to begin with), `ask` (for rows that
 *   are not here).
 */
export function tableView(table, name, options = {}) {
  return new TableView(table, name, options).box;
}

class TableView {
  constructor(table, name, options) {
    Object.assign(this, { table, options });
    this.columns = options.columns || table.columns.map((_, k) => k);
    this.atOnce = options.atOnce || AT_ONCE;
    this.mostRows = Math.max(this.atOnce + MORE / 2, Math.floor(MOST_CELLS / this.columns.length));
    const [by, direction] = options.order || [-1, 1];
    this.query = { words: "", columns: this.columns, by, direction };
    this.turn = 0;
    this.from = 0; // the rows on the screen are those from this one
    this.to = 0; // to the one before this
    this.body = element("tbody");
    this.more = element("p.more");
    this.headings = new Map();
    const grid = element("table", {}, element("thead", {}, this.head()), this.body);
    const region = element("div.scroll", { tabindex: "0", role: "region", "aria-label": name }, grid);
    this.box = element("div.table-box", {}, table.total >= SEARCHED_FROM ? this.find() : null, region, this.more);
    // On paper nothing may be missing without a word. Whoever waits for it finds in `detail` what to wait for.
    this.box.addEventListener("showall", ({ detail }) => detail.push(this.draw(MOST_PRINTED, true)));
    this.box.addEventListener("showsome", () => this.draw(this.atOnce));
    this.draw(this.atOnce);
  }

  head() {
    const head = element("tr");
    for (const k of this.columns) {
      const column = this.table.columns[k];
      const title = button(column.heading || "\u00A0", () => this.sort(k), "sort");
      if (!column.heading) title.setAttribute("aria-label", `Column ${k + 1}`);
      if (column.explanation) title.title = column.explanation;
      const heading = element(column.figures && column.style !== "general" ? "th.figure" : "th", { scope: "col" }, title);
      this.headings.set(k, heading);
      head.append(heading);
    }
    return head;
  }

  find() {
    const id = freshId("find");
    const input = element("input", { type: "search", id, autocomplete: "off" });
    input.addEventListener("input", async () => {
      this.query = { ...this.query, words: input.value.trim() };
      const found = await this.draw(this.atOnce);
      if (found !== null) announce(`${found} rows`);
    });
    return element("div.find.no-print", {}, element("label", { for: id }, "Find in this table"), input);
  }

  async sort(k) {
    this.query = { ...this.query, by: k, direction: k === this.query.by ? -this.query.direction : 1 };
    if ((await this.draw(this.atOnce)) === null) return;
    announce(`Sorted by ${this.table.columns[k].heading}, ${this.query.direction > 0 ? "ascending" : "descending"}.`);
  }

  /** Draw so many rows from the first; gives how many there are, or null where something else was asked for since. */
  draw(count, wholly = false) {
    const turn = ++this.turn;
    const got = rowsOf(this.table, this.query, 0, count, (query) => this.asked(query));
    return got instanceof Promise ? got.then((piece) => this.filled(turn, piece, wholly)) : this.filled(turn, got, wholly);
  }

  filled(turn, piece, wholly) {
    if (turn !== this.turn || !piece) return null;
    for (const [k, heading] of this.headings) {
      heading.setAttribute("aria-sort", k === this.query.by ? (this.query.direction > 0 ? "ascending" : "descending") : "none");
    }
    this.body.replaceChildren();
    this.from = this.to = 0;
    this.append(turn, piece, wholly);
    return piece.found;
  }

  /** Add rows below those that are there, some in each frame. */
  append(turn, piece, wholly) {
    const each = wholly ? Infinity : Math.max(5, Math.floor(CELLS_A_FRAME / this.columns.length));
    let at = 0;
    const step = () => {
      if (turn !== this.turn) return;
      const places = piece.places.slice(at, at + each);
      this.body.append(...places.map((place) => element("tr", {}, ...this.columns.map((k) => this.cell(piece, k, place)))));
      at += places.length;
      while (!wholly && this.body.childElementCount > this.mostRows) this.body.firstElementChild.remove();
      if (at < piece.places.length) inTurn(step);
    };
    step();
    this.to += piece.places.length;
    if (!wholly) this.from = Math.max(this.from, this.to - this.mostRows);
    this.say(piece.found);
  }

  async asked(query) {
    this.box.setAttribute("aria-busy", "true");
    const answer = await this.options.ask({ do: "rows", sheet: this.options.sheetNumber, table: this.options.number, ...query });
    this.box.removeAttribute("aria-busy");
    return answer;
  }

  async showMore(found, pressed) {
    const { turn } = this;
    pressed.disabled = true;
    const piece = await rowsOf(this.table, this.query, this.to, Math.min(found - this.to, MORE), (query) => this.asked(query));
    if (turn === this.turn && piece) this.append(turn, piece, false);
  }

  say(found) {
    const spelt = (number) => number.toLocaleString("en-GB");
    this.more.replaceChildren();
    if (this.from) {
      this.more.append(`Rows ${spelt(this.from + 1)} to ${spelt(this.to)} of ${spelt(found)}. `, button("From the first", () => this.draw(this.atOnce), "small.no-print"), " ");
    } else if (found > this.to) this.more.append(`${spelt(this.to)} of ${spelt(found)} rows. `);
    if (found > this.to) {
      this.more.append(button(`Show ${spelt(Math.min(found - this.to, MORE))} more`, (event) => this.showMore(found, event.currentTarget), "small.no-print"));
    } else if (!found) this.more.append("No row holds that.");
  }

  cell(piece, k, place) {
    const column = this.table.columns[k];
    const { cells, styles } = piece.columns[k];
    const value = cells[place];
    if (column.style === "input" && this.options.decisions) return element("td", {}, ...this.input(piece, k, place));
    const figure = typeof value === "number" && column.style !== "general";
    const classes = [column.style === "drawing" ? "drawing" : figure ? "figure" : widthOf(String(value ?? "")), standsOut(column, value) ? (column.highlight.calm ? "notable" : "attention") : "", column.style === "input" ? "blank" : ""];
    const tag = k === this.columns[0] ? "th" : "td";
    const kind = [tag, ...classes.filter(Boolean)].join(".");
    return element(kind, tag === "th" ? { scope: "row" } : {}, shown(value, styles[place] || column.style));
  }

  input(piece, k, place) {
    const { decisions, sheet, number } = this.options;
    const key = JSON.stringify([sheet, number, k, piece.rows[place]]);
    const label = `${this.table.columns[k].heading}: ${piece.columns[this.columns[0]].cells[place]}`;
    const entry = element("input.decision.no-print", { type: "text", "aria-label": label, autocomplete: "off", maxlength: 200 });
    entry.value = decisions.get(key) || "";
    const printed = element("span.decided", {}, entry.value); // Firefox leaves the text of fields off the paper
    entry.addEventListener("input", () => {
      printed.textContent = entry.value;
      if (entry.value) decisions.set(key, entry.value);
      else decisions.delete(key);
    });
    return [entry, printed];
  }
}
