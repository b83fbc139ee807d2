// The page as a whole: start Python, take files, say what was understood, calibrate or plan, show the result.

import { Criteria } from "./criteria.js";
import { announce, button, byId, element, field } from "./elements.js";
import { Cancelled, Engine, hindrance, limits } from "./engine.js";
import { offerLicences } from "./licences.js";
import { Options } from "./options.js";
import { PlanForm } from "./planning.js";
import { answersView, readingsView, refusalView } from "./reading.js";
import { printWhole, Result } from "./results.js";
import { hand, moment } from "./saving.js";

const EXAMPLES = [
  ["exam_board_example", "An exam board", "82 students, 81 modules"],
  ["grant_panel_example", "A grant panel", "40 proposals, 15 reviewers"],
  ["conference_prize_example", "A prize", "42 talks, 14 judges; takes longer"],
];
const TEMPLATES = {
  exam_board: "Exam board",
  grant_panel: "Grant panel",
  conference_prize: "Conference prize",
  ai_reviewers: "Reviewers beside a bank of agreed scores",
  live_board: "Exam board that calculates by itself in Excel 365",
  job_panel: "Job panel",
  promotion_panel: "Promotion panel",
  star_panel: "Research outputs with stars",
  music_competition: "Music competition",
  wine_competition: "Wine competition",
  rubric: "Rubric with criteria",
};
const STEPS = ["Unpacking", "Starting Python", "Loading panelcal", "Ready"];
const DOING = {
  loading: "Reading the file",
  reading: "Understanding the sheet",
  calibrating: "Calibrating",
  explaining: "Writing the reasons",
  showing: "Drawing the result",
  writing: "Writing the workbook",
  planning: "Planning",
};
const LARGEST_FILE = 60000000;

class Page {
  constructor() {
    this.engine = new Engine((doing) => this.starting(doing));
    this.files = [];
    this.answers = [];
    this.purpose = "calibrate";
    this.turn = 0;
    this.busy = element("div.busy", { hidden: true });
    this.understood = element("div");
    this.outcome = element("div", { id: "outcome" });
    this.chosenFiles = element("p.chosen");
  }

  starting(doing) {
    byId("splash-doing").textContent = `${doing} \u2026`;
    byId("splash-bar").value = STEPS.indexOf(doing) + 1;
    announce(doing);
  }

  async begin() {
    const why = hindrance();
    if (why) return this.stop(why);
    try {
      this.greeting = await this.engine.start();
    } catch (problem) {
      return this.stop(`Python could not be started in this browser (${problem.message}). Close other windows and load the page again; where this is a private window, use an ordinary one; or use another browser.`);
    }
    byId("version").textContent = `panelcal ${this.greeting.version}`;
    this.options = new Options(this.greeting.methods, () => this.understand());
    byId("workplace").append(this.layOut());
    byId("splash").hidden = true;
    byId("workplace").hidden = false;
    document.documentElement.dataset.ready = "yes";
    announce("Ready. Choose a file with scores.");
  }

  stop(words) {
    const splash = byId("splash");
    splash.replaceChildren(element("h1", {}, "This browser cannot do it"), element("p.refusal", { role: "alert" }, words));
    document.documentElement.dataset.ready = "no";
  }

  layOut() {
    const input = element("input.visually-hidden", { type: "file", id: "files", multiple: true, tabindex: "-1", "aria-hidden": "true" });
    input.addEventListener("change", () => this.take([...input.files]).then(() => { input.value = ""; }));
    const drop = element("div.drop", {}, element("p.drop-words", {}, "Drop a workbook (.xlsx) or a .csv file here"),
      button("Choose a file", () => input.click(), "primary"), input,
      element("p.quiet", {}, "Or several at once, where each judge returned a file. Your files are read, never changed."));
    this.dropping(drop);
    const warning = limits();
    const purpose = element("fieldset.purpose", {}, element("legend", {}, "What for?"),
      this.radio("calibrate", "Calibrate scores", true), this.radio("plan", "Plan who assesses what", false));
    const examples = EXAMPLES.map(([name, title, size]) =>
      element("li", {}, button(title, () => this.example(name)), element("span.quiet", {}, ` ${size}`)));
    const templates = Object.entries(TEMPLATES).filter(([name]) => this.greeting.templates.includes(name)).map(([name, title]) =>
      element("li", {}, button(title, () => this.template(name), "link")));
    const first = element("section.card-box", { "aria-labelledby": "first" }, element("h1", { id: "first" }, "Scores"), purpose, drop,
      warning ? element("p.warning", {}, warning) : null, this.chosenFiles,
      element("div.beside", {},
        element("div", {}, element("h2.minor", {}, "Or try an example"), element("p.quiet", {}, "All three are made up."), element("ul.examples", {}, ...examples)),
        element("div", {}, element("h2.minor", {}, "Or save a template to fill in"), element("ul.templates", {}, ...templates))));
    this.second = element("section.card-box", { "aria-label": "What was understood", hidden: true }, this.understood);
    return element("div", {}, element("div.no-print", {}, first, this.second, this.busy), this.outcome);
  }

