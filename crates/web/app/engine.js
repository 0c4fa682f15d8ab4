// A worker that the app asks: each question is answered by the worker's task of that name.

export const UNLOADED = "the program can't be loaded: is the network there?";

export class Engine {
  // `given`: the compiled program, where another worker compiles it. `begun`: a worker that runs already, and what it sent;
  // any other begins when it is first asked.
  constructor(script, onStage = () => {}, given = null, begun = null) {
    this.script = script;
    this.onStage = onStage;
    this.given = given;
    this.asked = new Map();
    this.count = 0;
    this.worker = null;
    if (begun) this.begin(begun);
  }

  begin(begun = null) {
    const worker = (this.worker = begun?.worker ?? new Worker(this.script, { type: "module" }));
    if (!begun) Promise.resolve(this.given).then((given) => worker.postMessage({ program: given }));
    const hear = ({ data }) => {
      if (data.stage) return this.onStage(data.stage);
      if (data.program) return this.onProgram(data.program);
      const { done, failed } = this.asked.get(data.id) ?? {};
      this.asked.delete(data.id);
      if (data.ended) this.end("raceline has met a defect: please report the track that it was given");
      if (data.error === undefined) done?.(data.result);
      else failed?.(new Error(data.error));
    };
    const fail = () => this.end(UNLOADED);
    // What came before is heard when those who wait for it are there too.
    for (const event of begun?.events ?? []) queueMicrotask(() => (event.type === "error" ? fail() : hear(event)));
    worker.addEventListener("message", hear);
    worker.addEventListener("error", fail);
  }

  ask(task, ...values) {
    if (!this.worker) this.begin();
    const id = ++this.count;
    return new Promise((done, failed) => {
      this.asked.set(id, { done, failed });
      this.worker.postMessage({ id, task, values });
    });
  }

  // Ends what is under way. The track in the worker is lost: it is to be opened again.
  end(reason) {
    this.worker?.terminate();
    this.worker = null;
    for (const { failed } of this.asked.values()) failed(new Error(reason));
    this.asked.clear();
    this.onEnd?.();
  }
}
