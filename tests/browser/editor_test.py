"""`raceline serve` in a real browser: from a picture to a line with a mouse alone."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import tomllib

from playwright.sync_api import TimeoutError

from browser import SHOTS, InBrowser

ROOT = pathlib.Path(__file__).parents[2]
READY = "() => globalThis.raceline?.charts?.axes && globalThis.raceline.editor"


class Editor(InBrowser):
    def serve(self, sidecar=None):
        """A page of a picture in a folder of its own."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(ROOT / "tracks/club.png", self.folder / "club.png")
        if sidecar:
            (self.folder / "club.toml").write_text(sidecar)
        command = [os.environ["RACELINE"], "serve", "club.png", "--port", "0"]
        program = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(lambda: (program.kill(), program.wait(), program.stdout.close()))
        self.troubles = []
        page = self.browser.new_page(viewport={"width": 1500, "height": 950})
        self.addCleanup(page.close)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.troubles.append(message.text))
        page.goto(program.stdout.readline().strip())
        page.wait_for_selector("#tools") if sidecar is None else page.wait_for_function(READY)
        return page

    def sidecar(self):
        return tomllib.loads((self.folder / "club.toml").read_text())

    def line(self):
        return json.loads((self.folder / "club.raceline.json").read_text())

    def tool(self, page, name):
        button = page.get_by_role("button", name=name, exact=True)
        if button.get_attribute("aria-pressed") != "true":
            button.click()

    def click_world(self, page, place):
        """Clicks a place of the map's world; on a draft, the picture's pixels with y upwards."""
        where = """([x, y]) => {
            const box = document.getElementById("map").getBoundingClientRect();
            return [box.x + raceline.map.view.px(x), box.y + raceline.map.view.py(y)];
        }"""
        # A map that is still being laid out would be clicked in another place.
        before, at = None, page.evaluate(where, list(place))
        while at != before:
            page.wait_for_timeout(60)
            before, at = at, page.evaluate(where, list(place))
        page.mouse.click(*at)

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
        use("Via", place(1500))
        page.screenshot(path=SHOTS / "editor-tools.png")

        # Out again, one by one; the comment stays.
        times.append(self.remade(page, lambda: page.get_by_role("button", name="Remove obstacle").click()))
        self.assertNotIn("obstacle", self.sidecar())
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
