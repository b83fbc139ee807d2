// Criteria calibrated each by itself: a button for each, and the result of the one that was pressed, with what was filled in.

import { announce, button, element } from "./elements.js";

export class Criteria {
  /** `make(name)` gives the `Result` of a criterion, or nothing where it was refused or given up. */
  constructor(names, make) {
    this.make = make;
    this.results = new Map();
    this.buttons = names.map((name) => [name, button(name, () => this.show(name))]);
    this.shown = element("div");
  }

  view() {
    const row = element("div.criteria.no-print", { role: "group", "aria-label": "Results, each criterion by itself" }, ...this.buttons.map(([, one]) => one));
    return element("div", {}, row, this.shown);
  }

  /** Show the result of a criterion; it is calibrated when it is first looked at. */
  async show(name) {
    this.wanted = name;
    for (const [other, one] of this.buttons) one.setAttribute("aria-pressed", String(other === name));
    const held = this.results.get(name);
    if (held) await held.result.show(held.result.at, false);
    else await this.first(name);
    const made = this.results.get(name);
    if (!made || this.wanted !== name) return;
    this.shown.replaceChildren(made.view);
    announce(`${name}, by itself: ${made.result.data.sentences[0]}`);
  }

  async first(name) {
    if (this.making === name) return;
    this.making = name;
    const result = await this.make(name);
    const view = result && (await result.view());
    if (view) this.results.set(name, { result, view });
    if (this.making === name) this.making = null;
  }
}
