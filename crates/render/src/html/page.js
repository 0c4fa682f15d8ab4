// Puts the page together: mouse, keys, theme, sizes.

// How near to a line the mouse must be to move the cursor, pixels.
const REACH_PX = 60;

const map = new MapView();
const charts = new Charts();
const gg = new GgDiagram();
const readout = new Readout();
const corners = new Corners();

// How far a wheel was turned, pixels; some browsers count lines.
const wheelPx = (event) => clamp(event.deltaY * (event.deltaMode === 1 ? 33 : 1), -400, 400);

function mapMouse() {
  const place = byId("map");
  const held = new Map();
  let moved = 0;
  const inside = (event) => {
    const box = place.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const onCanvas = (event) => event.target.tagName === "CANVAS" || event.target === place;
  const seek = (event) => {
    const { squared, s } = reference.nearest(...map.view.world(...inside(event)));
    if (Math.sqrt(squared) * map.view.scale < REACH_PX) cursor.set(s);
  };
  place.addEventListener("pointerdown", (event) => {
    if (!onCanvas(event) || event.button !== 0) return;
    held.set(event.pointerId, inside(event));
    place.setPointerCapture(event.pointerId);
    moved = 0;
  });
  place.addEventListener("pointermove", (event) => {
    const last = held.get(event.pointerId);
    if (!last) {
      if (!cursor.playing && onCanvas(event)) seek(event);
      return;
    }
    const here = inside(event);
    const [dx, dy] = [here[0] - last[0], here[1] - last[1]];
    moved += Math.hypot(dx, dy);
    if (held.size === 2) {
      // Two fingers: the other one stays, the distance zooms.
      const other = [...held].find(([id]) => id !== event.pointerId)[1];
      const apart = (point) => Math.max(Math.hypot(point[0] - other[0], point[1] - other[1]), 1);
      map.view.zoom(apart(here) / apart(last), ...other);
    } else if (moved > 3) {
      place.classList.add("dragged");
      setFollow(false);
      map.view.pan(dx, dy);
    }
    held.set(event.pointerId, here);
    if (moved > 3) map.drawSoon();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    place.addEventListener(end, (event) => {
      if (!held.delete(event.pointerId)) return;
      place.classList.remove("dragged");
      if (end === "pointerup" && moved <= 3) seek(event);
    });
  }
  place.addEventListener("wheel", (event) => {
    event.preventDefault();
    map.view.zoom(Math.exp(-wheelPx(event) * 0.0016), ...inside(event));
    map.drawSoon();
  }, { passive: false });
  place.addEventListener("dblclick", (event) => onCanvas(event) && showAll());
}

// A mouse over the charts moves the cursor, drags the stretch that is shown, and zooms about its place.
function chartMouse() {
  const place = byId("charts");
  let [held, moved] = [null, false];
  const seek = (event) => {
    const s = charts.distanceAt(event.clientX);
    if (s !== null) cursor.set(s);
  };
  place.addEventListener("mousemove", (event) => !cursor.playing && event.buttons === 0 && seek(event));
  // The end of a drag is a click, too.
  place.addEventListener("click", (event) => !moved && seek(event));
  place.addEventListener("pointerdown", (event) => {
    moved = false;
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    held = { x: event.clientX, range: [...charts.range] };
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    if (!held) return;
    const dx = event.clientX - held.x;
    if (!moved && Math.abs(dx) <= 3) return;
    moved = true;
    charts.drag(true);
    const [from, to] = held.range;
    const metres = (dx / charts.width()) * (to - from);
    charts.show(from - metres, to - metres);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    place.addEventListener(end, () => {
      if (held && moved) charts.drag(false);
      held = null;
    });
  }
  place.addEventListener("wheel", (event) => {
    event.preventDefault();
    charts.zoom(Math.exp(wheelPx(event) * 0.0016), charts.distanceAt(event.clientX) ?? undefined);
  }, { passive: false });
  place.addEventListener("dblclick", () => charts.show(0, reference.length));
}

// Two fingers zoom the charts about their middle; one is left to the page.
function chartTouch() {
  const place = byId("charts");
  const held = new Map();
  place.addEventListener("pointerdown", (event) => event.pointerType === "touch" && held.set(event.pointerId, event.clientX));
  place.addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId) || held.size !== 2) return;
    const spread = () => {
      const [a, b] = [...held.values()];
      return [Math.max(Math.abs(a - b), 20), (a + b) / 2];
    };
    const [before, middle] = spread();
    held.set(event.pointerId, event.clientX);
    const [after] = spread();
    const [from, to] = charts.range;
    const at = charts.distanceAt(middle) ?? (from + to) / 2;
    charts.show(at - ((at - from) * before) / after, at + ((to - at) * before) / after);
  });
  for (const end of ["pointerup", "pointercancel"]) place.addEventListener(end, (event) => held.delete(event.pointerId));
}

