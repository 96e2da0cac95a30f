// Python in the browser: it answers {id, asked} with {id, value, ms}. All files come from the folder python/ beside this one.
import { loadPyodide } from "./python/pyodide.mjs";

const PYTHON = new URL("python/", import.meta.url).href;
const ROOT = "/memnet", opened = new Map();

async function fetched(name) {
  const response = await fetch(PYTHON + name);
  if (!response.ok) throw new Error(`${name} is missing`);
  return response.arrayBuffer();
}

const first = fetched("network-memn2n.zip");
opened.set("memn2n", first);

async function start() {
  const parts = [fetched("numpy.zip"), fetched("memnet.zip"), first];
  const python = await loadPyodide({ indexURL: PYTHON });
  for (const part of parts) python.unpackArchive(await part, "zip", { extractDir: ROOT });
  python.runPython(`import gc, sys; gc.disable(); sys.path.insert(0, "${ROOT}")`);
  const { reply } = python.pyimport("memnet.serve.playground");
  python.runPython("gc.enable()");
  return { python, reply };
}

async function bring(python, name) {
  if (!name || opened.has(name)) return opened.get(name);
  const part = fetched(`network-${name}.zip`).then((data) => python.unpackArchive(data, "zip", { extractDir: ROOT }));
  opened.set(name, part);
  part.catch(() => opened.delete(name));
  return part;
}

const started = start();
let turn = started;
started.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error.message ?? error) }));

onmessage = ({ data: { id, asked } }) => {
  turn = turn.then(async () => {
    const { python, reply } = await started;
    try {
      await bring(python, asked.network);
      const from = performance.now();
      const value = JSON.parse(reply(JSON.stringify(asked)));
      postMessage({ id, value, ms: performance.now() - from });
    } catch (error) {
      console.error(error);
      postMessage({ id, value: { error: "Something went wrong in the page's Python; the console says what." }, ms: 0 });
    }
  });
};
