// What the map shows beside its lines: braking zones, corner numbers, lines that lie on each other; the map as a picture.

const BRAKING = "#c8414b";
const GRIP = "#4c8fd6";
const DOUBTFUL = "#b07d10";
// Lines nearer to each other than this look like one, m; a share of the lap from which it is told.
const OVERLAP_M = 0.1;
const OVERLAP = 0.05;
// From this share on the line on top is dashed.
const COVERED = 0.3;
// Time won is measured over this distance to either side, m.
const GAIN_REACH_M = 25;

// For each line the share of the lap on which it lies on the first.
const overlaps = lines.map((line) => {
  if (!line.beside) return 0;
  let near = 0;
  for (let i = 0; i < reference.count; i++) {
    const there = line.at(line.beside.otherS[i]);
    if (Math.hypot(there.x - reference.x[i], there.y - reference.y[i]) < OVERLAP_M) near++;
  }
  return near / reference.count;
});

const overlapNotes = () => lines.flatMap((line, k) => (overlaps[k] > OVERLAP
  ? [`${line.about.label} lies on ${reference.about.label} over ${(overlaps[k] * 100).toFixed(0)} % of the lap, within ${OVERLAP_M * 100} cm`] : []));

// Where the first line wins time on each of the others, s on 100 m; negative where it loses.
const gains = lines.slice(1).map((line) => {
  const key = `gain${line.index}`;
  reference[key] = reference.s.map((s) => {
    const [from, to] = [Math.max(s - GAIN_REACH_M, 0), Math.min(s + GAIN_REACH_M, reference.length)];
    return ((line.differenceAt(reference, to) - line.differenceAt(reference, from)) / (to - from)) * 100;
  });
  return { key, title: `Time won on ${line.about.label}`, text: `time won on ${line.about.label}`, unit: "s on 100 m", digits: 3 };
});
// What the map's colours can show.
const mapQuantities = [...quantities, ...gains];

// The streets that the route leads through, thin behind the road.
function streetLines({ view }, context) {
  context.strokeStyle = palette().edge;
  context.lineWidth = 1.2;
  context.beginPath();
  let i = 0;
  for (const count of streets.counts) {
    for (const end = i + count, begin = i; i < end; i++) context[i > begin ? "lineTo" : "moveTo"](view.px(streets.x[i]), view.py(streets.y[i]));
  }
  context.stroke();
}

// Bands under the line where it brakes, as in pictures.
function brakingZones(map, context) {
  const { view } = map;
  context.strokeStyle = BRAKING;
  context.lineWidth = clamp(map.roadWidth() * 0.75, 11, 16);
  context.lineCap = "butt";
  context.globalAlpha = 0.8;
  context.beginPath();
  for (const [from, to] of reference.braking) {
    const pieces = from <= to ? [[from, to]] : [[from, reference.length], [0, to]];
    for (const [begin, end] of pieces) {
      const here = reference.at(begin);
      context.moveTo(view.px(here.x), view.py(here.y));
      for (let i = stepAt(reference.s, begin) + 1; i < reference.count && reference.s[i] < end; i++) context.lineTo(view.px(reference.x[i]), view.py(reference.y[i]));
      const there = reference.at(end === reference.length ? end - 1e-6 : end);
      context.lineTo(view.px(there.x), view.py(there.y));
    }
  }
  context.stroke();
  context.globalAlpha = 1;
  context.lineCap = "round";
}

// Dashed bands along the edges that the picture shows less surely.
function doubtfulEdges(map, context) {
  const { view } = map;
  context.strokeStyle = DOUBTFUL;
  context.lineWidth = 5;
  context.setLineDash([7, 5]);
  context.lineCap = "butt";
  context.beginPath();
  for (const [from, to] of reference.doubtful) {
    const places = [from, ...reference.s.filter((s) => s > from && s < to), Math.min(to, reference.length - 1e-6)];
    for (const side of [1, -1]) {
      places.forEach((s, i) => {
        const here = reference.at(s);
        const reach = side * (side > 0 ? here.left : here.right);
        context[i ? "lineTo" : "moveTo"](view.px(here.x - Math.sin(here.heading) * reach), view.py(here.y + Math.cos(here.heading) * reach));
      });
    }
  }
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "round";
}