  radio(value, words, checked) {
    const input = element("input", { type: "radio", name: "purpose", value, checked, onchange: () => { this.purpose = value; this.understand(); } });
    return element("label", {}, input, ` ${words}`);
  }

  dropping(drop) {
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
    document.addEventListener("dragover", () => drop.classList.add("over"));
    for (const kind of ["dragleave", "drop"]) document.addEventListener(kind, () => drop.classList.remove("over"));
    document.addEventListener("drop", (event) => this.take([...(event.dataTransfer?.files || [])]));
  }

  async take(files) {
    if (!files.length) return;
    const large = files.find((file) => file.size > LARGEST_FILE);
    if (large) {
      this.files = [];
      this.fresh();
      this.second.hidden = false;
      this.understood.replaceChildren(element("h2", {}, "What was understood"),
        refusalView({ words: [`${large.name} is larger than a page in a browser can read (${Math.round(large.size / 1e6)} MB): install panelcal and calibrate it on the command line.`], questions: [] }));
      return;
    }
    this.files = await Promise.all(files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]));
    this.fresh();
    await this.understand(true);
  }

  async example(name) {
    const [, bytes] = await this.ask({ do: "template", name }, "Taking the example");
    if (!bytes) return;
    this.files = [[`${name}.xlsx`, bytes]];
    this.fresh();
    await this.understand(true);
  }

  async template(name) {
    const [answer, bytes] = await this.ask({ do: "template", name }, "Taking the template");
    if (bytes) hand(bytes, answer.name);
  }

  fresh() {
    this.answers = [];
    this.options.clear();
    this.outcome.replaceChildren();
    const names = this.files.map(([name]) => name);
    this.chosenFiles.textContent = names.length ? `Chosen: ${names.join(", ")}` : "";
  }

  choices() {
    return { ...this.options.chosen(), answers: this.answers.map((one) => one.gives) };
  }

  /** Ask the engine, with a line that says what is being done, if anything, a button to cancel, and refusals shown. */
  async ask(what, doing, refused) {
    const turn = doing ? ++this.turn : -1;
    if (doing) this.showBusy(doing);
    try {
      const [answer, bytes] = await this.engine.ask(what, [], (step) => turn === this.turn && this.showBusy(DOING[step] || step));
      if (answer.refused) {
        (refused || ((one) => this.showRefusal(one)))(answer.refused);
        return [answer, null];
      }
      return [answer, bytes];
    } catch (problem) {
      if (!(problem instanceof Cancelled)) this.showRefusal({ words: [this.unforeseen(problem)], questions: [] });
      return [{ refused: true }, null];
    } finally {
      if (turn === this.turn) this.busy.hidden = true;
    }
  }

  unforeseen(problem) {
    if (problem.memory) return "The browser has no more memory for this: close other windows and load the page again, or use the panelcal command line.";
    const last = problem.message.trim().split("\n").pop();
    return `Something went wrong that nobody has foreseen, and nothing was calibrated (${last}). Please tell the authors; your file has not left this computer.`;
  }

  showBusy(words) {
    this.busy.hidden = false;
    this.busy.replaceChildren(element("span.spinner", { "aria-hidden": "true" }), element("span", {}, `${words} \u2026 `), button("Cancel", () => this.cancel(), "small"));
    announce(words);
  }

  async cancel() {
    this.turn++;
    this.busy.replaceChildren(element("span.spinner", { "aria-hidden": "true" }), element("span", {}, "Stopped. Starting afresh \u2026"));
    announce("Stopped. Starting afresh.");
    await this.engine.restart();
    this.busy.hidden = true;
    this.opened = this.made = null;
    announce("Ready again.");
  }

  showRefusal(refused) {
    this.second.hidden = false;
    this.understood.replaceChildren(element("h2", {}, "What was understood"),
      answersView(this.answers, (k) => this.takeBack(k)),
      refusalView(refused, (question, answer) => this.answered(question, answer)), this.optionsView());
    const heading = this.understood.querySelector(".refusal h3");
    if (heading) heading.focus();
  }

  optionsView() {
    this.shownOptions ??= this.options.view();
    return this.shownOptions;
  }

  answered(question, answer) {
    this.answers.push({ sentence: question.sentence, meaning: answer.meaning, gives: answer.gives });
    this.understand(true);
  }

  takeBack(k) {
    this.answers.splice(k, 1);
    this.understand(true);
  }

  /** Hand the files to the engine, and an earlier result where one was chosen; false where that is none. */
  async open() {
    const earlier = this.options.earlier;
    if (this.opened === this.files && this.openedEarlier === earlier) return true;
    const all = earlier ? [...this.files, earlier] : this.files;
    const asked = { do: "open", names: this.files.map(([name]) => name), prior: earlier ? earlier[0] : null };
    const [answer] = await this.engine.ask(asked, all.map(([, bytes]) => bytes));
    this.opened = answer.refused ? null : this.files;
    this.openedEarlier = earlier;
    if (answer.refused) this.showRefusal(answer.refused);
    return !answer.refused;
  }

  async understand(focus = false) {
    if (!this.files.length) return;
    this.outcome.replaceChildren();
    this.made = null;
    if (this.purpose === "plan") return this.offerPlan();
    const turn = this.turn + 1;
    if (!(await this.open())) return;
    const [answer] = await this.ask({ do: "understand", choices: this.choices() }, "Understanding the sheet");
    if (answer.refused || turn !== this.turn) return;
    this.second.hidden = false;
    const readings = answer.each || [["", answer.reading]];
    this.criteria = readings.map(([name]) => name);
    const go = button(answer.each ? "Calibrate each" : "Calibrate", () => this.calibrate(), "primary.large");
    const heading = element("h2", { tabindex: "-1" }, "What was understood");
    this.understood.replaceChildren(heading, answersView(this.answers, (k) => this.takeBack(k)), readingsView(readings), this.optionsView(), element("p", {}, go));
    if (focus) heading.focus();
    announce(`Understood: ${readings.map(([name, reading]) => (name ? `${name}: ` : "") + reading.summary).join("; ")}. Press ${go.textContent}.`);
  }

  offerPlan() {
    this.second.hidden = false;
    this.planForm ??= new PlanForm();
    const go = button("Make the plan", () => this.plan(), "primary.large");
    this.understood.replaceChildren(element("h2", {}, "Plan who assesses what"),
      answersView(this.answers, (k) => this.takeBack(k)), this.planForm.view(), element("p", {}, go));
  }

  async calibrate() {
    const what = { do: "calibrate", choices: this.choices(), created: moment() };
    if (this.criteria.length === 1) return this.show(what, "Calibrating");
    this.outcome.replaceChildren();
    const each = new Criteria(this.criteria, (criterion) => this.result({ ...what, criterion }, `Calibrating ${criterion}`));
    const view = each.view();
    this.outcome.replaceChildren(view);
    await each.show(this.criteria[0]);
    if (view.isConnected) this.lookAtOutcome();
  }

  async plan() {
    await this.show({ do: "plan", ...this.planForm.wanted(), choices: this.choices(), created: moment() }, "Planning");
  }

  async show(what, doing) {
    this.outcome.replaceChildren();
    const result = await this.result(what, doing);
    const view = result && (await result.view());
    if (!view || this.made !== what) return;
    this.outcome.replaceChildren(view);
    this.lookAtOutcome();
    announce(`Done. ${result.data.sentences[0]}`);
  }

  /** Make a result; nothing where it was refused or given up. */
  async result(what, doing) {
    if (!(await this.open())) return null;
    const [answer] = await this.ask(what, doing);
    if (answer.refused) return null;
    this.made = what;
    return new Result(answer, (asked, words, refused) => this.askOf(what, doing, asked, words, refused), what);
  }

  lookAtOutcome() {
    this.outcome.querySelector("h2")?.focus({ preventScroll: true });
    this.outcome.scrollIntoView({ block: "start" });
  }

  /** Ask something about a result, which a Worker that was ended and replaced must make again first. */
  async askOf(what, doing, asked, words, refused) {
    if (!(await this.open())) return [{ refused: true }, null];
    if (this.made !== what) {
      const [answer] = await this.ask(what, doing, refused);
      if (answer.refused) return [answer, null];
      this.made = what;
    }
    return this.ask(asked, words, refused);
  }
}

offerLicences();
printWhole();

const page = new Page();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => page.begin());
else page.begin();
