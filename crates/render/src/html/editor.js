// Tools that set what the sidecar holds: each is some clicks on the map, and numbers where it needs them.

const round = (value, digits) => Number(value.toFixed(digits));

// `clicks` on the map, any number of at least three where it is a `shape`, `fields` of numbers, or of text where there is
// no unit, and the edits that they make. `brush` makes the edits of a path that is drawn in one go.
const tools = [
  { key: "scale", title: "Scale", clicks: 2, waits: true, hint: "Click two places whose distance you know, then enter it.",
    fields: [["distance", "Distance", "m", ""]],
    edits: (editor, [a, b], { distance }) => [{ do: "set", key: "metres_per_pixel", value: Number((distance / editor.pixelsApart(a, b)).toPrecision(6)) }],
    of: (editor) => editor.frame },
  { key: "lap", title: "Lap length", clicks: 0, waits: true, hint: "The length of the lap gives the scale.",
    fields: [["length", "Length", "m", ""]],
    edits: (editor, _, { length }) => [{ do: "set", key: "track_length_m", value: length }],
    of: (editor) => editor.reading.lap },
  { key: "width", title: "Road width", clicks: 0, waits: true, hint: "The whole width of the road, from edge to edge.",
    fields: [["width", "Width", "m", ""]],
    edits: (editor, _, { width }) => [{ do: "set", key: "track_width_m", value: width }],
    of: (editor) => editor.reading.width },
  { key: "road_at", title: "Road", clicks: 1, hint: "Click on the road.",
    edits: (editor, [at]) => [{ do: "set", key: "road_at", value: editor.spotOf(at) }],
    of: (editor) => editor.reading.road_at },
  { key: "via", title: "Via", clicks: 1, hint: "Click a place that the lap passes, where the road forks.",
    edits: (editor, [at]) => [{ do: "add", key: "via", value: editor.spotOf(at) }],
    of: (editor) => editor.reading.via },
  { key: "start", title: "Start line", clicks: 1, hint: "Click where the lap starts.",
    edits: (editor, [at]) => [{ do: "set", key: "start", value: editor.spotOf(at) }] },
  { key: "from", name: "way", title: "From and to", clicks: 2, hints: ["Where from?", "Where to?"],
    edits: (editor, [from, to]) => [{ do: "set", key: "from", value: editor.spotOf(from) }, { do: "set", key: "to", value: editor.spotOf(to) }],
    of: (editor) => "from" in editor.values || (editor.frame && !editor.centre.length) },
  { key: "obstacle", title: "Obstacle", clicks: 1, hint: "Click what stands on the road, or draw its outline in one go.",
    fields: [["radius", "Radius", "m", 0.5]],
    brush: (editor, path) => [{ do: "add", key: "obstacle", value: { points: path.map((place) => editor.spotOf(place)) } }],
    edits: (editor, [at], { radius }) => [{ do: "add", key: "obstacle", value: { at: editor.spotOf(at), radius_m: radius } }] },
  { key: "pick_up", title: "Pick-up", clicks: 1, hint: "Click a place that is worth time, or draw a row of them in one go.",
    fields: [["radius", "Radius", "m", 1], ["worth", "Worth", "s", 0.5]],
    brush: (editor, path, { radius, worth }) => editor.along_path(path, 3 * radius)
      .map((place) => ({ do: "add", key: "pick_up", value: { at: editor.spotOf(place), radius_m: radius, worth_s: worth } })),
    edits: (editor, [at], { radius, worth }) => [{ do: "add", key: "pick_up", value: { at: editor.spotOf(at), radius_m: radius, worth_s: worth } }] },
  { key: "pin", title: "Pin", clicks: 1, hint: "Click a place that the line passes.",
    fields: [["tolerance", "Tolerance", "m", 0.2]],
    edits: (editor, [at], { tolerance }) => [{ do: "add", key: "pin", value: { at: editor.spotOf(at), tolerance_m: tolerance } }] },
  { key: "corner", title: "Corner name", clicks: 1, waits: true, hint: "Click in a corner, then enter its name.",
    fields: [["name", "Name", null, ""]],
    edits: (editor, [at], { name }) => [{ do: "add", key: "corner", value: { at: editor.spotOf(at), name } }],
    of: (editor) => editor.centre.length },
  { key: "edge_point", title: "Edge", clicks: 0, hint: "Drag an edge of the road to where it is.",
    of: () => globalThis.raceline?.lines },
  { key: "grip", title: "Grip", clicks: 2, hint: "Click where a stretch with another grip begins, then where it ends, in the direction of travel.",
    fields: [["factor", "Factor", "", 0.7]],
    edits: (editor, ends, { factor }) => {
      const [from_m, to_m] = ends.map((end) => round(editor.along(end), 2));
      return [{ do: "add", key: "grip", value: { from_m, to_m, factor } }];
    },
    of: (editor) => editor.centre.length },
  { key: "speed_cap", title: "Speed cap", clicks: 2, hint: "Click where a stretch with a maximum speed begins, then where it ends, in the direction of travel.",
    fields: [["speed", "Speed", "m/s", 15]],
    edits: (editor, ends, { speed }) => {
      const [from_m, to_m] = ends.map((end) => round(editor.along(end), 2));
      return [{ do: "add", key: "speed_cap", value: { from_m, to_m, max_speed_mps: speed } }];
    },
    of: (editor) => editor.centre.length },
  { key: "no_go", title: "No-go strip", clicks: 2, hint: "Click near the edge where a strip to keep out of begins, then where it ends, in the direction of travel.",
    fields: [["width", "Width", "m", 1]],
    edits: (editor, ends, { width }) => {
      const [from_m, to_m] = ends.map((end) => round(editor.along(end), 2));
      return [{ do: "add", key: "no_go", value: { from_m, to_m, side: editor.sideOf(ends[0]), width_m: width } }];
    },
    of: (editor) => editor.centre.length },
  { key: "grip", name: "grip_patch", title: "Grip patch", clicks: Infinity, shape: true, hint: "Click the corners of an area with another grip, then Set; or draw its outline in one go.",
    fields: [["factor", "Factor", "", 0.7]],
    edits: (editor, corners, { factor }) => [{ do: "add", key: "grip", value: { polygon: corners.map((corner) => editor.spotOf(corner)), factor } }] },
  { key: "no_go", name: "no_go_area", title: "No-go area", clicks: Infinity, shape: true, hint: "Click the corners of an area to keep out of, then Set; or draw its outline in one go.",
    edits: (editor, corners) => [{ do: "add", key: "no_go", value: { polygon: corners.map((corner) => editor.spotOf(corner)) } }] },
];

