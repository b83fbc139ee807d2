// Opens the file of one result (panelcal calibrate --html) from disk as a reader would, and writes down what it saw:
// node drive_result.mjs PLAN.json; the plan as for drive.mjs, `page` being that file.
import fs from "node:fs";
import path from "node:path";
import { opened } from "./opened.mjs";

const plan = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const seen = { errors: [], requests: [], axe: {}, sheets: {} };
const { browser, page, require, until, text, load, press, tab } = await opened(plan);
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const checked = async (name) => {
  await page.evaluate(axe);
  seen.axe[name] = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(" | ")}`);
  });
};
const picture = async (name) => plan.pictures && (await page.screenshot({ path: path.join(plan.pictures, `${name}.png`) }));

try {
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("request", (request) => /^(data|file):/.test(request.url()) || seen.requests.push(request.url()));
  await load();
  await until(() => [...document.querySelectorAll(".chart")].every((one) => one.querySelector("svg")));
  seen.heading = await text("h1");
  seen.buttons = await page.$$eval(".result .tools button", (all) => all.map((one) => one.textContent));
  seen.charts = await page.$$eval(".chart svg[role=img]", (all) => all.length);
  await picture("result_file");
  for (const words of await page.$$eval('[role="tab"]', (tabs) => tabs.map((one) => one.textContent))) {
    await tab(words);
    seen.sheets[words] = await page.$$eval('[role="tabpanel"] table', (tables) =>
      tables.map((one) => ({
        headings: [...one.querySelectorAll("thead th")].map((cell) => cell.textContent.trim()),
        rows: one.querySelectorAll("tbody tr").length,
      })),
    );
    await checked(words);
  }
  await tab("Values");
  await page.evaluate(() => [...document.querySelectorAll("thead button")].find((one) => one.textContent === "Calibrated value").click());
  await until((rows) => document.querySelectorAll("tbody tr").length === rows, seen.sheets.Values[0].rows);
  seen.sorted = await page.evaluate(() => {
    const column = [...document.querySelectorAll("thead th")].findIndex((one) => one.innerText.startsWith("Calibrated value"));
    return [...document.querySelectorAll("tbody tr")].map((row) => Number(row.children[column].innerText));
  });
  await press("Built with");
  seen.licences = await text("#licence-texts");
  await press("Close");
  await tab("Summary");
  await page.pdf({ path: path.join(plan.folder, "result.pdf"), preferCSSPageSize: true, landscape: true, format: "A4" });
  await page.setViewport({ width: 768, height: 1024 });
  seen.tablet = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  [seen.ownErrors, seen.ownRequests] = [[...seen.errors], [...seen.requests]];
  seen.outside = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => "went out", () => "stopped"));
  await load(plan.agents);
  for (const words of await page.$$eval('[role="tab"]', (tabs) => tabs.map((one) => one.textContent))) {
    await tab(words);
    await checked(`agents, ${words}`);
  }
  await load(plan.hostile);
  await tab("Assessors");
  seen.hostile = await page.evaluate(() => ({ images: document.images.length, alarmed: globalThis.alarmed === true, text: document.querySelector(".result").innerText.includes("<img") }));
} catch (error) {
  seen.failed = String(error.stack || error);
} finally {
  fs.writeFileSync(path.join(plan.folder, "seen.json"), JSON.stringify(seen));
  await browser.close();
}
