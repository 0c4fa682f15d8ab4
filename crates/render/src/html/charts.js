// Charts over distance on one canvas, thinned to what the screen can show; the cursor is an element above them.

// Above the charts stand the numbers of the corners.
const MARGIN = { l: 58, r: 14, t: 18, b: 38 };
const HEAD_PX = 22;
// Gap below a chart, and the smallest height of a chart with its head where there are many.
const GAP_PX = 6;
const ROW_PX = 76;
// Charts that are read first are higher than the others.
const FIRST_ROWS = 1.6;
// Room of a tick on the vertical and on the horizontal axis.
const TICK_PX = [15, 90];
const MOST_BANDS = 60;

// The step of an axis's ticks: 1, 2, 2.5 or 5 times a power of ten, of which at most `most` fit.
function tickStep(size, most) {
  const raw = size / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 2.5, 5].find((one) => one * power >= raw) ?? 10);
}

// The decimals that a step needs.
function decimalsOf(step) {
  let decimals = 0;
  while (decimals < 12 && Math.abs(Math.round(step * 10 ** decimals) - step * 10 ** decimals) > 1e-6 * step * 10 ** decimals) decimals++;
  return decimals;
}

// Formats by their decimals: a browser takes long to make one.
const tickFormats = new Map();

function tickFormat(digits) {
  const made = tickFormats.get(digits) ?? new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  tickFormats.set(digits, made);
  return made;
}

// The ticks within a range: their values and texts.
function ticksOf([low, high], most) {
  const step = tickStep(high - low, most);
  const format = tickFormat(decimalsOf(step));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    // No −0.
    const value = k ? k * step : 0;
    ticks.push({ value, text: format.format(value).replace("-", "−") });
  }
  return ticks;
}

