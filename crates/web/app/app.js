// The app: opens a track, has its line made by the worker, and shows the page of it in a frame. The page asks its
// owner, this script, what it would ask `raceline serve`.
import { Engine, UNLOADED } from "./engine.js";
import * as lastTrack from "./last_track.js";

const byId = (id) => document.getElementById(id);
const params = new URLSearchParams(location.search);

// A page in a window that is not looked at may not come.
const LONGEST_PAGE_MS = 3000;
// A line within this time needs no page before it.
const DRAFT_AFTER_MS = 1500;
const KEPT_AFTER_MS = 10000;

// ---- The track that is open

class App {
  constructor() {
    const begin = (given, begun) => {
      const engine = new Engine("worker.js", (stage) => this.busy && engine === this.engine && this.progress(`${stage} …`), given, begun);
      engine.onEnd = () => engine === this.sketch && this.describe(this.previewer);
      return engine;
    };
    // Makes coarse lines of the track that `previewer` describes, a text, beside `sidecar`, the text as it was changed last.
    this.sketch = begin(null, firstWorker);
    // That worker began first, so that it compiles the program, for the other one and for those that follow.
    this.program = new Promise((done) => {
      this.sketch.onProgram = (compiled) => done((this.sketch.given = compiled));
    });
    // Has the track that is open.
    this.engine = begin(this.program);
    this.previewer = null;
    this.sidecar = "";
    // What `guess` made or makes: its files, the track and its line.
    this.guessed = null;
    this.files = [];
    // What the engine opened: the files without the log, its name, and what was found in it.
    this.opened = [];
    // The line as a file to come, the sentence about its drive, and why laps of a log are not beside it.
    this.line = this.note = null;
    this.trouble = "";
    // Number of the run: one that was cancelled goes no further.
    this.run = 0;
    // What was asked for to change the track, in its order: edits, undo and redo.
    this.changes = [];
    // The lines of the comparison, as files.
    this.compared = [];
    this.shown = null;
    this.busy = false;
    this.problem = null;
    // Whether a cancelled run took the line on the page from the worker, and whether the run now is that of a change.
    this.isLost = this.isOfChange = false;
    // Done when the track is open again after a cancelled run.
    this.reopened = null;
    // Number of the track that is open: what was asked for another one comes too late.
    this.visit = 0;
    byId("back").addEventListener("click", () => this.close());
    byId("cancel").addEventListener("click", () => (this.reopened = this.cancel()));
    byId("save-line").addEventListener("click", () => this.save("raceline.json", () => this.lineFile()));
    byId("save-as").addEventListener("change", ({ target }) => {
      const { value } = target;
      target.value = "";
      const format = this.formats?.find(({ name }) => name === value);
      const ending = format && [...new Set([format.name, format.extension])].join(".");
      if (format) this.save(ending, async () => this.later.ask("export", await this.lineFile(), format.name));
      else if (value === "page") this.save("html", () => this.ofLine("share"));
      else if (value === "changes") this.save("toml", async () => this.shown.sidecar);
    });
  }

  // The worker for what no first line needs, begun when it is first asked.
  get later() {
    this.laterEngine ??= new Engine("later.js");
    return this.laterEngine;
  }

  list(formats) {
    this.formats = formats;
    const option = ({ name, description }) => Object.assign(new Option(name), { title: description, className: "of-line", disabled: byId("save-line").disabled });
    byId("save-as").append(...formats.map(option));
  }

  // Makes the line of a track while the first screen is looked at, unless one is opened meanwhile. Where it is the one that
  // is opened first, its line is there or under way; for another one the browser has the program compiled and made fast.
  guess(files) {
    if (this.visit > 0) return;
    const [opened, made] = [this.sketch.ask("open", files), this.sketch.ask("make")];
    opened.catch(() => {});
    made.then(() => this.visit === 0 && keepForNextVisit(), () => {});
    this.guessed = { files, opened, made };
  }

  // The guess, if these are its files: its worker is that of the track then. Otherwise it ends, as soon as the other worker
  // has the program.
  takeGuess(files) {
    const { guessed, sketch } = this;
    this.guessed = null;
    if (guessed?.files === files) {
      [this.engine, this.sketch] = [sketch, this.engine];
      return guessed;
    }
    if (guessed) this.program.then(() => sketch.end("another track is chosen"));
    return null;
  }

