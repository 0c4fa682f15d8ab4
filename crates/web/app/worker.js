// The track lives here, so that the page stays responsive while its line is made. Each message asks for one thing, by
// the name of a function below, and is answered with its result or its error.
import start, { Track, formats } from "./raceline_web.js";

const started = start();
let track = null;
// Time that the last line took, ms.
let lastMs = 0;

const snapshot = (madeInMs = 0) => ({
  name: track.name,
  page: track.page,
  sidecar: track.sidecar,
  state: { ...JSON.parse(track.state()), made_in_ms: madeInMs },
});

const tasks = {
  formats: () => JSON.parse(formats()),
  open(files) {
    const opened = new Track(files.map((file) => file.name), files.map((file) => new Uint8Array(file.bytes)));
    track?.free();
    track = opened;
    return snapshot();
  },
  edit: (edits) => track.edit(edits),
  preview: (edits) => JSON.parse(track.preview(edits)),
  compare(change, bytes) {
    track.compare(change, bytes && new Uint8Array(bytes));
    return { ...snapshot(lastMs), compared: track.comparisonFiles() };
  },
  restore: (files) => track.restoreComparison(files),
  share: () => track.sharedPage(),
  undo: () => track.undo(),
  redo: () => track.redo(),
  make() {
    const begun = performance.now();
    track.make((stage) => postMessage({ stage }));
    lastMs = Math.round(performance.now() - begun);
    return snapshot(lastMs);
  },
  drive(madeInMs) {
    track.drive();
    return snapshot(madeInMs);
  },
  line: () => track.lineFile(),
  export: (format) => track.export(format),
};

addEventListener("message", async ({ data: { id, task, values } }) => {
  try {
    await started;
    postMessage({ id, result: tasks[task](...values) });
  } catch (error) {
    // A panic leaves the memory of the program as it was at that moment: nothing of it is used again.
    postMessage({ id, error: String(error?.message ?? error), ended: error instanceof WebAssembly.RuntimeError });
  }
});
