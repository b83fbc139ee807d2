// What was understood of the files, or what keeps them from being read, with the answers to click on.

import { button, element, inSentence } from "./elements.js";
import { counted } from "./numbers.js";

const NOTES_SHOWN = 2;

function where(cells) {
  if (!cells.length) return null;
  const some = cells.slice(0, 12).join(", ");
  return element("span.cells", {}, ` [${some}${cells.length > 12 ? ", \u2026" : ""}]`);
}

function readingView(reading) {
  const box = element("div.reading");
  const rows = reading.rows.map(([what, figure, who]) =>
    element("div", {}, element("dt", {}, what), element("dd", {}, element("strong", {}, figure), who ? ` ${who}` : "")),
  );
  box.append(element("dl.understood", {}, ...rows));
  box.append(element("p", {}, `Read ${reading.summary}, sheet ${reading.sheet}. ${reading.counts}.`));
  for (const note of reading.notes) box.append(element("p.warning", {}, note));
  const look = reading.decisions.filter((decision) => decision.look);
  const others = reading.decisions.filter((decision) => !decision.look);
  if (look.length) {
    box.append(element("h3", {}, "Look at these first"));
    box.append(element("ul.marked", {}, ...reading.cautions.map((line) => element("li", {}, line))));
    box.append(element("details", {}, element("summary", {}, "Each of these with its cells, and what to do"),
      element("ul", {}, ...look.map((one) => element("li", {}, one.sentence, where(one.cells))))));
  }
  if (others.length) box.append(longList(others));
  box.append(element("details", {}, element("summary", {}, `All names: ${counted(reading.assessors.length, inSentence(reading.nouns.assessor))}, ${counted(reading.objects.length, inSentence(reading.nouns.object))}`),
    element("p.names", {}, reading.assessors.join(", ")), element("p.names", {}, reading.objects.slice(0, 2000).join(", "))));
  return box;
}

/** What was understood: once, or for each criterion that is calibrated by itself. */
export function readingsView(readings) {
  if (readings.length === 1) return readingView(readings[0][1]);
  const parts = readings.map(([name, reading], k) =>
    element("details.criterion", { open: !k }, element("summary", {}, element("strong", {}, name), `, by itself: ${reading.summary}${cautionsSaid(reading)}`), readingView(reading)));
  return element("div", {}, ...parts);
}

function cautionsSaid({ cautions }) {
  return cautions.length ? `; ${counted(cautions.length, "thing")} to look at` : "";
}

function longList(decisions) {
  const items = decisions.map((one) => element("li", {}, one.sentence, where(one.cells)));
  if (items.length <= NOTES_SHOWN) return element("ul", {}, ...items);
  return element("details", {}, element("summary", {}, `${items.length} more things were decided while reading`), element("ul", {}, ...items));
}

/** A refusal; `answered` is called with the answer that was clicked on. */
export function refusalView(refused, answered) {
  const box = element("div.refusal", { role: "alert" });
  box.append(element("h3", { tabindex: "-1" }, refused.questions.length ? "One thing only you can say" : "This cannot be calibrated yet"));
  if (refused.questions.length > 1) box.firstChild.textContent = `${refused.questions.length} things only you can say`;
  for (const line of refused.words) box.append(element("p", {}, line.replace(/^- /, "")));
  for (const question of refused.questions) {
    const group = element("fieldset.question", {}, element("legend", {}, question.sentence));
    if (question.cells.length) group.append(element("p.quiet", {}, where(question.cells).textContent.trim()));
    const answers = element("div.answers-to-click");
    for (const answer of question.answers) answers.append(button(capital(answer.meaning), () => answered(question, answer)));
    group.append(answers);
    box.append(group);
  }
  return box;
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** What the reader has answered so far, each with a button to take it back. */
export function answersView(answers, takenBack) {
  if (!answers.length) return element("div");
  const items = answers.map((one, k) =>
    element("li", {}, `${one.sentence} `, element("strong", {}, `You said: ${one.meaning}. `), button("Take back", () => takenBack(k), "small")),
  );
  return element("div.given", {}, element("h3", {}, "Your answers"), element("ul", {}, ...items));
}
