// Text about the lap: header, read-out at the cursor, layers, corners.

// Where a page has laps of a car and of a point mass, which one a lap is of.
const ofModel = (text, isCar) => (lines.some((line) => line.hasCar) ? (isCar ? `${text} (car)` : `${text} (point mass)`) : text);

function fillHeader() {
  const { about } = reference;
  const facts = [
    lines.length > 1 ? `${lines.length} lines` : lapText(about.lap_time_s),
    isSmall ? `${about.length_m.toFixed(2)} m` : `${(about.length_m / 1000).toFixed(3)} km`,
    ...(lines.length > 1 ? [] : [ofModel(about.method, reference.hasCar), about.vehicle]),
    `${reference.corners.length} corners`,
    about.generator,
  ];
  byId("summary").textContent = facts.join("  ·  ");
}

class Readout {
  constructor() {
    byId("readout").classList.toggle("several", lines.length > 1);
    this.rows = lines.map((line) => {
      const row = { line, speed: element("b"), time: element("span"), distance: element("span"), accel: element("span"), difference: element("span") };
      const swatch = element("i", { className: "swatch" });
      swatch.style.background = lines.length > 1 ? roadColour(line.index) : "#ff5a36";
      const name = element("span", { className: "name", textContent: line.about.label, title: line.about.label });
      const named = lines.length > 1 ? [swatch, name] : [];
      byId("readout").append(...named, row.speed, row.time, row.distance, row.accel, row.difference);
      return row;
    });
  }

  draw() {
    for (const row of this.rows) {
      const here = cursor.car(row.line);
      row.speed.textContent = `${speedText(here.speed)} ${speed.unit}`;
      row.time.textContent = row.line === reference ? lapText(cursor.t) : "";
      row.distance.textContent = `${isSmall ? here.s.toFixed(2) : here.s.toFixed(here.s < 100 ? 1 : 0)} m`;
      const slope = row.line.hasHeights ? `  ${plain(here.height, 1)} m  ${signed(here.grade, 1)} %` : "";
      row.accel.textContent = `${signed(here.accel, 1)} m/s²${slope}`;
      row.difference.textContent = row.line === reference ? "" : `${signed(row.line.differenceAt(reference, cursor.s), 3)} s`;
    }
  }
}

function fillLayers() {
  const tick = (label, checked, change, colour) => {
    const box = element("input", { type: "checkbox", checked });
    box.addEventListener("change", () => change(box.checked));
    const swatch = element("i", { className: "swatch" });
    swatch.style.background = colour;
    byId("layers").append(element("label", { className: "tick" }, box, ...(colour ? [swatch] : []), label));
    return box;
  };
  const layer = (key) => (on) => {
    map.layers[key] = on;
    map.draw();
  };
  const colours = element("select", { id: "colour" });
  const shown = ["speed", "accel", "curvature", "offset", "gripUsed", "grade", "banking", ...gains.map((one) => one.key)];
  const named = shown.flatMap((key) => mapQuantities.filter((row) => row.key === key)).map((row) => [row.key, row.text]);
  const choices = [...(lines.length > 1 ? [["line", "one for each line"]] : []), ...named];
  for (const [value, text] of choices) colours.append(element("option", { value, textContent: text }));
  colours.value = map.colourBy;
  colours.addEventListener("change", () => {
    map.colourBy = colours.value;
    map.draw();
    fillScale();
  });
  byId("layers").append(element("label", { className: "tick" }, "Colour: ", colours));
  for (const line of lines) {
    if (lines.length > 1) {
      // A driven lap is of neither; it has the method of the first line.
      const isOfModel = line.hasCar || line === reference || line.about.method !== reference.about.method;
      tick(`${isOfModel ? ofModel(line.about.label, line.hasCar) : line.about.label}, ${lapText(line.lapTime)}`, true, (on) => {
        map.layers.lines[line.index] = on;
        map.draw();
        charts.linesChanged();
        gg.drawCloud();
        gg.draw();
      }, roadColour(line.index));
    }
    line.candidates.forEach((candidate, k) => {
      const owner = lines.length > 1 ? ` of ${line.about.label}` : "";
      const box = tick(`${ofModel(candidate.method, false)}${owner}, ${lapText(candidate.lap_time_s)}`, false, (on) => {
        map.layers.candidates[on ? "add" : "delete"](`${line.index}.${k}`);
        map.draw();
      }, candidateColour(k));
      box.classList.add("candidate");
    });
  }
  if (streets) tick("Streets", true, layer("streets")).id = "layer-streets";
  if (reference.sections) tick("Cross-sections", map.layers.sections, layer("sections")).id = "layer-sections";
  if (pageData.background) tick("Picture", true, layer("background")).id = "layer-background";
  if (reference.braking.length) tick("Braking zones", map.layers.braking, layer("braking"), BRAKING).id = "layer-braking";
  if (reference.doubtful.length) tick("Doubtful edges", map.layers.doubtful, layer("doubtful"), DOUBTFUL).id = "layer-doubtful";
  const { obstacles, pick_ups, pins = [], caps = [], no_go = [], grip = [] } = reference.passed;
  if (pins.length + caps.length + no_go.length + grip.length) tick(obstacles.length + pick_ups.length ? "Obstacles, pick-ups and constraints" : "Constraints", map.layers.passed, layer("passed"), BRAKING).id = "layer-passed";
  else if (obstacles.length + pick_ups.length) tick(obstacles.length ? (pick_ups.length ? "Obstacles and pick-ups" : "Obstacles") : "Pick-ups", map.layers.passed, layer("passed"), BRAKING).id = "layer-passed";
  if (reference.corners.length) tick("Corner numbers", map.layers.numbers, layer("numbers")).id = "layer-numbers";
}