// Pixels between the places of a path that is drawn, and most corners of an outline.
const BRUSH_PX = 6;
const MOST_CORNERS = 40;

// Keys and gestures of the tools, beside those of the page.
const editorKeys = [
  ["Drag", "the line, which becomes a pin, or a place on the map; beside it stands what that costs"],
  ["Shift and click", "choose several places; Delete takes them away, Alt with an arrow moves them"],
  ["Enter on the map", "a tool takes the place of the cursor"],
  ["Undo, redo", "Ctrl+Z, Ctrl+Shift+Z; Escape leaves a tool"],
];

// Two tools may write one key.
const nameOf = (tool) => tool.name ?? tool.key;

class Editor {
  constructor({ sidecar, values, vehicles, vehicle, frame, centre_line_m, closed, direction, reading }) {
    Object.assign(this, { sidecar, values, vehicles, vehicle, frame, closed, direction, reading });
    this.centre = centre_line_m;
    this.clicks = [];
    this.tool = null;
    this.fields = {};
    this.panel();
    this.marks = new Marks(this);
    this.handles = new Handles(this);
    this.path = null;
    this.mouse();
    this.keys();
    map.drawOverlay();
  }

  // ---- Places

  // A click as the sidecar has it: in pixels where there is a picture, so that another scale doesn't move it.
  spotOf([x, y]) {
    if (!this.frame) return [round(x, 3), round(y, 3)];
    const [column, row] = this.pixel([x, y]);
    return `${round(column, 1)},${round(row, 1)}px`;
  }

