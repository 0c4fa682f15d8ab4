// Answers a page in its worker. Each message asks for one thing, by the name of a task, and is answered with its result
// or its error. The first message has the program, where another worker has compiled it; `start` loads it else.
export function answer(start, tasks) {
  let begin;
  const started = new Promise((done) => (begin = done));
  addEventListener("message", async ({ data }) => {
    if ("program" in data) return begin(start(data.program ? { module_or_path: data.program } : undefined));
    const { id, task, values } = data;
    try {
      await started;
      postMessage({ id, result: tasks[task](...values) });
    } catch (error) {
      // A panic leaves the memory of the program as it was at that moment: nothing of it is used again.
      postMessage({ id, error: String(error?.message ?? error), ended: error instanceof WebAssembly.RuntimeError });
    }
  });
}