// What can't be seen on the map.
function fillNotes() {
  const notes = overlapNotes();
  if (streets?.left_out) notes.push(`${streets.counts.length} of ${streets.counts.length + streets.left_out} streets are drawn, those nearest to the line`);
  for (const note of notes) byId("layers-panel").append(element("p", { className: "note", textContent: note }));
}

// What the colours of the map say.
function fillScale() {
  const key = map.colourBy;
  byId("scale").hidden = key === "line";
  if (key === "line") return;
  const { low, high } = map.levelsOf(reference, key);
  const row = mapQuantities.find((one) => one.key === key);
  const shown = (value) => (key === "speed" ? speedText(value) : plain(value, Math.max(1, row.digits - 1)));
  byId("scale-low").textContent = shown(low);
  byId("scale-high").textContent = shown(high);
  byId("scale-unit").textContent = row.unit;
  byId("scale-bar").style.background = `linear-gradient(to right, ${scaleColours(key).join(", ")})`;
}

// Where a driven lap loses time, by corner and cause; the largest cause of a corner is bold.
function fillLosses() {
  const { losses } = pageData;
  if (!losses) return;
  byId("losses-panel").hidden = false;
  byId("losses-summary").textContent = `Time lost: ${signed(losses.total_s, 3)} s in the lap, by corner and cause`;
  const [head, body] = [document.querySelector("#losses thead"), document.querySelector("#losses tbody")];
  const causes = [["braking_s", "braking s", "Braked too early or too long"], ["apex_speed_s", "apex speed s", "Too slow at the slowest place"],
    ["line_s", "line s", "A longer line"], ["throttle_s", "throttle s", "On the throttle too late or too little"]];
  const heading = (textContent, title) => element("th", { textContent, title, scope: "col" });
  head.replaceChildren(element("tr", {}, heading("No.", "Number of the corner"), heading("lost s", "Time lost in all, with the roads to the corner and out of it"),
    ...causes.map(([, name, title]) => heading(name, title)), heading("brakes m", "Brakes earlier than the ideal by"), heading(`lowest ${speed.unit}`, "Driven lowest speed, and the ideal one")));
  const largestLoss = Math.max(...losses.corners.map((corner) => corner.loss_s));
  body.replaceChildren(...losses.corners.map((corner, k) => {
    const number = corner.last_number ? `${corner.number}-${corner.last_number}` : corner.number;
    const go = element("button", { type: "button", textContent: number, title: `Show corner ${number}` });
    const cell = (seconds, isLargest) => {
      const text = signed(seconds, 2);
      const tint = seconds < -0.005 ? "won" : seconds > 0.005 ? "lost" : "";
      return element("td", { className: tint }, isLargest ? element("b", { textContent: text }) : text);
    };
    const parts = causes.map(([key]) => corner[key]);
    const largest = Math.max(0.005, ...parts);
    const brakes = corner.brakes_earlier_m === undefined ? "" : signed(corner.brakes_earlier_m, 0);
    const row = element("tr", {}, element("td", {}, go), cell(corner.loss_s, corner.loss_s === largestLoss), ...parts.map((part) => cell(part, part === largest)),
      element("td", { textContent: brakes }), element("td", { textContent: `${speedText(corner.driven_lowest_mps)} / ${speedText(corner.reference_lowest_mps)}` }));
    row.addEventListener("click", () => corners.show(k));
    return row;
  }));
}

class Corners {
  constructor() {
    // The column by which the rows are sorted, and whether the largest comes first.
    this.order = { column: 0, falls: false };
    this.fill();
  }

