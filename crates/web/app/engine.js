// A worker that the app asks: each question is answered by the worker's task of that name.

export const UNLOADED = "the program can't be loaded: is the network there?";

export class Engine {
  constructor(script, onStage = () => {}, given = null) {
    this.script = script;
    this.onStage = onStage;
    this.given = given;
    this.asked = new Map();
    this.count = 0;
    this.begin();
  }

  begin() {
    const worker = (this.worker = new Worker(this.script, { type: "module" }));
    Promise.resolve(this.given).then((given) => worker.postMessage({ program: given }));
    this.worker.addEventListener("message", ({ data }) => {
      if (data.stage) return this.onStage(data.stage);
      if (data.program) return this.onProgram(data.program);
      const { done, failed } = this.asked.get(data.id) ?? {};
      this.asked.delete(data.id);
      if (data.ended) this.end("raceline has met a defect: please report the track that it was given");
      if (data.error === undefined) done?.(data.result);
      else failed?.(new Error(data.error));
    });
    this.worker.addEventListener("error", () => this.end(UNLOADED));
  }

  ask(task, ...values) {
    const id = ++this.count;
    return new Promise((done, failed) => {
      this.asked.set(id, { done, failed });
      this.worker.postMessage({ id, task, values });
    });
  }

  // Ends what is under way. The track in the worker is lost: it is to be opened again.
  end(reason) {
    this.worker.terminate();
    for (const { failed } of this.asked.values()) failed(new Error(reason));
    this.asked.clear();
    this.begin();
    this.onEnd?.();
  }
}