  pixel([x, y]) {
    const { metres_per_pixel, origin_m, height_px } = this.frame;
    return [(x - origin_m[0]) / metres_per_pixel, height_px - (y - origin_m[1]) / metres_per_pixel];
  }

  worldOf(spot) {
    const isText = typeof spot === "string";
    const [x, y] = isText ? spot.replaceAll("px", "").split(",").map(Number) : spot;
    if (!isText || !spot.includes("px") || !this.frame) return [x, y];
    const { metres_per_pixel, origin_m, height_px } = this.frame;
    return [origin_m[0] + x * metres_per_pixel, origin_m[1] + (height_px - y) * metres_per_pixel];
  }

  pixelsApart(a, b) {
    const [first, second] = [this.pixel(a), this.pixel(b)];
    return Math.hypot(first[0] - second[0], first[1] - second[1]);
  }

  // On a draft the world has no metres yet.
  pixelsPerMetre() {
    return this.centre.length ? map.view.scale : 0;
  }

  // Pieces of the centre line with the distance of their beginnings.
  *pieces() {
    const count = this.centre.length - (this.closed ? 0 : 1);
    let s = 0;
    for (let i = 0; i < count; i++) {
      const [a, b] = [this.centre[i], this.centre[(i + 1) % this.centre.length]];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      yield { a, b, s, length };
      s += length;
    }
  }

  // Distance along the centre line of the place nearest to a click.
  along([x, y]) {
    let best = { squared: Infinity, s: 0 };
    for (const { a, b, s, length } of this.pieces()) {
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const share = length > 0 ? clamp(((x - a[0]) * dx + (y - a[1]) * dy) / (length * length), 0, 1) : 0;
      const squared = (x - a[0] - share * dx) ** 2 + (y - a[1] - share * dy) ** 2;
      if (squared < best.squared) best = { squared, s: s + share * length };
    }
    return best.s;
  }

