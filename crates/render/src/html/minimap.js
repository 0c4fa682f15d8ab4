// The whole track in a corner of the map, with the part that is shown: a click or a drag there moves the map.

const MINIMAP_ROOM_PX = 8;
// From this factor on the map does not show the whole track.
const MINIMAP_ZOOM = 1.25;

class Minimap {
  constructor(map) {
    this.map = map;
    this.canvas = byId("minimap");
    const move = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const { scale, left, top } = this.frame();
      const { view } = this.map;
      view.centre = [(event.clientX - box.left - left) / scale, (top - (event.clientY - box.top)) / scale];
      view.pan(0, 0);
      this.map.drawSoon();
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.canvas.setPointerCapture(event.pointerId);
      cursor.follow = byId("follow").checked = false;
      move(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      event.stopPropagation();
      if (event.buttons) move(event);
    });
  }

  // Metres to its pixels: x times the scale and `left`, `top` less y times the scale.
  frame() {
    const { clientWidth, clientHeight } = this.canvas;
    const { extent, middle } = this.map.view;
    const room = (pixels) => Math.max(pixels - 2 * MINIMAP_ROOM_PX, 10);
    const scale = Math.min(room(clientWidth) / extent[0], room(clientHeight) / extent[1]);
    return { scale, left: clientWidth / 2 - middle[0] * scale, top: clientHeight / 2 + middle[1] * scale };
  }

  draw() {
    const { view, ratio } = this.map;
    this.canvas.hidden = view.scale < view.fitted() * MINIMAP_ZOOM;
    if (this.canvas.hidden) return;
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { scale, left, top } = this.frame();
    context.strokeStyle = palette().ink;
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.beginPath();
    // More points than pixels are no use.
    const every = Math.max(1, Math.floor(reference.count / 400));
    for (let i = 0; i < reference.count; i += every) context.lineTo(left + reference.x[i] * scale, top - reference.y[i] * scale);
    if (reference.closed) context.closePath();
    context.stroke();
    const [width, height] = [(view.width / view.scale) * scale, (view.height / view.scale) * scale];
    const [x, y] = [left + view.centre[0] * scale - width / 2, top - view.centre[1] * scale - height / 2];
    context.strokeStyle = lineColour(0);
    context.lineWidth = 2;
    context.strokeRect(Math.max(x, 1), Math.max(y, 1), Math.min(x + width, clientWidth - 1) - Math.max(x, 1), Math.min(y + height, clientHeight - 1) - Math.max(y, 1));
  }
}
