// What is wanted of a plan: a new one from a list of each, or what to assess next on the scores so far.

import { element, field, select } from "./elements.js";

const wholeNumber = (value, least = "1") => element("input", { type: "number", min: least, max: "9999", value });

export class PlanForm {
  constructor() {
    this.from = select([["lists", "A new plan, from a list of each"], ["scores", "What to assess next, from the scores so far"]], "lists", () => this.chosen());
    this.each = wholeNumber("3");
    this.most = wholeNumber("");
    this.next = wholeNumber("10");
    this.minutes = wholeNumber("");
    this.seed = wholeNumber("0", "0");
    this.fields = {
      each: field("How many shall assess each one", this.each, "Or leave this blank and fill in the next."),
      most: field("How many each assessor takes at most", this.most, "Leave it blank for any number; for a new plan, each one then gets K = J M / N."),
      next: field("How many to assess next", this.next, "The best single one comes first."),
      minutes: field("Minutes for each assessment", this.minutes, "For the hours of each assessor."),
      seed: field("Number of the plan", this.seed, "Another number gives another plan."),
    };
    this.words = element("p", {});
    this.chosen();
  }

  chosen() {
    const goesOn = this.from.value === "scores";
    this.words.textContent = goesOn
      ? "The file needs the scores so far; names without a score and a sheet Conflicts count, too."
      : "The file needs a list of each, with headings such as Talk and Judge, and may list conflicts of interest.";
    for (const name of ["each", "minutes", "seed"]) this.fields[name].hidden = goesOn;
    this.fields.next.hidden = !goesOn;
  }

  view() {
    return element("div", {}, field("What is planned", this.from), this.words, element("div.row", {}, ...Object.values(this.fields)));
  }

  /** What is wanted, as the bridge takes it. */
  wanted() {
    if (this.from.value === "scores") return { next: this.next.value || "1", per_judge: this.most.value };
    return { per_object: this.each.value, per_judge: this.most.value, minutes: this.minutes.value, seed: this.seed.value };
  }
}