  // The side of the centre line on which a click lies.
  sideOf([x, y]) {
    let best = { squared: Infinity, left: true };
    for (const { a, b } of this.pieces()) {
      const squared = (x - (a[0] + b[0]) / 2) ** 2 + (y - (a[1] + b[1]) / 2) ** 2;
      if (squared < best.squared) best = { squared, left: (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0 };
    }
    return best.left ? "left" : "right";
  }

  // The centre line's points between two distances, over the start line if the end lies before the beginning.
  between(from, to) {
    const points = [...this.pieces()];
    const inside = (s) => (from <= to ? s >= from && s <= to : s >= from || s <= to);
    const kept = points.filter(({ s }) => inside(s));
    if (from > to) kept.sort((one, other) => (one.s >= from ? 0 : 1) - (other.s >= from ? 0 : 1) || one.s - other.s);
    return kept.map(({ a }) => a);
  }

  // The place of the centre line at a distance.
  placeAt(distance) {
    for (const { a, b, s, length } of this.pieces()) {
      if (distance > s + length) continue;
      const share = length > 0 ? clamp((distance - s) / length, 0, 1) : 0;
      return [mix(a[0], b[0], share), mix(a[1], b[1], share)];
    }
    return this.centre.at(-1);
  }

  // Places of a path that are a distance apart.
  along_path(path, apart) {
    const kept = [];
    for (const place of path) {
      const last = kept.at(-1);
      if (!last || Math.hypot(place[0] - last[0], place[1] - last[1]) >= apart) kept.push(place);
    }
    return kept;
  }

  // The place of a pin, moved to where the vehicle's middle can be: as near to the edges as the line comes anywhere.
  reachable([x, y]) {
    if (!this.centre.length || !globalThis.raceline?.lines) return [x, y];
    this.room ??= reference.left.reduce((least, left, i) => Math.min(least, left, reference.right[i]), Infinity) + 0.05;
    const here = reference.at(reference.nearest(x, y).s);
    const [sin, cos] = [Math.sin(here.heading), Math.cos(here.heading)];
    const across = cos * (y - here.y) - sin * (x - here.x);
    const kept = clamp(across, Math.min(this.room - here.right, 0), Math.max(here.left - this.room, 0));
    return [x + sin * (across - kept), y - cos * (across - kept)];
  }

  // Why a place is none for an entry, before anything is computed; nothing where it may be one.
  refusalOf(key, [x, y], isWhole) {
    const isRoute = "from" in this.values;
    if (!isWhole || isRoute || !["obstacle", "pick_up", "pin"].includes(key) || !this.centre.length || !globalThis.raceline?.lines) return "";
    const { squared, s } = reference.nearest(x, y);
    const here = reference.at(s);
    const isLeft = Math.cos(here.heading) * (y - here.y) - Math.sin(here.heading) * (x - here.x) > 0;
    // A pin is moved onto the road if it is not far from it.
    const room = key === "pin" ? here.left + here.right : 0.5;
    return Math.sqrt(squared) > (isLeft ? here.left : here.right) + room ? "This place is not on the road." : "";
  }

  // ---- Tools

  button(tool) {
    const button = element("button", { type: "button", textContent: tool.title });
    button.addEventListener("click", () => this.choose(this.tool === tool ? null : nameOf(tool)));
    this.buttons.set(nameOf(tool), button);
    return button;
  }

  // Asks for what the track needs before a line can be made, if nothing else is being done.
  askFor(missing) {
    const name = { metres_per_pixel: this.frame ? "scale" : "lap", track_width_m: "width", from: "way" }[missing];
    if (!name || this.asked === missing) return;
    this.asked = missing;
    if (!this.buttons.has(name)) this.bar.prepend(this.button(tools.find((tool) => nameOf(tool) === name)));
    if (!this.tool) this.choose(name);
  }

  panel() {
    this.bar = element("div", { id: "tools" });
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", "Tools");
    // The first preset is what drives where no vehicle is given.
    const isAsked = this.centre.length > 0 && !("vehicle" in this.values) && this.vehicle === this.vehicles[0].name;
    this.cards = new VehicleCards(this.vehicles, this.vehicle, isAsked, (value) => this.send([{ do: "set", key: "vehicle", value }]));
    this.bar.append(this.cards.button);
    for (const [step, title, keys] of [["undo", "Undo", "Ctrl+Z"], ["redo", "Redo", "Ctrl+Shift+Z"]]) {
      const button = element("button", { type: "button", id: step, textContent: title, title: keys, disabled: true });
      button.addEventListener("click", () => this.post(step, ""));
      this.bar.append(button);
    }
    this.buttons = new Map();
    const hasMap = this.frame || this.centre.length;
    for (const tool of tools) {
      if (tool.of ? !tool.of(this) : !hasMap) continue;
      const button = this.button(tool);
      button.classList.toggle("first", this.buttons.size === 1);
      this.bar.append(button);
    }
    if (this.closed && this.direction) {
      const other = this.direction === "clockwise" ? "counterclockwise" : "clockwise";
      const turn = element("button", { type: "button", id: "direction", textContent: "Turn round", title: `Drive ${other}` });
      turn.addEventListener("click", () => this.send([{ do: "set", key: "direction", value: other }]));
      this.bar.append(turn);
    }
    this.form = element("div", { id: "tool", hidden: true });
    this.list = element("div", { id: "sidecar" });
    this.entries();
    header.after(element("section", { id: "editor" }, this.bar, this.cards.box, this.form, this.list));
    byId("editor").setAttribute("aria-label", `Editor of ${this.sidecar}`);
    byId("help")?.querySelector("dl").append(...editorKeys.flatMap(([keys, what]) => [
      element("dt", { textContent: keys }), element("dd", { textContent: what })]));
  }

  // What the sidecar holds, each with a button that takes it out.
  entries() {
    // Of an outline, the number of its corners.
    const list = (value) => (value.length > 3 ? `(${value.length})` : value.join(", "));
    const text = (value) => (typeof value === "object" && !Array.isArray(value)
      ? Object.entries(value).map(([key, one]) => `${key} ${Array.isArray(one) ? list(one) : one}`).join(", ")
      : Array.isArray(value) ? value.join(", ") : String(value));
    const entry = (label, edit, id) => {
      const choose = element("button", { type: "button", textContent: label, className: "choose" });
      choose.dataset.entry = id;
      choose.setAttribute("aria-pressed", "false");
      choose.addEventListener("click", (event) => this.handles.select([id], event.shiftKey));
      const remove = element("button", { type: "button", textContent: "×" });
      remove.setAttribute("aria-label", `Remove ${label}`);
      remove.addEventListener("click", () => this.send([edit]));
      this.list.append(element("span", { className: "entry" }, choose, remove));
    };
    this.list.append(element("span", { className: "file", textContent: `${this.sidecar}:` }));
    for (const [key, value] of Object.entries(this.values)) {
      const isList = Array.isArray(value) && (key === "via" || value.some((one) => typeof one === "object"));
      if (isList) value.forEach((one, index) => entry(`${key} ${text(one)}`, { do: "drop", key, index }, `${key} ${index}`));
      else entry(`${key} ${text(value)}`, { do: "remove", key }, [key, null].map(String).join(" "));
    }
    if (!Object.keys(this.values).length) this.list.append("nothing yet");
  }

  choose(name) {
    this.tool = tools.find((tool) => nameOf(tool) === name && this.buttons.has(name)) ?? null;
    this.clicks = [];
    for (const [other, button] of this.buttons) button.setAttribute("aria-pressed", String(this.tool !== null && other === nameOf(this.tool)));
    this.form.hidden = !this.tool;
    this.form.replaceChildren();
    map.place.classList.toggle("aims", Boolean(this.tool?.clicks));
    if (this.tool) {
      this.form.append(element("span", { className: "hint", textContent: this.hint() }));
      this.fields = {};
      for (const [name, label, unit, value] of this.tool.fields ?? []) {
        this.fields[name] = unit === null ? new TextField(label, () => this.ready(), () => this.finish()) : new NumberField(label, unit, value, () => this.ready(), () => this.finish());
        this.form.append(this.fields[name].box);
      }
      this.done = element("button", { type: "button", id: "set", textContent: "Set" });
      this.done.addEventListener("click", () => this.finish());
      if (this.tool.waits || this.tool.shape) this.form.append(this.done);
      this.ready();
    }
    map.drawOverlay();
  }

  // Of several places, each has its own question.
  hint() {
    const { hint, hints } = this.tool;
    return hint ?? hints[Math.min(this.clicks.length, hints.length - 1)];
  }

  entered() {
    return Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.value]));
  }

  ready() {
    const isDrawn = this.tool.shape ? this.clicks.length >= 3 : this.clicks.length === this.tool.clicks;
    const complete = isDrawn && Object.values(this.fields).every((field) => field.isComplete);
    this.done.disabled = !complete;
    return complete;
  }

  click(place) {
    if (!this.tool?.clicks) return;
    for (const pad of document.querySelectorAll(".keypad")) pad.hidden = true;
    if (this.clicks.length === this.tool.clicks) this.clicks = [];
    const refusal = this.refusalOf(this.tool.key, place, !this.tool.shape);
    if (refusal) return this.refused(refusal);
    this.form.querySelector(".wrong")?.remove();
    const [first] = this.clicks;
    const { view } = map;
    const isFirst = first && Math.hypot(view.px(first[0]) - view.px(place[0]), view.py(first[1]) - view.py(place[1])) < 12;
    // A click on the first corner closes the outline.
    if (this.tool.shape && isFirst) return this.ready() && this.finish();
    this.clicks.push(place);
    this.form.querySelector(".hint").textContent = this.hint();
    map.drawOverlay();
    const complete = this.ready();
    if (complete && !this.tool.waits && !this.tool.shape) this.finish();
    // The clicks are made: the number is what is missing.
    else if (this.clicks.length === this.tool.clicks) Object.values(this.fields)[0]?.open();
  }

  // What a click is to a hand with a mouse: the tool takes the place of the cursor on the line.
  clickAtCursor() {
    const { x, y } = cursor.car(reference);
    this.click([x, y]);
  }

  finish() {
    const edits = this.tool.edits(this, this.clicks, this.entered());
    this.clicks = [];
    this.send(edits);
  }

  // A path that was drawn in one go.
  brushed(path) {
    const apart = Math.max(BRUSH_PX / map.view.scale, this.length(path) / MOST_CORNERS);
    const places = this.along_path(path, this.tool.key === "pick_up" ? 0 : apart);
    if (places.length < (this.tool.key === "pick_up" ? 1 : 3)) return;
    const refusals = places.map((place) => this.refusalOf(this.tool.key, place, !this.tool.shape));
    if (refusals.every(Boolean)) {
      this.refused(refusals[0]);
      return;
    }
    const kept = this.tool.key === "pick_up" ? places.filter((_, k) => !refusals[k]) : places;
    const edits = this.tool.brush ? this.tool.brush(this, kept, this.entered()) : this.tool.edits(this, kept, this.entered());
    this.send(edits);
  }

  length(path) {
    return path.slice(1).reduce((sum, [x, y], k) => sum + Math.hypot(x - path[k][0], y - path[k][1]), 0);
  }

  // ---- The server

  send(edits) {
    return this.post("edit", JSON.stringify(edits));
  }

  async post(path, body) {
    status("Making the line …");
    try {
      const refusal = await posted(path, body);
      if (refusal) this.refused(refusal);
    } catch {
      this.refused("raceline serve has ended: start it again");
    }
    map.drawOverlay();
  }

  refused(text) {
    this.form.hidden = false;
    this.form.querySelector(".wrong")?.remove();
    this.form.append(element("span", { className: "wrong", textContent: text }));
  }

  // What there is to take back and to make again.
  offer({ can_undo, can_redo }) {
    [byId("undo").disabled, byId("redo").disabled] = [!can_undo, !can_redo];
  }

  // Undo and redo as everywhere; Escape leaves a tool. A field's own keys are the field's.
  keys() {
    document.addEventListener("keydown", (event) => {
      const key = event.key.toLowerCase();
      const isField = event.target.matches?.("input, select, textarea");
      if (key === "escape" && this.tool) this.choose(null);
      else if (key === "enter" && !isField && this.tool?.shape && event.target.tagName !== "BUTTON" && this.ready()) this.finish();
      else if (key === "enter" && event.target === map.place && this.tool?.clicks && globalThis.raceline?.lines) this.clickAtCursor();
      else if (isField || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      else if (key === "y" || (key === "z" && event.shiftKey)) this.post("redo", "");
      else if (key === "z") this.post("undo", "");
      else return;
      event.preventDefault();
    });
  }

  // A click is a press that does not drag the map; a drag draws where the tool has a brush.
  mouse() {
    let begun = null;
    const onMap = (event) => event.target === map.place || (event.target.tagName === "CANVAS" && event.target.id !== "minimap");
    const inside = (event) => {
      const box = map.place.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const draws = () => this.tool && (this.tool.brush || this.tool.shape);
    map.place.addEventListener("pointerdown", (event) => {
      begun = onMap(event) && event.button === 0 ? [event.clientX, event.clientY] : null;
      if (!begun || !draws() || event.pointerType === "touch" || this.clicks.length) return;
      event.stopPropagation();
      map.place.setPointerCapture(event.pointerId);
      this.path = [map.view.world(...inside(event))];
    }, { capture: true });
    map.place.addEventListener("pointermove", (event) => {
      if (!this.path) return;
      event.stopPropagation();
      const here = inside(event);
      const last = this.path.at(-1);
      if (Math.hypot(map.view.px(last[0]) - here[0], map.view.py(last[1]) - here[1]) < BRUSH_PX) return;
      this.path.push(map.view.world(...here));
      map.drawOverlay();
    }, { capture: true });
    map.place.addEventListener("pointercancel", () => (this.path = null));
    map.place.addEventListener("pointerup", (event) => {
      const { path } = this;
      this.path = null;
      if (path && path.length > 1) {
        begun = null;
        this.brushed(path);
        map.drawOverlay();
      }
      if (!begun || Math.hypot(event.clientX - begun[0], event.clientY - begun[1]) > CLICK_PX) return;
      begun = null;
      this.click(map.view.world(...inside(event)));
    });
  }
}
