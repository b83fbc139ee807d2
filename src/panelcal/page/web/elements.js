// Elements of the page made in code. Whatever comes from a file is set as text, never as HTML.

export const byId = (id) => document.getElementById(id);

/** element("p.quiet", {id: "x"}, "text", child, ...): a tag with classes, attributes, and what stands in it. */
export function element(tag, attributes, ...within) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "value") made.value = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...within.filter((one) => one !== null && one !== undefined));
  return made;
}

export const button = (words, onclick, kind = "") => element(`button${kind && "." + kind}`, { type: "button", onclick }, words);

/** Say something to those who listen to the page rather than look at it. */
export function announce(words) {
  byId("status").textContent = words;
}

let made = 0;
/** An id that nothing else on the page has. */
export const freshId = (stem) => `${stem}-${++made}`;

/** Gives names of which no two are the same: what comes again is counted. */
export function namesApart() {
  const given = new Map();
  return (name) => {
    given.set(name, (given.get(name) || 0) + 1);
    return given.get(name) > 1 ? `${name}, ${given.get(name)}` : name;
  };
}

/** A label with its field below it, and one line of help. */
export function field(words, input, help = "") {
  const id = freshId("field");
  input.id = id;
  const line = help ? element("span.help", { id: `${id}-help` }, help) : null;
  if (line) input.setAttribute("aria-describedby", line.id);
  return element("div.field", {}, element("label", { for: id }, words), input, line);
}

export function select(entries, chosen, onchange) {
  const made = element("select", { onchange });
  for (const [value, words] of entries) made.append(element("option", { value, selected: value === chosen }, words));
  return made;
}

/** A noun of a heading as it stands within a sentence: Student becomes student, PhD stays. */
export const inSentence = (noun) => (/^.[A-Z]/.test(noun) || noun.length < 2 ? noun : noun.charAt(0).toLowerCase() + noun.slice(1));
