// Coarse lines are made here, so that what is dragged shows one while the worker of the track makes a line, and where a
// cancelled run took the track's line from it.
import start, { Sketch, Track } from "./raceline_web.js";
import { answer } from "./answers.js";

let sketch = null;

const tasks = {
  // A browser compiles what has run for some time once more, and faster, for all workers that have the program: a track
  // that is made here while the first screen is looked at halves the time of the first line.
  warm(files) {
    const track = new Track(files.map(({ name }) => name), files.map(({ bytes }) => new Uint8Array(bytes)));
    track.make();
    track.free();
  },
  set(previewer) {
    sketch?.free();
    sketch = new Sketch(previewer);
  },
  preview: (sidecar, edits) => JSON.parse(sketch.preview(sidecar, edits)),
};

answer(start, tasks);
