// Python beside the page, in a Worker made from a Blob. pyodide.asm.js and pyodide.js stand before this text.
// It has no network: what Pyodide would fetch is handed over by the page once, in `start`.
(() => {
  "use strict";
  const NOWHERE = "https://page.invalid/";
  let files = {};
  let python = null;
  let bridge = null;

  self.fetch = async (wanted) => {
    const name = String(wanted.url || wanted).replace(NOWHERE, "");
    if (!(name in files)) throw new TypeError(`Nothing is fetched here: ${name}`);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(files[name], { headers: { "content-type": type } });
  };

  const bytesOf = (text) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
    return bytes;
  };

  // A packed part is read, decoded and unpacked piece by piece, so that it is never in memory as a whole beside what it
  // becomes.
  const SLICE = 1 << 20; // characters, a multiple of four
  const unpacking = (packed) => {
    let at = 0;
    const bytes = new ReadableStream({
      async pull(out) {
        if (at >= packed.size) return out.close();
        const text = await packed.slice(at, (at += SLICE)).text();
        out.enqueue(bytesOf(text));
      },
    });
    return bytes.pipeThrough(new DecompressionStream("gzip"));
  };
  const unpacked = async (packed) => new Uint8Array(await new Response(unpacking(packed)).arrayBuffer());

  // The tree: ten figures for the length of a list, the list [[path, length], ...], and the contents one after the other.
  const filesOf = async (packed) => {
    const reader = unpacking(packed).getReader();
    let rest = new Uint8Array(0);
    const next = async (length) => {
      const taken = new Uint8Array(length);
      for (let filled = 0; filled < length; ) {
        if (!rest.length) rest = (await reader.read()).value;
        const some = rest.subarray(0, length - filled);
        taken.set(some, filled);
        filled += some.length;
        rest = rest.subarray(some.length);
      }
      return taken;
    };
    const words = async (length) => new TextDecoder().decode(await next(length));
    const found = [];
    for (const [path, length] of JSON.parse(await words(Number(await words(10))))) found.push([path, await next(length)]);
    return found;
  };

  const plant = (tree) => {
    const made = new Set();
    for (const [path, content] of tree) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      if (!made.has(folder)) {
        python.FS.mkdirTree(`/${folder}`);
        made.add(folder);
      }
      python.FS.writeFile(`/${path}`, content, { canOwn: true });
    }
  };

  // What Python has loaded it never reads again: the contents are given back, and the names stay.
  const giveBack = () => {
    const loaded = bridge.files_loaded();
    for (const path of loaded.toJs()) {
      const { node } = python.FS.lookupPath(path);
      node.contents = new Uint8Array(0);
      node.usedBytes = 0;
    }
    loaded.destroy();
  };

  const tell = (doing) => postMessage({ doing });

  const start = async ({ core, lock, standard, site }) => {
    tell("Unpacking");
    const tree = filesOf(site);
    [files["pyodide.asm.wasm"], files["python_stdlib.zip"]] = await Promise.all([unpacked(core), unpacked(standard)]);
    files["pyodide-lock.json"] = lock;
    tell("Starting Python");
    python = await loadPyodide({ indexURL: NOWHERE, packages: [], env: { HOME: "/home/pyodide", TZ: zone() } });
    files = {};
    plant(await tree);
    tell("Loading panelcal");
    await python._api.loadDynlib("/usr/lib/libopenblas.so", true);  // scipy's own libraries look for it
    bridge = python.pyimport("panelcal.page.bridge");
    postMessage({ ready: JSON.parse(bridge.greeting()) });
    await warm();
  };

  // Python knows no time zones here; it is told how far this computer's clock is from universal time.
  const zone = () => {
    const minutes = new Date().getTimezoneOffset();
    const part = (number) => String(Math.floor(Math.abs(number))).padStart(2, "0");
    return `LOC${minutes < 0 ? "-" : "+"}${part(minutes / 60)}:${part(minutes % 60)}`;
  };

  // What the first calculation needs is loaded while the reader chooses a file, step by step, so that a request that
  // comes in between waits for one step at most.
  const warm = async () => {
    const pause = () => new Promise((go) => setTimeout(go, 0));
    for (const name of bridge.loaded_beforehand().toJs()) {
      await pause();
      if (!bridge.is_loaded(name)) bridge.load(name);
    }
    giveBack();
    postMessage({ warm: true });
  };

  const answer = ({ number, ask, payload }) => {
    const telling = (doing) => postMessage({ number, doing });
    const reply = bridge.request(JSON.stringify(ask), payload || [], telling);
    const [text, bytes] = reply.toJs();
    reply.destroy();
    giveBack();
    const workbook = bytes && bytes.length ? bytes.slice() : null;
    postMessage({ number, text, workbook }, workbook ? [workbook.buffer] : []);
  };

  self.onmessage = async ({ data }) => {
    try {
      if (data.start) await start(data.start);
      else {
        if (!python) throw new Error("not started");
        answer(data);
      }
    } catch (error) {
      const text = String((error && error.message) || error);
      postMessage({ number: data.number, failed: text.slice(-4000), memory: /memory/i.test(text) });
    }
  };
})();
