// The cursor that all parts share, and the car that moves it.

const cursor = {
  // Distance along the reference, m, and the reference's time there, s.
  s: 0,
  t: 0,
  playing: false,
  rate: 1,
  follow: false,
  waiting: false,

  // Puts the cursor at a distance along the reference.
  set(s) {
    this.s = s === reference.length ? s : reference.within(s);
    this.t = this.s === reference.length ? reference.lapTime : reference.at(this.s).time;
    this.changed();
  },

  // A line where its car is: all cars left the reference's start line at one time.
  car(line) {
    return line === reference ? reference.at(this.s) : line.atTime(line.timeAtStart + this.t);
  },

  // A line where it is level with the cursor.
  level(line) {
    return line === reference ? reference.at(this.s) : line.at(line.levelWith(reference, this.s));
  },

  // Everything that moves is drawn once a frame.
  changed() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  },

  draw() {
    if (this.follow) {
      const here = this.car(reference);
      map.view.centre = [here.x, here.y];
      map.draw();
    } else {
      map.drawOverlay();
    }
    charts.drawCursor();
    gg.draw();
    readout.draw();
    corners.draw();
    const slider = byId("position");
    slider.value = this.s;
    slider.setAttribute("aria-valuetext", `${this.s.toFixed(0)} metres, ${speedText(this.car(reference).speed)} ${speed.unit}`);
  },

  play(on = !this.playing) {
    if (on === this.playing) return;
    this.playing = on;
    byId("play").textContent = on ? "Pause" : "Play";
    if (!on) return;
    if (!reference.closed && this.s >= reference.length) this.set(0);
    let before = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      // A page that was hidden goes on where it was.
      const passed = clamp((now - before) / 1000, 0, 0.25) * this.rate;
      before = now;
      this.t += passed;
      if (this.t >= reference.lapTime) {
        if (reference.closed) this.t -= reference.lapTime * Math.floor(this.t / reference.lapTime);
        else this.t = reference.lapTime;
      }
      const ended = !reference.closed && this.t >= reference.lapTime;
      this.s = ended ? reference.length : reference.atTime(this.t).s;
      this.draw();
      if (ended) this.play(false);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  },
};
