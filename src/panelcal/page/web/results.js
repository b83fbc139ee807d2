// A result: its sheets as tabs, saving, printing, and extracts for one student or one assessor.

import { announce, button, element, field, freshId, inSentence, select } from "./elements.js";
import { filledIn, hand, moment } from "./saving.js";
import { sheetView } from "./sheets.js";
import { summaryView } from "./summary.js";

export class Result {
  /** `ask(what)` asks the engine and shows what goes wrong; `choices()` are those of the run. */
  constructor(data, ask, choices) {
    this.data = data;
    this.ask = ask;
    this.choices = choices;
    this.decisions = new Map();
    this.panel = element("div", { role: "tabpanel", id: freshId("panel"), tabindex: "-1" });
    this.tabs = [];
  }

  view() {
    const list = element("div.tabs.no-print", { role: "tablist", "aria-label": "Sheets of the result" });
    for (const [k, sheet] of this.data.report.sheets.entries()) {
      const tab = element("button", { type: "button", role: "tab", id: freshId("tab"), "aria-controls": this.panel.id, "aria-selected": "false", tabindex: "-1", onclick: () => this.show(k) }, sheet.name.replace(/^Cal /, "").replace(/^./, (first) => first.toUpperCase()));
      this.tabs.push(tab);
      list.append(tab);
    }
    list.addEventListener("keydown", (event) => this.moved(event));
    const tools = element("div.tools.no-print", {}, button(`Save ${this.data.name}`, () => this.save(), "primary"), button("Print the board paper", () => this.print()));
    const box = element("section.result", { "aria-label": "Result" }, tools);
    if (this.data.reading && this.data.reading.method !== "ordinal" && this.data.reading.method !== "anchors") box.append(this.extracts());
    for (const note of this.data.notes) box.append(element("p.quiet.no-print", {}, note));
    box.append(list, this.panel);
    this.show(0, false);
    return box;
  }

  show(k, focus = true) {
    const sheet = this.data.report.sheets[k];
    for (const [n, tab] of this.tabs.entries()) {
      tab.setAttribute("aria-selected", String(n === k));
      tab.tabIndex = n === k ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", this.tabs[k].id);
    this.panel.replaceChildren(k === 0 ? summaryView(this.data, this.decisions) : sheetView(sheet, this.decisions));
    this.at = k;
    if (focus) this.tabs[k].focus();
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

  print() {
    this.show(0, false);
    requestAnimationFrame(() => window.print());
  }

  extracts() {
    const { objects, assessors } = this.data.reading;
    const [object, assessor] = [this.data.reading.nouns.object, this.data.reading.nouns.assessor].map(inSentence);
    const list = freshId("names");
    const names = element("datalist", { id: list });
    const label = element("input", { type: "text", list, autocomplete: "off" });
    const kind = select([["object", `one ${object}`], ["assessor", `one ${assessor}`]], "object", () => fill());
    const fill = () => {
      label.value = "";
      names.replaceChildren(...(kind.value === "object" ? objects : assessors).slice(0, 5000).map((value) => element("option", { value })));
    };
    fill();
    const said = element("div", { "aria-live": "polite" });
    const make = async (print) => {
      const ask = { do: "extract", kind: kind.value, label: label.value.trim(), choices: this.choices, created: moment() };
      const [answer, bytes] = await this.ask(ask, "Making the extract", (refused) => said.replaceChildren(...refused.words.map((line) => element("p.warning", {}, line))));
      if (!bytes) return;
      said.replaceChildren();
      if (print) this.printExtract(answer.report);
      else {
        hand(bytes, answer.name);
        said.append(element("p.good", {}, `${answer.name} was handed to your browser.`));
      }
    };
    return element("details.extracts.no-print", {}, element("summary", {}, `Extract for one ${object} or one ${assessor}`),
      element("p.help", {}, "It holds nobody else's data, and can be handed out."),
      element("div.row", {}, field("For", kind), field("Name or number", label), names, button("Save the extract", () => make(false)), button("Print the extract", () => make(true))), said);
  }

  printExtract(report) {
    const at = this.at;
    this.panel.replaceChildren(sheetView(report.sheets[0], null), element("p.quiet", {}, report.footer));
    const back = () => {
      window.removeEventListener("afterprint", back);
      this.show(at, false);
    };
    window.addEventListener("afterprint", back);
    requestAnimationFrame(() => window.print());
  }
}
