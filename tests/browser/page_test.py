"""The page in a real browser. Frames a second are printed, not asserted: they are the machine's."""

import pathlib
import unittest

import PIL.Image
import PIL.ImageChops
import PIL.ImageStat
import pypdfium2

from browser import PAGES, SETTLED, SHOTS, OpenPage, line
from made_lines import HOSTILE

# Where the overlay is painted: the mean of its pixels, in CSS pixels from the map's top left.
PAINTED = """() => {
  const canvas = document.getElementById("overlay");
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data, width, height } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let [x, y, n] = [0, 0, 0];
  for (let i = 3; i < data.length; i += 4) if (data[i] > 60) { x += (i >> 2) % width; y += Math.floor((i >> 2) / width); n++; }
  return n ? [x / n / width * canvas.clientWidth, y / n / height * canvas.clientHeight, n] : null;
}"""
BASE = """() => document.getElementById("base").toDataURL()"""
# Height of the first line's trace in a chart at a distance: where its colour stands, in the chart's values.
TRACE = """([row, s, colour]) => {
  const { canvas, ratio, axes } = raceline.charts;
  const [top, bottom] = raceline.charts.side(row);
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data, height } = copy.getImageData(Math.round(raceline.charts.px(s) * ratio), Math.round(top * ratio), 1, Math.round((bottom - top) * ratio));
  let [sum, n] = [0, 0];
  // The bands of the corners have this colour too, but are faint.
  const isTrace = (y) => data[4 * y + 3] > 100 && colour.every((value, k) => Math.abs(data[4 * y + k] - value) < 40);
  for (let y = 0; y < height; y++) if (isTrace(y)) { sum += y + 0.5; n++; }
  return axes[row][1] - (sum / n / height) * (axes[row][1] - axes[row][0]);
}"""
# Frames while something goes on: how many, in how many seconds, and the longest, ms.
FRAMES = """(seconds) => new Promise((done) => {
  let [frames, longest] = [0, 0];
  const begin = performance.now();
  let before = begin;
  const frame = (now) => {
    frames++;
    longest = Math.max(longest, now - before);
    before = now;
    globalThis.everyFrame?.(frames);
    if (now - begin < seconds * 1000) requestAnimationFrame(frame);
    else done([frames, (now - begin) / 1000, longest]);
  };
  requestAnimationFrame(frame);
})"""


# Counts how often each canvas of the page is begun anew.
COUNT_DRAWINGS = """
  globalThis.drawings = {};
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    drawings[this.canvas.id] = (drawings[this.canvas.id] ?? 0) + 1;
    return clearRect.apply(this, box);
  };
"""


