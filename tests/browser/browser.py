"""A headless Chromium for the tests of one class, and the pages that `run` has made."""

import json
import os
import pathlib
import shutil
import unittest

from playwright.sync_api import sync_playwright

PAGES = pathlib.Path(os.environ["RACELINE_PAGES"])
SHOTS = PAGES.parent / "screenshots"
SHOTS.mkdir(exist_ok=True)
SETTLED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))"""


def line(name):
    return json.loads((PAGES / f"{name}.json").read_text())


class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        # Root, as in a container, has no sandbox; what is opened is our own page.
        cls.browser = cls.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()


class OpenPage(InBrowser):
    """Tests of pages on a desk: none may write to the console or ask the network."""

    def open(self, name, scheme="light", size=(1500, 950)):
        page = self.browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        self.addCleanup(page.close)
        page.on("console", lambda message: message.type in ("error", "warning") and self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or self.troubles.append(request.url))
        page.goto((PAGES / f"{name}.html").as_uri())
        page.wait_for_function("() => !!globalThis.raceline?.charts.axes")
        page.evaluate(SETTLED)
        return page

    def setUp(self):
        self.troubles = []

    def tearDown(self):
        self.assertEqual(self.troubles, [], "console, errors, requests")
