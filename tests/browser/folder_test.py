"""The start page of a folder in a real browser."""

from browser import PAGES, SHOTS, InBrowser, needs_axe, serious

FOLDER = PAGES.parent / "folder"


class Folder(InBrowser):
    def open(self, scheme="light", size=(1200, 800)):
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, bypass_csp=True)
        self.addCleanup(context.close)
        page = context.new_page()
        self.troubles = []
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto((FOLDER / "index.html").as_uri())
        return page

    def tearDown(self):
        self.assertEqual(self.troubles, [])

    def names(self, page):
        return page.evaluate("[...document.querySelectorAll('.track h2')].map((one) => one.textContent)")

    def test_every_track_has_a_card_and_a_page(self):
        for scheme in ["light", "dark"]:
            page = self.open(scheme)
            self.assertEqual(self.names(page), ["broken", "club", "eight", "hairpin"])
            self.assertEqual(page.locator(".track svg path.line").count(), 3)
            self.assertTrue(page.evaluate("document.querySelector('.track svg path.line').getBoundingClientRect().width > 50"))
            page.screenshot(path=SHOTS / f"folder-{scheme}.png")
        page.get_by_role("link", name="club").click()
        page.wait_for_function("() => !!globalThis.raceline?.charts")
        self.assertIn("club", page.title())

    def test_it_sorts_and_filters(self):
        page = self.open()
        laps = {entry["name"]: entry["lap_time_s"] for entry in page.evaluate("raceline.entries") if entry["lap_time_s"]}
        page.select_option("#order", "lap_time_s")
        self.assertEqual(self.names(page), [*sorted(laps, key=laps.get), "broken"])
        page.check("#reverse")
        self.assertEqual(self.names(page)[0], "broken")
        page.fill("#text", "AIR")
        self.assertEqual(self.names(page), ["hairpin"])
        self.assertEqual(page.locator("#count").text_content(), "1 of 4 tracks")
        page.fill("#text", "")
        page.select_option("#only", "failed")
        self.assertEqual(self.names(page), ["broken"])
        self.assertIn("broken.csv", page.locator(".wrong").first.text_content())

    def test_a_phone_shows_all_of_it(self):
        page = self.open(size=(400, 800))
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 400)
        page.screenshot(path=SHOTS / "folder-phone.png", full_page=True)

    @needs_axe
    def test_nothing_bars_the_way(self):
        for scheme in ["light", "dark"]:
            page = self.open(scheme)
            self.assertEqual(serious(page), [])