  async open(files) {
    const guessed = this.takeGuess(files);
    wrong(null);
    const visit = ++this.visit;
    byId("opening").hidden = false;
    try {
      this.files = files;
      this.changes = [];
      this.compared = [];
      this.isLost = false;
      this.reopened = null;
      const given = guessed ? [files] : await this.withLog(files);
      if (visit !== this.visit) return;
      this.opened = given;
      const opened = await (guessed?.opened ?? this.engine.ask("open", ...given));
      if (visit !== this.visit) return;
      this.show(opened);
      this.problem = null;
      byId("first").hidden = byId("opening").hidden = true;
      byId("bar").hidden = byId("page").hidden = false;
      await this.make(false, guessed?.made);
    } catch (error) {
      if (visit !== this.visit) return;
      this.close();
      wrong(error.message);
    }
  }

  // The log among the files is read by its own program. Positions with times are a log where they hold a lap, else a road.
  async withLog(files) {
    const kinds = await this.engine.ask("kinds", files);
    const logs = files.filter((_, k) => kinds[k]);
    if (logs.length === 0) return [files];
    if (logs.length > 1) throw new Error(`${logs[0].name} and ${logs[1].name} are two logs: give one of them`);
    const [log] = logs;
    try {
      return [files.filter((file) => file !== log), log.name, await this.later.ask("log", log)];
    } catch (error) {
      if (error.message === UNLOADED || kinds[files.indexOf(log)] === "log") throw error;
      return [files];
    }
  }

  close() {
    this.visit++;
    if (this.busy) this.engine.end("another track is chosen");
    this.setBusy(false);
    byId("first").hidden = false;
    showFirst();
    byId("opening").hidden = true;
    byId("bar").hidden = byId("page").hidden = true;
    byId("page").removeAttribute("srcdoc");
    this.shown = this.line = this.note = null;
    this.describe(null);
  }

  // Gives the maker of coarse lines its track.
  describe(previewer) {
    this.previewer = previewer;
    if (previewer) this.sketch.ask("set", previewer).catch(() => {});
  }

  // The coarse line with edits that are not made, while something is dragged, whatever the track's worker does.
  preview(edits) {
    return this.sketch.ask("preview", this.sidecar, edits);
  }

  // Makes the line, or waits for one that is `underWay`.
  async make(isOfChange = false, underWay = undefined) {
    const { visit } = this;
    this.isOfChange = isOfChange;
    const run = ++this.run;
    this.setBusy(true);
    try {
      let made = await (underWay ?? this.engine.ask("make"));
      if (visit !== this.visit) return;
      this.isLost = false;
      const isMade = !made.state.problem;
      // Asked for before the next change, which may be cancelled and take the track with it.
      const line = isMade && this.engine.ask("line");
      if (line) line.catch(() => {});
      let trouble = "";
      if (isMade && made.awaitsLaps) {
        const laps = await this.later.ask("laps", await line).catch(({ message }) => void (trouble = message));
        if (visit !== this.visit || run !== this.run) return;
        made = await this.engine.ask("layLaps", laps);
        if (visit !== this.visit) return;
      }
      const previewer = line && this.engine.ask("previewer").catch(() => null);
      if (line) [this.line, this.note, this.trouble] = [line, null, made.trouble || trouble];
      this.show(made);
      this.setBusy(false);
      if (made.state.missing === "vehicle") await this.askForVehicle(visit);
      if (line) await this.follow(visit, previewer);
    } catch (error) {
      if (visit !== this.visit) return;
      this.problem = error.message;
      this.setBusy(false);
    }
  }

  // The default vehicle may be too large for a road: the page opens its cards, when it is there.
  async askForVehicle(visit) {
    for (let looks = 0; looks < 100 && visit === this.visit; looks++) {
      const cards = byId("page").contentWindow?.raceline?.editor?.cards;
      if (cards) return cards.open(true);
      await new Promise((later) => setTimeout(later, 50));
    }
  }

  // The line as a file, made again where a cancelled run took it.
  lineFile() {
    return this.line.catch(() => this.ofLine("line"));
  }

  // What a line is followed by, when its page is there: it would take the processor from that.
  async follow(visit, asked) {
    await new Promise((done) => {
      this.onPage = done;
      setTimeout(done, LONGEST_PAGE_MS);
    });
    const previewer = await asked;
    if (visit !== this.visit) return;
    if (previewer) this.describe(previewer);
    await this.drive();
    keepForNextVisit();
  }

  // The reader need not wait for the follower, which drives the last of the lines that came meanwhile.
  async drive() {
    if (this.isDriving) return;
    this.isDriving = true;
    try {
      let line = null;
      while (this.line && line !== this.line) {
        line = this.line;
        if (!this.busy) this.progress("driving the lap …");
        const note = await this.later.ask("drive", await this.lineFile());
        if (line === this.line) this.note = note;
      }
      if (!this.formats) this.list(await this.later.ask("formats"));
      if (!this.busy) this.progress(this.trouble);
    } catch (error) {
      if (!this.busy) this.progress(error.message);
    } finally {
      this.isDriving = false;
    }
  }

