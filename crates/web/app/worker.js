// The track lives here, so that the page stays responsive while its line is made. A second worker of this kind makes coarse
// lines of it, so that what is dragged shows one meanwhile, and where a cancelled run took the track's line from it.
import start, { Sketch, Track, logKind } from "./raceline_web.js";
import { answer } from "./answers.js";

let track = null;
let sketch = null;
// Time that the last line took, ms.
let lastMs = 0;

// Files as the program takes them.
const listed = (files) => [files.map(({ name }) => name), files.map(({ bytes }) => new Uint8Array(bytes))];
const opened = (files, log, drive) => (log ? Track.ofLog(log, drive, ...listed(files)) : new Track(...listed(files)));

const snapshot = () => ({
  name: track.name,
  page: track.page,
  sidecar: track.sidecar,
  state: { ...JSON.parse(track.state()), made_in_ms: lastMs },
});

// The text of the sidecar after a change, and what there is to take back and to make again.
const changed = () => {
  const { can_undo, can_redo } = JSON.parse(track.state());
  return { sidecar: track.sidecar, steps: { can_undo, can_redo } };
};

const tasks = {
  // What is a log among files.
  kinds: (files) => files.map(({ name, bytes }) => (name.toLowerCase().endsWith(".toml") ? undefined : logKind(new Uint8Array(bytes)))),
  // A track, or the log of a drive with what its reader found.
  open(files, log, drive) {
    const next = opened(files, log, drive);
    track?.free();
    track = next;
    lastMs = 0;
    return snapshot();
  },
  // The page of a track without a line.
  draft(...given) {
    const draft = opened(...given);
    const page = draft.draft();
    draft.free();
    return page;
  },
  edit: (edits) => (track.edit(edits), changed()),
  previewer: () => track.previewer(),
  // The track of coarse lines, as another worker's `previewer` describes it.
  set(previewer) {
    sketch?.free();
    sketch = new Sketch(previewer);
  },
  preview: (sidecar, edits) => JSON.parse(sketch.preview(sidecar, edits)),
  compare(change, bytes) {
    track.compare(change, bytes && new Uint8Array(bytes));
    return { ...snapshot(), compared: track.comparisonFiles() };
  },
  restore: (files) => track.restoreComparison(files),
  share: () => track.sharedPage(),
  undo: () => (track.undo(), changed()),
  redo: () => (track.redo(), changed()),
  make() {
    const begun = performance.now();
    track.make((stage) => postMessage({ stage }));
    lastMs = Math.round(performance.now() - begun);
    return { ...snapshot(), awaitsLaps: track.awaitsLaps() };
  },
  // The line as a file.
  line: () => track.lineFile(),
  // Laps of a log beside the line, or none, which could not be laid on it.
  layLaps(laps) {
    let trouble = "";
    try {
      if (laps) track.layLaps(laps);
      else track.withoutLaps();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      trouble = error.message;
    }
    return { ...snapshot(), trouble };
  },
};

// The program is compiled while it comes from the network. Another worker may have it already.
async function compiled() {
  const answer = await fetch(new URL("raceline_web_bg.wasm", import.meta.url));
  if (!answer.ok) throw new Error("the program can't be loaded: is the network there?");
  const isNamed = answer.headers.get("Content-Type") === "application/wasm";
  const program = await (isNamed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer()));
  postMessage({ program });
  return program;
}

answer(async (given) => start(given ?? { module_or_path: await compiled() }), tasks);
