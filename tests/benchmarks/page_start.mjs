// Opens pages in turn and prints how long each took until it was ready: node page_start.mjs MODULES ROUNDS PAGE...
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, rounds, ...pages] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), "package.json"));
const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")));
for (let round = 0; round < Number(rounds); round++) {
  for (const one of pages) {
    const browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", headless: true, protocolTimeout: 300000, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path.resolve(one)).href, { waitUntil: "domcontentloaded", timeout: 300000 });
    await page.waitForSelector("html[data-ready]", { timeout: 300000 });
    const seconds = await page.evaluate(() => [performance.now() / 1000, (performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0) / 1000]);
    console.log(JSON.stringify([path.basename(one), ...seconds]));
    await browser.close();
  }
}
