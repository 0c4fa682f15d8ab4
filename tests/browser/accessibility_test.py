"""axe-core on the pages: nothing serious, in light and dark, on a desk and on a phone."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

from browser import PAGES, InBrowser, needs_axe, serious

ROOT = pathlib.Path(__file__).parents[2]


@needs_axe
class Accessibility(InBrowser):
    def serious(self, url, scheme, size):
        """What axe-core calls serious or critical."""
        # The page's policy forbids foreign scripts; the browser of this test puts it aside.
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, bypass_csp=True)
        self.addCleanup(context.close)
        page = context.new_page()
        page.goto(url)
        page.wait_for_function("() => globalThis.raceline")
        page.wait_for_timeout(300)
        return serious(page)

    def rest(self, url):
        """Waits until the first line, or the reason that there is none, is on the page, which then stays."""
        for _ in range(1200):
            with urllib.request.urlopen(f"{url}state") as answer:
                state = json.load(answer)
            if state["page"] > 1 and not state["busy"]:
                return
            time.sleep(0.1)
        self.fail("nothing is made")

    def test_the_page_of_a_line(self):
        for name in ["club", "compared"]:
            for scheme in ["light", "dark"]:
                for size in [(1500, 950), (400, 800)]:
                    self.assertEqual(self.serious((PAGES / f"{name}.html").as_uri(), scheme, size), [], f"{name}, {scheme}, {size}")

    def test_the_editor_and_its_draft(self):
        for sidecar in ["", "metres_per_pixel = 0.8\n"]:
            with tempfile.TemporaryDirectory() as folder:
                shutil.copy(ROOT / "tracks/hairpin.png", pathlib.Path(folder) / "hairpin.png")
                (pathlib.Path(folder) / "hairpin.toml").write_text(sidecar)
                program = subprocess.Popen([os.environ["RACELINE"], "serve", "hairpin.png", "--port", "0"], cwd=folder,
                                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                try:
                    url = program.stdout.readline().strip()
                    self.rest(url)
                    for scheme in ["light", "dark"]:
                        self.assertEqual(self.serious(url, scheme, (1500, 950)), [], f"{sidecar!r}, {scheme}")
                finally:
                    program.kill()
                    program.wait()
                    program.stdout.close()
