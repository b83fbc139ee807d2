// A result: its sheets as tabs, saving, printing, and extracts for one student or one assessor.

import { announce, button, element, field, freshId, inSentence, select } from "./elements.js";
import { drawAll, forgetWaiting } from "./frames.js";
import { filledIn, hand, moment } from "./saving.js";
import { sheetView } from "./sheets.js";
import { summaryView } from "./summary.js";

export class Result {
  /**
   * `ask(what, doing)` asks the engine and shows what goes wrong, without `doing` in silence; `what` was
   * asked for this result. Where `data` has no name there is no engine: nothing is filled in, saved or extracted.
   */
  constructor(data, ask, what) {
    this.data = data;
    this.ask = ask;
    this.what = what;
    this.sheets = new Map();
    this.turn = 0;
    this.decisions = data.name ? new Map() : null;
    this.panel = element("div", { role: "tabpanel", id: freshId("panel"), tabindex: "-1" });
    this.tabs = [];
  }

  async view() {
    const list = element("div.tabs.no-print", { role: "tablist", "aria-label": "Sheets of the result" });
    for (const [k, sheet] of this.data.report.sheets.entries()) {
      const tab = element("button", { type: "button", role: "tab", id: freshId("tab"), "aria-controls": this.panel.id, "aria-selected": "false", tabindex: "-1", onclick: () => this.show(k) }, sheet.name.replace(/^Cal /, "").replace(/^./, (first) => first.toUpperCase()));
      this.tabs.push(tab);
      list.append(tab);
    }
    list.addEventListener("keydown", (event) => this.moved(event));
    const tools = element("div.tools.no-print", {}, this.data.name && button(`Save ${this.data.name}`, () => this.save(), "primary"), button("Print the board paper", () => this.print()));
    const box = element("section.result", { "aria-label": "Result" }, tools);
    if (this.data.name && this.data.reading && this.data.reading.method !== "ordinal" && this.data.reading.method !== "anchors") box.append(this.extracts());
    for (const note of this.data.notes) box.append(element("p.quiet.no-print", {}, note));
    if (this.what?.criterion) box.append(element("p.criterion", {}, "Criterion, by itself: ", element("strong", {}, this.what.criterion)));
    box.append(list, this.panel);
    await this.show(0, false);
    return box;
  }

  /** The data of a sheet, asked for when it is first looked at. */
  async sheet(k) {
    if (k < 0) return null;
    if (!this.sheets.has(k)) {
      const [answer] = await this.ask({ do: "sheet", number: k });
      if (answer.refused) return null;
      this.sheets.set(k, answer.sheet);
    }
    return this.sheets.get(k);
  }

  async rows(what) {
    const [answer] = await this.ask(what);
    return answer.refused ? null : answer;
  }

  async pageOf(k) {
    const sheet = await this.sheet(k);
    const rows = (what) => this.rows(what);
    if (k) return sheet && (() => sheetView(sheet, this.decisions, rows));
    const values = await this.sheet(this.data.report.sheets.findIndex(({ name }) => name.startsWith("Cal values")));
    return sheet && (() => summaryView(this.data, sheet, values, this.decisions, rows));
  }

  async show(k, focus = true) {
    const turn = ++this.turn;
    for (const [n, tab] of this.tabs.entries()) {
      tab.setAttribute("aria-selected", String(n === k));
      tab.tabIndex = n === k ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", this.tabs[k].id);
    this.at = k;
    if (focus) this.tabs[k].focus();
    this.panel.setAttribute("aria-busy", "true");
    const page = await this.pageOf(k);
    if (turn !== this.turn || !page) return;
    forgetWaiting();
    this.panel.replaceChildren(page());
    this.panel.removeAttribute("aria-busy");
  }

  moved(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const last = this.tabs.length - 1;
    const to = event.key === "Home" ? 0 : event.key === "End" ? last : event.key in steps ? (this.at + steps[event.key] + last + 1) % (last + 1) : -1;
    if (to < 0) return;
    event.preventDefault();
    this.show(to);
  }

  async save() {
    const [answer, bytes] = await this.ask({ do: "save", decisions: filledIn(this.decisions) }, "Writing the workbook");
    if (!bytes) return;
    hand(bytes, answer.name);
    announce(`${answer.name} was handed to your browser, which saves it among the downloads.`);
  }

  async print() {
    await this.show(0, false);
    await everything(this.panel);
    window.print();
  }

  extracts() {
    const { objects, assessors } = this.data.reading;
    const [object, assessor] = [this.data.reading.nouns.object, this.data.reading.nouns.assessor].map(inSentence);
    const list = freshId("names");
    const names = element("datalist", { id: list });
    const label = element("input", { type: "text", list, autocomplete: "off" });
    const kind = select([["object", `one ${object}`], ["assessor", `one ${assessor}`]], "object", () => {
      label.value = "";
      fill();
    });
    const fill = () => names.replaceChildren(...(kind.value === "object" ? objects : assessors).slice(0, 5000).map((value) => element("option", { value })));
    const said = element("div", { "aria-live": "polite" });
    const make = async (print) => {
      const ask = { do: "extract", kind: kind.value, label: label.value.trim(), choices: this.what.choices, criterion: this.what.criterion, created: moment() };
      const [answer, bytes] = await this.ask(ask, "Making the extract", (refused) => said.replaceChildren(...refused.words.map((line) => element("p.warning", {}, line))));
      if (!bytes) return;
      said.replaceChildren();
      if (print) this.printExtract(answer);
      else {
        hand(bytes, answer.name);
        said.append(element("p.good", {}, `${answer.name} was handed to your browser.`));
      }
    };
    // Thousands of names are listed when somebody looks for one.
    return element("details.extracts.no-print", { ontoggle: () => names.childElementCount || fill() }, element("summary", {}, `Extract for one ${object} or one ${assessor}`),
      element("p.help", {}, "It holds nobody else's data, and can be handed out."),
      element("div.row", {}, field("For", kind), field("Name or number", label), names, button("Save the extract", () => make(false)), button("Print the extract", () => make(true))), said);
  }

  async printExtract({ sheet, footer }) {
    const at = this.at;
    forgetWaiting();
    this.panel.replaceChildren(sheetView(sheet, null), element("p.quiet", {}, footer));
    const back = () => {
      window.removeEventListener("afterprint", back);
      this.show(at, false);
    };
    window.addEventListener("afterprint", back);
    await everything(this.panel);
    window.print();
  }
}

/** Draw what paper needs: every chart, and the rows that the screen left out. */
export function everything(box) {
  drawAll();
  for (const one of box.querySelectorAll("details.look")) one.open = true;
  const waitedFor = [];
  for (const table of box.querySelectorAll(".table-box")) table.dispatchEvent(new CustomEvent("showall", { detail: waitedFor }));
  return Promise.all(waitedFor);
}

/** Whoever prints by the browser's own menu gets the whole of what is shown too. */
export function printWhole() {
  window.addEventListener("beforeprint", () => everything(document));
  window.addEventListener("afterprint", () => {
    for (const box of document.querySelectorAll(".table-box")) box.dispatchEvent(new Event("showsome"));
  });
}
