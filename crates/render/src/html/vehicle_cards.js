// Cards from which the vehicle is chosen. Each has its g-g diagrams at a slow and a fast speed, on one scale for all.

const svgElement = (tag, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

class VehicleCards {
  // `chosen` is called with the name of a vehicle, and `current` is that in use, a file's perhaps.
  constructor(vehicles, current, isAsked, chosen) {
    this.vehicles = vehicles;
    this.isAsked = isAsked;
    this.button = element("button", { type: "button", id: "vehicle", textContent: `Vehicle: ${current}` });
    this.button.setAttribute("aria-controls", "vehicles");
    this.button.addEventListener("click", () => this.open(this.box.hidden));
    const reaches = vehicles.map(({ limits }) => (limits ? Math.max(...limits.across_mps2, ...limits.braking_mps2) : 0));
    this.reach = Math.max(1, ...reaches) * 1.06;
    this.list = element("ul");
    const isPreset = vehicles.some(({ name }) => name === current);
    const shown = isPreset ? vehicles : [{ name: current, summary: "the vehicle of the track's options" }, ...vehicles];
    for (const vehicle of shown) this.list.append(element("li", {}, this.card(vehicle, vehicle.name === current, chosen)));
    const question = element("p", { id: "vehicle-question" }, element("strong", { textContent: "Which vehicle drives?" }), " ",
      element("span", { textContent: this.legend() }));
    this.box = element("div", { id: "vehicles" }, question, this.list);
    this.box.setAttribute("role", "group");
    this.box.setAttribute("aria-labelledby", "vehicle-question");
    this.open(isAsked);
  }

  open(isOpen) {
    this.box.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
  }

  get isOpen() {
    return !this.box.hidden;
  }

  legend() {
    const [slow, fast] = this.vehicles.reduce(([a, b], { limits }) => (limits ? [limits.speed_mps[0], Math.max(b, limits.speed_mps[1])] : [a, b]), [0, 0]);
    return `Pictures: accelerations to the sides, driving upwards, braking downwards, at ${slow} m/s (dashed) and at ${fast} m/s or the top speed.`;
  }

  card(vehicle, isCurrent, chosen) {
    const { name, summary, limits } = vehicle;
    const button = element("button", { type: "button", className: "card" },
      element("strong", { textContent: name }), element("span", { textContent: summary }),
      ...(limits ? [this.picture(limits)] : []));
    button.setAttribute("aria-pressed", String(isCurrent));
    button.addEventListener("click", () => {
      this.open(false);
      this.button.focus();
      chosen(name);
    });
    return button;
  }

  picture(limits) {
    const { reach } = this;
    const at = (k) => ({
      ...limits,
      across: limits.across_mps2[k],
      braking: limits.braking_mps2[k],
      driving: limits.driving_mps2[k],
      drive: limits.drive_mps2[k],
    });
    const axis = (d) => svgElement("path", { d, class: "axis" });
    const outline = (k) => svgElement("polygon", {
      points: ggOutline(at(k), 16).map(([x, y]) => `${round(x, 2)},${round(-y, 2)}`).join(" "),
      class: k ? "fast" : "slow",
    });
    const { across, braking, driving, drive } = at(1);
    const values = [across, braking, Math.min(driving, drive)].map((value) => value.toFixed(1));
    const label = `At ${limits.speed_mps[1]} m/s: ${values[0]} m/s² to the sides, ${values[1]} braking, ${values[2]} driving`;
    return svgElement("svg", { viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`, role: "img", "aria-label": label },
      axis(`M${-reach} 0H${reach}`), axis(`M0 ${-reach}V${reach}`), outline(1), outline(0));
  }
}