  // Heading, explanation, text and value of each column; `kind` is a class of its cells.
  columns() {
    const column = (head, title, value, text, kind = "") => ({ head, title, value, text, kind });
    const speedColumn = (head, title, key, kind) => column(head, title, (corner) => corner[key], (corner) => speedText(corner[key]), kind);
    const named = reference.corners.some((corner) => corner.name);
    return [
      column("No.", "Number", (corner) => parseInt(corner.number)),
      ...(named ? [column("name", "Name", (corner) => corner.name ?? "", (corner) => corner.name ?? "", "corner-name")] : []),
      column("to", "Direction", (corner) => corner.direction, (corner) => corner.direction),
      column("apex m", "Apex, from the start line", (corner) => corner.apex_s_m, (corner) => metresText(corner.apex_s_m)),
      ...lines.slice(1).map((line) => column(`${line.about.label} s`, `Additional time of ${line.about.label} in this corner`,
        (_, k) => line.about.comparison.corners_s[k], (_, k) => signed(line.about.comparison.corners_s[k], 3), "name")),
      column("length m", "From entry to exit", (corner) => corner.length_m, (corner) => metresText(corner.length_m), "more"),
      column("radius m", "Smallest radius", (corner) => corner.min_radius_m, (corner) => corner.min_radius_m.toFixed(isSmall ? 2 : 1)),
      speedColumn(`entry ${speed.unit}`, "Speed at the entry", "entry_speed_mps", "more"),
      speedColumn(`lowest ${speed.unit}`, "Lowest speed", "lowest_speed_mps"),
      speedColumn(`exit ${speed.unit}`, "Speed at the exit", "exit_speed_mps", "more"),
      column("time s", "From entry to exit", (corner) => corner.time_s, (corner) => corner.time_s.toFixed(2)),
    ];
  }

  fill() {
    const columns = this.columns();
    const [head, body] = [document.querySelector("#corners thead"), document.querySelector("#corners tbody")];
    this.headings = [];
    const heading = ({ head: text, title, kind }, k) => {
      const sort = element("button", { type: "button", textContent: text, title });
      sort.addEventListener("click", () => this.sortBy(k));
      this.headings.push(sort);
      const cell = element("th", { className: kind, scope: "col" }, sort);
      if (k === this.order.column) cell.ariaSort = this.order.falls ? "descending" : "ascending";
      return cell;
    };
    head.replaceChildren(element("tr", {}, ...columns.map(heading)));
    this.rows = reference.corners.map((corner, k) => {
      const go = element("button", { type: "button", textContent: corner.number, title: `Show corner ${corner.number}${corner.name ? `, ${corner.name}` : ""}` });
      const cell = ({ value, text, kind }) => {
        const seconds = kind === "name" ? value(corner, k) : 0;
        const tint = seconds < -5e-4 ? "won" : seconds > 5e-4 ? "lost" : "";
        return element("td", { className: tint || kind.replace(/^name$/, "") }, text(corner, k));
      };
      const row = element("tr", {}, element("td", {}, go), ...columns.slice(1).map(cell));
      row.addEventListener("click", () => this.show(k));
      return row;
    });
    const { value } = columns[this.order.column];
    const values = reference.corners.map(value);
    const ranks = this.rows.map((_, k) => k);
    const sign = this.order.falls ? -1 : 1;
    ranks.sort((a, b) => sign * (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : 0) || a - b);
    body.replaceChildren(...ranks.map((k) => this.rows[k]));
    this.here = -1;
  }

  // The largest come first; a second time the smallest do. Numbers, names and directions begin at their beginning.
  sortBy(column) {
    const isText = typeof this.columns()[column].value(reference.corners[0], 0) === "string";
    const falls = column === this.order.column ? !this.order.falls : column > 0 && !isText;
    this.order = { column, falls };
    this.fill();
    this.headings[column].focus();
    this.draw();
  }

  // Goes to a corner: map, charts and cursor.
  show(k) {
    const corner = reference.corners[k];
    if (!corner) return;
    const { view } = map;
    const room = Math.max(corner.length_m * 1.6, 8 * reference.about.vehicle_length_m);
    view.scale = Math.max(view.fitted(), Math.min(view.width, view.height) / room);
    view.centre = [...corner.apex_m];
    view.pan(0, 0);
    const around = Math.max(corner.length_m * 1.5, reference.length / 200);
    const end = corner.entry_s_m + corner.length_m;
    cursor.set(corner.apex_s_m);
    // Over the start line, the side where the apex lies is shown.
    const back = end > reference.length && corner.apex_s_m < corner.entry_s_m ? reference.length : 0;
    charts.show(corner.entry_s_m - back - around, end - back + around);
    map.draw();
  }

  step(direction) {
    const apexes = reference.corners.map((corner) => corner.apex_s_m);
    if (!apexes.length) return;
    const ahead = direction > 0 ? apexes.findIndex((s) => s > cursor.s + 0.5) : apexes.findLastIndex((s) => s < cursor.s - 0.5);
    this.show(ahead >= 0 ? ahead : direction > 0 ? 0 : apexes.length - 1);
  }

  // Marks the corner that the cursor is in.
  draw() {
    const inside = ({ entry_s_m, length_m }) => reference.within(cursor.s - entry_s_m) <= length_m && (reference.closed || cursor.s >= entry_s_m);
    const here = reference.corners.findIndex(inside);
    if (here === this.here) return;
    this.rows[this.here]?.classList.remove("here");
    this.rows[here]?.classList.add("here");
    this.here = here;
  }
}
