// Python in its Worker: started from what stands in this page, asked questions by number, ended and replaced to cancel.

import { byId } from "./elements.js";

const facts = () => JSON.parse(byId("facts").textContent);

export class Cancelled extends Error {}
export class Broken extends Error {}

export class Engine {
  constructor(tell) {
    this.tell = tell;
    this.waiting = new Map();
    this.number = 0;
    this.worker = null;
    this.code = null;
    this.parts = null;
    this.greeting = null;
  }

  /** Start Python; resolves with what it says is there. */
  async start() {
    this.parts ??= { core: await part("core"), standard: await part("standard"), site: await part("site") };
    this.code ??= await unpackedText(byId("payload-worker-code").textContent);
    const place = URL.createObjectURL(new Blob([this.code], { type: "text/javascript" }));
    this.worker = new Worker(place);
    const begun = new Promise((done, fail) => {
      this.worker.onmessage = ({ data }) => this.heard(data, done, fail);
      this.worker.onerror = (problem) => {
        problem.preventDefault();
        fail(new Broken(problem.message || "The Worker did not start."));
      };
    });
    this.worker.postMessage({ start: { ...this.parts, lock: facts().lock } });
    try {
      this.greeting = await begun;
    } finally {
      URL.revokeObjectURL(place);
    }
    return this.greeting;
  }

  heard(data, done, fail) {
    const asked = this.waiting.get(data.number);
    if (data.ready) done(data.ready);
    else if (data.doing) (asked ? asked.telling : this.tell)(data.doing);
    else if (data.failed) {
      const problem = new Broken(data.failed);
      problem.memory = data.memory;
      if (!asked) return fail(problem);
      this.waiting.delete(data.number);
      asked.fail(problem);
    } else if (asked) {
      this.waiting.delete(data.number);
      asked.done([JSON.parse(data.text), data.workbook]);
    }
  }

  /** Ask one question; resolves with the answer and the bytes of a workbook, if there is one. */
  ask(what, payload = [], telling = () => {}) {
    return new Promise((done, fail) => {
      const number = ++this.number;
      this.waiting.set(number, { done, fail, telling });
      this.worker.postMessage({ number, ask: what, payload });
    });
  }

  /** End whatever is being done, and start again. */
  async restart() {
    this.worker.terminate();
    for (const { fail } of this.waiting.values()) fail(new Cancelled());
    this.waiting.clear();
    return this.start();
  }
}

/** A part of Python, moved from the text of the document to where the browser keeps files: it is read in pieces there. */
async function part(name) {
  await new Promise((go) => setTimeout(go, 0)); // so that the page answers between two of them
  const holder = byId(`payload-${name}`);
  const kept = new Blob([holder.textContent]);
  holder.remove();
  return kept;
}

async function unpackedText(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Say why this browser cannot run the page, or nothing where it can. */
export function hindrance() {
  if (typeof WebAssembly !== "object") {
    return "This browser has WebAssembly switched off, without which nothing can be calculated here. It may be the lockdown mode of an iPhone or iPad, or a rule of your IT. Open this file in another browser, or use the panelcal command line.";
  }
  if (typeof Worker !== "function") {
    return "This browser runs no Workers here, as some private windows do not. Open this file in an ordinary window, or in another browser.";
  }
  if (typeof DecompressionStream !== "function" || typeof HTMLDialogElement !== "function") {
    return "This browser is too old for this page: it needs Chrome or Edge 103, Firefox 113, Safari 16.4, or newer.";
  }
  return "";
}

/** Say what may go wrong on this machine, before it does. */
export function limits() {
  const handheld = /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  return handheld
    ? "iPhones and iPads give a page little memory: a board of some thousand marks is fine, a larger panel may end with this page being loaded again. Then use a computer."
    : "";
}
