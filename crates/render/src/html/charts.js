// Charts over distance: drawn by plotly.js, thinned to what the screen can show; the cursor is an element of our own above them.

const MARGIN = { l: 58, r: 14, t: 4, b: 38 };
const HEAD_PX = 22;
// Least height of a chart where there are many.
const ROW_PX = 95;
const MOST_BANDS = 60;

const coarsePointer = matchMedia("(pointer: coarse)");
const yAxis = (k) => (k ? `yaxis${k + 1}` : "yaxis");

// Indices of the least and the greatest of each of `buckets` stretches between two places, with a neighbour on either side.
function thinned(xs, ys, from, to, buckets) {
  const first = Math.max(0, stepAt(xs, from) - 1);
  const last = Math.min(xs.length - 1, stepAt(xs, to) + 2);
  const [x, y] = [[], []];
  const keep = (i) => {
    x.push(xs[i]);
    y.push(ys[i]);
  };
  if (last - first <= 2 * buckets) {
    for (let i = first; i <= last; i++) keep(i);
    return { x, y };
  }
  keep(first);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const begin = first + 1 + Math.floor((bucket * (last - first - 1)) / buckets);
    const end = first + 1 + Math.floor(((bucket + 1) * (last - first - 1)) / buckets);
    if (begin >= end) continue;
    let [low, high] = [begin, begin];
    for (let i = begin; i < end; i++) {
      if (ys[i] < ys[low]) low = i;
      if (ys[i] > ys[high]) high = i;
    }
    keep(Math.min(low, high));
    if (low !== high) keep(Math.max(low, high));
  }
  keep(last);
  return { x, y };
}

class Charts {
  constructor() {
    this.place = byId("charts");
    this.plot = byId("plot");
    this.mark = byId("cursor");
    this.rows = lines.length > 1 ? [...quantities, difference] : quantities;
    this.place.style.minHeight = `${Math.max(560, ROW_PX * this.rows.length)}px`;
    this.range = [0, reference.length];
    this.series = this.rows.flatMap((row, k) => this.shown(row).map((line) => ({ row, line, axis: k, ys: this.values(row, line) })));
    this.heads = this.rows.map((row) => {
      const what = element("span", { className: "what", textContent: `${row.title}, ${row.unit}` });
      const values = this.shown(row).map((line) => {
        const value = element("span");
        return { line, value };
      });
      const head = element("div", { className: "head" }, what, ...values.map((one) => one.value));
      byId("heads").append(head);
      return { row, what, head, values };
    });
    this.resting = null;
  }

  shown(row) {
    if (row === difference) return lines.slice(1);
    return row.ofCar ? lines.filter((line) => line.hasCar) : lines;
  }

  // Values at the reference's points: other lines are read where they are level with them.
  values(row, line) {
    if (row === difference) return line.beside.difference;
    const factor = row.key === "speed" ? speedIn(1) : 1;
    if (line === reference) return line[row.key].map((value) => value * factor);
    return Float64Array.from(line.beside.otherS, (s) => row.of(line.at(s)));
  }

  // Least and greatest value of a chart on the stretch that is shown.
  extent(axis) {
    let [low, high] = this.rows[axis] === difference ? [0, 0] : [Infinity, -Infinity];
    const [first, last] = [stepAt(reference.s, this.range[0]), Math.min(stepAt(reference.s, this.range[1]) + 2, reference.count)];
    for (const { ys } of this.series.filter((one) => one.axis === axis)) {
      for (let i = first; i < last; i++) {
        low = Math.min(low, ys[i]);
        high = Math.max(high, ys[i]);
      }
    }
    const room = Math.max((high - low) * 0.06, 10 ** -this.rows[axis].digits);
    return [low - room, high + room];
  }

  // The traces' points for the shown range and one more of its size on either side, so that panning finds something.
  points() {
    const size = this.range[1] - this.range[0];
    const buckets = Math.round(clamp(this.width(), 200, 900));
    const thin = ({ ys }) => thinned(reference.s, ys, this.range[0] - size, this.range[1] + size, buckets * (size < reference.length ? 2 : 1));
    return this.series.map(thin);
  }

  width() {
    return Math.max(50, this.place.clientWidth - MARGIN.l - MARGIN.r);
  }

