// Compiles the sources of a tree with the Python that will run them: node compile_tree.mjs FOLDER-OF-PYODIDE TREE.json
// TREE.json holds [path, source in base64] pairs and is replaced by [path, compiled module in base64] pairs.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [core, tree] = process.argv.slice(2).map((given) => path.resolve(given));
const { loadPyodide } = await import(pathToFileURL(path.join(core, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: core + path.sep, packages: [], env: { PYTHONHASHSEED: "0" } });
python.FS.writeFile("/tree.json", new Uint8Array(fs.readFileSync(tree)));
python.runPython(`
import base64, importlib._bootstrap_external as external, json, warnings
warnings.simplefilter("ignore")
compiled = []
for path, source in json.load(open("/tree.json")):
    code = compile(base64.b64decode(source), "/" + path, "exec", dont_inherit=True, optimize=0)
    # Without looking for the source, which is not there.
    data = external._code_to_hash_pyc(code, b"panelcal", False)
    compiled.append((path + "c", base64.b64encode(bytes(data)).decode()))
json.dump(compiled, open("/tree.json", "w"))
`);
fs.writeFileSync(tree, python.FS.readFile("/tree.json"));
