// The track lives here, so that the page stays responsive while its line is made.
import start, { Track, logKind } from "./raceline_web.js";
import { answer } from "./answers.js";

let track = null;
// Time that the last line took, ms.
let lastMs = 0;

const snapshot = () => ({
  name: track.name,
  page: track.page,
  sidecar: track.sidecar,
  state: { ...JSON.parse(track.state()), made_in_ms: lastMs },
});

const tasks = {
  // What is a log among files.
  kinds: (files) => files.map(({ name, bytes }) => (name.toLowerCase().endsWith(".toml") ? undefined : logKind(new Uint8Array(bytes)))),
  // A track, or the log of a drive with what its reader found.
  open(files, log, drive) {
    const [names, contents] = [files.map(({ name }) => name), files.map(({ bytes }) => new Uint8Array(bytes))];
    const opened = log ? Track.ofLog(log, drive, names, contents) : new Track(names, contents);
    track?.free();
    track = opened;
    lastMs = 0;
    return snapshot();
  },
  // A change gives the text of the sidecar after it.
  edit: (edits) => (track.edit(edits), track.sidecar),
  previewer: () => track.previewer(),
  compare(change, bytes) {
    track.compare(change, bytes && new Uint8Array(bytes));
    return { ...snapshot(), compared: track.comparisonFiles() };
  },
  restore: (files) => track.restoreComparison(files),
  share: () => track.sharedPage(),
  undo: () => (track.undo(), track.sidecar),
  redo: () => (track.redo(), track.sidecar),
  // With the line as a file, if there is one.
  make() {
    const begun = performance.now();
    track.make((stage) => postMessage({ stage }));
    lastMs = Math.round(performance.now() - begun);
    const made = snapshot();
    return made.state.problem ? made : { ...made, line: track.lineFile(), awaitsLaps: track.awaitsLaps() };
  },
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
