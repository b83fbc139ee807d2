// One result in a file of its own: as the page shows it, with every sheet in the file and nothing left to ask.

import { byId } from "./elements.js";
import { offerLicences } from "./licences.js";
import { printWhole, Result } from "./results.js";

const held = (name) => JSON.parse(byId(name).textContent);

async function showResult() {
  const result = new Result(held("result"), async ({ number }) => [{ sheet: held(`sheet-${number}`) }]);
  byId("outcome").append(await result.view());
  document.documentElement.dataset.ready = "yes";
}

offerLicences();
printWhole();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", showResult);
else showResult();
