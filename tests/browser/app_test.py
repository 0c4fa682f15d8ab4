"""The app of the browser, as `crates/web/build` makes it: from the first screen to a saved line, with and without a network."""

import functools
import gzip
import http.server
import json
import math
import os
import pathlib
import tempfile
import threading
import time
import unittest

from browser import FIREFOX, NO_DOWNLOAD, NO_POLICY, NO_SCHEME, SHOTS, InBrowser, needs_axe, not_in_firefox, serious

ROOT = pathlib.Path(__file__).parents[2]
# With Firefox a copy without the page's policy: Playwright's own scripts are evaluated in the page there.
DIST = pathlib.Path(os.environ.get("RACELINE_DIST", ROOT / "web/dist"))
MADE = "() => globalThis.raceline?.charts?.axes && document.getElementById('status')?.textContent.startsWith('Made')"
# The page asks for what the track lacks, with the tool for it open.
ASKED = "() => globalThis.raceline?.editor?.asked && document.getElementById('tool')?.hidden === false"
# A ring of 60 m as a centre line with widths.
RING = "x_m,y_m,w_tr_right_m,w_tr_left_m\n" + "".join(
    f"{60 * math.cos(math.tau * k / 60)},{60 * math.sin(math.tau * k / 60)},5,5\n" for k in range(60))
SITE = ROOT / "target/book"
DRIVEN = "() => document.getElementById('status')?.textContent.includes('driven in')"


