"""The page on a phone: 400 × 800, touched with fingers."""

import tomllib

from browser import PAGES, READY, SETTLED, SHOTS, InBrowser, ServesTracks

# Elements that scroll by themselves, or that stick out of the page.
SCROLLERS = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const style = getComputedStyle(one);
  return /auto|scroll/.test(style.overflowX + style.overflowY) && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1);
}).map((one) => one.id || one.className || one.tagName)"""
CUT_OFF = """() => [...document.querySelectorAll("header *, #drive *, #readout *, #layers *, #corners *, #tools *, #tool *, #sidecar *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map((one) => `${one.tagName} ${one.id} ${one.textContent.slice(0, 30)}`)"""


def swipe(page, x, y, dx, dy):
    """One finger, moved as a hand does; the browser decides what it means."""
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 16):
        point = {"x": x + dx * step / 15, "y": y + dy * step / 15}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        page.wait_for_timeout(16)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)


class Phone(InBrowser):
    def open(self, name, scheme="light"):
        context = self.browser.new_context(viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True, color_scheme=scheme)
        self.addCleanup(context.close)
        page = context.new_page()
        self.troubles = []
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto((PAGES / f"{name}.html").as_uri())
        page.wait_for_function("() => !!globalThis.raceline?.charts.axes")
        page.evaluate(SETTLED)
        return page

    def tearDown(self):
        self.assertEqual(self.troubles, [])

    def box(self, page, selector):
        return page.locator(selector).bounding_box()

    def test_nothing_is_cut_off_and_nothing_scrolls_inside(self):
        for name in ["club", "hairpin", "compared", "driven", "open"]:
            page = self.open(name, "dark" if name == "hairpin" else "light")
            self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 400, name)
            self.assertEqual(page.evaluate(SCROLLERS), [], name)
            self.assertEqual(page.evaluate(CUT_OFF), [], name)
            self.assertLessEqual(self.box(page, "#map")["height"], 400)
            page.screenshot(path=SHOTS / f"phone-{name}.png", full_page=True)

    def test_what_is_ticked_is_as_high_as_a_finger_needs(self):
        page = self.open("club")
        ticks = page.locator("#layers .tick, #drive .tick").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
        self.assertGreater(len(ticks), 4)
        self.assertGreaterEqual(min(ticks), 24)

    def test_nothing_moves_while_the_page_opens(self):
        for name in ["club", "compared", "driven"]:
            page = self.open(name)
            moved = """() => new Promise((done) => {
                let sum = 0;
                new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; }).observe({ type: "layout-shift", buffered: true });
                setTimeout(() => done(sum), 300);
            })"""
            self.assertLess(page.evaluate(moved), 0.01, name)

    def test_a_finger_scrolls_the_page_over_map_charts_and_lists(self):
        page = self.open("club")
        for selector in ["#map", "#corners", "#charts"]:
            page.locator(selector).scroll_into_view_if_needed()
            page.evaluate("(selector) => scrollTo(0, document.querySelector(selector).getBoundingClientRect().top + scrollY - 200)", selector)
            page.evaluate(SETTLED)
            before, box = page.evaluate("scrollY"), self.box(page, selector)
            # Up where the page ends, so that there is room.
            room = page.evaluate("document.documentElement.scrollHeight - innerHeight - scrollY")
            way = -150 if room > 200 else 150
            swipe(page, box["x"] + 200, max(box["y"], 0) + 150, 0, way)
            self.assertGreater(abs(page.evaluate("scrollY") - before), 80, selector)

    def test_a_tap_moves_the_cursor(self):
        page = self.open("club")
        length = page.evaluate("raceline.lines[0].length")
        page.locator("#charts").scroll_into_view_if_needed()
        for share in [0.3, 0.8]:
            box = self.box(page, "#charts")
            page.touchscreen.tap(box["x"] + 58 + share * (box["width"] - 72), box["y"] + 200)
            page.evaluate(SETTLED)
            self.assertAlmostEqual(page.evaluate("raceline.cursor.s"), share * length, delta=0.02 * length)
        page.evaluate("scrollTo(0, 0)")
        at = page.evaluate("() => { const at = raceline.lines[0].at(700); return [raceline.map.view.px(at.x), raceline.map.view.py(at.y)]; }")
        box = self.box(page, "#map")
        page.touchscreen.tap(box["x"] + at[0], box["y"] + at[1])
        page.evaluate(SETTLED)
        self.assertAlmostEqual(page.evaluate("raceline.cursor.s"), 700, delta=15)

    def test_two_fingers_zoom_the_map_and_the_charts(self):
        page = self.open("club")
        touch = page.context.new_cdp_session(page)

        def pinch(selector):
            page.locator(selector).scroll_into_view_if_needed()
            box = self.box(page, selector)
            x, y = box["x"] + box["width"] / 2, max(box["y"], 0) + 150
            fingers = lambda apart: [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": fingers(30)})
            for apart in range(36, 100, 6):
                touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": fingers(apart)})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            page.evaluate(SETTLED)

        scale = page.evaluate("raceline.map.view.scale")
        pinch("#map")
        self.assertGreater(page.evaluate("raceline.map.view.scale"), 1.5 * scale)
        pinch("#charts")
        low, high = page.evaluate("raceline.charts.range")
        self.assertLess(high - low, 0.8 * page.evaluate("raceline.lines[0].length"))


# On the straight at the bottom of its picture.
PLACES = """metres_per_pixel = 0.8
vehicle = "kart"
start = "310.0,600.0px"
[[obstacle]]
at = "430.0,600.0px"
radius_m = 0.5
"""
AREA = """metres_per_pixel = 0.8
vehicle = "kart"
[[no_go]]
polygon = ["560.0,603.0px", "600.0,603.0px", "600.0,606.0px", "560.0,606.0px"]
"""


class PhoneEditor(ServesTracks):
    """The tools of `raceline serve` under a finger."""

    def open(self, sidecar):
        return self.serve(sidecar, viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)

    def on_page(self, page, key):
        """Where the first handle of an entry is on the page, px, in the middle of a map that is zoomed in."""
        # A longer status may move the map.
        page.wait_for_function("() => document.getElementById('status').textContent.includes('driven in')")
        return page.evaluate("""(key) => {
            const { map, editor } = raceline;
            const { at } = editor.handles.all().find((one) => one.key === key);
            Object.assign(map.view, { scale: 12 * map.view.fitted(), centre: [...at] });
            map.draw();
            document.getElementById("map").scrollIntoView({ block: "center" });
            const box = document.getElementById("map").getBoundingClientRect();
            return [box.x + map.view.px(at[0]), box.y + map.view.py(at[1])];
        }""", key)

    def sidecar(self):
        return tomllib.loads((self.folder / "club.toml").read_text())

    def test_places_are_dragged_in_every_direction_and_the_page_stays(self):
        place_of = {
            "obstacle": lambda found: found["obstacle"][0]["at"],
            "start": lambda found: found["start"],
            "no_go": lambda found: found["no_go"][0]["polygon"][0],
        }
        drags = [(PLACES, "obstacle", 0, 24), (PLACES, "obstacle", 0, -24), (PLACES, "start", 0, -24), (PLACES, "start", 40, 0), (AREA, "no_go", 0, -30)]
        page, shown = None, None
        for sidecar, key, dx, dy in drags:
            if sidecar != shown:
                page, shown = self.open(sidecar), sidecar
            pixels = lambda: [float(one) for one in place_of[key](self.sidecar()).removesuffix("px").split(",")]
            x, y = self.on_page(page, key)
            page.evaluate(SETTLED)
            before, scrolled = pixels(), page.evaluate("scrollY")
            scale = page.evaluate("raceline.map.view.scale * 0.8")
            page.evaluate("() => { globalThis.isOld = true; }")
            swipe(page, x, y, dx, dy)
            self.assertEqual(page.evaluate("scrollY"), scrolled, key)
            page.wait_for_function(f"() => !globalThis.isOld && ({READY})()", timeout=60_000)
            for a, b, wanted in zip(before, pixels(), (dx / scale, dy / scale)):
                self.assertAlmostEqual(b - a, wanted, delta=2, msg=f"{key} by {dx}, {dy} px")
            self.assertEqual(self.troubles, [])

    def test_a_finger_on_the_empty_map_scrolls_the_page(self):
        page = self.open(PLACES)
        x, y = self.on_page(page, "obstacle")
        page.evaluate(SETTLED)
        before, kept = page.evaluate("scrollY"), self.sidecar()
        swipe(page, x, y - 60, 0, -100)
        self.assertGreater(page.evaluate("scrollY") - before, 60)
        self.assertEqual(self.sidecar(), kept)
        page.screenshot(path=SHOTS / "phone-editor.png")
        self.assertEqual(self.troubles, [])
