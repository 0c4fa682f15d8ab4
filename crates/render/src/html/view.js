// Colours, quantities, and the map's view of the world.

const palettes = {
  light: { page: "#fbfaf7", ink: "#1c1f24", faint: "#5a616b", grid: "#e4e3dd", zero: "#b9b9b1", road: "#23262c", edge: "#8d949e",
    section: "#a9b0ba", corner: "#fbfaf7", band: "rgba(11, 98, 196, 0.07)",
    lines: ["#0b62c4", "#c2410c", "#00796b", "#a23b84", "#8a6d00", "#5b4bc4"] },
  dark: { page: "#0d0f12", ink: "#f2f3f5", faint: "#a4abb6", grid: "#23272e", zero: "#4a515c", road: "#2a2e35", edge: "#7d8590",
    section: "#a9b0ba", corner: "#0d0f12", band: "rgba(109, 179, 255, 0.10)",
    lines: ["#6db3ff", "#ff9a5c", "#4fd1b5", "#f28ac9", "#e6c34a", "#b3a6ff"] },
};
// On the road, which is dark in both themes, lines take the colours of the dark one.
const roadColour = (index) => palettes.dark.lines[index % palettes.dark.lines.length];
// Beside other lines a candidate takes a colour that none of them has.
const candidateColour = (index) =>
  lines.length > 1 ? roadColour(lines.length + index) : ["#ff8b4a", "#f3c9e6", "#ffffff", "#d55e9c", "#e6b422"][index % 5];
const candidateDashes = [[7, 4], [2, 3], [10, 3, 2, 3], [6, 6], [1, 3]];

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : darkSystem.matches;
};
const palette = () => palettes[isDark() ? "dark" : "light"];
const lineColour = (index) => palette().lines[index % palette().lines.length];

const quantities = [
  { key: "speed", title: "Speed", text: "speed", unit: "km/h", digits: 1, of: (here) => speedIn(here.speed) },
  { key: "accel", title: "Acceleration", text: "acceleration", unit: "m/s²", digits: 2, of: (here) => here.accel },
  { key: "curvature", title: "Curvature, positive to the left", text: "curvature", unit: "1/m", digits: 4, of: (here) => here.curvature },
  { key: "offset", title: "Offset from the road's middle, positive to the left", text: "offset", unit: "m", digits: 2, of: (here) => here.offset },
  ...(pageData.lines.some((line) => line.limits) ? [
    { key: "gripUsed", title: "Grip used", text: "grip used", unit: "%", digits: 0, of: (here) => here.gripUsed },
  ] : []),
  ...(pageData.lines.some((line) => line.points.z_m) ? [
    { key: "height", title: "Height", unit: "m", digits: 1, of: (here) => here.height },
    { key: "grade", title: "Grade, positive uphill", text: "grade", unit: "%", digits: 1, of: (here) => here.grade },
    { key: "banking", title: "Banking, positive where the left is higher", text: "banking", unit: "°", digits: 1, of: (here) => here.banking },
  ] : []),
  ...(pageData.lines.some((line) => line.points.steering_deg) ? [
    { key: "steering", title: "Steering angle, positive to the left", unit: "°", digits: 2, ofCar: true, of: (here) => here.steering },
    { key: "pedal", title: "Drive, or brakes below 0", unit: "%", digits: 0, ofCar: true, of: (here) => here.pedal },
    { key: "sideslip", title: "From the body to its course, positive to the left", unit: "°", digits: 2, ofCar: true, of: (here) => here.sideslip },
    { key: "yawRate", title: "Yaw rate, positive to the left", unit: "°/s", digits: 1, ofCar: true, of: (here) => here.yawRate },
  ] : []),
];
const difference = { key: "difference", title: "Time difference to the first line, negative is faster", unit: "s", digits: 3 };

const signed = (value, digits) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
// A minus of the width of a digit, and none before a zero.
const plain = (value, digits) => {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
};

// World metres to the map's pixels.
class View {
  constructor() {
    this.width = this.height = 1;
    this.scale = 1;
    this.centre = [0, 0];
    this.limits();
  }

  limits() {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    const add = ({ x, y }) => {
      for (let i = 0; i < x.length; i++) {
        west = Math.min(west, x[i]);
        east = Math.max(east, x[i]);
        south = Math.min(south, y[i]);
        north = Math.max(north, y[i]);
      }
    };
    lines.flatMap((line) => [line, ...line.edges]).forEach(add);
    this.extent = [Math.max(east - west, 1e-3), Math.max(north - south, 1e-3)];
    this.middle = [(east + west) / 2, (north + south) / 2];
    // What fits in the map is the road; the map can be moved to all streets.
    if (streets) add(streets);
    this.reach = [[west, east], [south, north]];
  }

  fitted() {
    const room = (pixels) => Math.max(pixels - 76, 40);
    return Math.min(room(this.width) / this.extent[0], room(this.height) / this.extent[1]);
  }

  fit() {
    this.scale = this.fitted();
    this.centre = [...this.middle];
  }

  resize(width, height) {
    const whole = this.scale === this.fitted();
    [this.width, this.height] = [width, height];
    if (whole || this.scale < this.fitted()) this.fit();
  }

  px(x) {
    return (x - this.centre[0]) * this.scale + this.width / 2;
  }

  py(y) {
    return (this.centre[1] - y) * this.scale + this.height / 2;
  }

  world(px, py) {
    return [(px - this.width / 2) / this.scale + this.centre[0], this.centre[1] - (py - this.height / 2) / this.scale];
  }

  pan(dx, dy) {
    this.centre[0] -= dx / this.scale;
    this.centre[1] += dy / this.scale;
    // The road may leave the middle, but not the sight.
    for (const axis of [0, 1]) this.centre[axis] = clamp(this.centre[axis], ...this.reach[axis]);
  }

  // Zooms so that what lies under the pixel stays there.
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.world(px, py);
    const [width, height] = this.reach.map(([low, high]) => Math.max(high - low, 1e-3));
    const widest = Math.min(this.fitted() / 2, this.width / width, this.height / height);
    this.scale = clamp(this.scale * factor, widest, Math.max(this.fitted(), 400 / reference.about.vehicle_length_m));
    this.centre = [x - (px - this.width / 2) / this.scale, y + (py - this.height / 2) / this.scale];
    this.pan(0, 0);
  }
}
