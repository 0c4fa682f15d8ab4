// What can be taken hold of on the map: the places that the sidecar holds, and the line itself, which becomes a pin.

// How near a pointer must be to a place, and to the line, px.
const HANDLE_PX = 11;
const LINE_PX = 8;
// A press that moves less is a click, px.
const CLICK_PX = 3;
const MARK_SELECTED = "#ffb300";

// The options that are one place, and those that are lists of entries with a place or with corners.
const PLACES = ["start", "road_at", "from", "to"];
const ENTRIES = ["via", "obstacle", "pick_up", "pin", "corner", "edge_point", "no_go", "grip", "speed_cap"];
const CORNERS = { obstacle: "points", no_go: "polygon", grip: "polygon" };

class Handles {
  constructor(editor) {
    this.editor = editor;
    // Entries by "key index", and what is dragged now.
    this.selected = new Set();
    this.held = null;
    this.pointer();
    this.keys();
  }

  // Each handle has a place on the map, the entry it belongs to, and the entry's value when it is put elsewhere.
  all() {
    const { editor } = this;
    const { values } = editor;
    const handles = [];
    const add = (key, index, at, moved, isWhole = true) => handles.push({ key, index, id: `${key} ${index}`, at, moved, isWhole });
    for (const key of PLACES) {
      if (values[key] !== undefined) add(key, null, editor.worldOf(values[key]), (place) => editor.spotOf(place));
    }
    // The start line that the track has by itself.
    if (values.start === undefined && editor.closed && editor.centre.length) add("start", null, editor.centre[0], (place) => editor.spotOf(place));
    for (const key of ENTRIES) {
      (Array.isArray(values[key]) ? values[key] : []).forEach((one, index) => {
        if (key === "via") add(key, index, editor.worldOf(one), (place) => editor.spotOf(place));
        else if (one.at !== undefined) {
          const within = (place) => (key === "pin" ? editor.reachable(place) : place);
          add(key, index, editor.worldOf(one.at), (place) => ({ ...one, at: editor.spotOf(within(place)) }));
        }
        else if (one[CORNERS[key]]) this.corners(add, key, index, one);
        else if (one.from_m !== undefined) {
          for (const end of ["from_m", "to_m"]) {
            const at = editor.placeAt(one[end]);
            if (at) add(key, index, at, (place) => ({ ...one, [end]: round(editor.along(place), 2) }), false);
          }
        }
      });
    }
    return handles;
  }

  // The corners of an area, and its middle, which moves the whole.
  corners(add, key, index, one) {
    const { editor } = this;
    const name = CORNERS[key];
    const places = one[name].map((spot) => editor.worldOf(spot));
    places.forEach((at, k) => add(key, index, at, (place) => ({ ...one, [name]: one[name].map((spot, i) => (i === k ? editor.spotOf(place) : spot)) }), false));
    const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
    const moved = (place) => places.map((corner) => editor.spotOf([corner[0] + place[0] - middle[0], corner[1] + place[1] - middle[1]]));
    add(key, index, middle, (place) => ({ ...one, [name]: moved(place) }));
  }

  // The handle under a place of the map, px; the line where there is none.
  under(px, py, isMouse) {
    const { view } = map;
    const distance = ({ at }) => Math.hypot(view.px(at[0]) - px, view.py(at[1]) - py);
    const reach = isMouse ? HANDLE_PX : 22;
    const near = this.all().filter((one) => distance(one) <= reach);
    // Of two in one place, the later entry lies on top.
    if (near.length) return near.reduce((best, one) => (distance(one) <= distance(best) ? one : best));
    if (this.editor.tool?.key === "edge_point") return this.edgeUnder(view.world(px, py), reach / view.scale);
    if (!isMouse || !this.editor.centre.length || !globalThis.raceline?.lines) return null;
    const place = view.world(px, py);
    const { squared } = reference.nearest(...place);
    if (Math.sqrt(squared) * view.scale > LINE_PX) return null;
    const pin = (there) => ({ at: this.editor.spotOf(this.editor.reachable(there)), tolerance_m: 0.2 });
    return { key: "pin", index: null, id: "line", at: place, moved: pin, isNew: true };
  }

