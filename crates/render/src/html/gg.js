// The g-g diagram: what the tyres give across and along at every point of the lines, the vehicle's limit at the cursor's
// speed, and the cursor's points.

class GgDiagram {
  constructor() {
    this.canvas = byId("gg");
    this.shown = lines.filter((line) => line.limits);
    byId("gg-panel").hidden = !this.shown.length;
    if (!this.shown.length) return;
    let most = 1e-3;
    for (const line of this.shown) {
      for (let i = 0; i < line.count; i++) most = Math.max(most, Math.abs(line.across[i]), Math.abs(line.along[i]));
    }
    const { across_mps2, braking_mps2 } = this.shown[0].limits;
    this.reach = Math.max(most, ...across_mps2, ...braking_mps2) * 1.12;
    // The points are drawn once for a size and a theme; the cursor over them each time.
    this.cloud = document.createElement("canvas");
    // Side of the diagram, px; until it was measured nothing is drawn.
    this.size = 0;
    byId("gg-panel").addEventListener("toggle", () => this.draw());
  }

  resize() {
    if (!this.shown.length) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.size = this.canvas.clientWidth;
    for (const canvas of [this.canvas, this.cloud]) canvas.width = canvas.height = Math.max(1, Math.round(this.size * ratio));
    this.ratio = ratio;
    this.drawCloud();
    this.draw();
  }

  // Left is to the left, as the driver feels it turn; driving is up.
  place(across, along) {
    const scale = this.size / 2 / this.reach;
    return [this.size / 2 - across * scale, this.size / 2 - along * scale];
  }

  begin(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.size, this.size);
    return context;
  }

  drawCloud() {
    if (!this.shown.length || !this.size) return;
    const context = this.begin(this.cloud);
    const colours = palette();
    const step = [50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1].find((one) => this.reach / one >= 2) ?? this.reach / 2;
    context.strokeStyle = colours.grid;
    context.fillStyle = colours.faint;
    context.font = "11px system-ui, sans-serif";
    for (let k = -Math.floor(this.reach / step); k * step <= this.reach; k++) {
      const [x, y] = this.place(-k * step, k * step);
      context.strokeStyle = k ? colours.grid : colours.zero;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, this.size);
      context.moveTo(0, y);
      context.lineTo(this.size, y);
      context.stroke();
      if (k) context.fillText(plain(k * step, step < 1 ? 1 : 0), 3, y - 2);
    }
    for (const line of [...this.shown].reverse()) {
      if (!map.layers.lines[line.index]) continue;
      context.fillStyle = lineColour(line.index);
      context.globalAlpha = 0.4;
      for (let i = 0; i < line.count; i++) {
        const [x, y] = this.place(line.across[i], line.along[i]);
        context.fillRect(x - 1, y - 1, 2, 2);
      }
      context.globalAlpha = 1;
    }
  }

  // The limit of a line's vehicle at a place: grip and drive.
  limit(line, here) {
    const { braking_exponent, driving_exponent } = line.limits;
    return ggOutline({ ...limitsAt(line.limits, here.speed, here.gripFactor), braking_exponent, driving_exponent });
  }

  draw() {
    if (!this.shown.length || !this.size || !byId("gg-panel").open) return;
    const context = this.begin(this.canvas);
    context.drawImage(this.cloud, 0, 0, this.size, this.size);
    const colours = palette();
    const visible = this.shown.filter((line) => map.layers.lines[line.index]);
    const values = [];
    for (const line of [...visible].reverse()) {
      const here = cursor.level(line);
      if (line === visible[0]) {
        context.strokeStyle = colours.ink;
        context.lineWidth = 1.5;
        context.beginPath();
        this.limit(line, here).forEach((point, k) => context[k ? "lineTo" : "moveTo"](...this.place(...point)));
        context.closePath();
        context.stroke();
      }
      context.fillStyle = lineColour(line.index);
      context.strokeStyle = colours.ink;
      context.beginPath();
      context.arc(...this.place(here.across, here.along), 5.5, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
      values.unshift([line, here]);
    }
    byId("gg-values").replaceChildren(...values.flatMap(([line, here]) => [
      ...(lines.length > 1 ? [element("dt", { className: "name", textContent: line.about.label }), element("dd")] : []),
      element("dt", { textContent: "across, positive to the left" }), element("dd", { textContent: `${plain(here.across, 1)} m/s²` }),
      element("dt", { textContent: "along, by the tyres" }), element("dd", { textContent: `${plain(here.along, 1)} m/s²` }),
      element("dt", { textContent: "grip used" }), element("dd", { textContent: `${here.gripUsed.toFixed(0)} %` }),
    ]));
  }
}