  // Asks for something of the line, which is made again where a cancelled run took it.
  async ofLine(...asked) {
    await this.reopened;
    if (this.isLost) await this.make();
    return this.engine.ask(...asked);
  }

  // The fastest lap of a log in the frame of the line, as a table; nothing for another file.
  async lapOfLog(name, bytes) {
    const file = { name, bytes };
    const [kind] = await this.engine.ask("kinds", [file]);
    const table = kind ? await this.later.ask("fastest", file, await this.lineFile()).catch(() => null) : null;
    return table && new TextEncoder().encode(table).buffer;
  }

  // Changes what the line is compared with, as JSON, which makes another page; the reason if that is refused, else nothing.
  async compare(change, bytes, isLap = false) {
    const { visit } = this;
    try {
      const { compared, ...shown } = await this.ofLine("compare", change, bytes);
      if (visit !== this.visit) return "";
      this.compared = compared;
      this.show(shown);
      return "";
    } catch (error) {
      // The laps of a log may be in another frame than the line.
      const lap = bytes && !isLap && (await this.lapOfLog(JSON.parse(change).name, bytes));
      if (visit !== this.visit) return "";
      return lap ? this.compare(change, lap, true) : error.message;
    }
  }

  // A run that is ended takes the worker with it; the track is opened again, with the changes before that of the run and
  // with what was compared.
  async cancel() {
    const { visit } = this;
    const { sidecar, page, state } = this.shown;
    this.sidecar = sidecar;
    this.run++;
    this.engine.end("the run was cancelled");
    this.setBusy(false);
    const opened = await this.engine.ask("open", ...this.opened);
    if (this.isOfChange) this.changes.pop();
    let { can_undo, can_redo } = opened.state;
    for (const [path, body] of this.changes) ({ steps: { can_undo, can_redo } } = await this.engine.ask(path, body));
    await this.engine.ask("restore", this.compared);
    this.isLost = state.made_in_ms > 0;
    if (visit === this.visit) this.shown = { ...opened, sidecar, page, state: { ...state, can_undo, can_redo } };
  }

  show(snapshot) {
    const isNew = this.shown?.state.page !== snapshot.state.page || this.shown?.name !== snapshot.name;
    this.shown = snapshot;
    this.sidecar = snapshot.sidecar;
    this.problem = snapshot.state.problem;
    byId("name").textContent = snapshot.name;
    lastTrack.keep(this.files, snapshot).then(offerLast);
    const hasLine = snapshot.state.made_in_ms > 0 && !snapshot.state.problem;
    for (const part of [byId("save-line"), ...document.querySelectorAll(".of-line")]) part.disabled = !hasLine;
    // The first page; the page itself asks for each one after it, so that it can keep what the reader sees. A line that comes
    // soon need not wait for the page of a track without one.
    if (!isNew || byId("page").srcdoc) return;
    const { visit } = this;
    if (snapshot.state.made_in_ms > 0 || snapshot.state.problem) this.reload();
    else setTimeout(() => this.showDraft(visit), DRAFT_AFTER_MS);
  }

  // The page of the track without a line, made by the worker that does not make the line.
  async showDraft(visit) {
    const isWanted = () => visit === this.visit && !byId("page").srcdoc;
    if (!isWanted()) return;
    const page = await this.sketch.ask("draft", ...this.opened).catch(() => null);
    if (!page || !isWanted()) return;
    this.shown.page = page;
    this.reload();
  }

  reload() {
    byId("page").srcdoc = this.shown.page;
    this.framed = this.shown.state.page;
  }

  setBusy(busy) {
    this.busy = busy;
    byId("cancel").hidden = !busy;
    this.progress(busy ? "making the line …" : "");
  }

  progress(text) {
    byId("progress").textContent = text;
  }

  async save(ending, content) {
    try {
      const bytes = await content();
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([bytes]));
      link.download = `${this.shown.name}.${ending}`;
      link.click();
      URL.revokeObjectURL(link.href);
      this.progress(`saved ${link.download}`);
    } catch (error) {
      this.progress(error.message);
    }
  }

  // ---- What the page asks

  // The page loads itself anew when the number differs from its own. A worker that was begun again counts anew, so that
  // the pages themselves are compared.
  state() {
    // A page that is being closed.
    if (!this.shown) return { page: this.framed, busy: false };
    const page = byId("page").srcdoc === this.shown.page ? this.framed : -1;
    if (page === this.framed) this.onPage?.();
    return { ...this.shown.state, note: this.note, page, busy: this.busy, problem: this.problem };
  }

  // The reason if the change is refused, else nothing.
  async post(path, body) {
    try {
      await this.reopened;
      const { sidecar, steps } = await this.engine.ask(path, body);
      this.sidecar = sidecar;
      Object.assign(this.shown.state, steps);
      this.changes.push([path, body]);
    } catch (error) {
      return error.message;
    }
    this.make(true);
    return "";
  }
}