function showAll() {
  setFollow(false);
  map.view.fit();
  map.draw();
}

function setFollow(on) {
  cursor.follow = byId("follow").checked = on;
  cursor.changed();
}

function zoomMap(factor) {
  const here = cursor.car(reference);
  const [px, py] = [map.view.px(here.x), map.view.py(here.y)];
  const seen = px >= 0 && py >= 0 && px <= map.view.width && py <= map.view.height;
  map.view.zoom(factor, ...(seen ? [px, py] : []));
  map.draw();
}

// The button has the other theme's name.
function nameTheme() {
  byId("theme").textContent = isDark() ? "Light" : "Dark";
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  nameTheme();
  map.draw();
  charts.draw();
  gg.drawCloud();
  gg.draw();
}

const keys = {
  " ": () => cursor.play(),
  ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
  ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
  ArrowUp: (event) => event.shiftKey && charts.zoom(0.7),
  ArrowDown: (event) => event.shiftKey && charts.zoom(1 / 0.7),
  Home: () => cursor.set(0),
  End: () => cursor.set(reference.length),
  "[": () => corners.step(-1),
  "]": () => corners.step(1),
  "+": () => zoomMap(1.3),
  "=": () => zoomMap(1.3),
  "-": () => zoomMap(1 / 1.3),
  0: () => {
    showAll();
    charts.show(0, reference.length);
  },
  f: () => setFollow(!cursor.follow),
  t: () => setTheme(isDark() ? "light" : "dark"),
};

// One step is a pixel of the charts, so that zooming in makes it finer.
function step(count) {
  const metres = Math.max((charts.range[1] - charts.range[0]) / charts.width(), reference.length / 20000) * 2;
  const there = cursor.s + count * metres;
  cursor.set(reference.closed ? there : clamp(there, 0, reference.length));
}

function keyboard() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    // A field of text keeps every key.
    if (target.tagName === "INPUT" && target.type === "text") return;
    const own = target.tagName === "SELECT" || target.type === "range";
    const pressed = event.key === " " || event.key === "Enter";
    // Buttons, ticks and lists keep the keys that work them; a table that scrolls keeps up and down.
    if (own && event.key !== " ") return;
    if (pressed && ["BUTTON", "SUMMARY", "SELECT"].includes(target.tagName)) return;
    if (pressed && target.type === "checkbox") return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key.startsWith("Arrow") && /Up|Down/.test(event.key) && !event.shiftKey)) return;
    event.preventDefault();
    act(event);
  });
}

function controls() {
  const click = (id, act) => byId(id).addEventListener("click", act);
  click("play", () => cursor.play());
  click("zoom-in", () => zoomMap(1.5));
  click("zoom-out", () => zoomMap(1 / 1.5));
  click("fit", showAll);
  click("save", () => savePicture(map));
  click("print", () => print());
  byId("unit").value = speed.unit;
  byId("unit").addEventListener("change", (event) => setSpeedUnit(event.target.value));
  click("theme", () => setTheme(isDark() ? "light" : "dark"));
  byId("follow").addEventListener("change", (event) => setFollow(event.target.checked));
  byId("rate").addEventListener("change", (event) => (cursor.rate = Number(event.target.value)));
  byId("position").max = reference.length;
  byId("position").addEventListener("input", (event) => cursor.set(Number(event.target.value)));
  darkSystem.addEventListener("change", () => setTheme());
}

function begin() {
  if (pageData.theme !== "auto") document.documentElement.dataset.theme = pageData.theme;
  fillHeader();
  fillLayers();
  fillNotes();
  setSpeedUnit(speed.unit);
  mapMouse();
  chartMouse();
  chartTouch();
  keyboard();
  controls();
  printAsSheet();
  nameTheme();
  map.measure();
  map.view.fit();
  // Observers report the first size too, before the first frame: that draws everything once.
  new ResizeObserver(() => map.resize()).observe(byId("map"));
  new ResizeObserver(() => charts.draw()).observe(byId("charts"));
  new ResizeObserver(() => gg.resize()).observe(byId("gg"));
}

// For scripts that look in from outside, such as tests.
globalThis.raceline = { cursor, map, charts, gg, corners, lines };
begin();