  layout() {
    const colours = palette();
    const [width, height] = [this.place.clientWidth, this.place.clientHeight];
    const inner = height - MARGIN.t - MARGIN.b;
    const count = this.rows.length;
    const axis = { gridcolor: colours.grid, zerolinecolor: colours.zero, linecolor: colours.zero, tickfont: { size: 11 } };
    const layout = {
      width, height, margin: MARGIN, showlegend: false, hovermode: false,
      // A finger scrolls the page; two zoom, see chartTouch.
      dragmode: coarsePointer.matches ? false : "pan",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colours.faint, family: "system-ui, sans-serif", size: 12 },
      xaxis: { ...axis, range: [...this.range], anchor: count > 1 ? `y${count}` : "y", minallowed: 0, maxallowed: reference.length, zeroline: false,
        exponentformat: "none", separatethousands: true, title: { text: "Distance from the start line, m", standoff: 6, font: { size: 12 } } },
      shapes: this.bands(colours),
    };
    const head = HEAD_PX / inner;
    this.rows.forEach((_, k) => {
      const top = 1 - k / count;
      const domain = [top - 1 / count + (k + 1 < count ? 6 / inner : 0), top - head];
      layout[yAxis(k)] = { ...axis, domain, range: this.extent(k), fixedrange: true, nticks: 7 };
      this.heads[k].head.style.top = `${MARGIN.t + (k / count) * inner + 2}px`;
    });
    Object.assign(this.mark.style, { top: `${MARGIN.t + HEAD_PX}px`, height: `${inner - HEAD_PX}px` });
    return layout;
  }

  // Corners as faint bands.
  bands(colours) {
    if (reference.corners.length > MOST_BANDS) return [];
    const band = (x0, x1) => ({ type: "rect", xref: "x", yref: "paper", x0, x1, y0: 0, y1: 1, fillcolor: colours.band, line: { width: 0 }, layer: "below" });
    return reference.corners.flatMap(({ entry_s_m, exit_s_m }) =>
      entry_s_m <= exit_s_m ? [band(entry_s_m, exit_s_m)] : [band(entry_s_m, reference.length), band(0, exit_s_m)]);
  }

  draw() {
    const traces = this.points().map((points, k) => {
      const { line, axis } = this.series[k];
      return { ...points, type: "scatter", mode: "lines", hoverinfo: "skip", yaxis: axis ? `y${axis + 1}` : "y",
        visible: map.layers.lines[line.index], line: { color: lineColour(line.index), width: 1.5 } };
    });
    for (const { values } of this.heads) {
      for (const { line, value } of values) value.style.color = lineColour(line.index);
    }
    const first = !this.plot.on;
    Plotly.react(this.plot, traces, this.layout(), { displayModeBar: false, scrollZoom: true, doubleClick: false, showTips: false });
    if (first) this.listen();
    this.drawCursor();
  }

  listen() {
    this.plot.on("plotly_relayouting", (change) => this.moved(change));
    this.plot.on("plotly_relayout", (change) => {
      if (this.moved(change)) this.rest();
    });
    this.plot.on("plotly_doubleclick", () => this.show(0, reference.length));
  }

  moved(change) {
    const range = change["xaxis.range"] ?? [change["xaxis.range[0]"], change["xaxis.range[1]"]];
    if (!Number.isFinite(range[0]) || !Number.isFinite(range[1])) return false;
    this.range = [...range];
    this.drawCursor();
    return true;
  }

  // New points once the range has come to rest: the next frame, and once for many changes.
  rest() {
    if (this.resting !== null) return;
    this.resting = requestAnimationFrame(() => {
      this.resting = null;
      this.update();
    });
  }

  // The points of the shown stretch, and axes that fit them.
  update(more = {}) {
    if (!this.plot.on) return;
    const points = this.points();
    const axes = Object.fromEntries(this.rows.map((_, k) => [`${yAxis(k)}.range`, this.extent(k)]));
    Plotly.update(this.plot, { x: points.map((one) => one.x), y: points.map((one) => one.y) }, { ...axes, ...more });
  }

  unitChanged(row) {
    for (const one of this.series) if (one.row === row) one.ys = this.values(row, one.line);
    for (const head of this.heads) if (head.row === row) head.what.textContent = `${row.title}, ${row.unit}`;
    this.update();
    this.drawCursor();
  }

  // Shows a stretch of the reference.
  show(from, to) {
    const size = clamp(to - from, reference.length / 2000, reference.length);
    const begin = clamp((from + to - size) / 2, 0, reference.length - size);
    this.range = [begin, begin + size];
    this.update({ "xaxis.range": [...this.range] });
    this.drawCursor();
  }

  zoom(factor) {
    const [from, to] = this.range;
    const middle = clamp(cursor.s, from, to);
    this.show(middle - (middle - from) * factor, middle + (to - middle) * factor);
  }

  toggle(index, on) {
    const traces = this.series.flatMap(({ line }, k) => (line.index === index ? [k] : []));
    if (traces.length) Plotly.restyle(this.plot, { visible: on }, traces);
    this.drawCursor();
  }

  // Distance under a place on the page, or none beside the charts.
  distanceAt(clientX) {
    const left = this.place.getBoundingClientRect().left + MARGIN.l;
    const share = (clientX - left) / this.width();
    return share < 0 || share > 1 ? null : mix(this.range[0], this.range[1], share);
  }

  drawCursor() {
    const share = (cursor.s - this.range[0]) / (this.range[1] - this.range[0]);
    this.mark.hidden = share < 0 || share > 1;
    this.mark.style.transform = `translateX(${MARGIN.l + share * this.width()}px)`;
    for (const { row, values } of this.heads) {
      for (const { line, value } of values) {
        const show = map.layers.lines[line.index];
        const number = row === difference ? signed(line.differenceAt(reference, cursor.s), 3) : plain(row.of(cursor.level(line)), row.digits);
        value.textContent = show ? number : "";
      }
    }
  }
}
