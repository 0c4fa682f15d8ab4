// A racing line as typed arrays: read at a distance, at a time, and beside the reference.

// Columns come as whole steps, each the difference from the one before.
function unpack({ per_unit, steps }) {
  const values = new Float64Array(steps.length);
  let sum = 0;
  for (let i = 0; i < steps.length; i++) {
    sum += steps[i];
    values[i] = sum / per_unit;
  }
  return values;
}

const unpackPath = (path) => ({ x: unpack(path.x_m), y: unpack(path.y_m) });

// The last index of a rising column whose value isn't above `value`; the first where there is none. Never the last of all.
function stepAt(column, value) {
  let low = 0;
  let high = column.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (column[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}

const withLast = (column, value) => {
  const longer = new Float64Array(column.length + 1);
  longer.set(column);
  longer[column.length] = value;
  return longer;
};

class Line {
  constructor(data, index) {
    const columns = Object.fromEntries(Object.entries(data.points).map(([key, column]) => [key, unpack(column)]));
    // A closed lap ends where it began, so that no reader has to look round the corner.
    const ending = (column, last) => (data.closed ? withLast(column, last ?? column[0]) : column);
    this.index = index;
    this.about = data;
    this.closed = data.closed;
    this.length = data.length_m;
    this.lapTime = data.lap_time_s;
    this.s = ending(columns.s_m, data.length_m);
    this.time = ending(columns.time_s, data.lap_time_s);
    this.x = ending(columns.x_m);
    this.y = ending(columns.y_m);
    this.speed = ending(columns.speed_mps);
    this.accel = ending(columns.accel_mps2);
    this.curvature = ending(columns.curvature_radpm);
    this.left = ending(columns.left_m);
    this.right = ending(columns.right_m);
    // A level road has no heights.
    this.hasHeights = Boolean(columns.z_m);
    const level = new Float64Array(columns.s_m.length);
    this.height = ending(columns.z_m ?? level);
    this.grade = ending(columns.grade_percent ?? level);
    this.banking = ending(columns.banking_deg ?? level);
    this.limits = data.limits;
    this.gripFactor = ending(columns.grip_factor ?? level.map(() => 1));
    [this.across, this.along, this.gripUsed] = tyres(this);
    this.passed = data.passed;
    // What a car does, where the line tells it.
    this.hasCar = Boolean(columns.steering_deg);
    this.steering = ending(columns.steering_deg ?? level);
    this.pedal = ending(columns.pedal_percent ?? level);
    this.sideslip = ending(columns.sideslip_deg ?? level);
    this.yawRate = ending(columns.yaw_rate_degps ?? level);
    this.offset = this.left.map((left, i) => (this.right[i] - left) / 2);
    this.count = this.s.length;
    this.edges = [unpackPath(data.left), unpackPath(data.right)];
    this.candidates = data.candidates.map((one) => ({ ...one, path: unpackPath(one.path) }));
    this.sections = data.sections && data.sections.map(unpackPath);
    this.corners = data.corners;
    this.doubtful = data.doubtful_m ?? [];
    this.braking = data.braking_m;
    this.beside = null;
    const { comparison } = data;
    if (comparison) {
      this.beside = { otherS: unpack(comparison.other_s_m), difference: unpack(comparison.time_difference_s) };
      this.timeAtStart = this.at(this.beside.otherS[0]).time;
    } else {
      this.timeAtStart = 0;
    }
  }

  within(s) {
    if (!this.closed) return clamp(s, 0, this.length);
    return s === this.length ? s : s - Math.floor(s / this.length) * this.length;
  }

  // Everything at a distance. The square of the speed is linear between points, as under constant acceleration.
  at(distance) {
    const s = this.within(distance);
    const i = stepAt(this.s, s);
    const step = this.s[i + 1] - this.s[i];
    const share = step > 0 ? clamp((s - this.s[i]) / step, 0, 1) : 0;
    const [v0, v1] = [this.speed[i], this.speed[i + 1]];
    const speed = Math.sqrt(Math.max(0, mix(v0 * v0, v1 * v1, share)));
    const share_of_time = v0 + speed > 0 ? clamp((share * (v0 + v1)) / (v0 + speed), 0, 1) : share;
    return this.place(s, i, share, speed, mix(this.time[i], this.time[i + 1], share_of_time));
  }

  // Everything at a time since this line's start line.
  atTime(seconds) {
    const laps = Math.floor(seconds / this.lapTime);
    const time = this.closed ? seconds - laps * this.lapTime : clamp(seconds, 0, this.lapTime);
    const i = stepAt(this.time, time);
    const step = this.time[i + 1] - this.time[i];
    const share = step > 0 ? clamp((time - this.time[i]) / step, 0, 1) : 0;
    const [v0, v1] = [this.speed[i], this.speed[i + 1]];
    const speed = mix(v0, v1, share);
    const along = v0 + v1 > 0 ? clamp((share * (v0 + speed)) / (v0 + v1), 0, 1) : share;
    return this.place(mix(this.s[i], this.s[i + 1], along), i, along, speed, time);
  }

  place(s, i, share, speed, time) {
    const between = (column) => mix(column[i], column[i + 1], share);
    return {
      s, time, speed,
      x: between(this.x),
      y: between(this.y),
      accel: between(this.accel),
      curvature: between(this.curvature),
      height: between(this.height),
      grade: between(this.grade),
      banking: between(this.banking),
      across: between(this.across),
      along: between(this.along),
      gripUsed: between(this.gripUsed),
      gripFactor: between(this.gripFactor),
      steering: between(this.steering),
      pedal: between(this.pedal),
      sideslip: between(this.sideslip),
      yawRate: between(this.yawRate),
      left: between(this.left),
      right: between(this.right),
      offset: between(this.offset),
      heading: this.headingAt(i, share),
    };
  }

  // Direction of travel, from the chords on both sides of the step's ends.
  headingAt(i, share) {
    const along = (k) => {
      const last = this.count - 1;
      const before = k > 0 ? k - 1 : this.closed ? last - 1 : 0;
      const after = k < last ? k + 1 : this.closed ? 1 : last;
      const [dx, dy] = [this.x[after] - this.x[before], this.y[after] - this.y[before]];
      const length = Math.hypot(dx, dy) || 1;
      return [dx / length, dy / length];
    };
    const [a, b] = [along(i), along(i + 1)];
    return Math.atan2(mix(a[1], b[1], share), mix(a[0], b[0], share));
  }

  // The point nearest to a position: squared distance, m², and distance along the line, m.
  nearest(x, y) {
    let best = { squared: Infinity, s: 0 };
    for (let i = 0; i + 1 < this.count; i++) {
      const [dx, dy] = [this.x[i + 1] - this.x[i], this.y[i + 1] - this.y[i]];
      const [px, py] = [x - this.x[i], y - this.y[i]];
      const length = dx * dx + dy * dy;
      const share = length > 0 ? clamp((px * dx + py * dy) / length, 0, 1) : 0;
      const [ex, ey] = [px - share * dx, py - share * dy];
      const squared = ex * ex + ey * ey;
      if (squared < best.squared) best = { squared, s: mix(this.s[i], this.s[i + 1], share) };
    }
    return best;
  }

  // Distance along this line that is level with a distance along the reference.
  levelWith(reference, s) {
    if (!this.beside) return s;
    const i = stepAt(reference.s, s);
    const step = reference.s[i + 1] - reference.s[i];
    return mix(this.beside.otherS[i], this.beside.otherS[i + 1], step > 0 ? (s - reference.s[i]) / step : 0);
  }

  // Time lost to the reference up to a distance along it, s.
  differenceAt(reference, s) {
    if (!this.beside) return 0;
    const i = stepAt(reference.s, s);
    const step = reference.s[i + 1] - reference.s[i];
    return mix(this.beside.difference[i], this.beside.difference[i + 1], step > 0 ? (s - reference.s[i]) / step : 0);
  }
}

const pageData = JSON.parse(document.getElementById("data").textContent);
const lines = pageData.lines.map((data, index) => new Line(data, index));
const reference = lines[0];
const streets = pageData.streets && { ...pageData.streets, ...unpackPath(pageData.streets.path) };
