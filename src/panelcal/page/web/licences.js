// What is inside, with its licences, behind the line "Built with" at the foot of every file.

import { byId, element } from "./elements.js";

/** The licences stand in the element `facts` of the document. */
export function offerLicences() {
  const box = byId("licences");
  byId("built-with").addEventListener("click", () => {
    const { licences } = JSON.parse(byId("facts").textContent);
    const parts = Object.entries(licences).map(([work, text]) => element("details", {}, element("summary", {}, work), element("pre", {}, text)));
    byId("licence-texts").replaceChildren(...parts);
    box.showModal();
  });
  byId("licences-close").addEventListener("click", () => box.close());
}
