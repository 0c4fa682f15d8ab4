"""`raceline serve` in a real browser: from a picture to a line with a mouse alone."""

import json
import shutil
import subprocess
import time
import tomllib

from playwright.sync_api import TimeoutError

from browser import READY, ROOT, SHOTS, ServesTracks


class Editor(ServesTracks):
    def sidecar(self):
        return tomllib.loads((self.folder / f"{self.name}.toml").read_text())

    def line(self):
        return json.loads((self.folder / f"{self.name}.raceline.json").read_text())

    def tool(self, page, name):
        button = page.get_by_role("button", name=name, exact=True)
        if button.get_attribute("aria-pressed") != "true":
            button.click()

    def at(self, page, place):
        """Where a place of the map's world is on the page, px; on a draft, the picture's pixels with y upwards."""
        where = """([x, y]) => {
            const box = document.getElementById("map").getBoundingClientRect();
            return [box.x + raceline.map.view.px(x), box.y + raceline.map.view.py(y)];
        }"""
        # A map that is still being laid out would be touched in another place.
        before, at = None, page.evaluate(where, list(place))
        while at != before:
            page.wait_for_timeout(60)
            before, at = at, page.evaluate(where, list(place))
        return at

    def click_world(self, page, place):
        page.mouse.click(*self.at(page, place))

    def enter(self, page, number):
        for key in number:
            page.locator(".keypad:visible").get_by_role("button", name=key, exact=True).click()

    def remade(self, page, act):
        """Does something, and waits for the next page; seconds until it is there."""
        page.evaluate("() => { globalThis.isOld = true; }")
        begun = time.monotonic()
        act()
        try:
            page.wait_for_function(f"() => !globalThis.isOld && ({READY})()", timeout=60_000)
        except TimeoutError as error:
            status = page.locator("#status").text_content()
            raise AssertionError(f"no new page; the status is {status!r}, the sidecar {self.sidecar()}") from error
        return time.monotonic() - begun

    def test_from_a_picture_without_scale_to_a_driven_line_with_a_mouse_alone(self):
        begun = time.monotonic()
        page = self.serve()
        page.wait_for_function("() => document.getElementById('status')?.textContent.includes('How large is the track?')")
        # The straight at the bottom is 1000 px long in its picture.
        self.tool(page, "Scale")
        self.click_world(page, (200, 100))
        self.click_world(page, (700, 100))
        self.assertTrue(page.locator(".keypad:visible").count())
        self.enter(page, "400")
        page.screenshot(path=SHOTS / "editor-draft.png")
        seconds = self.remade(page, lambda: page.locator("#set").click())
        page.wait_for_function("() => document.getElementById('status').textContent.includes('driven in')")
        print(f"\nfrom the picture to a driven line: 7 clicks, {time.monotonic() - begun:.1f} s; the line {seconds:.2f} s after the last click")
        self.assertAlmostEqual(self.sidecar()["metres_per_pixel"], 0.8, delta=0.005)
        self.assertAlmostEqual(self.line()["source"]["metres_per_pixel"], self.sidecar()["metres_per_pixel"])
        page.screenshot(path=SHOTS / "editor-line.png")
        self.assertEqual(self.troubles, [])

    def test_every_tool_writes_its_key_and_the_line_follows(self):
        page = self.serve("metres_per_pixel = 0.8 # measured\n")
        place = lambda s: page.evaluate("(s) => { const at = raceline.lines[0].at(s); return [at.x, at.y]; }", s)
        times = []

        def use(name, *places):
            self.tool(page, name)
            for one in places[:-1]:
                self.click_world(page, one)
            times.append(self.remade(page, lambda: self.click_world(page, places[-1])))

        start = place(700)
        use("Start line", start)
        first = self.line()["points"][0]
        self.assertLess(abs(first["x_m"] - start[0]) + abs(first["y_m"] - start[1]), 20)

        before = self.line()
        times.append(self.remade(page, lambda: page.locator("#direction").click()))
        self.assertEqual(self.sidecar()["direction"], "counterclockwise")
        self.assertNotEqual(before["points"][5], self.line()["points"][5])

        use("Obstacle", place(900))
        self.assertEqual(len(self.sidecar()["obstacle"]), 1)
        use("Pick-up", place(1200))
        self.assertEqual(self.sidecar()["pick_up"][0]["worth_s"], 0.5)
        use("Grip", place(300), place(500))
        grip = self.sidecar()["grip"][0]
        self.assertGreater(grip["to_m"] - grip["from_m"], 150)
        self.assertLess(grip["to_m"] - grip["from_m"], 250)
        self.tool(page, "Corner name")
        self.click_world(page, place(300))
        # Letters are the field's, not keys of the page.
        page.keyboard.type("Fat 0 turn")
        times.append(self.remade(page, lambda: page.keyboard.press("Enter")))
        self.assertEqual(self.sidecar()["corner"][0]["name"], "Fat 0 turn")
        self.assertEqual(page.locator("#corners td.corner-name").all_text_contents().count("Fat 0 turn"), 1)
        use("Road", place(100))
        self.assertEqual(page.get_by_role("button", name="Via", exact=True).count(), 0, "the road has no fork")
        page.screenshot(path=SHOTS / "editor-tools.png")

        # Out again, one by one; the comment stays.
        times.append(self.remade(page, lambda: page.get_by_role("button", name="Remove obstacle").click()))
        self.assertNotIn("obstacle", self.sidecar())
        self.assertTrue(page.locator("#redo").is_disabled(), "nothing was taken back")
        times.append(self.remade(page, lambda: page.locator("#undo").click()))
        self.assertEqual(len(self.sidecar()["obstacle"]), 1)
        times.append(self.remade(page, lambda: page.locator("#redo").click()))
        self.assertNotIn("obstacle", self.sidecar())
        times.append(self.remade(page, lambda: page.keyboard.press("Control+z")))
        self.assertEqual(len(self.sidecar()["obstacle"]), 1)
        times.append(self.remade(page, lambda: page.keyboard.press("Control+Shift+Z")))
        self.assertNotIn("obstacle", self.sidecar())
        times.append(self.remade(page, lambda: page.keyboard.press("Control+z")))
        # Escape leaves a tool.
        page.get_by_role("button", name="Obstacle", exact=True).click()
        page.keyboard.press("Escape")
        self.assertTrue(page.locator("#tool").is_hidden())
        self.assertIn("# measured", (self.folder / "club.toml").read_text())
        times.append(self.remade(page, lambda: page.locator("#vehicles").get_by_role("button", name="kart").click()))
        self.assertEqual(self.line()["vehicle"]["name"], "kart")
        print(f"\na click until its page is there: {min(times):.2f} to {max(times):.2f} s")
        self.assertEqual(self.troubles, [])

    def test_a_road_that_crosses_itself_takes_vias(self):
        page = self.serve("metres_per_pixel = 0.5\n", files=("eight.png",))
        self.tool(page, "Via")
        self.remade(page, lambda: self.click_world(page, self.on_road(page, 200)))
        self.assertEqual(len(self.sidecar()["via"]), 1)
        self.assertEqual(self.troubles, [])

    def test_zoom_and_tool_stay_when_the_line_is_made_anew(self):
        page = self.serve("metres_per_pixel = 0.8\n")
        self.tool(page, "Obstacle")
        for _ in range(3):
            page.locator("#zoom-in").click()
        before = page.evaluate("() => [raceline.map.view.scale, ...raceline.map.view.centre]")
        text = (self.folder / "club.toml").read_text()
        self.remade(page, lambda: (self.folder / "club.toml").write_text(text + 'direction = "counterclockwise"\n'))
        after = page.evaluate("() => [raceline.map.view.scale, ...raceline.map.view.centre]")
        for a, b in zip(before, after):
            self.assertAlmostEqual(a, b, delta=abs(a) * 0.02)
        self.assertEqual(page.get_by_role("button", name="Obstacle", exact=True).get_attribute("aria-pressed"), "true")
        self.assertEqual(self.troubles, [])

    def test_what_is_refused_is_told(self):
        page = self.serve("metres_per_pixel = 0.8\n")
        self.tool(page, "Grip")
        field = page.locator("#tool input")
        field.fill("9")
        for s in (300, 500):
            self.click_world(page, page.evaluate("(s) => { const at = raceline.lines[0].at(s); return [at.x, at.y]; }", s))
        page.wait_for_selector("#tool .wrong")
        self.assertIn("0.05 to 3", page.locator("#tool .wrong").text_content())
        self.assertNotIn("grip", self.sidecar())
        # The browser tells a refused request too.
        self.assertTrue(all("422" in trouble for trouble in self.troubles), self.troubles)

    def on_road(self, page, s, left=0.0):
        """A place beside the line, m to the left of it."""
        return page.evaluate("""([s, left]) => {
            const at = raceline.lines[0].at(s);
            return [at.x - Math.sin(at.heading) * left, at.y + Math.cos(at.heading) * left];
        }""", [s, left])

    def drag(self, page, start, *ends, drop=True):
        start, *ends = [self.at(page, place) for place in (start, *ends)]
        page.mouse.move(*start)
        page.mouse.down()
        for end in ends:
            page.mouse.move(*end, steps=4)
        if drop:
            page.mouse.up()

    def test_the_line_is_dragged_and_becomes_a_pin_with_its_price(self):
        page = self.serve('metres_per_pixel = 0.8\nvehicle = "kart"\n')
        inner = page.evaluate("raceline.lines[0].corners[0].direction") == "left"
        apex = page.evaluate("raceline.lines[0].corners[0].apex_s_m")
        wanted = self.on_road(page, apex, -3.0 if inner else 3.0)
        self.drag(page, self.on_road(page, apex), wanted, drop=False)
        page.wait_for_function("() => raceline.editor.handles.held?.shown?.points_m && !raceline.editor.handles.looking")
        page.screenshot(path=SHOTS / "editor-dragged.png")
        shown = page.evaluate("raceline.editor.handles.held.shown")
        self.assertGreater(shown["change_s"], 0.01)
        nearest = min(((x - wanted[0]) ** 2 + (y - wanted[1]) ** 2) ** 0.5 for x, y in shown["points_m"])
        self.assertLess(nearest, 1.5, "the coarse line passes where the line is held")
        self.assertNotIn("pin", self.sidecar(), "nothing is written before it is dropped")
        # Escape takes it back; then it is dropped.
        page.keyboard.press("Escape")
        page.mouse.up()
        page.wait_for_timeout(200)
        self.assertNotIn("pin", self.sidecar())
        self.remade(page, lambda: self.drag(page, self.on_road(page, apex), wanted))
        self.assertEqual(len(self.sidecar()["pin"]), 1)
        price = self.line()["constraints"][0]["price_s"]
        self.assertGreater(price, 0.0)
        self.assertEqual(page.evaluate("raceline.editor.marks.price('pin', 1)"), f" +{price:.3f} s")
        seconds = page.evaluate("""async () => {
            const begun = performance.now();
            const at = raceline.editor.spotOf([raceline.lines[0].x[40], raceline.lines[0].y[40]]);
            await fetch("preview", { method: "POST", body: JSON.stringify([{ do: "add", key: "pin", value: { at } }]) });
            return (performance.now() - begun) / 1000;
        }""")
        print(f"\na coarse line with two pins takes {seconds:.3f} s")
        self.assertEqual(self.troubles, [])

    def test_an_edge_is_dragged_and_its_points_are_moved_and_removed(self):
        page = self.serve('metres_per_pixel = 0.8\n')
        left = page.evaluate("(s) => raceline.lines[0].at(s).left", 300)
        width = lambda: page.evaluate("(s) => { const at = raceline.lines[0].at(s); return at.left + at.right; }", 300)
        before = width()
        edge, wanted, farther = [self.on_road(page, 300, left + more) for more in (0, 4, 9)]
        self.tool(page, "Edge")
        self.drag(page, edge, wanted, drop=False)
        page.wait_for_function("() => raceline.editor.handles.held?.shown?.points_m && !raceline.editor.handles.looking")
        page.screenshot(path=SHOTS / "editor-edge.png")
        shown = page.evaluate("raceline.editor.handles.held.shown")
        nearest = min(((x - wanted[0]) ** 2 + (y - wanted[1]) ** 2) ** 0.5 for piece in shown["edges_m"] for x, y in piece)
        self.assertLess(nearest, 1.5, "the moved edge is shown where it is held")
        self.assertNotIn("edge_point", self.sidecar())
        self.remade(page, lambda: page.mouse.up())
        point, = self.sidecar()["edge_point"]
        self.assertEqual(point["side"], "left")
        self.assertAlmostEqual(width(), before + 4, delta=0.5)
        # The tool stays in use: the other edge is dragged too, inwards, by some pixels as a drag needs.
        right = page.evaluate("(s) => raceline.lines[0].at(s).right", 700)
        self.remade(page, lambda: self.drag(page, self.on_road(page, 700, -right), self.on_road(page, 700, 4 - right)))
        self.assertEqual([one["side"] for one in self.sidecar()["edge_point"]], ["left", "right"])
        # A point is a place as others: selected and moved with the keys, dragged, undone and removed.
        at = page.evaluate("raceline.editor.worldOf(raceline.editor.values.edge_point[0].at)")
        self.click_world(page, at)
        self.remade(page, lambda: page.keyboard.press("Alt+ArrowUp"))
        self.assertNotEqual(self.sidecar()["edge_point"][0]["at"], point["at"])
        self.remade(page, lambda: page.locator("#undo").click())
        self.assertEqual(self.sidecar()["edge_point"][0], point)
        self.remade(page, lambda: self.drag(page, at, farther))
        self.assertGreater(width(), before + 6)
        page.screenshot(path=SHOTS / "editor-edge-points.png")
        self.click_world(page, page.evaluate("raceline.editor.worldOf(raceline.editor.values.edge_point[1].at)"))
        self.remade(page, lambda: page.keyboard.press("Delete"))
        self.assertEqual(len(self.sidecar()["edge_point"]), 1)
        self.assertEqual(self.troubles, [])

    def test_places_are_selected_moved_and_removed_with_mouse_and_keys(self):
        page = self.serve('metres_per_pixel = 0.8\nvehicle = "kart"\n')
        places = [self.on_road(page, s, 2.0) for s in (300, 900)]
        self.tool(page, "Obstacle")
        for place in places:
            self.remade(page, lambda: self.click_world(page, place))
        page.keyboard.press("Escape")
        before = self.sidecar()["obstacle"]
        target = self.on_road(page, 330, -1.5)
        self.remade(page, lambda: self.drag(page, places[0], target))
        moved = self.sidecar()["obstacle"]
        self.assertEqual(moved[1], before[1])
        self.assertEqual(moved[0]["radius_m"], before[0]["radius_m"])
        held = page.evaluate("() => raceline.editor.worldOf(raceline.editor.values.obstacle[0].at)")
        self.assertLess(abs(held[0] - target[0]) + abs(held[1] - target[1]), 1.0)
        # Both are selected; the keyboard moves them, and takes them away with one step of undo.
        page.mouse.click(*self.at(page, target))
        page.keyboard.down("Shift")
        page.mouse.click(*self.at(page, places[1]))
        page.keyboard.up("Shift")
        self.assertEqual(page.locator(".choose[aria-pressed=true]").count(), 2)
        page.screenshot(path=SHOTS / "editor-selected.png")
        self.remade(page, lambda: page.keyboard.press("Alt+ArrowRight"))
        nudged = self.sidecar()["obstacle"]
        column = lambda one: float(one["at"].split(",")[0])
        self.assertTrue(all(column(a) < column(b) for a, b in zip(moved, nudged)), (moved, nudged))
        for entry in page.locator(".choose", has_text="obstacle").all():
            entry.click(modifiers=["Shift"])
        self.remade(page, lambda: page.keyboard.press("Delete"))
        self.assertNotIn("obstacle", self.sidecar())
        self.remade(page, lambda: page.keyboard.press("Control+z"))
        self.assertEqual(self.sidecar()["obstacle"], nudged)
        # The start line is taken hold of too.
        start = self.on_road(page, 0)
        centre = page.evaluate("raceline.editor.centre[0]")
        self.remade(page, lambda: self.drag(page, centre, self.on_road(page, 60)))
        self.assertIn("start", self.sidecar())
        first = self.line()["points"][0]
        self.assertGreater(abs(first["x_m"] - start[0]) + abs(first["y_m"] - start[1]), 40)
        self.assertEqual(self.troubles, [])

    def test_areas_are_drawn_by_clicks_and_in_one_go(self):
        page = self.serve('metres_per_pixel = 0.8\nvehicle = "kart"\n')
        for _ in range(4):
            page.locator("#zoom-in").click()
        page.evaluate("() => { const at = raceline.lines[0].at(600); raceline.map.view.centre = [at.x, at.y]; raceline.map.draw(); }")
        corners = [self.on_road(page, s, left) for s, left in [(580, -2), (600, -2), (620, -2), (620, 2), (580, 2)]]
        self.tool(page, "Grip patch")
        for corner in corners:
            self.click_world(page, corner)
        self.remade(page, lambda: page.locator("#set").click())
        self.assertEqual(len(self.sidecar()["grip"][0]["polygon"]), 5)
        # A corner of the area is taken hold of.
        page.keyboard.press("Escape")
        self.remade(page, lambda: self.drag(page, corners[2], self.on_road(page, 640, -2)))
        self.assertEqual(len(self.sidecar()["grip"][0]["polygon"]), 5)
        self.tool(page, "No-go area")
        ring = [self.on_road(page, s, left) for s, left in [(560, 4), (575, 4), (575, 6.5), (560, 6.5)]]
        self.remade(page, lambda: self.drag(page, ring[0], *ring[1:]))
        self.assertGreaterEqual(len(self.sidecar()["no_go"][0]["polygon"]), 3)
        # Two tools write this key: that in use stays.
        pressed = page.locator("#tools [aria-pressed=true]").all_text_contents()
        self.assertEqual(pressed, ["No-go area"])
        page.screenshot(path=SHOTS / "editor-areas.png")
        self.tool(page, "Pick-up")
        # Its line would take long; the sidecar has them at once.
        self.drag(page, self.on_road(page, 580), self.on_road(page, 620))
        for _ in range(100):
            if picked := self.sidecar().get("pick_up", []):
                break
            page.wait_for_timeout(50)
        self.assertGreaterEqual(len(picked), 3)
        self.assertLess(len(picked), 20)
        self.assertEqual(self.troubles, [])

    def test_a_place_off_the_road_is_refused_at_once(self):
        page = self.serve('metres_per_pixel = 0.8\nvehicle = "kart"\n')
        self.tool(page, "Obstacle")
        requests = []
        page.on("request", lambda request: request.method == "POST" and requests.append(request.url))
        self.click_world(page, self.on_road(page, 200, -40))
        self.assertEqual(page.locator("#tool .wrong").text_content(), "This place is not on the road.")
        self.assertEqual(requests, [])
        self.remade(page, lambda: self.click_world(page, self.on_road(page, 200)))
        self.assertEqual(len(self.sidecar()["obstacle"]), 1)
        self.assertEqual(self.troubles, [])

    def test_a_hall_without_a_road_gets_its_way_by_two_clicks(self):
        page = self.serve('vehicle = "robot-car"\n', files=("maps/hall.yaml", "maps/hall.png"))
        page.wait_for_function("() => document.getElementById('status')?.textContent.includes('where the way begins')")
        self.assertEqual(page.locator("#status").get_attribute("class"), "")
        self.click_world(page, (44, 50))
        self.remade(page, lambda: self.click_world(page, (255, 196)))
        self.assertTrue({"from", "to"} <= set(self.sidecar()))
        page.screenshot(path=SHOTS / "editor-hall.png")
        length = self.line()["length_m"]
        # Its end is dragged.
        end = page.evaluate("() => raceline.editor.worldOf(raceline.editor.values.to)")
        self.remade(page, lambda: self.drag(page, end, (end[0] - 0.7, end[1])))
        self.assertNotEqual(self.line()["length_m"], length)
        self.assertEqual(self.troubles, [])

    def test_streets_get_their_route_by_two_clicks(self):
        page = self.serve(files=("maps/quarter.geojson",))
        page.wait_for_function("() => globalThis.raceline?.editor?.asked === 'from'")
        self.assertEqual(page.locator("#status").get_attribute("class"), "")
        self.assertIn("These are streets", page.locator("#status").text_content())
        self.click_world(page, (-80, -190))
        self.assertEqual(page.locator("#tool .hint").text_content(), "Where to?")
        page.screenshot(path=SHOTS / "editor-streets.png")
        self.remade(page, lambda: self.click_world(page, (80, 190)))
        self.assertTrue({"from", "to"} <= set(self.sidecar()))
        self.assertGreater(self.line()["length_m"], 300)
        self.assertEqual(self.troubles, [])

    def test_lines_and_laps_of_the_folder_and_of_other_files_are_compared(self):
        page = self.serve('metres_per_pixel = 0.8\nvehicle = "kart"\n')
        length = page.evaluate("raceline.lines[0].lapTime")
        # Beside the track, as they come: a line of it, one of another track, a lap, and a table that is none.
        shutil.copy(ROOT / "tracks/hairpin.raceline.json", self.folder)
        shutil.copy(self.folder / "club.raceline.json", self.folder / "friday.raceline.json")
        (self.folder / "table.csv").write_text("x_m,y_m\n1,2\n")
        rows = page.evaluate("""() => {
            const line = raceline.lines[0];
            return [...line.s.keys()].map((i) => [1, line.time[i] * 1.02, line.x[i], line.y[i], line.speed[i] / 1.02].join());
        }""")
        lap = "\n".join(["lap,time_s,x_m,y_m,speed_mps", *rows])
        (self.folder / "monday.csv").write_text(lap)
        page.locator("#compare").focus()
        page.wait_for_function("() => document.querySelectorAll('#compare option').length === 6")
        offered = page.locator("#compare option").all_text_contents()
        self.assertEqual(offered[3:], ["friday.raceline.json", "hairpin.raceline.json", "monday.csv"])
        names = lambda: page.locator("#comparison .entry > span").all_text_contents()
        for count, name in enumerate(["friday.raceline.json", "monday.csv"], 2):
            page.locator("#compare").focus()
            page.wait_for_function("(name) => document.querySelector('#compare').textContent.includes(name)", arg=name)
            self.remade(page, lambda: page.locator("#compare").select_option(label=name))
            self.assertEqual(page.evaluate("raceline.lines.length"), count)
        self.assertEqual(names(), ["friday", "monday"])
        self.assertAlmostEqual(page.evaluate("raceline.lines[2].lapTime"), 1.02 * length, places=2)
        self.assertIn("Time difference", page.locator(".head .what").first.text_content())
        page.screenshot(path=SHOTS / "editor-compared.png")
        # A line of another track is refused with its name.
        page.locator("#compare").select_option(label="hairpin.raceline.json")
        page.wait_for_selector("#tool .wrong")
        self.assertIn("hairpin.raceline.json", page.locator("#tool .wrong").text_content())
        self.assertEqual(names(), ["friday", "monday"])
        # Files from elsewhere, dropped on the page: the next page has those that fit and names the other.
        drop = """(texts) => {
            const transfer = new DataTransfer();
            for (const [name, text] of texts) transfer.items.add(new File([text], name));
            document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
        }"""
        line = (self.folder / "club.raceline.json").read_text()
        self.remade(page, lambda: page.evaluate(drop, [["sunday.csv", lap], ["none.csv", "a,b\n1,2\n"], ["last.raceline.json", line]]))
        self.assertEqual(names(), ["friday", "monday", "sunday", "last"])
        page.wait_for_selector("#tool .wrong")
        self.assertIn("none.csv", page.locator("#tool .wrong").text_content())
        # With several files a second page may follow the first one at once.
        sidecar = self.folder / "club.toml"
        self.remade(page, lambda: sidecar.write_text(sidecar.read_text() + "# changed\n"))
        self.assertIn("none.csv", page.locator("#tool .wrong").text_content())
        page.evaluate(drop, [["fifth.csv", lap]])
        page.wait_for_function("() => document.querySelector('#tool .wrong').textContent.includes('5 lines')")
        # Each is taken out by its button; the others stay when the line is made anew.
        self.remade(page, lambda: page.get_by_role("button", name="Remove monday").click())
        self.remade(page, lambda: page.get_by_role("button", name="Turn round").click())
        # Driven in the other direction, none of them is beside the line.
        self.assertEqual(page.evaluate("raceline.lines.length"), 1)
        self.assertEqual(page.locator("#comparison .entry.away").count(), 3)
        self.remade(page, lambda: page.locator("#undo").click())
        self.assertEqual(page.evaluate("raceline.lines.length"), 4)
        self.remade(page, lambda: page.locator("#compare").select_option("keep"))
        self.remade(page, lambda: page.locator("#compare").select_option("clear"))
        self.assertEqual((page.evaluate("raceline.lines.length"), page.locator("#comparison").count()), (1, 0))
        # The browser reports refused requests too.
        self.assertTrue(all("422" in trouble for trouble in self.troubles), self.troubles)
