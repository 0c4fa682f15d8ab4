// A track without a line: what the editor needs of a map. Its world is the picture's pixels, y up, or the metres of
// streets.

const pageData = JSON.parse(byId("data").textContent);
const [[worldLeft, worldBottom], [worldRight, worldTop]] = pageData.corners;
const [worldWidth, worldHeight] = [Math.max(worldRight - worldLeft, 1), Math.max(worldTop - worldBottom, 1)];

class DraftView {
  fit(width, height) {
    [this.width, this.height] = [width, height];
    this.scale = this.least = Math.min(width / worldWidth, height / worldHeight) * 0.96;
    this.centre = [(worldLeft + worldRight) / 2, (worldBottom + worldTop) / 2];
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
    this.centre[0] = clamp(this.centre[0] - dx / this.scale, worldLeft, worldRight);
    this.centre[1] = clamp(this.centre[1] + dy / this.scale, worldBottom, worldTop);
  }

  zoom(factor, px, py) {
    const [x, y] = this.world(px, py);
    this.scale = clamp(this.scale * factor, this.least / 2, 40);
    this.centre = [x - (px - this.width / 2) / this.scale, y + (py - this.height / 2) / this.scale];
    this.pan(0, 0);
  }
}

class DraftMap {
  constructor() {
    this.view = new DraftView();
    this.place = byId("map");
    this.picture = new Image();
    this.picture.addEventListener("load", () => this.drawOverlay());
    if (pageData.picture) this.picture.src = pageData.picture;
    new ResizeObserver(() => this.resize()).observe(this.place);
    this.resize();
    this.mouse();
  }

  resize() {
    const { clientWidth, clientHeight } = this.place;
    const canvas = byId("overlay");
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.round(clientWidth * this.ratio));
    canvas.height = Math.max(1, Math.round(clientHeight * this.ratio));
    this.overlay = canvas.getContext("2d");
    this.view.fit(Math.max(1, clientWidth), Math.max(1, clientHeight));
    this.drawOverlay();
  }

  drawOverlay() {
    const { overlay, view, picture } = this;
    overlay.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    overlay.clearRect(0, 0, view.width, view.height);
    if (picture.complete && picture.naturalWidth) {
      overlay.drawImage(picture, view.px(worldLeft), view.py(worldTop), worldWidth * view.scale, worldHeight * view.scale);
    }
    overlay.strokeStyle = getComputedStyle(this.place).color;
    overlay.lineWidth = 1.5;
    overlay.beginPath();
    for (const street of pageData.streets) {
      street.forEach(([x, y], i) => overlay[i ? "lineTo" : "moveTo"](view.px(x), view.py(y)));
    }
    overlay.stroke();
  }

  mouse() {
    const { place, view } = this;
    const held = new Map();
    const inside = (event) => {
      const box = place.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    place.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, inside(event));
      place.setPointerCapture(event.pointerId);
    });
    place.addEventListener("pointermove", (event) => {
      const last = held.get(event.pointerId);
      if (!last) return;
      const here = inside(event);
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      const apart = (point) => Math.max(Math.hypot(point[0] - other[0], point[1] - other[1]), 1);
      if (other) view.zoom(apart(here) / apart(last), ...other);
      else view.pan(here[0] - last[0], here[1] - last[1]);
      held.set(event.pointerId, here);
      this.drawOverlay();
    });
    for (const end of ["pointerup", "pointercancel"]) place.addEventListener(end, (event) => held.delete(event.pointerId));
    place.addEventListener("wheel", (event) => {
      event.preventDefault();
      view.zoom(Math.exp(clamp(-event.deltaY, -400, 400) * 0.0016), ...inside(event));
      this.drawOverlay();
    }, { passive: false });
  }
}

const map = new DraftMap();
