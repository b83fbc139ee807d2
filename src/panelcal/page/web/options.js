// How to calibrate: method, zero of the biases, classes, level and the few other choices of the sheet Settings.

import { button, element, field, select } from "./elements.js";

const METHODS = {
  confidence: "Calibration with confidence (the usual one)",
  simple_average: "Simple average",
  weighted_average: "Weighted average",
  fisher: "Fisher calibration (without confidences)",
  assessor_centred: "Each assessor centred",
  z_scores: "z scores",
  spread: "Generosity and spread of each assessor",
  bounded: "Bounded scale",
  log: "On a logarithmic scale",
  shrunken_biases: "Shrunken biases",
  random_effects: "Random effects",
  median_polish: "Median polish",
  bisquare: "Bisquare, which resists slips",
  review_thresholds: "Thresholds of each reviewer",
  hodge: "From comparisons (Hodge)",
  hodge_signs: "From wins only (Hodge, signs)",
  kemeny: "Fewest preferences turned round (Kemeny)",
  prior: "With earlier biases (sheet Prior)",
  ordinal: "Ratings: the best candidates, with probabilities",
  anchors: "Anchors: agents beside a bank of agreed scores",
};
const GAUGES = [
  ["", "As the file says (usually: keep the weighted mean)"],
  ["weighted", "Keep the mean, weighted by confidence"],
  ["equal", "The assessors' biases add up to zero"],
  ["reference", "A reference value of your own"],
];

export class Options {
  constructor(methods, changed) {
    const tell = () => changed();
    this.method = select([["", "As the file says (usually: calibration with confidence)"], ...methods.map((name) => [name, METHODS[name] || name])], "", tell);
    this.gauge = select(GAUGES, "", () => this.gaugeChosen(changed));
    this.reference = element("input", { type: "text", inputmode: "decimal", onchange: tell, autocomplete: "off" });
    this.common = element("input", { type: "text", autocomplete: "off", onchange: tell });
    this.ranked = select([["", "As the file says (usually: with a rank)"], ["yes", "With a rank"], ["no", "Without rank and class"]], "", tell);
    this.earlier = null;
    this.earlierFile = element("input", { type: "file", onchange: async () => { await this.takeEarlier(); tell(); } });
    this.criteria = select([["", "As the file says (usually: one score, or a question)"], ["together", "Several criteria, calibrated together"], ["each", "Several criteria, each by itself"]], "", tell);
    this.sheet = element("input", { type: "text", autocomplete: "off", onchange: tell });
    this.level = select([["", "As the file says (usually 95%)"], ["0.8", "80%"], ["0.9", "90%"], ["0.95", "95%"], ["0.99", "99%"]], "", tell);
    this.heading = element("input", { type: "text", autocomplete: "off", maxlength: 120, onchange: tell });
    this.low = element("input", { type: "text", inputmode: "decimal", onchange: tell, autocomplete: "off" });
    this.high = element("input", { type: "text", inputmode: "decimal", onchange: tell, autocomplete: "off" });
    this.better = select([["", "As the file says (usually: higher is better)"], ["higher", "Higher is better"], ["lower", "Lower is better"]], "", tell);
    this.bands = element("div.bands");
    this.changed = tell;
    this.referenceField = field("Reference value", this.reference, "The mean that the values shall have. Blank: the mean of the scores.");
    this.referenceField.hidden = true;
  }

  gaugeChosen(changed) {
    this.referenceField.hidden = this.gauge.value !== "reference";
    if (this.referenceField.hidden) this.reference.value = "";
    changed();
  }

  /** Keep an earlier result, by its name and bytes; null where none is chosen. */
  async takeEarlier() {
    const [file] = this.earlierFile.files;
    this.earlier = file ? [file.name, new Uint8Array(await file.arrayBuffer())] : null;
  }

  bandRow(name = "", from = "") {
    const row = element("div.band");
    const title = element("input", { type: "text", "aria-label": "Name of the class", placeholder: "First", onchange: this.changed, value: name });
    const lowest = element("input", { type: "text", inputmode: "decimal", "aria-label": "It begins at", placeholder: "70", onchange: this.changed, value: from });
    row.append(title, lowest, button("Remove", () => { row.remove(); this.changed(); }, "small"));
    return row;
  }

  view() {
    const scale = element("div.pair", {}, field("Lowest possible score", this.low), field("Highest possible score", this.high));
    const classes = element("fieldset", {}, element("legend", {}, "Classes"),
      element("p.help", {}, "A name, and the score where it begins, such as First from 70. Leave empty to keep those of the file, if it has any."),
      this.bands, button("Add a class", () => { const row = this.bandRow(); this.bands.append(row); row.firstChild.focus(); }, "small"));
    return element("details.options", { id: "options" }, element("summary", {}, "Choices: method, classes, level and more"),
      element("p.help", {}, "Nothing here need be touched. What the sheet Settings of your workbook says holds until you choose otherwise."),
      element("div.grid", {}, field("Method", this.method), field("Where the zero of the biases lies", this.gauge), this.referenceField,
        field("Common objects", this.common, "That everybody assessed first: they alone fix the zero. Semicolons between."), field("Ranks of common objects", this.ranked),
        field("Last year's result, for its biases", this.earlierFile, "Cal prior then says what they would change; the method of that name puts them into the values."),
        field("Criteria", this.criteria, "Scores or ratings in several columns: together says who leans on which; each has a result of its own."),
        field("Sheet with the scores", this.sheet, "Blank: the one that was in front when the workbook was saved, or the only one with scores."),
        field("Level of the intervals", this.level), field("Direction", this.better), scale,
        field("Heading of the paper", this.heading, "Such as board, degree and year.")),
      classes);
  }

  /** What was chosen, as the bridge takes it. */
  chosen() {
    const settings = { level: this.level.value, heading: this.heading.value, scale_low: this.low.value, scale_high: this.high.value };
    if (this.better.value) settings.higher_is_better = this.better.value;
    if (this.common.value) settings.common = this.common.value;
    if (this.ranked.value) settings.common_ranked = this.ranked.value;
    const bands = [...this.bands.children].map((row) => [row.children[0].value, row.children[1].value]).filter(([name, from]) => name || from);
    return { sheet: this.sheet.value.trim(), method: this.method.value, gauge: this.gauge.value, reference: this.reference.value, criteria: this.criteria.value, settings, bands };
  }

  /** Forget everything, for another file. */
  clear() {
    this.earlier = null;
    for (const input of [this.earlierFile, this.method, this.gauge, this.reference, this.common, this.ranked, this.criteria, this.sheet, this.level, this.heading, this.low, this.high, this.better]) input.value = "";
    this.bands.replaceChildren();
    this.referenceField.hidden = true;
  }
}
