// The page opened in a real browser, and what a reader does to it: press, choose, look, wait.
//
// puppeteer-core drives Debian's own chromium and firefox-esr with one set of calls and downloads no browser of its own,
// which Playwright would, patched; so what is tried here is what readers have.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export const LONG = 400000;

/** `plan` says browser, executable, page, modules and the folder for what is saved; `settings` are Firefox's about:config. */
export async function opened(plan, settings = {}) {
  const require = createRequire(path.join(plan.modules, "package.json"));
  const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")));
  const firefox = plan.browser === "firefox";
  const browser = await puppeteer.launch(
    firefox
      ? {
          browser: "firefox",
          executablePath: plan.executable,
          headless: true,
          protocolTimeout: LONG,
          extraPrefsFirefox: {
            "browser.download.folderList": 2,
            "browser.download.dir": plan.folder,
            "browser.download.useDownloadDir": true,
            "browser.download.alwaysOpenPanel": false,
            ...settings,
          },
        }
      : { executablePath: plan.executable, headless: true, protocolTimeout: LONG, args: ["--no-sandbox", "--disable-dev-shm-usage"] },
  );
  const page = await browser.newPage();
  await page.setViewport({ width: 1600, height: 1000 });
  if (!firefox) {
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: plan.folder });
  }
  return { browser, page, require, ...hands(page, plan) };
}

function hands(page, plan) {
  const until = (test, ...given) => page.waitForFunction(test, { timeout: LONG, polling: 100 }, ...given);
  const idle = () => until(() => document.querySelector(".busy").hidden);
  const drawn = () => until(() => document.querySelector('[role="tabpanel"] h2') && !document.querySelector('.result [aria-busy="true"]'));
  return {
    until,
    idle,
    drawn,
    text: (wanted) => page.evaluate((one) => document.querySelector(one)?.innerText ?? "", wanted),
    press: (words) =>
      page.evaluate((wanted) => {
        const found = [...document.querySelectorAll("button")].find((one) => one.textContent.startsWith(wanted) && one.offsetParent);
        if (!found) throw new Error(`there is no button ${wanted}`);
        found.click();
      }, words),
    async load(file = plan.page) {
      await page.goto(pathToFileURL(file).href, { waitUntil: "domcontentloaded", timeout: LONG });
      await page.waitForSelector("html[data-ready]", { timeout: LONG });
    },
    async understood() {
      await until(() => document.querySelector(".reading, .refusal"));
      await idle();
    },
    async result() {
      await until(() => document.querySelector(".result") || document.querySelector(".refusal"));
      await idle();
    },
    async tab(words) {
      await page.evaluate((wanted) => [...document.querySelectorAll('[role="tab"]')].find((one) => one.textContent === wanted).click(), words);
      await drawn();
    },
    async saved(name) {
      const place = path.join(plan.folder, name);
      for (let k = 0; k < 1500; k++) {
        if (fs.existsSync(place) && fs.statSync(place).size && !fs.existsSync(`${place}.part`) && !fs.existsSync(`${place}.crdownload`)) return true;
        await new Promise((go) => setTimeout(go, 200));
      }
      return false;
    },
  };
}
