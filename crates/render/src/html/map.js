// The map: what stands still on one canvas, what moves on another above it.

const LEVELS = pageData.speed_colours.length;
const NARROWEST_ROAD_PX = 6;
// Points nearer to each other than this, in pixels, are drawn as one.
const FINE_PX = 0.7;

// A path as pixels, without points that can't be told apart.
function pixels(view, { x, y }) {
  const places = [];
  let [lastX, lastY] = [Infinity, Infinity];
  for (let i = 0; i < x.length; i++) {
    const [px, py] = [view.px(x[i]), view.py(y[i])];
    if (Math.abs(px - lastX) + Math.abs(py - lastY) < FINE_PX && i + 1 < x.length) continue;
    places.push(px, py);
    [lastX, lastY] = [px, py];
  }
  return places;
}

// A ring cut to the view (Sutherland and Hodgman 1974), side by side of the rectangle.
function clipped(ring, width, height) {
  const room = 60;
  const sides = [[0, -room, 1], [0, width + room, -1], [1, -room, 1], [1, height + room, -1]];
  for (const [axis, bound, sign] of sides) {
    const inside = [];
    for (let i = 0; i < ring.length; i += 2) {
      const k = i === 0 ? ring.length - 2 : i - 2;
      const [from, to] = [(ring[k + axis] - bound) * sign, (ring[i + axis] - bound) * sign];
      if (from >= 0 !== to >= 0) {
        const share = from / (from - to);
        inside.push(mix(ring[k], ring[i], share), mix(ring[k + 1], ring[i + 1], share));
      }
      if (to >= 0) inside.push(ring[i], ring[i + 1]);
    }
    ring = inside;
    if (!ring.length) break;
  }
  return ring;
}

// A quantity with a sign has a scale with a middle.
const scaleColours = (key) => (key === "speed" ? pageData.speed_colours : pageData.diverging_colours);

// Equally far to both sides of 0. The sharpest twentieth of a line's bends has the colours of the ends, as in a picture.
function signedRange(values, key) {
  const sizes = Float64Array.from(values, Math.abs).sort();
  const share = key === "curvature" ? 0.95 : 1;
  const most = sizes[Math.max(Math.ceil(sizes.length * share), 1) - 1] || 1;
  return [-most, most];
}

class MapView {
  constructor() {
    this.view = new View();
    this.place = byId("map");
    this.layers = { lines: lines.map(() => true), candidates: new Set(), sections: pageData.show_sections, background: true, numbers: pageData.show_corners, braking: true, passed: true, doubtful: true, streets: true };
    this.colourBy = pageData.colour_by ?? (lines.length > 1 ? "line" : "speed");
    this.levels = new Map();
    this.minimap = new Minimap(this);
    this.picture = null;
    if (pageData.background) {
      this.picture = new Image();
      this.picture.addEventListener("load", () => this.draw());
      this.picture.src = pageData.background.picture;
    }
  }

  // Takes the size of its place.
  measure() {
    const { clientWidth, clientHeight } = this.place;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    [this.base, this.overlay] = ["base", "overlay"].map((id) => {
      const canvas = byId(id);
      canvas.width = Math.max(1, Math.round(clientWidth * this.ratio));
      canvas.height = Math.max(1, Math.round(clientHeight * this.ratio));
      return canvas.getContext("2d");
    });
    this.view.resize(Math.max(1, clientWidth), Math.max(1, clientHeight));
  }

  resize() {
    this.measure();
    this.draw();
  }

  begin(context) {
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    context.lineJoin = context.lineCap = "round";
    context.setLineDash([]);
    return context;
  }

