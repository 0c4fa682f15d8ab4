// What the editor draws over the map: the sidecar's places, and the clicks of the tool in use.

const MARK = "#ff2d78";

class Marks {
  constructor(editor) {
    this.editor = editor;
    const draw = map.drawOverlay.bind(map);
    map.drawOverlay = () => {
      draw();
      this.draw();
    };
  }

  draw() {
    const context = map.overlay;
    if (!context) return;
    const { values, clicks } = this.editor;
    context.save();
    context.lineWidth = 2;
    context.strokeStyle = context.fillStyle = MARK;
    context.font = "600 12px system-ui, sans-serif";
    for (const [key, text] of [["start", "start"], ["road_at", "road"], ["from", "from"], ["to", "to"]]) {
      if (values[key] !== undefined) this.pin(context, values[key], text);
    }
    (values.via ?? []).forEach((spot, i) => this.pin(context, spot, `via ${i + 1}`));
    (values.obstacle ?? []).forEach((one, i) => (one.at ? this.disc(context, one, `obstacle ${i + 1}`) : this.region(context, { polygon: one.points }, `obstacle ${i + 1}`)));
    (values.pick_up ?? []).forEach((one, i) => this.disc(context, one, `pick-up ${i + 1}`));
    (values.pin ?? []).forEach((one, i) => this.pin(context, one.at, `pin ${i + 1 + this.price("pin", i + 1)}`));
    (values.edge_point ?? []).forEach((one, i) => this.pin(context, one.at, `edge ${i + 1}`));
    (values.corner ?? []).forEach((one) => this.pin(context, one.at, one.name));
    (values.speed_cap ?? []).forEach((one, i) => this.stretch(context, { ...one, text: `cap ${[one.max_speed_mps, "m/s"].join(" ") + this.price("speed_cap", i + 1)}` }));
    (values.grip ?? []).forEach((one, i) => this.region(context, one, `grip ${one.factor + this.price("grip", i + 1)}`));
    (values.no_go ?? []).forEach((one, i) => this.region(context, one, `no-go ${i + 1 + this.price("no_go", i + 1)}`));
    this.editor.handles.draw(context);
    context.strokeStyle = MARK;
    context.lineWidth = 2;
    if (this.editor.path) this.path(context, this.editor.path);
    if (clicks.length >= 2) this.path(context, clicks);
    for (const [x, y] of clicks) this.cross(context, map.view.px(x), map.view.py(y));
    context.restore();
  }

  // What a constraint costs, behind its name, where the line that is shown was made with it.
  price(key, number) {
    if (!globalThis.raceline?.lines) return "";
    const found = (reference.passed.prices ?? []).find((one) => one.key === key && one.number === number);
    return found ? ` ${signed(found.price_s, 3)} s` : "";
  }

  cross(context, px, py) {
    context.beginPath();
    context.moveTo(px - 8, py);
    context.lineTo(px + 8, py);
    context.moveTo(px, py - 8);
    context.lineTo(px, py + 8);
    context.stroke();
  }

  path(context, points) {
    context.beginPath();
    points.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](map.view.px(x), map.view.py(y)));
    context.stroke();
  }

  // A white rim keeps the text readable on any picture.
  label(context, text, px, py) {
    const width = context.measureText(text).width;
    // At the map's right end to the left of the place.
    const x = px + 8 + width > map.view.width ? px - 8 - width : px + 8;
    context.fillStyle = MARK;
    context.lineWidth = 4;
    context.strokeStyle = "#ffffff";
    context.strokeText(text, x, py - 8);
    context.strokeStyle = MARK;
    context.lineWidth = 2;
    context.fillText(text, x, py - 8);
  }

  pin(context, spot, text) {
    const [x, y] = this.editor.worldOf(spot);
    const [px, py] = [map.view.px(x), map.view.py(y)];
    context.beginPath();
    context.arc(px, py, 5, 0, 2 * Math.PI);
    context.stroke();
    this.label(context, text, px, py);
  }

  disc(context, one, text) {
    const [x, y] = this.editor.worldOf(one.at);
    const [px, py] = [map.view.px(x), map.view.py(y)];
    context.beginPath();
    context.arc(px, py, Math.max(one.radius_m * this.editor.pixelsPerMetre(), 4), 0, 2 * Math.PI);
    context.stroke();
    this.label(context, text, px, py);
  }

  region(context, one, text) {
    if (!one.polygon) return this.stretch(context, { ...one, text });
    const corners = one.polygon.map((spot) => this.editor.worldOf(spot));
    this.path(context, [...corners, corners[0]]);
    const [x, y] = corners[0];
    this.label(context, text, map.view.px(x), map.view.py(y));
  }

  stretch(context, { from_m, to_m, text }) {
    const points = this.editor.between(from_m, to_m);
    if (!points.length) return;
    context.save();
    context.lineWidth = 6;
    context.globalAlpha = 0.5;
    this.path(context, points);
    context.restore();
    const [x, y] = points[points.length >> 1];
    this.label(context, text, map.view.px(x), map.view.py(y));
  }
}