class Page(OpenPage):
    def on_map(self, page, x, y):
        """Pixel of a position, from the map's top left."""
        return page.evaluate("([x, y]) => [raceline.map.view.px(x), raceline.map.view.py(y)]", [x, y])

    def box(self, page, selector):
        return page.locator(selector).bounding_box()

    def test_all_is_drawn_once_when_the_page_opens(self):
        """What is drawn again costs a part of the time of the first line. The map is, when its picture is decoded."""
        page = self.browser.new_page(viewport={"width": 1500, "height": 950})
        self.addCleanup(page.close)
        page.add_init_script(COUNT_DRAWINGS)
        page.goto((PAGES / "club.html").as_uri())
        page.wait_for_function("() => !!globalThis.raceline?.charts.axes")
        page.evaluate(SETTLED)
        drawings = page.evaluate("drawings")
        # The points of the g-g diagram are drawn on a canvas without a name.
        self.assertEqual((drawings["plot"], drawings[""]), (1, 1), drawings)
        self.assertLessEqual(drawings["base"], 2, drawings)

    def hover_chart(self, page, share):
        box = self.box(page, "#charts")
        page.mouse.move(box["x"] + 58 + share * (box["width"] - 72), box["y"] + box["height"] * 0.55)
        page.evaluate(SETTLED)

    def test_every_page_opens(self):
        for name in ["club", "hairpin", "eight", "compared", "long", "open"]:
            for scheme in ["light", "dark"]:
                page = self.open(name, scheme)
                self.hover_chart(page, 0.4)
                self.assertIn(line("club" if name == "compared" else name)["name"], page.title())
                self.assertGreater(page.evaluate(PAINTED)[2], 50)
                page.screenshot(path=SHOTS / f"{name}-{scheme}.png")
                self.assertEqual(self.troubles, [], name)

    def test_hovering_a_chart_moves_the_marker_on_the_map(self):
        page, points = self.open("club"), line("club")["points"]
        length = line("club")["length_m"]
        for share in [0.2, 0.55, 0.9]:
            self.hover_chart(page, share)
            near = min(points, key=lambda point: abs(point["s_m"] - share * length))
            expected, painted = self.on_map(page, near["x_m"], near["y_m"]), page.evaluate(PAINTED)
            self.assertAlmostEqual(painted[0], expected[0], delta=6)
            self.assertAlmostEqual(painted[1], expected[1], delta=6)

    def test_hovering_the_map_moves_the_cursor_of_the_charts(self):
        page, file = self.open("club"), line("club")
        area, charts = self.box(page, "#map"), self.box(page, "#charts")
        for k in [40, 200, 400]:
            point = file["points"][k]
            x, y = self.on_map(page, point["x_m"], point["y_m"])
            page.mouse.move(area["x"] + x, area["y"] + y)
            page.evaluate(SETTLED)
            expected = charts["x"] + 58 + point["s_m"] / file["length_m"] * (charts["width"] - 72)
            self.assertAlmostEqual(self.box(page, "#cursor")["x"], expected, delta=4)
            speed = page.locator(".head").first.locator("span").nth(1).text_content()
            self.assertAlmostEqual(float(speed), point["speed_mps"] * 3.6, delta=4)

    def test_wheel_and_drag_zoom_and_pan_the_map(self):
        page, area = self.open("club"), None
        area = self.box(page, "#map")
        at = [area["x"] + 200, area["y"] + 150]
        under = "() => raceline.map.view.world(200, 150)"
        page.mouse.move(*at)
        scale, place, picture = page.evaluate("raceline.map.view.scale"), page.evaluate(under), page.evaluate(BASE)
        page.mouse.wheel(0, -500)
        page.evaluate(SETTLED)
        self.assertGreater(page.evaluate("raceline.map.view.scale"), 1.5 * scale)
        for before, after in zip(place, page.evaluate(under)):
            self.assertAlmostEqual(before, after, delta=1)
        self.assertNotEqual(page.evaluate(BASE), picture)
        place = page.evaluate(under)
        page.mouse.down()
        page.mouse.move(at[0] + 60, at[1] + 40, steps=4)
        page.mouse.up()
        moved = page.evaluate("() => raceline.map.view.world(260, 190)")
        for before, after in zip(place, moved):
            self.assertAlmostEqual(before, after, delta=1)
        page.click("#fit")
        page.evaluate(SETTLED)
        self.assertAlmostEqual(page.evaluate("raceline.map.view.scale"), scale)

    def test_the_traces_lie_where_the_values_are(self):
        page, points = self.open("club"), line("club")["points"]
        for zoom in [1, 4]:
            for k in [60, 200, 330]:
                s = points[k]["s_m"]
                page.evaluate("([s, zoom]) => { const half = raceline.lines[0].length / 2 / zoom; raceline.charts.show(s - half, s + half); }", [s, zoom])
                page.evaluate(SETTLED)
                for row, value in [(0, 3.6 * points[k]["speed_mps"]), (2, points[k]["curvature_radpm"])]:
                    low, high = page.evaluate("(row) => raceline.charts.axes[row]", row)
                    self.assertAlmostEqual(page.evaluate(TRACE, [row, s, [11, 98, 196]]), value, delta=0.04 * (high - low))

    def test_wheel_and_drag_zoom_and_pan_the_charts(self):
        page = self.open("club")
        self.hover_chart(page, 0.5)
        for _ in range(8):
            page.mouse.wheel(0, -200)
            page.wait_for_timeout(30)
        page.wait_for_timeout(600)
        low, high = page.evaluate("raceline.charts.range")
        length = line("club")["length_m"]
        self.assertLess(high - low, 0.8 * length)
        self.assertTrue(low < length / 2 < high)
        page.mouse.down()
        box = self.box(page, "#charts")
        page.mouse.move(box["x"] + 58 + 0.5 * (box["width"] - 72) + 80, box["y"] + box["height"] * 0.55, steps=5)
        page.mouse.up()
        page.wait_for_timeout(300)
        self.assertLess(page.evaluate("raceline.charts.range")[0], low - 1)
        page.mouse.dblclick(box["x"] + 300, box["y"] + box["height"] * 0.55)
        page.wait_for_timeout(500)
        self.assertAlmostEqual(page.evaluate("raceline.charts.range")[1], length, delta=1)

    def test_layers_come_and_go(self):
        page = self.open("club")
        for selector in ["#layer-sections", "#layer-background", "#layer-numbers", "input.candidate >> nth=0"]:
            before = page.evaluate(BASE)
            page.click(selector)
            page.evaluate(SETTLED)
            self.assertNotEqual(page.evaluate(BASE), before, selector)
            page.click(selector)
            page.evaluate(SETTLED)
            self.assertEqual(page.evaluate(BASE), before, selector)
        before = page.evaluate(BASE)
        page.select_option("#colour", "accel")
        self.assertNotEqual(page.evaluate(BASE), before)
        self.assertEqual(page.locator("#scale-unit").text_content(), "m/s²")
        # Both signs weigh the same.
        low, high = (page.locator(f"#scale-{end}").text_content().replace("−", "-") for end in ["low", "high"])
        self.assertEqual(float(low), -float(high))

    def test_the_car_drives_in_real_time(self):
        page = self.open("hairpin")
        page.click("#play")
        first, t0 = page.evaluate(PAINTED), page.evaluate("[raceline.cursor.t, performance.now() / 1000]")
        page.wait_for_timeout(1500)
        second, t1 = page.evaluate(PAINTED), page.evaluate("[raceline.cursor.t, performance.now() / 1000]")
        self.assertGreater(abs(first[0] - second[0]) + abs(first[1] - second[1]), 5)
        self.assertGreater(t1[0], t0[0])
        # A machine that stalls may lose time, never win it.
        self.assertLess(t1[0] - t0[0], t1[1] - t0[1] + 0.3)
        self.assertIn("km/h", page.locator("#readout b").text_content())
        page.click("#play")
        rest = page.evaluate("raceline.cursor.t")
        page.wait_for_timeout(200)
        self.assertEqual(page.evaluate("raceline.cursor.t"), rest)

    def test_an_open_lap_ends_at_its_end(self):
        page, file = self.open("open"), line("open")
        page.select_option("#rate", "20")
        page.click("#play")
        page.wait_for_function("() => !raceline.cursor.playing")
        self.assertAlmostEqual(page.evaluate("raceline.cursor.s"), file["length_m"], delta=0.01)

    def test_a_corner_of_the_table_is_shown(self):
        page = self.open("club")
        page.click("#corners tbody tr:nth-child(3)")
        page.evaluate(SETTLED)
        corner = page.evaluate("raceline.lines[0].corners[2]")
        self.assertAlmostEqual(page.evaluate("raceline.cursor.s"), corner["apex_s_m"], delta=0.01)
        x, y = self.on_map(page, *corner["apex_m"])
        area = self.box(page, "#map")
        self.assertAlmostEqual(x, area["width"] / 2, delta=area["width"] / 4)
        self.assertAlmostEqual(y, area["height"] / 2, delta=area["height"] / 4)
        low, high = page.evaluate("raceline.charts.range")
        self.assertTrue(low <= corner["entry_s_m"] < corner["exit_s_m"] <= high, (low, high))
        self.assertEqual(page.locator("#corners tr.here button").text_content(), "3")

    def test_it_is_used_by_keyboard(self):
        page, length = self.open("club"), line("club")["length_m"]
        s = lambda: page.evaluate("raceline.cursor.s")
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "map":
                break
        self.assertEqual(page.evaluate("document.activeElement.id"), "map")
        self.assertNotEqual(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none")
        page.keyboard.press("ArrowRight")
        one = s()
        self.assertGreater(one, 0)
        page.keyboard.press("Shift+ArrowRight")
        self.assertAlmostEqual(s(), 11 * one, delta=0.01)
        page.keyboard.press("ArrowLeft")
        self.assertAlmostEqual(s(), 10 * one, delta=0.01)
        page.keyboard.press("End")
        self.assertEqual(s(), length)
        page.keyboard.press("Home")
        self.assertEqual(s(), 0)
        page.keyboard.press("]")
        self.assertAlmostEqual(s(), page.evaluate("raceline.lines[0].corners[0].apex_s_m"), delta=0.01)
        page.keyboard.press("0")
        scale = page.evaluate("raceline.map.view.scale")
        page.keyboard.press("+")
        self.assertGreater(page.evaluate("raceline.map.view.scale"), scale)
        page.keyboard.press("Shift+ArrowUp")
        self.assertLess(page.evaluate("raceline.charts.range[1] - raceline.charts.range[0]"), 0.8 * length)
        page.keyboard.press(" ")
        self.assertTrue(page.evaluate("raceline.cursor.playing"))
        page.keyboard.press(" ")
        self.assertFalse(page.evaluate("raceline.cursor.playing"))
        # Space on a button presses the button only.
        page.focus("#play")
        page.keyboard.press(" ")
        self.assertTrue(page.evaluate("raceline.cursor.playing"))
        self.assertIn("Space", page.locator("#help").text_content())

    def test_light_and_dark(self):
        brightness = "() => getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)"
        page = self.open("club", "dark")
        self.assertLess(page.evaluate(brightness), 150)
        dark = page.evaluate(BASE)
        page.click("#theme")
        page.evaluate(SETTLED)
        self.assertGreater(page.evaluate(brightness), 600)
        self.assertNotEqual(page.evaluate(BASE), dark)
        page.keyboard.press("t")
        self.assertLess(page.evaluate(brightness), 150)
        self.assertGreater(self.open("club", "light").evaluate(brightness), 600)

    def test_lines_are_compared(self):
        page = self.open("compared")
        more = line("other")["lap_time_s"] - line("club")["lap_time_s"]
        page.keyboard.press("End")
        page.evaluate(SETTLED)
        read = lambda selector: float(page.locator(selector).last.text_content().replace("−", "-").rstrip(" s"))
        self.assertAlmostEqual(read(".head:first-child span:last-child"), more, delta=0.002)
        self.assertAlmostEqual(read("#readout span"), more, delta=0.002)
        # Six charts of each line, and four of what a car does, as club's line is a car's.
        self.assertIn("steering_rad", line("club")["points"][0])
        self.assertEqual(page.locator(".head").count(), 10)
        painted = page.evaluate(PAINTED)[2]
        before = page.evaluate(BASE)
        page.keyboard.press("Home")
        page.locator("#layers input[type=checkbox]").filter(visible=True).last.scroll_into_view_if_needed()
        page.get_by_label("shortest-path (point mass), 1:", exact=False).last.click()
        page.evaluate(SETTLED)
        self.assertNotEqual(page.evaluate(BASE), before)
        self.assertGreater(painted, 50)

    def test_the_map_tells_what_lines_hide_and_where_time_is_won(self):
        page = self.open("compared")
        shares = page.evaluate("[...document.querySelectorAll('.note')].map((note) => note.textContent)")
        self.assertIn("lies on", shares[0])
        before = page.evaluate(BASE)
        page.select_option("#colour", "gain1")
        self.assertNotEqual(page.evaluate(BASE), before)
        self.assertEqual(page.locator("#scale-unit").text_content(), "s on 100 m")
        # What is won along the lap is the difference at its end.
        gain, s = page.evaluate("[[...raceline.lines[0].gain1], [...raceline.lines[0].s]]")
        won = sum((gain[i] + gain[i + 1]) / 200 * (s[i + 1] - s[i]) for i in range(len(s) - 1))
        self.assertAlmostEqual(won, line("other")["lap_time_s"] - line("club")["lap_time_s"], delta=0.3)

    def test_units_change_everywhere(self):
        page = self.open("club")
        page.keyboard.press("Home")
        for unit, factor in [("m/s", 1), ("mph", 2.236936), ("km/h", 3.6)]:
            page.select_option("#unit", unit)
            page.evaluate(SETTLED)
            speed = line("club")["points"][0]["speed_mps"] * factor
            self.assertAlmostEqual(float(page.locator(".head span").nth(1).text_content()), speed, delta=0.1)
            self.assertIn(unit, page.locator(".head span").first.text_content())
            self.assertIn(unit, page.locator("#readout b").text_content())
            self.assertIn(unit, page.locator("#corners th").nth(5).text_content())
            self.assertEqual(page.locator("#scale-unit").text_content(), unit)
            low, high = page.evaluate("raceline.charts.axes[0]")
            self.assertTrue(low < speed < high)

    def test_axes_fit_what_is_shown(self):
        page = self.open("club")
        whole = page.evaluate("raceline.charts.axes[0]")
        page.click("#corners tbody tr:nth-child(3)")
        page.evaluate(SETTLED)
        part = page.evaluate("raceline.charts.axes[0]")
        self.assertLess(part[1] - part[0], 0.9 * (whole[1] - whole[0]))
        low, high = page.evaluate("raceline.charts.range")
        shown = [point["speed_mps"] * 3.6 for point in line("club")["points"] if low <= point["s_m"] <= high]
        self.assertTrue(part[0] <= min(shown) and max(shown) <= part[1])

    def test_every_corner_has_its_number_and_braking_zones_come_and_go(self):
        page = self.open("club", size=(420, 700))
        drawn = page.evaluate("""() => {
          const [kept, rimmed] = [[], raceline.map.rimmed];
          raceline.map.rimmed = (context, text, ...rest) => { kept.push(text); rimmed.call(raceline.map, context, text, ...rest); };
          raceline.map.draw();
          delete raceline.map.rimmed;
          return kept;
        }""")
        numbers = [str(corner["number"]) for corner in page.evaluate("raceline.lines[0].corners")]
        self.assertEqual([number for number in drawn if number in numbers], numbers)
        before = page.evaluate(BASE)
        page.click("#layer-braking")
        page.evaluate(SETTLED)
        self.assertNotEqual(page.evaluate(BASE), before)

    def test_the_table_of_corners_is_sorted_by_a_click_on_a_heading(self):
        page = self.open("compared")
        page.locator("#corners th button").first.wait_for()
        heads = page.locator("#corners th").all_text_contents()
        for title, of in [("time s", "time_s"), ("apex m", "apex_s_m"), ("radius m", "min_radius_m")]:
            corners = page.evaluate("(of) => raceline.lines[0].corners.map((one) => [one[of], one.number])", of)
            for falls in [True, False]:
                page.locator("#corners th button").nth(heads.index(title)).click()
                numbers = page.locator("#corners td:first-child").all_text_contents()
                by_value = sorted(corners, key=lambda one: -one[0] if falls else one[0])
                self.assertEqual(numbers, [number for _, number in by_value], (title, falls))
                order = page.locator("#corners th").nth(heads.index(title)).get_attribute("aria-sort")
                self.assertEqual(order, "descending" if falls else "ascending")
        # A row still leads to its own corner.
        page.locator("#corners tbody tr").first.click()
        page.evaluate(SETTLED)
        number = page.locator("#corners tbody tr:first-child td").first.text_content()
        at = page.evaluate("(number) => raceline.lines[0].corners.find((one) => one.number === number).apex_s_m", number)
        self.assertAlmostEqual(page.evaluate("raceline.cursor.s"), at, delta=0.01)
        # The unit of speeds leaves the order as it is.
        page.select_option("#unit", "mph")
        self.assertEqual(page.locator("#corners tbody tr:first-child td").first.text_content(), number)

    def test_the_minimap_shows_what_is_shown_and_moves_it(self):
        page = self.open("club")
        self.assertTrue(page.locator("#minimap").is_hidden(), "the whole track is shown")
        for _ in range(5):
            page.click("#zoom-in")
        page.evaluate(SETTLED)
        self.assertTrue(page.locator("#minimap").is_visible())
        frame = page.evaluate("() => raceline.map.minimap.frame()")
        box = self.box(page, "#minimap")
        for s in (700, 1600):
            x, y = page.evaluate("(s) => { const at = raceline.lines[0].at(s); return [at.x, at.y]; }", s)
            page.mouse.click(box["x"] + frame["left"] + x * frame["scale"], box["y"] + frame["top"] - y * frame["scale"])
            page.evaluate(SETTLED)
            centre = page.evaluate("raceline.map.view.centre")
            pixel = 1.5 / frame["scale"]
            self.assertAlmostEqual(centre[0], x, delta=pixel)
            self.assertAlmostEqual(centre[1], y, delta=pixel)
        page.screenshot(path=SHOTS / "minimap.png")
        page.keyboard.press("0")
        page.evaluate(SETTLED)
        self.assertTrue(page.locator("#minimap").is_hidden())

    def test_a_page_is_printed_as_one_sheet(self):
        for name, scheme in [("club", "light"), ("compared", "dark"), ("eight", "light")]:
            page = self.open(name, scheme)
            before = page.evaluate("() => [raceline.map.view.scale, getComputedStyle(document.body).backgroundColor]")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
            page.evaluate(SETTLED)
            page.screenshot(path=SHOTS / f"sheet-{name}.png")
            low, high = page.evaluate("""() => {
                const parts = ["map", "charts", "corners"].map((id) => document.getElementById(id).getBoundingClientRect());
                return [Math.min(...parts.map((one) => Math.min(one.width, one.height))), Math.max(...parts.map((one) => one.bottom))];
            }""")
            self.assertGreater(low, 30, name)
            self.assertLessEqual(high, 700.5, name)
            self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
            page.evaluate("dispatchEvent(new Event('afterprint'))")
            page.evaluate(SETTLED)
            after = page.evaluate("() => [raceline.map.view.scale, getComputedStyle(document.body).backgroundColor]")
            self.assertEqual(after, before)
            printed = page.pdf(prefer_css_page_size=True, print_background=True)
            document = pypdfium2.PdfDocument(printed)
            self.assertEqual(len(document), 1, name)
            # The PDF's own drawing is that of the screen: what is printed is laid out and painted once more.
            paper = document[0].render(scale=96 / 72).to_pil().convert("RGB")
            paper.save(SHOTS / f"sheet-{name}-printed.png")
            margin = round(9 / 25.4 * 96)
            sides = [picture.crop((left, left, left + 1050, left + 700)).reduce(4)
                     for picture, left in ((PIL.Image.open(SHOTS / f"sheet-{name}.png").convert("RGB"), 0), (paper, margin))]
            difference = sum(PIL.ImageStat.Stat(PIL.ImageChops.difference(*sides)).mean) / 3
            print(f"  {name}: paper and screen differ by {difference:.2f} of 255")
            self.assertLess(difference, 4, name)

    def test_the_map_is_saved_as_a_picture(self):
        page = self.open("club")
        with page.expect_download() as download:
            page.click("#save")
        self.assertEqual(download.value.suggested_filename, "club.png")
        self.assertGreater(pathlib.Path(download.value.path()).stat().st_size, 10_000)

    def test_nothing_in_a_file_becomes_a_script(self):
        page = self.open("hostile")
        self.assertEqual(page.locator("#title").text_content(), HOSTILE)
        self.assertEqual(page.title(), HOSTILE)
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(page.locator("script").count(), 2)

    def test_laps_of_a_car_and_of_a_point_mass_are_marked(self):
        marks = lambda page: page.locator("#layers label").all_text_contents()
        page = self.open("club")
        self.assertIn("time-optimal (car)", page.locator("#summary").text_content())
        self.assertTrue(any(text.startswith("min-curvature (point mass), ") for text in marks(page)), marks(page))
        page = self.open("compared")
        for wanted in ["time-optimal (car), ", "shortest-path (point mass), "]:
            self.assertTrue(any(text.startswith(wanted) for text in marks(page)), marks(page))
        # A driven lap is of neither.
        driven = [text for text in marks(self.open("driven")) if ", driven" in text and " of " not in text]
        self.assertEqual([text for text in driven if "(" in text], [])

    def test_a_hundred_kilometres_stay_fluid(self):
        page = self.open("long")
        self.assertGreater(page.evaluate("raceline.lines[0].count"), 25_000)
        self.assertLess((PAGES / "long.html").stat().st_size, 2_000_000)
        self.frames(page, "100 km")

    def test_a_circuit_of_three_thousand_points_stays_fluid(self):
        page = self.open("circuit")
        self.assertEqual(page.evaluate("raceline.lines[0].count"), 3_001)
        figures = self.frames(page, "3000 points")
        # Half of the aim, for a machine that others use too.
        self.assertGreater(min(figures.values()), 25, figures)

    def frames(self, page, name):
        """Frames a second while the page does one thing after the other."""
        figures = {}

        def report(what, measured):
            frames, seconds, longest = measured
            figures[what] = frames / seconds
            print(f"\n{name} {what}: {figures[what]:.1f} frames a second, longest {longest:.0f} ms", flush=True)

        report("at rest", page.evaluate(FRAMES, 2))
        page.click("#play")
        before = page.evaluate("raceline.cursor.t")
        report("driving", page.evaluate(FRAMES, 4))
        self.assertGreater(page.evaluate("raceline.cursor.t"), before)
        page.keyboard.press("]")
        page.keyboard.press("f")
        report("driving, followed", page.evaluate(FRAMES, 4))
        page.keyboard.press("0")
        page.keyboard.press(" ")
        box = self.box(page, "#charts")
        hover = """([x, y, width]) => { globalThis.everyFrame = (frame) => document.elementFromPoint(x + (frame * 7) % width, y)
          .dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX: x + (frame * 7) % width, clientY: y })); }"""
        page.evaluate(hover, [box["x"] + 60, box["y"] + 200, box["width"] - 80])
        before = page.evaluate("raceline.cursor.s")
        report("hovering the charts", page.evaluate(FRAMES, 4))
        self.assertNotEqual(page.evaluate("raceline.cursor.s"), before)
        page.evaluate("globalThis.everyFrame = () => { raceline.map.view.pan(3, 1); raceline.map.draw(); }")
        report("panning the map", page.evaluate(FRAMES, 4))
        page.evaluate("raceline.map.view.fit(), raceline.map.draw()")
        box = self.box(page, "#map")
        hover = """([x, y, width]) => { globalThis.everyFrame = (frame) => document.getElementById("overlay")
          .dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerType: "mouse", clientX: x + (frame * 7) % width, clientY: y })); }"""
        page.evaluate(hover, [box["x"] + 60, box["y"] + box["height"] / 2, box["width"] - 120])
        report("hovering the map", page.evaluate(FRAMES, 4))
        page.evaluate("raceline.charts.show(0, raceline.lines[0].length / 5)")
        page.evaluate("globalThis.everyFrame = () => { const [from, to] = raceline.charts.range, by = (to - from) / 67; raceline.charts.show(from + by, to + by); }")
        report("panning the charts", page.evaluate(FRAMES, 4))
        self.assertGreater(page.evaluate("raceline.charts.range[0]"), 0)
        page.evaluate("globalThis.everyFrame = undefined")
        return figures


if __name__ == "__main__":
    unittest.main()
