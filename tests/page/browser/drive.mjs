// Drives the page in a real browser as a reader would, and writes down what it saw:
// node drive.mjs PLAN.json, where PLAN.json says browser, page, files, folder for what is saved, and node_modules.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { LONG, opened } from "./opened.mjs";

const plan = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const seen = { log: [], errors: [], requests: [], axe: {}, saved: {} };
const firefox = plan.browser === "firefox";
const began = Date.now();
const log = (words) => {
  seen.log.push(`${((Date.now() - began) / 1000).toFixed(1)} ${words}`);
  console.error(plan.browser, seen.log.at(-1));
};
const { browser, page, require, until, idle, drawn, text, press, load, understood, result, tab, saved } = await opened(plan);
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

try {
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("request", (request) => /^(blob|data|file):/.test(request.url()) || seen.requests.push(request.url()));
  const choose = async (...files) => {
    await page.evaluate(() => { for (const one of document.querySelectorAll(".reading, .refusal, .result")) one.remove(); });
    await (await page.$("#files")).uploadFile(...files);
    await understood();
  };
  const checked = async (name) => {
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
      return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(" | ")}`);
    });
    seen.axe[name] = found;
    log(`axe ${name}: ${found.length}`);
  };
  const words = async (...places) => (await Promise.all(places.map(text))).join(" ").split(/\s+/).filter((one) => /\w/.test(one)).length;
  const picture = async (name) => plan.pictures && (await page.screenshot({ path: path.join(plan.pictures, `${name}.png`) }));

  // Open from disk.
  await load();
  seen.ready = await page.evaluate(() => document.documentElement.dataset.ready);
  seen.readyAfter = await page.evaluate(() => performance.now() / 1000);
  seen.shellAfter = await page.evaluate(() => (performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1) / 1000);
  log(`ready ${seen.ready} after ${seen.readyAfter.toFixed(1)} s, shell after ${seen.shellAfter.toFixed(2)} s`);
  await page.evaluate(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(event.effectiveDirective));
  });
  await picture("page_start");
  seen.words = { page: await words("#workplace") };
  await checked("start");
  await press("Built with");
  await checked("licences");
  seen.licences = await text("#licence-texts");
  await press("Close");

  // A refusal, its answer by a click, and taking it back.
  await choose(plan.question);
  seen.question = await text(".refusal");
  await picture("page_question");
  await checked("question");
  await press("Leave it out");
  await until(() => document.querySelector(".reading"));
  await idle();
  seen.answered = await text(".reading");
  seen.given = await text(".given");
  await press("Take back");
  await until(() => document.querySelector(".refusal"));
  await idle();
  seen.takenBack = await text(".refusal");

  // What cannot be read is refused in words.
  await choose(plan.notRead);
  seen.notRead = await text(".refusal");

  // Several criteria, each by itself: asked about, answered by a click, a result and a file each.
  await choose(plan.rubric);
  await press("Calibrate each by itself");
  await until(() => document.querySelector(".criterion"));
  await idle();
  seen.each = { understood: await page.$$eval(".criterion > summary", (all) => all.map((one) => one.innerText)), results: [] };
  await press("Calibrate each");
  for (const criterion of plan.criteria) {
    await press(criterion);
    await until((name) => document.querySelector("p.criterion strong")?.textContent === name, criterion);
    await idle();
    const entry = await page.$("input.decision");
    if (entry) await entry.type(`About ${criterion}`);
    seen.each.results.push({ said: await text(".headline"), run: await text(".run") });
    await press("Save ");
    seen.each.results.at(-1).there = await saved(`rubric-${criterion.replaceAll(" ", "_")}-calibrated.xlsx`);
    await idle();
  }
  await checked("each criterion");
  await picture("page_criteria");
  await press(plan.criteria[0]); // again: its Python has been given up for the second's, and is made anew when asked
  await until((name) => document.querySelector("p.criterion strong")?.textContent === name, plan.criteria[0]);
  await drawn();
  seen.each.kept = await page.evaluate(() => document.querySelector("input.decision")?.value ?? "");
  await tab("Values");
  seen.each.again = await text('[role="tabpanel"]');
  await idle();

  // Names that look like HTML are text.
  await choose(plan.hostile);
  seen.hostileReading = await text(".reading");
  await press("Calibrate");
  await result();
  await tab("Assessors");
  seen.hostile = await page.evaluate(() => ({ images: document.images.length, alarmed: globalThis.alarmed === true, text: document.querySelector(".result").innerText.includes("<img") }));

  // Each template's example, by dropping it, saved as the reader saves it.
  for (const file of plan.examples) {
    const name = path.basename(file);
    await page.evaluate(() => { for (const one of document.querySelectorAll(".reading, .refusal, .result")) one.remove(); });
    await page.evaluate((called, content) => {
      const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
      const carried = new DataTransfer();
      carried.items.add(new File([bytes], called));
      document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: carried }));
    }, name, fs.readFileSync(file).toString("base64"));
    await understood();
    if (name.startsWith("exam_board")) {
      await page.evaluate(() => document.querySelector('[aria-label="What was understood"]').scrollIntoView());
      await picture("page_understood");
      seen.words.understood = await words(".reading");
      await checked("understood");
    }
    await press("Calibrate");
    await result();
    seen.saved[name] = { said: await text(".headline"), run: await text(".run") };
    await press("Save ");
    seen.saved[name].there = await saved(name.replace(".xlsx", "-calibrated.xlsx"));
    await idle();
    log(`calibrated and saved ${name}`);
    if (name.startsWith("exam_board")) {
      await page.evaluate(() => document.querySelector("#outcome").scrollIntoView());
      await picture("page_summary");
      seen.words.result = await words(".headline", ".cards", ".look", ".summary .table-box");
      seen.cases = await page.$$eval("input.decision", (all) => all.length);
      await checked("summary");
      await until(() => [...document.querySelectorAll(".chart")].every((one) => one.querySelector("svg")));
      seen.charts = await page.evaluate(() => [...document.querySelectorAll(".chart svg")].map((one) => ({
        role: one.getAttribute("role"), words: document.getElementById(one.getAttribute("aria-describedby"))?.textContent ?? "", shapes: one.querySelectorAll("path, rect, circle, line").length,
      })));
      await page.evaluate(() => document.querySelector(".charts").scrollIntoView());
      await picture("page_charts");
      await page.emulateMediaFeatures?.([{ name: "prefers-color-scheme", value: "dark" }]).catch(() => {});
      await picture("page_dark");
      await checked("dark");
      await page.emulateMediaFeatures?.([{ name: "prefers-color-scheme", value: "light" }]).catch(() => {});

      // A decision filled in, every tab, sorting.
      await page.evaluate(() => {
        const entry = document.querySelector("input.decision");
        entry.value = "Confirmed";
        entry.dispatchEvent(new Event("input", { bubbles: true }));
      });
      seen.tabs = [];
      for (const words of await page.$$eval('[role="tab"]', (tabs) => tabs.map((one) => one.textContent))) {
        await tab(words);
        seen.tabs.push([words, (await text('[role="tabpanel"]')).length]);
      }
      await tab("Values");
      await until(() => document.querySelectorAll("tbody tr").length === 82);
      await page.evaluate(() => document.querySelector("#outcome").scrollIntoView());
      await picture("page_values");
      await checked("values");
      seen.sorted = {};
      for (const way of ["up", "down"]) {
        seen.sorted[way] = await page.evaluate(() => {
          const heading = [...document.querySelectorAll("th")].find((one) => one.innerText.startsWith("Calibrated value"));
          heading.querySelector("button").click();
          return heading.getAttribute("aria-sort");
        });
        await until(() => document.querySelectorAll("tbody tr").length === 82);
      }
      seen.sorted.values = await page.evaluate(() => {
        const column = [...document.querySelectorAll("th")].findIndex((one) => one.innerText.startsWith("Calibrated value"));
        return [...document.querySelectorAll("tbody tr")].map((row) => Number(row.children[column].innerText));
      });
      await tab("Summary");

      // Print: the board paper, and nothing of the page around it.
      await page.pdf({ path: path.join(plan.folder, "board.pdf"), preferCSSPageSize: true, landscape: true, format: "A4" });

      // 200% zoom, and a tablet held upright: nothing is wider than the window.
      for (const [called, width, height] of [["zoom", 800, 500], ["tablet", 768, 1024]]) {
        await page.setViewport({ width, height });
        seen[called] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        await checked(called);
        await picture(`page_${called}`);
      }
      await page.setViewport({ width: 1600, height: 1000 });

      // An extract.
      await page.evaluate(() => {
        const box = document.querySelector(".extracts");
        box.open = true;
        box.querySelector("input").value = "2121806";
      });
      await press("Save the extract");
      seen.extract = await saved(name.replace(".xlsx", "-2121806.xlsx"));
      await idle();
    }
  }

  // Several files, one for each judge.
  await choose(...plan.judges);
  seen.judges = await text(".reading");

  // A plan.
  await page.evaluate(() => document.querySelector('input[value="plan"]').click());
  await (await page.$("#files")).uploadFile(plan.lists);
  await until(() => document.querySelector(".chosen").textContent.includes("lists"));
  await press("Make the plan");
  await result();
  seen.plan = await text(".headline");
  await page.evaluate(() => document.querySelector('input[value="calibrate"]').click());

  // A long run is cancelled, and the page goes on.
  await choose(plan.examples.find((one) => one.includes("conference_prize")));
  await press("Calibrate");
  await until(() => /Cancel/.test(document.querySelector(".busy").innerText) && !document.querySelector(".busy").hidden);
  await new Promise((go) => setTimeout(go, 1500));
  await press("Cancel");
  await idle();
  seen.afterCancel = await page.evaluate(() => Boolean(document.querySelector(".result")));
  log("cancelled");

  // By keyboard alone: from the top of the page to a result.
  await page.evaluate(() => {
    document.querySelector(".skip").focus();
    for (const one of document.querySelectorAll(".reading, .refusal, .result")) one.remove();
    window.scrollTo(0, 0);
  });
  const reach = async (words) => {
    for (let k = 0; k < 80; k++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((wanted) => document.activeElement?.textContent?.trim() === wanted, words)) return true;
    }
    return false;
  };
  seen.keyboard = await reach("A grant panel");
  await page.keyboard.press("Enter");
  await understood();
  seen.keyboard &&= await reach("Calibrate");
  await page.keyboard.press("Enter");
  await result();
  seen.keyboard &&= await reach("Summary");
  await page.keyboard.press("ArrowRight");
  seen.keyboardTab = await text('[role="tab"][aria-selected="true"]');
  log("by keyboard");

  // Nothing goes out, nothing is kept.
  seen.violations = await page.evaluate(() => globalThis.violations);
  [seen.ownErrors, seen.ownRequests] = [[...seen.errors], [...seen.requests]];
  seen.outside = await page.evaluate(async () => {
    const target = "http://127.0.0.1:9/";
    const tries = {
      fetch: () => fetch(target).then(() => "went out"),
      image: () => new Promise((done, fail) => { const one = new Image(); one.onload = () => done("went out"); one.onerror = () => fail(new Error("blocked")); one.src = `${target}a.png`; }),
      data: () => new Promise((done, fail) => { const one = new Image(); one.onload = () => done("went out"); one.onerror = () => fail(new Error("blocked")); one.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw="; }),
      socket: () => new Promise((done, fail) => { const one = new WebSocket("ws://127.0.0.1:9/"); one.onopen = () => done("went out"); one.onerror = () => fail(new Error("blocked")); }),
      request: () => new Promise((done, fail) => { const one = new XMLHttpRequest(); one.onload = () => done("went out"); one.onerror = () => fail(new Error("blocked")); one.open("GET", target); one.send(); }),
      script: () => new Promise((done, fail) => { const one = document.createElement("script"); one.textContent = "globalThis.smuggled = true"; document.head.append(one); setTimeout(() => (globalThis.smuggled ? done("ran") : fail(new Error("blocked"))), 50); }),
    };
    const found = {};
    for (const [name, attempt] of Object.entries(tries)) {
      try { found[name] = await attempt(); } catch { found[name] = "stopped"; }
    }
    return found;
  });
  seen.stopped = await page.evaluate(() => globalThis.violations);
  seen.kept = await page.evaluate(async () => {
    const count = (get) => { try { return get(); } catch { return 0; } };
    const bases = await (indexedDB.databases?.().catch(() => []) ?? []);
    return [count(() => localStorage.length), count(() => sessionStorage.length), count(() => document.cookie.length), bases.length];
  });
  seen.memory = firefox ? null : (await page.metrics()).JSHeapUsedSize;
  // Browsers that lack something are told so, before anything else runs there.
  seen.without = {};
  const told = async (name, wanted, prepare, given) => {
    const other = await browser.newPage();
    await other.evaluateOnNewDocument(prepare, given);
    await other.goto(pathToFileURL(plan.page).href, { waitUntil: "domcontentloaded", timeout: LONG });
    await other.waitForSelector("html[data-ready]", { timeout: LONG });
    seen.without[name] = await other.evaluate((one) => document.querySelector(one)?.innerText ?? "", wanted);
    await other.close();
  };
  for (const lacking of ["WebAssembly", "Worker", "DecompressionStream"]) {
    await told(lacking, "#splash", (name) => Object.defineProperty(globalThis, name, { value: undefined }), lacking);
  }
  await told("Worker allowed", "#splash", () => { globalThis.Worker = class { constructor() { throw new DOMException("not here", "SecurityError"); } }; });
  const [iphone, mac] = ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"];
  for (const [name, userAgent, maxTouchPoints] of [["memory of a computer, iPhone", iphone, 5], ["memory of a computer, iPad", mac, 5], ["nothing, Mac", mac, 0]]) {
    await told(name, "#workplace .warning", (of) => {
      for (const [key, value] of Object.entries(of)) Object.defineProperty(Navigator.prototype, key, { get: () => value });
    }, { userAgent, maxTouchPoints });
  }
  // Scripts are switched off for a page in Chromium, for a whole browser in Firefox; neither keeps the driver from asking.
  const other = firefox ? await opened(plan, { "javascript.enabled": false }) : { browser, page: await browser.newPage() };
  if (!firefox) await other.page.setJavaScriptEnabled(false);
  seen.without.scripts = [];
  for (const one of [plan.page, plan.result]) {
    await other.page.goto(pathToFileURL(one).href, { waitUntil: "domcontentloaded", timeout: LONG });
    seen.without.scripts.push(await other.page.evaluate(() => document.body.innerText));
  }
  if (firefox) await other.browser.close();
  log("done");
} catch (error) {
  seen.failed = String(error.stack || error);
} finally {
  fs.writeFileSync(path.join(plan.folder, "seen.json"), JSON.stringify(seen));
  await browser.close();
}
