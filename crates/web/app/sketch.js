// Coarse lines are made here, so that what is dragged shows one while the worker of the track makes a line, and where a
// cancelled run took the track's line from it.
import start, { Sketch } from "./raceline_web.js";
import { answer } from "./answers.js";

let sketch = null;

const tasks = {
  set(previewer) {
    sketch?.free();
    sketch = new Sketch(previewer);
  },
  preview: (sidecar, edits) => JSON.parse(sketch.preview(sidecar, edits)),
};

answer(start(), tasks);
