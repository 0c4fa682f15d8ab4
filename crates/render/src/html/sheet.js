// The page as a sheet of one page, for paper or PDF: map, charts and corners, light, with what is shown of them.

// Height of the table on the sheet, and of its rows at most and at least, px.
const SHEET_TABLE_PX = 300;
const SHEET_ROW_PX = [16, 6];

// The lines with their colours and laps, where there are several: on paper no row of the layers names them.
function sheetLegend() {
  const legend = element("p", { id: "legend" });
  for (const line of lines) {
    const swatch = element("i", { className: "swatch" });
    swatch.style.background = lineColour(line.index);
    legend.append(element("span", {}, swatch, ` ${line.about.label}, ${lapText(line.lapTime)}`));
  }
  return legend;
}

// Sizes in pixels: a browser that prints makes the height of a canvas of 100 % 1.5 % smaller than that of its place.
function setCanvasSizes(areFixed) {
  for (const canvas of [map.base.canvas, charts.canvas]) {
    const { clientWidth, clientHeight } = canvas;
    canvas.style.width = areFixed ? `${clientWidth}px` : "";
    canvas.style.height = areFixed ? `${clientHeight}px` : "";
  }
}

function printAsSheet() {
  let before = null;
  const redraw = () => {
    map.resize();
    map.view.fit();
    setTheme();
  };
  addEventListener("beforeprint", () => {
    if (before) return;
    const { view } = map;
    before = { theme: document.documentElement.dataset.theme, centre: [...view.centre], scale: view.scale, range: [...charts.range] };
    const row = clamp(SHEET_TABLE_PX / (reference.corners.length + 2), SHEET_ROW_PX[1], SHEET_ROW_PX[0]);
    document.body.style.setProperty("--sheet-table", `${(row / 1.4).toFixed(1)}px`);
    document.body.classList.add("sheet");
    document.documentElement.dataset.theme = "light";
    byId("legend")?.remove();
    if (lines.length > 1) byId("left").prepend(sheetLegend());
    charts.range = [0, reference.length];
    redraw();
    setCanvasSizes(true);
  });
  addEventListener("afterprint", () => {
    if (!before) return;
    document.body.classList.remove("sheet");
    setCanvasSizes(false);
    byId("legend")?.remove();
    if (before.theme) document.documentElement.dataset.theme = before.theme;
    else delete document.documentElement.dataset.theme;
    charts.range = before.range;
    redraw();
    Object.assign(map.view, { centre: before.centre, scale: before.scale });
    map.draw();
    before = null;
  });
}
