"""A headless browser for the tests of one class, Chromium or Firefox, and the pages that `run` has made."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).parents[2]
PAGES = pathlib.Path(os.environ["RACELINE_PAGES"])
SHOTS = PAGES.parent / "screenshots"
SHOTS.mkdir(exist_ok=True)
SETTLED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))"""

READY = "() => globalThis.raceline?.charts?.axes && globalThis.raceline.editor"

AXE = pathlib.Path(os.environ["RACELINE_AXE"])
needs_axe = unittest.skipUnless(AXE.is_file(), "axe-core can't be fetched from npm here")


FIREFOX = os.environ.get("RACELINE_BROWSER") == "firefox"
# Of Playwright, which drives a Firefox as it is installed over WebDriver BiDi.
NO_DOWNLOAD = "over WebDriver BiDi Playwright sees no download, which Firefox saves"
NO_SCHEME = "over WebDriver BiDi Playwright sets no colour scheme"
NO_POLICY = "over WebDriver BiDi Playwright cannot put the policy of a frame aside, which refuses axe-core"


def not_in_firefox(reason):
    """Leaves a test out where Firefox is driven."""
    return unittest.skipIf(FIREFOX, reason)


def serious(frame):
    """What axe-core calls serious or critical in a page or a frame, whose policy must allow its script."""
    frame.add_script_tag(path=str(AXE))
    found = frame.evaluate("async () => (await axe.run({ iframes: false })).violations")
    return [f"{one['id']}: {node['target']} {node['any'][0]['message'] if node['any'] else ''}"
            for one in found if one["impact"] in ("serious", "critical") for node in one["nodes"]]


def line(name):
    return json.loads((PAGES / f"{name}.json").read_text())


class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        if FIREFOX:
            cls.browser = cls.playwright.firefox.launch(channel="moz-firefox", executable_path=shutil.which("firefox-esr"))
            return
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


class ServesTracks(InBrowser):
    """Tests of `raceline serve`."""

    def serve(self, sidecar=None, files=("club.png",), **context):
        """A page of a picture, or of a map with its picture, in a folder of its own."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for file in files:
            shutil.copy(ROOT / "tracks" / file, self.folder)
        self.name = pathlib.Path(files[0]).stem
        if sidecar:
            (self.folder / f"{self.name}.toml").write_text(sidecar)
        command = [os.environ["RACELINE"], "serve", pathlib.Path(files[0]).name, "--port", "0"]
        program = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(lambda: (program.kill(), program.wait(), program.stdout.close()))
        self.troubles = []
        page = self.browser.new_page(**{"viewport": {"width": 1500, "height": 950}, **context})
        self.addCleanup(page.close)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.troubles.append(message.text))
        page.goto(program.stdout.readline().strip())
        page.wait_for_selector("#tools") if sidecar is None or len(files) > 1 else page.wait_for_function(READY)
        return page
