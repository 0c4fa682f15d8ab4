// Answers a page in its worker. Each message asks for one thing, by the name of a task, and is answered with its result
// or its error.
export function answer(started, tasks) {
  addEventListener("message", async ({ data: { id, task, values } }) => {
    try {
      await started;
      postMessage({ id, result: tasks[task](...values) });
    } catch (error) {
      // A panic leaves the memory of the program as it was at that moment: nothing of it is used again.
      postMessage({ id, error: String(error?.message ?? error), ended: error instanceof WebAssembly.RuntimeError });
    }
  });
}
