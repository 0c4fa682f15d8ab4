// Follows the server: says what it does, and loads the page anew when there is a new one.

// While a line is made, and else.
const BUSY_POLL_MS = 40;
const POLL_MS = 150;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

let announced = "";

// What is on the page already, in another language perhaps, is not announced again.
function status(text, kind = "") {
  const place = byId("status");
  if (announced === text && place.className === kind) return;
  announced = text;
  place.textContent = text;
  place.className = kind;
}

// What is doubtful about the line, below the status; the program's own words.
function warn(warnings) {
  const list = byId("doubts");
  const text = warnings.join("\n");
  if (list.dataset.text === text) return;
  list.dataset.text = text;
  list.hidden = warnings.length === 0;
  list.replaceChildren(...warnings.map((textContent) => element("li", { textContent })));
}

// What a track may lack, by the option that gives it.
const questions = {
  metres_per_pixel: "How large is the track? Its picture has no scale: enter a distance that you know, or the length of the lap.",
  track_width_m: "How wide is the road? The file has a line and no width.",
  from: "There is no closed road here. Click where the way begins, then where it ends; or choose Road and click on the road.",
  streets: "These are streets, and no single road. Click where the way begins, then where it ends.",
};

function tell(state) {
  globalThis.raceline?.editor?.offer(state);
  if (!state.busy) warn(state.problem ? [] : (state.warnings ?? []));
  if (state.busy) status("Making the line …");
  else if (state.missing && globalThis.raceline?.editor) {
    const question = state.missing === "from" && pageData.streets && pageData.streets.length !== 0 ? "streets" : state.missing;
    status(questions[question] ?? state.problem);
    globalThis.raceline.editor.askFor(state.missing);
  }
  else if (state.problem) status(state.problem, "wrong");
  else if (state.note) status(`${state.note} · made in ${(state.made_in_ms / 1000).toFixed(2)} s`);
  else status(`Made in ${(state.made_in_ms / 1000).toFixed(2)} s`);
}

// In the app of the browser the page is a frame, whose owner answers in the place of a server.
function ownerOfFrame() {
  try {
    return parent === window ? null : (parent.racelineOwner ?? null);
  } catch {
    // A frame on a page from elsewhere.
    return null;
  }
}

const owner = ownerOfFrame();
// The owner shows the track's name itself.
document.documentElement.classList.toggle("framed", Boolean(owner));

async function askState() {
  if (owner) return owner.state();
  return (await fetch("state")).json();
}

// Sends a change; the reason if it is refused.
async function posted(path, body) {
  // What was refused before the change is no longer news.
  if (comparison) comparison.refusal = "";
  if (owner) return owner.post(path, body);
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return answer.ok ? "" : answer.text();
}

// The coarse line with edits that are not made yet, or the reason why there is none.
async function previewed(body) {
  try {
    if (owner) return await owner.preview(body);
    const answer = await fetch("preview", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    return await answer.json();
  } catch (error) {
    return { refusal: error.message };
  }
}

// Names of the files beside the track that can be compared.
async function comparable() {
  return owner ? [] : (await fetch("comparable")).json();
}

// Changes the comparison, with the content of a file that is none of the folder; the reason if it is refused.
async function compared(change, file) {
  const json = JSON.stringify(change);
  if (owner) return owner.compare(json, file && (await file.arrayBuffer()));
  const answer = await fetch("compare", { method: "POST", body: file ? new Blob([json, "\n", file]) : json });
  return answer.ok ? "" : answer.text();
}

async function follow() {
  for (;;) {
    let pause = POLL_MS;
    try {
      const state = await askState();
      // What is dragged when a line comes is let go first.
      const isHeld = Boolean(globalThis.raceline?.editor?.handles.held);
      if (state.page !== pageData.live.number && !comparison?.isBusy && !isHeld) {
        keepView();
        if (owner) owner.reload();
        else location.reload();
        return;
      }
      tell(state);
      if (state.busy) pause = BUSY_POLL_MS;
    } catch {
      status("raceline serve has ended: start it again", "wrong");
    }
    await sleep(pause);
  }
}

// What the reader sees stays the same in the next page.
function keepView() {
  const { view } = map;
  const { editor } = globalThis.raceline ?? {};
  // What was asked for has been given.
  const tool = editor?.asked ? null : (editor?.tool ? nameOf(editor.tool) : null);
  const { cards } = editor ?? {};
  // A question that was put aside is not asked again.
  const cardsOpen = cards?.isAsked || cards?.isOpen ? cards.isOpen : undefined;
  const atVehicle = document.activeElement === cards?.button;
  // What showed the whole track shows it again, whatever the size of the next map.
  const isWhole = view.fitted ? Math.abs(view.scale / view.fitted() - 1) < 1e-9 : false;
  const kept = { isWhole, tool, cardsOpen, atVehicle, scale: view.scale, extent: view.extent, centre: view.centre, s: globalThis.raceline?.cursor?.s, refusal: comparison?.refusal };
  sessionStorage.setItem("raceline", JSON.stringify(kept));
}

function restoreView(kept) {
  const { view } = map;
  // A new scale of the picture is another world.
  const isSame = (before, now) => Math.abs(before / now - 1) < 0.05;
  if (kept?.extent && view.extent && view.extent.every((size, axis) => isSame(kept.extent[axis], size))) {
    map.resize();
    if (!kept.isWhole) Object.assign(view, { scale: kept.scale, centre: kept.centre });
    map.draw();
    globalThis.raceline.cursor.set(Math.min(kept.s ?? 0, reference.length));
  }
}

const header = document.querySelector("header");
header.after(element("p", { id: "status" }), element("ul", { id: "doubts", hidden: true }));
byId("status").setAttribute("role", "status");
const kept = JSON.parse(sessionStorage.getItem("raceline") ?? "null");
sessionStorage.removeItem("raceline");
let comparison = null;
if (pageData.live.editor) {
  const editor = new Editor(pageData.live.editor);
  globalThis.raceline = { ...globalThis.raceline, map, editor };
  editor.choose(kept?.tool ?? null);
  if (globalThis.raceline.lines) comparison = new Comparison(pageData.live.editor, editor);
  // Another page may follow at once, where several files were compared.
  if (kept?.refusal) {
    editor.refused(kept.refusal);
    if (comparison) comparison.refusal = kept.refusal;
  }
  if (kept?.cardsOpen !== undefined) editor.cards.open(kept.cardsOpen);
  if (kept?.atVehicle) editor.cards.button.focus({ preventScroll: true });
}
restoreView(kept);
follow();