// Points of the smallest and the greatest value in each of `buckets` stretches between two places, with a neighbour on either side.
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
    this.canvas = byId("plot");
    this.mark = byId("cursor");
    // Where time is lost comes first.
    this.rows = lines.length > 1 ? [difference, ...quantities] : quantities;
    // Where each chart begins and the last one ends, as fractions of the height.
    const weights = this.rows.map((row) => (row === difference || row.key === "speed" ? FIRST_ROWS : 1));
    const total = weights.reduce((sum, weight) => sum + weight);
    this.tops = [0];
    for (const weight of weights) this.tops.push(this.tops.at(-1) + weight / total);
    this.place.style.minHeight = `${Math.max(480, ROW_PX * total)}px`;
    this.range = [0, reference.length];
    this.series = this.rows.flatMap((row, k) => this.shown(row).map((line) => ({ row, line, axis: k, ys: this.values(row, line) })));
    this.heads = this.rows.map((row) => {
      const what = element("span", { className: "what", textContent: `${row.title}, ${row.unit}` });
      const values = this.shown(row).map((line) => {
        const value = element("span");
        return { line, value };
      });
      const head = element("div", { className: "head" }, what, ...values.map((one) => one.value));
      return { row, what, head, values };
    });
    // Width and height of their place as they were drawn last, px: asking the browser lays the page out anew.
    this.size = [0, 0];
    // Vertical range of each chart as it is drawn; it stays while the charts are dragged. None before the first time.
    this.axes = null;
    this.dragged = false;
    this.waiting = false;
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

  // Smallest and greatest value of a chart on the stretch that is shown.
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

  width() {
    return Math.max(50, this.size[0] - MARGIN.l - MARGIN.r);
  }

  // Top and bottom of a chart, px from the top of all.
  side(k) {
    const inner = this.size[1] - MARGIN.t - MARGIN.b;
    const [top, bottom] = [k, k + 1].map((one) => MARGIN.t + this.tops[one] * inner);
    return [top + HEAD_PX, k + 1 < this.rows.length ? bottom - GAP_PX : bottom];
  }

  // Sizes, heads and colours anew, and everything drawn.
  draw() {
    this.size = [this.place.clientWidth, this.place.clientHeight];
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    [this.canvas.width, this.canvas.height] = this.size.map((side) => Math.max(1, Math.round(side * this.ratio)));
    // When their places are known: they would be seen to move.
    if (!this.axes) byId("heads").append(...this.heads.map(({ head }) => head));
    this.heads.forEach(({ head, values }, k) => {
      head.style.top = `${this.side(k)[0] - HEAD_PX + 2}px`;
      for (const { line, value } of values) value.style.color = lineColour(line.index);
    });
    const [top, bottom] = [this.side(0)[0], this.side(this.rows.length - 1)[1]];
    Object.assign(this.mark.style, { top: `${top}px`, height: `${bottom - top}px` });
    this.paint();
    this.drawCursor();
  }

  // With the next frame, once for many changes.
  paintSoon() {
    if (this.waiting || !this.axes) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  px(s) {
    return MARGIN.l + ((s - this.range[0]) / (this.range[1] - this.range[0])) * this.width();
  }

  paint() {
    if (!this.axes || !this.dragged) this.axes = this.rows.map((_, k) => this.extent(k));
    const context = this.canvas.getContext("2d");
    const [width, height] = this.size;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.lineJoin = "round";
    const colours = palette();
    this.bands(context, colours);
    const ticks = ticksOf(this.range, this.width() / TICK_PX[1]);
    this.rows.forEach((_, k) => this.chart(context, colours, k, ticks));
    context.fillStyle = colours.faint;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const { value, text } of ticks) context.fillText(text, this.px(value), height - MARGIN.b + 14);
    context.font = "12px system-ui, sans-serif";
    context.fillText("Distance from the start line, m", MARGIN.l + this.width() / 2, height - 6);
  }

  // Corners as faint bands.
  bands(context, colours) {
    if (reference.corners.length > MOST_BANDS) return;
    context.fillStyle = colours.band;
    const [top, bottom] = [this.side(0)[0], this.side(this.rows.length - 1)[1]];
    const band = (from, to) => {
      const [left, right] = [from, to].map((s) => clamp(this.px(s), MARGIN.l, MARGIN.l + this.width()));
      if (right > left) context.fillRect(left, top, right - left, bottom - top);
    };
    for (const { entry_s_m, exit_s_m } of reference.corners) {
      // A corner on the start line has a part at either end.
      const parts = entry_s_m <= exit_s_m ? [[entry_s_m, exit_s_m]] : [[entry_s_m, reference.length], [0, exit_s_m]];
      for (const part of parts) band(...part);
    }
    this.bandNumbers(context, colours);
  }

  // Number and name of each corner above its band; where there is no room, the number alone, or nothing.
  bandNumbers(context, colours) {
    context.fillStyle = colours.faint;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const end = MARGIN.l + this.width();
    let taken = 0;
    for (const corner of reference.corners) {
      const { number, name, entry_s_m, exit_s_m, apex_s_m } = corner;
      const wraps = entry_s_m > exit_s_m;
      const [from, to] = (wraps ? [apex_s_m, apex_s_m] : [entry_s_m, exit_s_m]).map((s) => clamp(this.px(s), MARGIN.l, end));
      if (!wraps && to - from < 1) continue;
      const middle = (from + to) / 2;
      const texts = name ? [`${number} ${name}`, String(number)] : [String(number)];
      const text = texts.find((one, k) => {
        const half = context.measureText(one).width / 2;
        // A name stands within its band.
        return middle - half > taken && middle + half <= end + MARGIN.r && (k === texts.length - 1 || 2 * half <= to - from + 8);
      });
      if (!text || middle < MARGIN.l || middle > end) continue;
      context.fillText(text, middle, MARGIN.t - 5);
      taken = middle + context.measureText(text).width / 2 + 4;
    }
  }

  // One chart: its grid, and a trace for each line that is shown.
  chart(context, colours, k, ticks) {
    const [top, bottom] = this.side(k);
    const [low, high] = this.axes[k];
    const right = MARGIN.l + this.width();
    const py = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
    // On the middle of a pixel a rule is one pixel wide.
    const rule = (colour, ...ends) => {
      context.strokeStyle = colour;
      context.beginPath();
      ends.forEach(([x, y], end) => context[end ? "lineTo" : "moveTo"](Math.floor(x) + 0.5, Math.floor(y) + 0.5));
      context.stroke();
    };
    context.lineWidth = 1;
    context.fillStyle = colours.faint;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const { value } of ticks) rule(colours.grid, [this.px(value), top], [this.px(value), bottom]);
    for (const { value, text } of ticksOf([low, high], (bottom - top) / TICK_PX[0])) {
      rule(value ? colours.grid : colours.zero, [MARGIN.l, py(value)], [right, py(value)]);
      context.fillText(text, MARGIN.l - 4, py(value));
    }
    context.save();
    context.beginPath();
    context.rect(MARGIN.l, top, this.width(), bottom - top);
    context.clip();
    context.lineWidth = 1.5;
    const buckets = Math.round(clamp(this.width(), 200, 1600));
    for (const { line, axis, ys } of this.series) {
      if (axis !== k || !map.layers.lines[line.index]) continue;
      const { x, y } = thinned(reference.s, ys, ...this.range, buckets);
      context.strokeStyle = lineColour(line.index);
      context.beginPath();
      for (let i = 0; i < x.length; i++) context.lineTo(this.px(x[i]), py(y[i]));
      context.stroke();
    }
    context.restore();
  }

  unitChanged(row) {
    for (const one of this.series) if (one.row === row) one.ys = this.values(row, one.line);
    for (const head of this.heads) if (head.row === row) head.what.textContent = `${row.title}, ${row.unit}`;
    this.paintSoon();
    this.drawCursor();
  }

  // Shows a stretch of the reference.
  show(from, to) {
    const size = clamp(to - from, reference.length / 2000, reference.length);
    const begin = clamp((from + to - size) / 2, 0, reference.length - size);
    this.range = [begin, begin + size];
    this.paintSoon();
    this.drawCursor();
  }

  // Shows `factor` times as much; what lies at a distance stays there.
  zoom(factor, about = cursor.s) {
    const [from, to] = this.range;
    const middle = clamp(about, from, to);
    this.show(middle - (middle - from) * factor, middle + (to - middle) * factor);
  }

  // While the charts are dragged their vertical axes stay, and fit what is shown at the end.
  drag(on) {
    this.dragged = on;
    this.place.classList.toggle("dragged", on);
    if (!on) this.paintSoon();
  }

  linesChanged() {
    this.paintSoon();
    this.drawCursor();
  }

  // Distance under a place on the page, or none beside the charts.
  distanceAt(clientX) {
    const left = this.place.getBoundingClientRect().left + MARGIN.l;
    const share = (clientX - left) / this.width();
    return share < 0 || share > 1 ? null : mix(this.range[0], this.range[1], share);
  }

  drawCursor() {
    if (!this.axes) return;
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