// ---- The track of the last visit

async function offerLast() {
  const last = await lastTrack.read();
  byId("again").hidden = !last;
  if (last) byId("go-on").textContent = `Go on with ${last.name}`;
}

byId("go-on").addEventListener("click", async () => app.open((await lastTrack.read()).files));
byId("drop-kept").addEventListener("click", () => lastTrack.drop().then(offerLast));
offerLast();

function showFirst() {
  document.documentElement.classList.remove("asked");
}

function wrong(text) {
  if (text) showFirst();
  byId("wrong").hidden = !text;
  byId("wrong").textContent = text ?? "";
}

// The service worker loads every file once more, so that it waits for the first line.
let isKept = false;

function keepForNextVisit() {
  const isServed = location.protocol === "https:" || location.hostname === "localhost" || location.hostname === "127.0.0.1";
  if (isServed && !isKept) navigator.serviceWorker?.register("service_worker.js");
  isKept = true;
}

// ---- The first screen

const read = async (file) => ({ name: file.name, bytes: await file.arrayBuffer() });

async function fetched(name) {
  const answer = await fetch(`examples/${name}`);
  if (!answer.ok) throw new Error(`the example ${name} can't be loaded`);
  return { name, bytes: await answer.arrayBuffer() };
}

const app = new App();
globalThis.racelineOwner = { state: () => app.state(), post: (path, body) => app.post(path, body), preview: (body) => app.preview(body), compare: (change, bytes) => app.compare(change, bytes), reload: () => app.reload() };

const openExample = async (names) => {
  try {
    const isGuessed = names === examples[0].files;
    app.open((isGuessed && (await guessedFiles)) || (await Promise.all(names.map(fetched))));
  } catch (error) {
    wrong(error.message);
  }
};

// Those of the first example, where `guess` has them.
let guessedFiles = null;

const examples = await examplesGiven;
for (const { title, note, files, picture } of examples) {
  const button = document.createElement("button");
  button.type = "button";
  const image = Object.assign(new Image(), { src: `examples/${picture}`, alt: "", loading: "lazy" });
  const heading = Object.assign(document.createElement("strong"), { textContent: title });
  button.append(image, heading, Object.assign(document.createElement("span"), { textContent: note }));
  button.addEventListener("click", () => openExample(files));
  const item = document.createElement("li");
  item.append(button);
  byId("examples").append(item);
}

byId("files").addEventListener("change", async ({ target }) => {
  const files = await Promise.all([...target.files].map(read));
  target.value = "";
  if (files.length) app.open(files);
});

const drop = byId("drop");
for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => event.relatedTarget ?? drop.classList.remove("over"));
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const files = await Promise.all([...event.dataTransfer.files].map(read));
  if (files.length) app.open(files);
});

// ---- The language

// English is what the sources have; the texts of another language are loaded when it is asked for.
let translator = null;
const languageList = byId("language");
const isOffered = (code) => [...languageList.options].some(({ value }) => value === code);

// A browser may keep nothing, as for a page in another site's frame.
function kept(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

async function speak(code) {
  try {
    if (code !== "en") translator ??= new (await import("./languages/translator.js")).Translator(byId("page"));
    await translator?.turnTo(code);
  } catch {
    wrong("This language can't be loaded: is the network there?");
    code = translator?.code ?? "en";
  }
  languageList.value = code;
}

languageList.addEventListener("change", ({ target }) => speak(kept("language", target.value) ?? target.value));
speak([kept("language"), ...navigator.languages.map((tag) => tag.split("-")[0])].find(isOffered) ?? "en");

// A link leads to an example, as from a tutorial: ?example=club.
const asked = examples.find(({ files }) => files.some((name) => name.split(".")[0] === params.get("example")));
// The first example is made by the worker that has the program first, whether a link or the reader asks for it.
if (!asked || asked === examples[0]) {
  guessedFiles = Promise.all(examples[0].files.map(fetched)).catch(() => null);
  guessedFiles.then((files) => files && app.guess(files));
}
if (asked) openExample(asked.files);
else showFirst();

// A track that gets no line, or none soon, is no reason to keep nothing.
setTimeout(keepForNextVisit, KEPT_AFTER_MS);