  // Draws with the next frame, once for many changes.
  drawSoon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    if (!this.base) return;
    const context = this.begin(this.base);
    const { view, layers } = this;
    if (this.picture && layers.background && this.picture.complete && this.picture.naturalWidth) {
      const { x_m, y_m, width_m, height_m } = pageData.background;
      context.globalAlpha = isDark() ? 0.55 : 0.75;
      context.drawImage(this.picture, view.px(x_m), view.py(y_m + height_m), width_m * view.scale, height_m * view.scale);
      context.globalAlpha = 1;
    }
    if (streets && layers.streets) streetLines(this, context);
    this.road(context);
    if (layers.sections && reference.sections) this.sections(context);
    this.start(context);
    for (const line of lines) {
      line.candidates.forEach((candidate, k) => {
        if (layers.candidates.has(`${line.index}.${k}`)) {
          context.setLineDash(candidateDashes[k % candidateDashes.length]);
          this.stroke(context, candidate.path, line.closed, candidateColour(k), 2);
        }
      });
    }
    context.setLineDash([]);
    if (layers.braking && layers.lines[0]) brakingZones(this, context);
    for (const line of [...lines].reverse()) {
      if (!layers.lines[line.index]) continue;
      const coloured = this.colourBy !== "line" && line === reference;
      // The line on top lets those under it be seen.
      if (line === reference && overlaps.some((share, k) => share > COVERED && layers.lines[k])) context.setLineDash([14, 10]);
      if (coloured) this.coloured(context, line);
      else this.stroke(context, line, false, roadColour(line.index), this.lineWidth());
      context.setLineDash([]);
    }
    if (layers.doubtful) doubtfulEdges(this, context);
    if (layers.passed) passedMarks(this, context);
    if (layers.numbers) cornerNumbers(this, context);
    this.scaleBar(context);
    this.minimap.draw();
    this.drawOverlay();
  }

  roadWidth() {
    const middle = reference.count >> 1;
    return (reference.left[middle] + reference.right[middle]) * this.view.scale;
  }

  lineWidth() {
    return clamp(this.roadWidth() * 0.14, 2, 5);
  }

  // The surface between the edges: both rings, one turned round, fill the road also where it crosses itself.
  road(context) {
    const { view } = this;
    const [left, right] = reference.edges.map((edge) => pixels(view, edge));
    const back = [];
    for (let i = right.length - 2; i >= 0; i -= 2) back.push(right[i], right[i + 1]);
    // A picture behind the road must show through.
    const behind = this.picture && this.layers.background;
    context.globalAlpha = behind ? 0.6 : 1;
    context.fillStyle = context.strokeStyle = palette().road;
    context.beginPath();
    for (const ring of reference.closed ? [left, back] : [left.concat(back)]) {
      const cut = clipped(ring, view.width, view.height);
      for (let i = 0; i < cut.length; i += 2) context[i ? "lineTo" : "moveTo"](cut[i], cut[i + 1]);
      context.closePath();
    }
    context.fill();
    const widening = NARROWEST_ROAD_PX - this.roadWidth();
    if (widening > 0) {
      context.lineWidth = widening;
      context.stroke();
    }
    context.globalAlpha = 1;
    if (widening <= 0) for (const edge of reference.edges) this.stroke(context, edge, reference.closed, palette().edge, 1.4);
  }

  stroke(context, { x, y }, closed, colour, width) {
    const { view } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    const count = closed ? x.length + 1 : x.length;
    let [lastX, lastY] = [view.px(x[0]), view.py(y[0])];
    let drawn = false;
    for (let k = 1; k < count; k++) {
      const i = k % x.length;
      const [px, py] = [view.px(x[i]), view.py(y[i])];
      if (Math.abs(px - lastX) + Math.abs(py - lastY) < FINE_PX && k + 1 < count) continue;
      if (this.outside(lastX, lastY, px, py)) {
        drawn = false;
      } else {
        if (!drawn) context.moveTo(lastX, lastY);
        context.lineTo(px, py);
        drawn = true;
      }
      [lastX, lastY] = [px, py];
    }
    context.stroke();
  }

  outside(ax, ay, bx, by) {
    const { width, height } = this.view;
    return (ax < -20 && bx < -20) || (ay < -20 && by < -20) || (ax > width + 20 && bx > width + 20) || (ay > height + 20 && by > height + 20);
  }

  // Colour of each step, 0 to LEVELS - 1, and the ends of the scale.
  levelsOf(line, key) {
    const known = `${line.index}.${key}`;
    if (!this.levels.has(known)) {
      const values = line[key];
      const [low, high] = key === "speed"
        ? values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity])
        : signedRange(values, key);
      const range = high - low || 1;
      const level = (i) => clamp(Math.floor((((values[i] + values[i + 1]) / 2 - low) / range) * LEVELS), 0, LEVELS - 1);
      this.levels.set(known, { low, high, steps: Uint8Array.from({ length: line.count - 1 }, (_, i) => level(i)) });
    }
    return this.levels.get(known);
  }

  coloured(context, line) {
    const { view } = this;
    const { steps } = this.levelsOf(line, this.colourBy);
    const width = clamp(this.roadWidth() * 0.3, 3, 6.5);
    this.stroke(context, line, false, palettes.light.road, width + 2);
    const paths = new Map();
    let [lastX, lastY] = [view.px(line.x[0]), view.py(line.y[0])];
    for (let i = 1; i < line.count; i++) {
      const [px, py] = [view.px(line.x[i]), view.py(line.y[i])];
      if (Math.abs(px - lastX) + Math.abs(py - lastY) < FINE_PX && i + 1 < line.count) continue;
      if (!this.outside(lastX, lastY, px, py)) {
        const level = steps[i - 1];
        if (!paths.has(level)) paths.set(level, new Path2D());
        paths.get(level).moveTo(lastX, lastY);
        paths.get(level).lineTo(px, py);
      }
      [lastX, lastY] = [px, py];
    }
    context.lineWidth = width;
    for (const [level, path] of paths) {
      context.strokeStyle = scaleColours(this.colourBy)[level];
      context.stroke(path);
    }
  }

  sections(context) {
    const { view } = this;
    const [right, left] = reference.sections;
    // Closer than two pixels they would only be a smear.
    const every = Math.max(1, Math.ceil((2 * right.x.length) / Math.max(1, reference.length * view.scale)));
    context.strokeStyle = palette().section;
    context.globalAlpha = 0.7;
    context.lineWidth = 0.8;
    context.beginPath();
    for (let i = 0; i < right.x.length; i += every) {
      const [ax, ay, bx, by] = [view.px(right.x[i]), view.py(right.y[i]), view.px(left.x[i]), view.py(left.y[i])];
      if (this.outside(ax, ay, bx, by)) continue;
      context.moveTo(ax, ay);
      context.lineTo(bx, by);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  // Draws a path of the ink over a rim of the page's colour, legible on any picture.
  inked(context, width, path) {
    for (const [colour, more] of [[palette().page, 3], [palette().ink, 0]]) {
      context.strokeStyle = colour;
      context.lineWidth = width + more;
      context.beginPath();
      path();
      context.stroke();
    }
  }

  // The start line and, beside it, the direction of travel.
  start(context) {
    const { view } = this;
    const here = reference.at(0);
    const [sin, cos] = [Math.sin(here.heading), Math.cos(here.heading)];
    const across = (metres, more) => {
      const reach = metres * view.scale + more * Math.sign(metres);
      return [view.px(here.x) - sin * reach, view.py(here.y) - cos * reach];
    };
    const ends = [across(here.left, 5), across(-here.right, 5)];
    const line = (width, colour, dash) => {
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(...ends[0]);
      context.lineTo(...ends[1]);
      context.stroke();
    };
    context.lineCap = "butt";
    line(7, palette().ink, []);
    line(5, "#ffffff", []);
    line(5, palettes.light.road, [4, 4]);
    context.setLineDash([]);
    context.lineCap = "round";
    const foot = across(here.left, 15);
    const tip = [foot[0] + cos * 30, foot[1] - sin * 30];
    const barb = (turn) => [tip[0] - Math.cos(here.heading + turn) * 9, tip[1] + Math.sin(here.heading + turn) * 9];
    this.inked(context, 2.5, () => {
      context.moveTo(...foot);
      context.lineTo(...tip);
      context.lineTo(...barb(0.5));
      context.moveTo(...tip);
      context.lineTo(...barb(-0.5));
    });
  }

  // Text in the ink with a rim of the page's colour.
  rimmed(context, text, x, y) {
    context.lineWidth = 4;
    context.strokeStyle = palette().page;
    context.strokeText(text, x, y);
    context.fillStyle = palette().ink;
    context.fillText(text, x, y);
  }

  scaleBar(context) {
    const { view } = this;
    const most = 140 / view.scale;
    const power = 10 ** Math.floor(Math.log10(most));
    const metres = [5, 2, 1].map((k) => k * power).find((length) => length <= most) ?? power;
    const [x, y, width] = [14, view.height - 14, metres * view.scale];
    this.inked(context, 2, () => {
      context.moveTo(x, y - 5);
      context.lineTo(x, y);
      context.lineTo(x + width, y);
      context.lineTo(x + width, y - 5);
    });
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "bottom";
    const text = metres >= 1000 ? `${metres / 1000} km` : `${plain(metres, metres < 1 ? 2 : 0)} m`;
    this.rimmed(context, text, x + 5, y - 4);
  }

  // Cars at one time, and the place of the cursor.
  drawOverlay() {
    if (!this.overlay) return;
    const context = this.begin(this.overlay);
    for (const line of [...lines].reverse()) {
      if (this.layers.lines[line.index]) this.car(context, line, cursor.car(line));
    }
  }

  car(context, line, here) {
    const { view } = this;
    const { vehicle_length_m, vehicle_width_m } = line.about;
    const length = Math.max(vehicle_length_m * view.scale, 16);
    const width = Math.max(vehicle_width_m * view.scale, length * 0.42);
    context.save();
    context.translate(view.px(here.x), view.py(here.y));
    if (line === reference) {
      this.inked(context, 1.5, () => context.arc(0, 0, length * 0.5 + 7, 0, 2 * Math.PI));
    }
    context.rotate(-here.heading);
    context.fillStyle = lines.length > 1 ? roadColour(line.index) : "#ff5a36";
    context.strokeStyle = "#ffffff";
    context.lineWidth = 1.6;
    context.beginPath();
    context.moveTo(-length / 2, -width / 2);
    context.lineTo(length * 0.2, -width / 2);
    context.lineTo(length / 2, -width * 0.16);
    context.lineTo(length / 2, width * 0.16);
    context.lineTo(length * 0.2, width / 2);
    context.lineTo(-length / 2, width / 2);
    context.closePath();
    context.fill();
    context.stroke();
    context.restore();
  }
}