  // The place of an edge that is nearest to another place and within reach, m; it becomes a point of that edge.
  edgeUnder([x, y], reach) {
    let best = { far: reach };
    reference.edges.forEach((edge, k) => edge.x.forEach((ax, i) => {
      const ay = edge.y[i];
      const next = i + 1 < edge.x.length ? i + 1 : (reference.closed ? 0 : i);
      const [dx, dy] = [edge.x[next] - ax, edge.y[next] - ay];
      const part = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0, 1);
      const at = [ax + part * dx, ay + part * dy];
      const far = Math.hypot(x - at[0], y - at[1]);
      if (far <= best.far) best = { far, at, side: ["left", "right"][k] };
    }));
    const { at, side } = best;
    return at ? { key: "edge_point", index: null, id: "edge", at, moved: (there) => ({ side, at: this.editor.spotOf(there) }), isNew: true } : null;
  }

  // The edit that puts what is held at a place.
  edit({ key, index, moved, isNew }, place) {
    const value = moved(place);
    if (isNew) return { do: "add", key, value };
    return index === null ? { do: "set", key, value } : { do: "replace", key, index, value };
  }

  pointer() {
    const { place } = map;
    const inside = (event) => {
      const box = place.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const onMap = (event) => event.target.tagName === "CANVAS" && event.target.id !== "minimap";
    // Before the map, which would be dragged itself.
    const first = { capture: true };
    place.addEventListener("pointerdown", (event) => {
      if (!onMap(event) || event.button !== 0 || this.editor.tool?.clicks) return;
      const handle = this.under(...inside(event), event.pointerType === "mouse");
      if (!handle) {
        if (!event.shiftKey) this.select([]);
        return;
      }
      event.stopPropagation();
      place.setPointerCapture(event.pointerId);
      place.focus({ preventScroll: true });
      this.held = { handle, from: inside(event), place: null, isAdded: event.shiftKey };
    }, first);
    place.addEventListener("pointermove", (event) => {
      const { held } = this;
      if (!held) {
        const free = onMap(event) && !event.buttons && !this.editor.tool?.clicks;
        place.classList.toggle("grasps", free && Boolean(this.under(...inside(event), true)));
        return;
      }
      event.stopPropagation();
      const here = inside(event);
      if (!held.place && Math.hypot(here[0] - held.from[0], here[1] - held.from[1]) <= CLICK_PX) return;
      held.place = map.view.world(...here);
      this.look(held);
      map.drawOverlay();
    }, first);
    place.addEventListener("pointerup", (event) => {
      const { held } = this;
      if (!held) return;
      event.stopPropagation();
      this.held = null;
      if (held.place) this.drop(held);
      else if (!held.handle.isNew) this.select([held.handle.id], held.isAdded);
      map.drawOverlay();
    }, first);
    place.addEventListener("pointercancel", () => this.letGo(), first);
    // A finger that has taken hold of a place does not scroll the page; on the empty map it does.
    place.addEventListener("touchstart", (event) => this.held && event.preventDefault(), { passive: false });
  }

  letGo() {
    this.held = null;
    map.drawOverlay();
  }

  drop({ handle, place }) {
    const refusal = this.editor.refusalOf(handle.key, place, handle.isWhole !== false);
    if (refusal) this.editor.refused(refusal);
    else this.editor.send([this.edit(handle, place)]);
  }

  // Asks for the line with the change, one question at a time: what is dragged meanwhile is asked for next.
  async look(held) {
    if (!this.editor.centre.length || PLACES.includes(held.handle.key) || held.handle.key === "corner" || held.handle.key === "via") return;
    held.asked = held.place;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.held === held && held.asked) {
        const place = held.asked;
        held.asked = null;
        const refusal = this.editor.refusalOf(held.handle.key, place, held.handle.isWhole !== false);
        held.shown = refusal ? { refusal } : await previewed(JSON.stringify([this.edit(held.handle, place)]));
        if (held.shown.refusal?.length > 60) this.editor.refused(held.shown.refusal);
        map.drawOverlay();
      }
    } finally {
      this.looking = false;
    }
  }

  // ---- Selection

  select(ids, isAdded = false) {
    if (!isAdded) this.selected.clear();
    for (const id of ids) this.selected[isAdded && this.selected.has(id) ? "delete" : "add"](id);
    for (const one of document.querySelectorAll(".choose")) one.setAttribute("aria-pressed", String(this.selected.has(one.dataset.entry)));
    map.drawOverlay();
  }

  // Entries of a list go from its end, so that the numbers of the others stay.
  removeSelected() {
    const entries = [...this.selected].map((id) => id.split(" "));
    const edits = entries.filter(([key, index]) => index !== "null" || key in this.editor.values)
      .sort((a, b) => Number(b[1]) - Number(a[1]) || 0)
      .map(([key, index]) => (index === "null" ? { do: "remove", key } : { do: "drop", key, index: Number(index) }));
    this.selected.clear();
    if (edits.length) this.editor.send(edits);
  }

  // Moves what is selected by pixels of the screen.
  nudge(dx, dy) {
    const metres = [dx / map.view.scale, -dy / map.view.scale];
    const moved = this.all().filter((one) => this.selected.has(one.id) && one.isWhole);
    const places = moved.map((one) => [one, [one.at[0] + metres[0], one.at[1] + metres[1]]]);
    const refusal = places.map(([one, place]) => this.editor.refusalOf(one.key, place, true)).find(Boolean);
    if (refusal) this.editor.refused(refusal);
    else if (places.length) this.editor.send(places.map(([one, place]) => this.edit(one, place)));
  }

  keys() {
    const nudges = { ArrowLeft: [-2, 0], ArrowRight: [2, 0], ArrowUp: [0, -2], ArrowDown: [0, 2] };
    document.addEventListener("keydown", (event) => {
      if (event.target.matches?.("input, select, textarea")) return;
      const size = event.shiftKey ? 5 : 1;
      const key = event.key.toLowerCase();
      if (key === "escape" && (this.held || this.selected.size)) {
        this.letGo();
        this.select([]);
      } else if (["delete", "backspace"].includes(key) && this.selected.size) this.removeSelected();
      else if (key === "a" && (event.ctrlKey || event.metaKey) && event.target === map.place) this.select(this.all().map(({ id }) => id));
      else if (event.altKey && nudges[event.key] && this.selected.size) this.nudge(...nudges[event.key].map((one) => one * size));
      else return;
      event.preventDefault();
    });
  }

  // ---- Drawing

  draw(context) {
    const { view } = map;
    for (const { id, at, isWhole } of this.all()) {
      const isSelected = this.selected.has(id);
      if (!isSelected && isWhole) continue;
      context.fillStyle = isSelected ? MARK_SELECTED : "#ffffff";
      context.beginPath();
      context.arc(view.px(at[0]), view.py(at[1]), isSelected ? 5 : 3.5, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
    const { held } = this;
    if (!held?.place) return;
    const [px, py] = [view.px(held.place[0]), view.py(held.place[1])];
    const { shown } = held;
    if (shown?.points_m) {
      context.setLineDash([8, 5]);
      const closed = this.editor.closed ? [...shown.points_m, shown.points_m[0]] : shown.points_m;
      for (const [colour, width] of [["#ffffff", 4], [MARK, 2]]) {
        context.strokeStyle = colour;
        context.lineWidth = width;
        this.editor.marks.path(context, closed);
      }
      context.setLineDash([]);
      for (const piece of shown.edges_m) this.editor.marks.path(context, piece);
    }
    context.beginPath();
    context.arc(px, py, 7, 0, 2 * Math.PI);
    context.stroke();
    // A long reason stands beside the tools.
    const text = (shown?.refusal?.length > 60 ? "×" : shown?.refusal) ?? (shown ? `${signed(shown.change_s, 3)} s` : "…");
    context.font = shown?.refusal ? "600 12px system-ui, sans-serif" : "600 15px system-ui, sans-serif";
    this.editor.marks.label(context, text, px + 6, py - 6);
  }
}
