// Takes a large panel through the page, and writes down how much it drew, what it showed, and its memory and pauses:
// node drive_large.mjs PLAN.json; the plan as for drive.mjs, with the `file`.
import fs from "node:fs";
import path from "node:path";
import { opened } from "./opened.mjs";

const plan = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const seen = { stages: [], tabs: {}, errors: [] };
const { browser, page, until, idle, drawn, text, press, load, understood, result, tab, saved } = await opened(plan);
const began = Date.now();

/** The largest of the browser's processes so far in MB, where the system tells. */
function peak() {
  const children = {};
  const field = (id, file, pattern) => pattern.exec(fs.readFileSync(`/proc/${id}/${file}`, "utf8"))?.[1];
  try {
    for (const id of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        (children[field(id, "status", /^PPid:\s+(\d+)/m)] ??= []).push(id);
      } catch {} // ended meanwhile
    }
    const below = (id) => [id, ...(children[id] ?? []).flatMap(below)];
    const sizes = below(String(browser.process().pid)).map((id) => Number(field(id, "status", /^VmHWM:\s+(\d+)/m) ?? 0) / 1e3);
    return Math.round(Math.max(...sizes));
  } catch {
    return null;
  }
}

const traced = { categories: ["toplevel", "disabled-by-default-devtools.timeline"] };

/** The most processor time that the page's own thread took in one go since this was last asked, in ms. */
async function busiest() {
  const { traceEvents } = JSON.parse(Buffer.from(await page.tracing.stop()).toString());
  const ours = new Set(traceEvents.filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain").map((one) => `${one.pid} ${one.tid}`));
  const taken = traceEvents.filter((one) => /RunTask/.test(one.name) && ours.has(`${one.pid} ${one.tid}`)).map((one) => one.tdur ?? 0);
  await page.tracing.start(traced);
  return Math.round(taken.reduce((most, one) => Math.max(most, one), 0) / 1000);
}

async function stage(name) {
  const pauses = await page.evaluate(() => globalThis.watched.gaps.splice(0));
  const longest = Math.round(Math.max(0, ...pauses));
  seen.stages.push({ name, after: (Date.now() - began) / 1000, peak: peak(), longest, busiest: plan.traced ? await busiest() : null });
  console.error(plan.browser, JSON.stringify(seen.stages.at(-1)));
}

/** How much is on the page: elements, rows of the longest table, elements of the fullest chart. */
const size = () =>
  page.evaluate(() => ({
    elements: document.querySelectorAll("#outcome *").length,
    rows: Math.max(0, ...[...document.querySelectorAll("#outcome tbody")].map((one) => one.children.length)),
    chart: Math.max(0, ...[...document.querySelectorAll("#outcome svg")].map((one) => one.querySelectorAll("*").length)),
  }));
const charted = () => until(() => [...document.querySelectorAll(".chart")].every((one) => one.querySelector("svg")));
const headings = () => page.$$eval("#outcome thead th", (all) => all.map((one) => one.innerText.trim()));
const firstRow = () => page.$eval("#outcome tbody tr", (row) => [...row.children].map((cell) => cell.innerText.trim()));
const press1 = (heading) =>
  page.evaluate((wanted) => [...document.querySelectorAll("#outcome thead button")].find((one) => one.textContent === wanted).click(), heading);

try {
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  if (plan.traced) await page.tracing.start(traced);
  await load();
  await page.evaluate(() => {
    // Gaps between frames, and the most elements that were added in one go: the observer is called after each.
    const watched = (globalThis.watched = { gaps: [], mostAdded: 0 });
    let last = performance.now();
    const frame = (now) => {
      watched.gaps.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const count = (node) => (node.nodeType === 1 ? 1 + node.querySelectorAll("*").length : 0);
    new MutationObserver((changes) => {
      const added = changes.flatMap((change) => [...change.addedNodes]).reduce((sum, node) => sum + count(node), 0);
      watched.mostAdded = Math.max(watched.mostAdded, added);
    }).observe(document.querySelector("#outcome"), { childList: true, subtree: true });
  });
  await stage("ready");
  await (await page.$("#files")).uploadFile(plan.file);
  await understood();
  await stage("read");
  await press("Calibrate");
  await result();
  await charted();
  seen.tabs.Summary = await size();
  await stage("calibrated and shown");
  for (const words of (await page.$$eval('[role="tab"]', (tabs) => tabs.map((one) => one.textContent))).slice(1)) {
    await tab(words);
    await charted();
    seen.tabs[words] = await size();
    if (plan.traced) await stage(`sheet ${words}`);
  }
  await stage("every sheet looked at");
  await tab("Values");
  seen.headings = await headings();
  seen.said = await text(".more");
  for (const way of ["ascending", "descending"]) {
    await press1("Rank");
    await until((wanted) => document.querySelector(`#outcome th[aria-sort="${wanted}"]`), way);
    await drawn();
    seen[way] = await firstRow();
  }
  seen.found = [];
  for (const label of plan.sampled) {
    await page.evaluate((words) => {
      const input = document.querySelector('#outcome input[type="search"]');
      input.value = words;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, label);
    await until((words) => document.querySelector("#outcome tbody").children.length === 1 && document.querySelector("#outcome tbody th").innerText.trim() === words, label);
    seen.found.push(await firstRow());
  }
  await stage("sorted and searched");
  await page.evaluate(() => {
    const input = document.querySelector('#outcome input[type="search"]');
    input.value = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await until(() => document.querySelectorAll("#outcome tbody tr").length === 100);
  seen.mostCells = 0;
  for (const last of [200, 300, 400]) {
    await press("Show 100 more");
    await until((wanted) => document.querySelector("#outcome .more").innerText.includes(` to ${wanted} of`), last);
    await until(() => !document.querySelector('.result [aria-busy="true"]'));
    seen.mostCells = Math.max(seen.mostCells, await page.evaluate(() => document.querySelectorAll("#outcome tbody tr > *").length));
  }
  await stage("more rows");
  await tab("Summary");
  await charted();
  await press("Save ");
  seen.saved = await saved(`${path.parse(plan.file).name}-calibrated.xlsx`);
  await idle();
  await stage("saved");
  if (plan.tooLarge) {
    await (await page.$("#files")).uploadFile(plan.tooLarge);
    await until(() => document.querySelector(".refusal"));
    await idle();
    seen.refusal = await text(".refusal p");
    await stage("a larger one refused");
  }
  seen.mostAdded = await page.evaluate(() => globalThis.watched.mostAdded);
} catch (error) {
  seen.failed = String(error.stack || error);
} finally {
  fs.writeFileSync(path.join(plan.folder, "seen.json"), JSON.stringify(seen));
  await browser.close();
}