# What the app asks its workers for, and how many of them it begins.
COUNT_TASKS = """
  [globalThis.asked, globalThis.workers] = [[], 0];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.task) asked.push(message.task);
    else workers += 1;
    return postMessage.call(this, message, ...rest);
  };
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Served(InBrowser):
    """A folder behind a file server, as the app needs it."""

    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        self.troubles = []

    def tearDown(self):
        self.assertEqual(self.troubles, [], "console, errors, requests")

    def frame(self, page):
        return page.wait_for_selector("#page").content_frame()

    def made(self, page, condition=DRIVEN):
        """The frame with a line; the page in it is another one after each change."""
        for _ in range(600):
            frame = self.frame(page)
            try:
                if frame and frame.evaluate(condition):
                    return frame
            except Exception:  # the frame has just been loaded anew
                pass
            time.sleep(0.1)
        self.fail(frame.evaluate("() => document.body.innerText.slice(0, 400)"))


@unittest.skipUnless(DIST.is_dir(), "web/dist is not built: crates/web/build")
class App(Served):
    folder = DIST

    def open(self, size=(1500, 950), scheme="light", bypass_csp=False, locale="en-GB"):
        viewport = {"width": size[0], "height": size[1]}
        # Firefox has no command for these two.
        looks = {} if FIREFOX else {"color_scheme": scheme, "bypass_csp": bypass_csp}
        context = self.browser.new_context(viewport=viewport, locale=locale, **looks)
        self.addCleanup(context.close)
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda message: message.type in ("error", "warning") and self.troubles.append(message.text))
        own = (self.address, "data:", "blob:", "about:srcdoc")
        page.on("request", lambda request: request.url.startswith(own) or self.troubles.append(request.url))
        page.goto(self.address)
        page.wait_for_selector("#examples button")
        return page

    def test_each_example_has_a_line(self):
        page = self.open()
        page.screenshot(path=SHOTS / "app-first.png")
        count = page.locator("#examples button").count()
        self.assertEqual(count, 7)
        for index in range(count):
            began = time.monotonic()
            page.locator("#examples button").nth(index).click()
            self.made(page)
            name = page.locator("#name").text_content()
            print(f"  {name}: a line and its drive in {time.monotonic() - began:.2f} s")
            page.screenshot(path=SHOTS / f"app-{name}.png")
            page.get_by_role("button", name="Other track").click()

    def test_each_example_offers_the_tools_that_change_it(self):
        """A tool for an option that changes nothing on this track is not there."""
        always = ["Undo", "Redo", "Start line", "Obstacle", "Pick-up", "Pin", "Corner name", "Edge", "Grip", "Speed cap",
                  "No-go strip", "Grip patch", "No-go area"]
        of_picture = ["Scale", "Lap length", "Road", "Turn round"]
        # A route through streets is open; the road of a log is as wide as the reader states.
        more = {"club": of_picture, "aerial": of_picture, "kart": of_picture, "quarter": ["Via", "From and to"],
                "grid": of_picture, "cones": ["Turn round"], "day": ["Road width", "Turn round"]}
        page = self.open()
        for index, (name, own) in enumerate(more.items()):
            page.locator("#examples button").nth(index).click()
            frame = self.made(page)
            self.assertEqual(page.locator("#name").text_content(), name)
            offered = frame.locator("#tools > button:not(#vehicle)").all_text_contents()
            self.assertEqual(sorted(offered), sorted(always + own), name)
            # Laps of the log stand beside its line.
            self.assertEqual(frame.locator("#compare option[value=clear]").count(), int(name == "day"), name)
            page.screenshot(path=SHOTS / f"app-tools-{name}.png")
            page.get_by_role("button", name="Other track").click()

    @not_in_firefox(NO_DOWNLOAD)
    def test_the_line_is_that_of_the_program(self):
        page = self.open()
        page.locator("#examples button").first.click()
        self.made(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Save line").click()
        self.assertEqual(download.value.suggested_filename, "club.raceline.json")
        saved = json.loads(pathlib.Path(download.value.path()).read_text())
        kept = json.loads((ROOT / "tracks/club.raceline.json").read_text())
        self.assertLess(abs(saved["lap_time_s"] / kept["lap_time_s"] - 1), 1e-6)
        difference = max(abs(a["x_m"] - b["x_m"]) + abs(a["y_m"] - b["y_m"]) for a, b in zip(saved["points"], kept["points"]))
        print(f"  club: lap {saved['lap_time_s']} for {kept['lap_time_s']}, points at most {difference:.2e} m apart")
        with page.expect_download() as download:
            page.get_by_label("Save as").select_option("tum")
        self.assertEqual(download.value.suggested_filename, "club.tum.csv")
        self.assertIn("# s_m; x_m; y_m", pathlib.Path(download.value.path()).read_text())
        with page.expect_download() as download:
            page.get_by_label("Save as").select_option("csv")
        self.assertEqual(download.value.suggested_filename, "club.csv")

    @not_in_firefox(NO_DOWNLOAD)
    def test_a_picture_without_a_scale_gets_it_by_two_clicks(self):
        page = self.open()
        page.locator("#files").set_input_files(ROOT / "tracks/oval.png")
        frame = self.made(page, ASKED)
        self.assertEqual(frame.evaluate("() => document.getElementById('status').className"), "")
        self.assertIn("How large is the track?", frame.locator("#status").text_content())
        page.screenshot(path=SHOTS / "app-draft.png")
        where = """(fractions) => {
            const box = document.getElementById("map").getBoundingClientRect();
            return fractions.map(([x, y]) => [box.x + x * box.width, box.y + y * box.height]);
        }"""
        offset = page.locator("#page").bounding_box()
        for x, y in frame.evaluate(where, [[0.3, 0.5], [0.6, 0.5]]):
            page.mouse.click(offset["x"] + x, offset["y"] + y)
        frame.locator("#tool input").fill("800")
        frame.locator("#tool input").press("Enter")
        frame = self.made(page)
        page.screenshot(path=SHOTS / "app-scaled.png")
        with page.expect_download() as download:
            page.get_by_label("Save as").select_option("changes")
        self.assertIn("metres_per_pixel", pathlib.Path(download.value.path()).read_text())
        # The vehicle is changed on the page too.
        before = frame.evaluate("() => document.getElementById('summary').textContent")
        frame.locator("#vehicles").get_by_role("button", name="kart").click()
        for _ in range(300):
            frame = self.made(page, MADE)
            if frame.evaluate("() => document.getElementById('summary').textContent") != before:
                break
            time.sleep(0.1)
        self.assertIn("kart", frame.evaluate("() => document.body.innerText"))

    @not_in_firefox(NO_DOWNLOAD)
    def test_a_vehicle_is_asked_for_when_its_default_has_driven(self):
        scale = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "oval.toml"
        scale.write_text("metres_per_pixel = 0.5\n")
        for size, scheme in [((1280, 800), "light"), ((390, 844), "dark")]:
            page = self.open(size=size, scheme=scheme)
            page.locator("#files").set_input_files([ROOT / "tracks/oval.png", scale])
            frame = self.made(page)
            cards = frame.locator("#vehicles .card")
            self.assertEqual(cards.count(), 6)
            page.screenshot(path=SHOTS / f"app-vehicles-{scheme}.png")
            self.assertEqual(frame.locator(".card[aria-pressed=true] strong").all_text_contents(), ["tum-racecar"])
            sizes = """(all) => all.map((one) => {
                const { width, height } = one.querySelector(".fast").getBBox();
                return { width, height, target: Math.min(one.clientWidth, one.clientHeight) };
            })"""
            [tum, *others] = cards.evaluate_all(sizes)
            self.assertGreaterEqual(min(one["target"] for one in [tum, *others]), 44)
            # In m/s²: 12 across and braking, 5.3 driving; a card of more grip has a larger picture.
            self.assertAlmostEqual(tum["width"], 24, delta=0.01)
            self.assertAlmostEqual(tum["height"], 17.3, delta=0.01)
            self.assertGreater(max(one["height"] for one in others), 1.5 * tum["height"])
            frame.get_by_role("button", name="kart").focus()
            page.keyboard.press("Enter")
            frame = self.made(page, f"() => document.getElementById('vehicle')?.textContent === 'Vehicle: kart' && ({DRIVEN})()")
            self.assertEqual(frame.evaluate("() => [document.activeElement.id, document.getElementById('vehicles').hidden]"), ["vehicle", True])
            with page.expect_download() as download:
                page.get_by_label("Save as").select_option("changes")
            self.assertIn('vehicle = "kart"', pathlib.Path(download.value.path()).read_text())
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), size[0])

    def test_a_question_that_is_put_aside_is_not_asked_again(self):
        page = self.open()
        page.locator("#examples button").first.click()
        self.assertTrue(self.made(page).locator("#vehicles").is_hidden(), "the example has its vehicle")
        page.get_by_role("button", name="Other track").click()
        page.locator("#files").set_input_files({"name": "ring.csv", "mimeType": "text/csv", "buffer": RING.encode()})
        frame = self.made(page)
        self.assertTrue(frame.locator("#vehicles").is_visible())
        frame.locator("#vehicle").click()
        frame.get_by_role("button", name="Turn round").click()
        frame = self.made(page, f"() => document.getElementById('sidecar')?.textContent.includes('direction') && ({DRIVEN})()")
        self.assertTrue(frame.locator("#vehicles").is_hidden())

    @not_in_firefox(NO_DOWNLOAD)
    def test_a_line_is_kept_and_compared_with_the_next_one(self):
        page = self.open()
        page.locator("#examples button").nth(2).click()
        self.made(page)
        first = self.frame(page).evaluate("raceline.lines[0].lapTime")
        self.frame(page).locator("#compare").select_option("keep")
        two = "() => globalThis.raceline?.charts?.axes && raceline.lines.length === 2"
        frame = self.made(page, two)
        self.assertEqual(frame.evaluate("raceline.lines[1].about.label.split(',')[0]"), f"{first:.3f} s")
        # Time comes first; the kept line stays when the line is made anew.
        self.assertIn("Time difference", frame.locator(".head .what").first.text_content())
        frame.locator("#vehicle").click()
        frame.locator("#vehicles").get_by_role("button", name="robot-car").click()
        frame = self.made(page, f"() => ({two})() && document.getElementById('vehicle').textContent.includes('robot-car')")
        self.assertAlmostEqual(frame.evaluate("raceline.lines[1].lapTime"), first, places=4)
        self.assertNotAlmostEqual(frame.evaluate("raceline.lines[0].lapTime"), first, places=2)
        frame.locator("#play").click()
        page.wait_for_timeout(400)
        page.screenshot(path=SHOTS / "app-compared.png")
        frame.locator("#play").click()
        # The page to send has both lines, no tools, and needs nothing else.
        with page.expect_download() as download:
            page.get_by_label("Save as").select_option("page")
        shared = self.browser.new_page()
        self.addCleanup(shared.close)
        shared.on("pageerror", lambda error: self.troubles.append(str(error)))
        shared.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or self.troubles.append(request.url))
        copy = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "shared.html"
        copy.write_bytes(pathlib.Path(download.value.path()).read_bytes())
        shared.goto(copy.as_uri())
        shared.wait_for_function(two)
        self.assertEqual(shared.locator("#tools, #status").count(), 0)
        frame.get_by_role("button", name=f"Remove {first:.3f} s").click()
        self.made(page, "() => globalThis.raceline?.charts?.axes && raceline.lines.length === 1")

    def given(self, track):
        """A file of tracks/ as its bytes."""
        path = ROOT / "tracks" / track
        return {"name": path.name, "mimeType": "application/octet-stream", "buffer": path.read_bytes()}

    def test_lines_and_laps_of_files_are_compared(self):
        page = self.open()
        page.locator("#examples button").first.click()
        frame = self.made(page)
        lap = frame.evaluate("""() => {
            const line = raceline.lines[0];
            const rows = [...line.s.keys()].map((i) => [1, line.time[i] * 1.02, line.x[i], line.y[i], line.speed[i] / 1.02].join());
            return ["lap,time_s,x_m,y_m,speed_mps", ...rows].join("\\n");
        }""")
        frame.locator("#compared").set_input_files([
            self.given("club.raceline.json"), {"name": "monday.csv", "mimeType": "text/csv", "buffer": lap.encode()}])
        frame = self.made(page, "() => globalThis.raceline?.charts?.axes && raceline.lines.length === 3")
        labels = frame.evaluate("raceline.lines.map((line) => line.about.label)")
        self.assertTrue(any("monday" in label for label in labels), labels)
        driven = frame.evaluate("raceline.lines[2].lapTime / raceline.lines[0].lapTime")
        self.assertAlmostEqual(driven, 1.02, places=3)
        page.screenshot(path=SHOTS / "app-laps.png")
        frame.locator("#compared").set_input_files(self.given("oval.raceline.json"))
        frame.wait_for_function("() => document.querySelector('#tool .wrong')?.textContent.includes('oval')")

    def made_of_laps(self, page, lines=3):
        """The frame of a line with laps of a log beside it."""
        return self.made(page, f"() => globalThis.raceline?.charts?.axes && raceline.lines.length >= {lines} && ({DRIVEN})()")

    def test_a_log_gives_road_line_and_the_time_lost(self):
        page = self.open()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        page.wait_for_selector("#examples button")
        self.assertEqual([url for url in asked if "later" in url], [], "what no first line needs comes after it")
        page.locator("#examples button").nth(6).click()
        frame = self.made_of_laps(page)
        self.assertTrue([url for url in asked if "later" in url])
        labels = frame.evaluate("raceline.lines.slice(1).map((line) => line.about.label)")
        self.assertTrue(all(label.startswith("lap ") for label in labels), labels)
        times = frame.evaluate("raceline.lines.map((line) => line.lapTime)")
        self.assertEqual(times, sorted(times), "the line, then the laps from the fastest on")
        self.assertGreater(frame.locator("#losses tbody tr").count(), 3)
        # What the readers of the log noted is on the page.
        self.assertGreater(frame.locator("#doubts li").count(), 0)
        page.screenshot(path=SHOTS / "app-day.png")
        # Another vehicle has another line, and the laps are laid beside that.
        frame.locator("#vehicle").click()
        frame.locator("#vehicles").get_by_role("button", name="robot-car").click()
        frame = self.made(page, "() => globalThis.raceline?.charts?.axes && document.getElementById('vehicle').textContent.includes('robot-car') && raceline.lines.length >= 3")
        again = frame.evaluate("raceline.lines.map((line) => line.lapTime)")
        self.assertNotAlmostEqual(again[0], times[0], places=1)
        self.assertAlmostEqual(again[1], times[1], delta=0.02)
        # What was opened is kept with its log.
        page.reload()
        page.wait_for_selector("#again:not([hidden])")
        page.locator("#go-on").click()
        self.made_of_laps(page)

    def test_a_log_of_one_lap_asks_for_the_width_of_its_road(self):
        rows = (DIST / "examples/day.csv").read_text().splitlines()
        times = [float(row.split(",")[0]) for row in rows[1:]]
        page = self.open()
        # A lap and a bit more shows no width of the road. The vehicle is fitted to it.
        lap = next(k for k, time in enumerate(times) if time > 1.25 * times[-1] / 3)
        short = {"name": "lap.csv", "mimeType": "text/csv", "buffer": "\n".join(rows[:lap]).encode()}
        page.locator("#files").set_input_files(short)
        frame = self.made(page, ASKED)
        self.assertIn("How wide is the road?", frame.locator("#status").text_content())
        page.screenshot(path=SHOTS / "app-day-width.png")
        frame.locator("#tool input").fill("7")
        frame.locator("#tool input").press("Enter")
        frame = self.made_of_laps(page, 2)
        self.assertEqual(frame.locator("#vehicle").text_content(), "Vehicle: lap")
        page.screenshot(path=SHOTS / "app-day-lap.png")

    def test_the_road_of_a_log_is_widened_and_that_of_a_file_with_widths_is_not(self):
        page = self.open()
        page.locator("#files").set_input_files({"name": "day.csv", "mimeType": "text/csv", "buffer": (DIST / "examples/day.csv").read_bytes()})
        frame = self.made_of_laps(page)
        narrow = frame.evaluate("raceline.lines[0].lapTime")
        frame.get_by_role("button", name="Road width").click()
        frame.locator("#tool input").fill("9")
        frame.locator("#tool input").press("Enter")
        frame = self.made(page, "() => globalThis.raceline?.charts?.axes && raceline.editor?.values.track_width_m === 9")
        page.screenshot(path=SHOTS / "app-day-widened.png")
        self.assertLess(frame.evaluate("raceline.lines[0].lapTime"), narrow)
        page.get_by_role("button", name="Other track").click()
        page.locator("#files").set_input_files({"name": "ring.csv", "mimeType": "text/csv", "buffer": RING.encode()})
        frame = self.made(page)
        self.assertEqual(frame.get_by_role("button", name="Road width").count(), 0)

    def test_a_road_too_small_for_the_default_vehicle_asks_for_one(self):
        page = self.open()
        page.locator("#files").set_input_files({"name": "cones.csv", "mimeType": "text/csv", "buffer": (DIST / "examples/cones.csv").read_bytes()})
        frame = self.made(page, "() => document.getElementById('vehicles')?.hidden === false")
        self.assertIn("vehicle", frame.locator("#status").text_content())
        page.screenshot(path=SHOTS / "app-cones-vehicle.png")
        frame.locator("#vehicles").get_by_role("button", name="kart").click()
        self.made(page)

    def test_a_log_is_compared_with_the_line_of_its_track(self):
        page = self.open()
        page.locator("#examples button").nth(6).click()
        frame = self.made_of_laps(page)
        day = (DIST / "examples/day.csv").read_bytes()
        frame.locator("#compare").select_option("clear")
        frame = self.made(page, "() => globalThis.raceline?.charts?.axes && raceline.lines.length === 1")
        frame.locator("#compared").set_input_files({"name": "monday.csv", "mimeType": "text/csv", "buffer": day})
        self.made(page, "() => globalThis.raceline?.charts?.axes && raceline.lines.some((line) => line.about.label.includes('monday'))")
        # A log of another track is refused in words.
        page.get_by_role("button", name="Other track").click()
        page.locator("#examples button").first.click()
        frame = self.made(page)
        frame.locator("#compared").set_input_files({"name": "monday.csv", "mimeType": "text/csv", "buffer": day})
        frame.wait_for_function("() => document.querySelector('#tool .wrong')?.textContent.includes('monday')")

    def drag_out_of_corner(self, page, frame, number, step_m=0.25, steps=8):
        """Takes hold of the line in a corner and drags it outwards; the seconds until each coarse line is there."""
        offset = page.locator("#page").bounding_box()
        where = """([s, left]) => {
            const at = raceline.lines[0].at(s);
            const box = document.getElementById("map").getBoundingClientRect();
            return [box.x + raceline.map.view.px(at.x - Math.sin(at.heading) * left), box.y + raceline.map.view.py(at.y + Math.cos(at.heading) * left)];
        }"""
        corner = frame.evaluate("(number) => raceline.lines[0].corners[number]", number)
        side = -1 if corner["direction"] == "left" else 1
        spot = lambda left: [sum(pair) for pair in zip(frame.evaluate(where, [corner["apex_s_m"], left]), (offset["x"], offset["y"]))]
        page.mouse.move(*spot(0))
        page.mouse.down()
        times = []
        # A move of 3 px or less is a click, and Firefox gives places in whole pixels.
        for step in range(6, 6 + steps):
            page.mouse.move(*spot(side * step_m * step))
            begun = time.monotonic()
            frame.wait_for_function("() => raceline.editor.handles.held?.shown && !raceline.editor.handles.looking", polling=5)
            times.append(time.monotonic() - begun)
        shown = frame.evaluate("raceline.editor.handles.held.shown")
        self.assertGreater(shown.get("change_s", 0), 0, shown.get("refusal"))
        return times

    def test_the_line_is_dragged_with_its_price(self):
        page = self.open()
        page.locator("#examples button").nth(2).click()
        frame = self.made(page)
        times = self.drag_out_of_corner(page, frame, 1)
        page.screenshot(path=SHOTS / "app-dragged.png")
        print(f"  a coarse line while the kart's line is dragged: {min(times):.3f} to {max(times):.3f} s")
        page.mouse.up()
        pinned = "() => raceline.editor?.values.pin?.length === 1 && globalThis.raceline?.charts?.axes"
        frame = self.made(page, pinned)
        self.assertIn(" +", frame.evaluate("raceline.editor.marks.price('pin', 1)"))

    def test_the_first_example_is_made_while_the_first_screen_is_looked_at(self):
        page = self.open()
        page.context.add_init_script(COUNT_TASKS)
        page.reload()
        page.wait_for_function("() => asked.includes('make')")
        page.locator("#examples button").first.click()
        frame = self.made(page)
        self.assertEqual(page.evaluate("asked.filter((task) => task === 'make' || task === 'open')"), ["open", "make"], "no work twice")
        self.assertEqual(page.evaluate("workers"), 3, "track, coarse lines, and what comes later")
        # The other worker makes coarse lines.
        self.drag_out_of_corner(page, frame, 3, 1.2)
        page.keyboard.press("Escape")
        page.mouse.up()
        # Another track puts the guess aside, and is opened by the other worker.
        page.reload()
        page.wait_for_function("() => asked.includes('make')")
        page.locator("#examples button").nth(2).click()
        frame = self.made(page)
        self.assertEqual(page.locator("#name").text_content(), "kart")
        self.assertEqual(page.evaluate("workers"), 4, "what was guessed has ended, and its worker began anew")
        self.drag_out_of_corner(page, frame, 1)
        page.keyboard.press("Escape")
        page.mouse.up()

    def pinned(self):
        """Club with a pin, whose line takes seconds: what pins cost a kart is found by more laps."""
        place = json.loads((ROOT / "tracks/club.raceline.json").read_text())["points"][100]
        sidecar = (ROOT / "tracks/club.toml").read_text().replace("tum-racecar", "kart")
        sidecar += f'[[pin]]\nat = [{place["x_m"]}, {place["y_m"]}]\ntolerance_m = 0.3\n'
        return [self.given("club.png"), {"name": "club.toml", "mimeType": "text/plain", "buffer": sidecar.encode()}]

    def test_a_track_that_takes_long_is_shown_before_its_line(self):
        page = self.open()
        page.context.add_init_script(COUNT_TASKS)
        page.reload()
        page.wait_for_selector("#examples button")
        page.locator("#files").set_input_files(self.pinned())
        self.made(page, "() => globalThis.raceline?.map?.view && !globalThis.raceline.lines")
        self.assertTrue(page.locator("#cancel").is_visible(), "the line is still being made")
        self.made(page)
        self.assertEqual(page.evaluate("asked.filter((task) => task === 'draft').length"), 1)

    def test_a_coarse_line_shows_while_a_line_is_made_and_after_that_was_cancelled(self):
        page = self.open()
        page.locator("#files").set_input_files(self.pinned())
        frame = self.made(page)
        self.drag_out_of_corner(page, frame, 1, 1.2)
        page.mouse.up()
        page.wait_for_selector("#cancel:not([hidden])")
        # Two steps: on a busy machine the run may end before more of them.
        times = self.drag_out_of_corner(page, frame, 3, 1.2, steps=2)
        self.assertTrue(page.locator("#cancel").is_visible(), "the line is still being made")
        print(f"  a coarse line while another line is made: {min(times):.3f} to {max(times):.3f} s")
        page.screenshot(path=SHOTS / "app-dragged-busy.png")
        # The line that comes meanwhile does not take what is dragged from the hand.
        page.wait_for_selector("#cancel", state="hidden")
        page.wait_for_timeout(500)
        self.assertTrue(frame.evaluate("() => Boolean(raceline.editor.handles.held)"))
        page.keyboard.press("Escape")
        page.mouse.up()
        pins = lambda count: f"() => raceline.editor?.values.pin?.length === {count} && ({DRIVEN})()"
        frame = self.made(page, pins(2))
        frame.get_by_role("button", name="Turn round").click()
        page.wait_for_selector("#cancel:not([hidden])")
        page.locator("#cancel").click()
        page.wait_for_selector("#cancel", state="hidden")
        times = self.drag_out_of_corner(page, frame, 3, 1.2)
        print(f"  a coarse line after a cancelled run: {min(times):.3f} to {max(times):.3f} s")
        page.mouse.up()
        frame = self.made(page, pins(3))
        self.assertEqual(frame.evaluate("raceline.editor.values.direction"), "counterclockwise")

    def test_the_track_of_the_last_visit_is_offered_again(self):
        page = self.open()
        self.assertTrue(page.locator("#again").is_hidden())
        page.locator("#examples button").nth(2).click()
        frame = self.made(page)
        frame.get_by_role("button", name="Turn round").click()
        frame = self.made(page, f"() => document.getElementById('sidecar')?.textContent.includes('direction') && ({DRIVEN})()")
        direction = frame.evaluate("raceline.editor.values.direction")
        page.reload()
        page.wait_for_selector("#again:not([hidden])")
        page.screenshot(path=SHOTS / "app-again.png")
        self.assertEqual(page.locator("#go-on").text_content(), "Go on with kart")
        page.locator("#go-on").click()
        frame = self.made(page)
        self.assertEqual(frame.evaluate("raceline.editor.values.direction"), direction)
        page.get_by_role("button", name="Other track").click()
        page.get_by_role("button", name="Forget it").click()
        page.wait_for_selector("#again", state="hidden")
        page.reload()
        page.wait_for_selector("#examples button")
        self.assertTrue(page.locator("#again").is_hidden())

    def test_a_map_without_a_road_gets_its_way_by_two_clicks(self):
        page = self.open()
        page.locator("#files").set_input_files([
            self.given("maps/hall.yaml"), self.given("maps/hall.png"),
            {"name": "hall.toml", "mimeType": "text/plain", "buffer": b'vehicle = "robot-car"\n'}])
        frame = self.made(page, ASKED)
        self.assertIn("where the way begins", frame.locator("#status").text_content())
        self.click_on_map(page, frame, [[44, 50], [255, 196]])
        frame = self.made(page)
        page.screenshot(path=SHOTS / "app-hall.png")
        self.assertGreater(frame.evaluate("raceline.lines[0].length"), 5)

    def click_on_map(self, page, frame, places):
        """Clicks on places of the map, m or px of a picture."""
        offset = page.locator("#page").bounding_box()
        for place in places:
            x, y = frame.evaluate("""([x, y]) => {
                const box = document.getElementById("map").getBoundingClientRect();
                return [box.x + raceline.map.view.px(x), box.y + raceline.map.view.py(y)];
            }""", place)
            page.mouse.click(offset["x"] + x, offset["y"] + y)

    def test_streets_get_their_route_by_two_clicks(self):
        page = self.open()
        page.locator("#files").set_input_files(self.given("maps/quarter.geojson"))
        frame = self.made(page, ASKED)
        self.assertEqual(frame.locator("#status").get_attribute("class"), "")
        self.assertIn("These are streets", frame.locator("#status").text_content())
        self.assertEqual(frame.locator("#tool .hint").text_content(), "Where from?")
        page.screenshot(path=SHOTS / "app-streets.png")
        self.click_on_map(page, frame, [[-80, -190]])
        self.assertEqual(frame.locator("#tool .hint").text_content(), "Where to?")
        self.click_on_map(page, frame, [[80, 190]])
        frame = self.made(page)
        page.screenshot(path=SHOTS / "app-streets-route.png")
        self.assertGreater(frame.evaluate("raceline.lines[0].length"), 300)
        self.assertIn("From and to", frame.locator("#tools").text_content())

    def test_it_is_loaded_within_its_budget(self):
        needed = [path for path in DIST.iterdir() if path.is_file() and path.name != "examples.json"]
        size = sum(len(gzip.compress(path.read_bytes(), 9)) for path in needed)
        print(f"  {size / 1e6:.2f} MB with gzip, and {sum(path.stat().st_size for path in needed) / 1e6:.2f} MB without")
        self.assertLess(size, 2.5e6)

    def test_a_line_without_a_width_gets_it_by_a_number(self):
        turn = lambda k: 2 * math.pi * k / 60
        ring = [[13.0 + 0.004 * math.cos(turn(k)), 52.0 + 0.002 * math.sin(turn(k))] for k in range(61)]
        track = {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": ring}}
        page = self.open()
        given = {"name": "ring.geojson", "mimeType": "application/json", "buffer": json.dumps(track).encode()}
        page.locator("#files").set_input_files(given)
        frame = self.made(page, ASKED)
        self.assertIn("How wide is the road?", frame.locator("#status").text_content())
        page.screenshot(path=SHOTS / "app-width.png")
        frame.locator("#tool input").fill("12")
        frame.locator("#tool input").press("Enter")
        self.made(page)
        page.screenshot(path=SHOTS / "app-ring.png")

    def test_an_address_of_an_unknown_example_shows_the_first_screen(self):
        page = self.open()
        page.goto(f"{self.address}?example=nothing")
        page.wait_for_selector("#examples button", state="visible")

    def test_what_is_no_track_is_refused_in_words(self):
        page = self.open()
        page.locator("#files").set_input_files(ROOT / "README.md")
        page.wait_for_selector("#wrong:not([hidden])")
        self.assertIn("README.md", page.locator("#wrong").text_content())

    def test_a_run_that_is_cancelled_can_be_begun_again(self):
        page = self.open()
        page.locator("#examples button").nth(1).click()
        page.wait_for_selector("#cancel:not([hidden])")
        page.locator("#cancel").click()
        page.wait_for_selector("#cancel", state="hidden")
        page.get_by_role("button", name="Other track").click()
        page.locator("#examples button").first.click()
        self.made(page)

    @not_in_firefox(NO_DOWNLOAD)
    def test_a_cancelled_run_takes_its_change_back_and_leaves_the_others_to_be_undone(self):
        page = self.open()
        page.locator("#examples button").nth(1).click()
        frame = self.made(page)
        kept = lambda: frame.evaluate("raceline.editor.values.vehicle")
        began_with = kept()
        self.assertTrue(frame.locator("#undo").is_disabled(), "nothing was changed")
        for name in ["kart", "gt"]:
            frame.locator("#vehicle").click()
            frame.locator("#vehicles").get_by_role("button", name=name, exact=False).first.click()
            if name == "kart":
                frame = self.made(page, f"() => document.getElementById('vehicle')?.textContent.includes('kart') && ({DRIVEN})()")
        page.wait_for_selector("#cancel:not([hidden])")
        page.locator("#cancel").click()
        page.wait_for_selector("#cancel", state="hidden")
        with page.expect_download() as download:
            page.get_by_label("Save as").select_option("changes")
        self.assertIn('vehicle = "kart"', pathlib.Path(download.value.path()).read_text())
        frame.locator("#undo").click()
        frame = self.made(page, f"() => !document.getElementById('vehicle')?.textContent.includes('kart') && ({DRIVEN})()")
        self.assertEqual(kept(), began_with)

    @not_in_firefox(NO_DOWNLOAD)
    def test_a_comparison_stays_after_a_cancelled_run(self):
        page = self.open()
        page.locator("#examples button").nth(2).click()
        frame = self.made(page)
        first = frame.evaluate("raceline.lines[0].lapTime")
        frame.locator("#compare").select_option("keep")
        two = "() => globalThis.raceline?.charts?.axes && raceline.lines.length === 2"
        frame = self.made(page, two)
        frame.locator("#vehicle").click()
        frame.locator("#vehicles").get_by_role("button", name="gt", exact=False).first.click()
        page.wait_for_selector("#cancel:not([hidden])")
        page.locator("#cancel").click()
        page.wait_for_selector("#cancel", state="hidden")
        # The page has both lines still, and what is asked of its line then has it made again.
        self.assertEqual(frame.evaluate("raceline.lines.length"), 2)
        with page.expect_download() as download:
            page.get_by_label("Save as").select_option("page")
        self.assertEqual(pathlib.Path(download.value.path()).read_text().count('"label":"'), 2)
        # The next line is compared too.
        frame = self.made(page, two)
        frame.get_by_role("button", name="Turn round").click()
        turned = f"() => document.getElementById('sidecar')?.textContent.includes('direction') && ({DRIVEN})()"
        frame = self.made(page, turned)
        self.assertEqual(frame.locator("#comparison .entry.away").count(), 1)
        frame.locator("#undo").click()
        frame = self.made(page, two)
        self.assertAlmostEqual(frame.evaluate("raceline.lines[1].lapTime"), first, places=4)

    def test_it_works_without_a_network_after_the_first_visit(self):
        page = self.open()
        page.evaluate("() => navigator.serviceWorker.ready")
        page.context.set_offline(True)
        self.server.shutdown()
        page.reload()
        page.wait_for_selector("#examples button")
        page.locator("#examples button").nth(5).click()
        self.made(page)
        page.get_by_role("button", name="Other track").click()
        page.locator("#language").select_option("ja")
        page.wait_for_function("() => document.documentElement.lang === 'ja'")
        self.assertEqual(page.locator("#drop strong").text_content(), self.table("ja")["Drop a track here"])

    def table(self, language):
        return json.loads((DIST / f"languages/{language}.json").read_text())

    def test_every_text_is_in_the_readers_language(self):
        for language, locale in [("de", "de-AT"), ("es", "es-MX"), ("ja", "ja-JP"), ("zh", "zh-CN")]:
            table = self.table(language)
            english = [text for text, translation in table.items() if "{}" not in text and text != translation]
            page = self.open(locale=locale)
            page.wait_for_function("(code) => document.documentElement.lang === code", arg=language)
            self.assertEqual(page.locator("#language").input_value(), language)
            left = """(english) => {
                const own = "script, style, h1, .entry, .corner-name, option[lang]";
                const elements = [...document.querySelectorAll("body *")].filter((one) => !one.closest(own));
                const texts = elements.flatMap((one) => [one.title, one.getAttribute("aria-label"),
                  ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim())]);
                return english.filter((text) => texts.includes(text));
            }"""
            self.assertEqual(page.evaluate(left, english), [], f"{language}, first screen")
            page.screenshot(path=SHOTS / f"app-first-{language}.png")
            page.locator("#examples button").first.click()
            [_, after] = table["{}, driven in {} s at most {} m off the line"].replace("{2}", "{}").split("{}")[:2]
            driven = f"() => globalThis.raceline?.charts?.axes && document.getElementById('status')?.textContent.includes({json.dumps(after.strip())})"
            frame = self.made(page, driven)
            self.assertEqual(page.evaluate(left, english) + frame.evaluate(left, english), [], f"{language}, page of a line")
            self.assertEqual(frame.evaluate("() => document.documentElement.lang"), language)
            # Texts with numbers, and what the page writes later.
            self.assertIn(table["{} corners"].replace("{}", str(frame.evaluate("() => raceline.corners.rows.length"))), frame.locator("#summary").text_content())
            frame.locator("#play").click()
            self.assertEqual(frame.locator("#play").text_content(), table["Pause"])
            frame.locator("#play").click()
            self.assertEqual(frame.locator("#play").text_content(), table["Play"])
            page.screenshot(path=SHOTS / f"app-line-{language}.png")
            # A reader of screens hears it once, not with every look at the state.
            count_changes = """() => new Promise((done) => {
                let count = 0;
                new MutationObserver((changes) => { count += changes.length; }).observe(document.getElementById("status"), { childList: true, subtree: true, characterData: true });
                setTimeout(() => done(count), 700);
            })"""
            self.assertEqual(frame.evaluate(count_changes), 0)

    def test_a_language_is_chosen_and_kept(self):
        page = self.open()
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        page.wait_for_selector("#examples button")
        self.assertEqual([url for url in requests if "/languages/" in url], [], "English needs none")
        before = page.evaluate("() => document.body.innerText")
        page.locator("#language").select_option("es")
        page.wait_for_function("() => document.documentElement.lang === 'es'")
        page.reload()
        page.wait_for_function("() => document.documentElement.lang === 'es'")
        page.wait_for_selector("#examples button")
        page.locator("#language").select_option("en")
        page.wait_for_function("() => document.documentElement.lang === 'en'")
        self.assertEqual(page.evaluate("() => document.body.innerText"), before)

    @not_in_firefox(NO_SCHEME)
    def test_on_a_phone_and_in_the_dark(self):
        page = self.open(size=(390, 800), scheme="dark")
        page.screenshot(path=SHOTS / "app-phone-first.png")
        page.locator("#examples button").nth(2).click()
        frame = self.made(page)
        page.screenshot(path=SHOTS / "app-phone.png")
        # What removes an entry of the sidecar is as large as a finger needs.
        sizes = frame.locator("#sidecar .entry button").evaluate_all("(all) => all.map((one) => Math.min(one.offsetWidth, one.offsetHeight))")
        self.assertGreaterEqual(min(sizes), 24)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        self.assertLessEqual(width, 390)

    @needs_axe
    @not_in_firefox(NO_POLICY)
    def test_axe_finds_nothing_serious(self):
        for scheme in ["light", "dark"]:
            for size in [(1500, 950), (400, 800)]:
                # The policy forbids foreign scripts; the browser of this test puts it aside.
                page = self.open(size=size, scheme=scheme, bypass_csp=True)
                self.assertEqual(serious(page.main_frame), [], f"first screen, {scheme}, {size}")
                page.locator("#examples button").nth(2).click()
                frame = self.made(page)
                self.assertEqual(serious(page.main_frame) + serious(frame), [], f"line, {scheme}, {size}")


@unittest.skipUnless((SITE / "app").is_dir(), "target/book has no app: .ci/site")
class Site(Served):
    """The pages of docs/ with the app in them."""

    folder = SITE

    def test_a_tutorial_shows_the_app_with_its_track(self):
        for tutorial, track in [("circuit-picture", "club"), ("robot-map", "grid"), ("cone-map", "cones"), ("track-day", "day")]:
            page = self.browser.new_page(viewport={"width": 1400, "height": 1000})
            self.addCleanup(page.close)
            page.on("pageerror", lambda error: self.troubles.append(str(error)))
            page.goto(f"{self.address}tutorials/{tutorial}.html")
            frame = page.wait_for_selector("main iframe")
            frame.scroll_into_view_if_needed()
            app = frame.content_frame()
            app.get_by_role("link", name="Open this track in the app").click()
            self.assertIn(track, self.made(app).evaluate("() => document.querySelector('h1').textContent"))
            page.screenshot(path=SHOTS / f"site-{tutorial}.png")


if __name__ == "__main__":
    unittest.main()