// Obstacles as filled shapes, pick-ups as rings, dashed where the line leaves them, pins as rings with a point, ends of
// speed caps as dashed lines across the road, and regions as areas that let it through; as in pictures.
function passedMarks(map, context) {
  const { view } = map;
  const disc = ({ x_m, y_m, radius_m }) => {
    context.beginPath();
    context.arc(view.px(x_m), view.py(y_m), Math.max(radius_m * view.scale, 4), 0, 2 * Math.PI);
  };
  const region = (outline, colour) => {
    context.fillStyle = context.strokeStyle = colour;
    context.beginPath();
    outline.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](view.px(x), view.py(y)));
    context.closePath();
    context.globalAlpha = 0.45;
    context.fill("evenodd");
    context.globalAlpha = 1;
    context.stroke();
  };
  context.lineWidth = 1.6;
  for (const outline of reference.passed.grip ?? []) region(outline, GRIP);
  for (const outline of reference.passed.no_go ?? []) region(outline, BRAKING);
  context.fillStyle = BRAKING;
  context.strokeStyle = palette().edge;
  for (const { disc: round, polygon } of reference.passed.obstacles) {
    if (round) {
      disc(round);
    } else {
      context.beginPath();
      polygon.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](view.px(x), view.py(y)));
      context.closePath();
    }
    context.fill();
    context.stroke();
  }
  context.strokeStyle = palette().section;
  for (const one of reference.passed.pick_ups) {
    context.setLineDash(one.taken ? [] : [4, 4]);
    disc(one);
    context.stroke();
  }
  context.setLineDash([]);
  for (const one of reference.passed.pins ?? []) {
    disc(one);
    context.stroke();
    context.beginPath();
    context.arc(view.px(one.x_m), view.py(one.y_m), 1.6, 0, 2 * Math.PI);
    context.fillStyle = palette().section;
    context.fill();
  }
  context.strokeStyle = BRAKING;
  context.lineWidth = 3;
  context.setLineDash([4, 4]);
  for (const ends of reference.passed.caps ?? []) {
    context.beginPath();
    ends.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](view.px(x), view.py(y)));
    context.stroke();
  }
  context.setLineDash([]);
}

// Corner numbers on the inside of each corner; where there is no room, farther off with a line that leads there.
function cornerNumbers(map, context) {
  const { view } = map;
  const taken = new Set();
  context.font = "600 12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const corner of reference.corners) {
    const here = reference.at(corner.apex_s_m);
    const inner = corner.direction === "left" ? 1 : -1;
    const apex = [view.px(here.x), view.py(here.y)];
    if (map.outside(...apex, ...apex)) continue;
    const place = (side, more) => {
      const reach = (side > 0 ? here.left : here.right) * view.scale + 15 + more;
      return [apex[0] - Math.sin(here.heading) * side * reach, apex[1] - Math.cos(here.heading) * side * reach];
    };
    const text = corner.name ? `${corner.number} ${corner.name}` : String(corner.number);
    const half = Math.max(context.measureText(text).width / 2 + 3, 11);
    const columns = Array.from({ length: Math.ceil(half / 11) + 1 }, (_, k, count = Math.ceil(half / 11)) => -half + (2 * half * k) / count);
    const cellsOf = ([px, py]) => columns.flatMap((dx) => [-10, 10].map((dy) => `${Math.floor((px + dx) / 24)} ${Math.floor((py + dy) / 24)}`));
    // Nearer places first, the inside before the outside; the last one is taken in any case.
    const steps = Array.from({ length: 12 }, (_, k) => k * 14);
    const places = steps.flatMap((more) => [place(inner, more), place(-inner, more)]);
    const inside = ([px, py]) => px > half && py > 10 && px < view.width - half && py < view.height - 10;
    const found = places.findIndex((one) => inside(one) && !cellsOf(one).some((cell) => taken.has(cell)));
    const at = places[Math.max(found, 0)];
    cellsOf(at).forEach((cell) => taken.add(cell));
    if (found > 0) {
      map.inked(context, 1, () => {
        context.moveTo(...apex);
        context.lineTo(...at);
      });
    }
    map.rimmed(context, text, ...at);
  }
}

// The map as the reader sees it, as a PNG.
function savePicture(map) {
  const canvases = ["base", "overlay"].map(byId);
  const picture = element("canvas", { width: canvases[0].width, height: canvases[0].height });
  const context = picture.getContext("2d");
  context.fillStyle = palette().page;
  context.fillRect(0, 0, picture.width, picture.height);
  for (const canvas of canvases) context.drawImage(canvas, 0, 0);
  const link = element("a", { href: picture.toDataURL("image/png"), download: `${pageData.title}.png` });
  link.click();
}
