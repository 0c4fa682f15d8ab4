"""What the tyres give, driven laps, and what stands on the road."""

import re

from browser import PAGES, SETTLED, OpenPage, line

# Of a canvas at a place in CSS pixels.
COLOUR = """([id, x, y]) => {
  const canvas = document.getElementById(id);
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const ratio = canvas.width / canvas.clientWidth;
  return [...copy.getImageData(x * ratio, y * ratio, 1, 1).data];
}"""


class Grip(OpenPage):
    def test_the_g_g_diagram_shows_the_cursor_within_the_limit(self):
        page = self.open("club")
        value = lambda k: float(page.locator("#gg-values dd").nth(k).text_content().split()[0].replace("−", "-"))
        page.evaluate("raceline.corners.show(2)")
        page.evaluate(SETTLED)
        self.assertAlmostEqual(value(0), page.evaluate("raceline.cursor.level(raceline.lines[0]).across"), delta=0.06)
        self.assertLess(value(0), -5, "a corner to the right")
        self.assertGreater(value(2), 90)
        # The disc of the cursor's point.
        at = page.evaluate("() => { const here = raceline.cursor.level(raceline.lines[0]); return raceline.gg.place(here.across, here.along); }")
        self.assertEqual(page.evaluate(COLOUR, ["gg", *at]), [11, 98, 196, 255])
        limit = page.evaluate("() => raceline.gg.limit(raceline.lines[0], raceline.cursor.level(raceline.lines[0]))")
        reach = page.evaluate("raceline.gg.reach")
        self.assertTrue(all(abs(value) < reach for point in limit for value in point))
        # By hand: what the tyres give on the ellipse of the vehicle, whose limits grow with downforce.
        file = line("club")
        point, car = file["points"][150], file["vehicle"]
        w = point["speed_mps"] ** 2
        growth = 1 + car.get("downforce_kgpm", 0) * w / (car["mass_kg"] * 9.80665)
        across = point["curvature_radpm"] * w / (car["lateral_limit_mps2"] * growth)
        along = (point["accel_mps2"] + car["drag_kgpm"] * w / car["mass_kg"] + car.get("rolling_resistance", 0) * 9.80665) / (car["longitudinal_limit_mps2"] * growth)
        self.assertAlmostEqual(page.evaluate("raceline.lines[0].gripUsed[150]"), 100 * (across ** 2 + along ** 2) ** 0.5, delta=0.2)

    def test_a_driven_lap_is_compared_with_its_line(self):
        page = self.open("driven")
        labels = page.evaluate("raceline.lines.map((line) => line.about.label)")
        self.assertEqual(labels, ["club", "club, driven"])
        # What the program printed of the lap, to the rounding of its text.
        driven = float(re.search(r"lap times\s+([\d.]+) s", (PAGES / "drive.txt").read_text())[1])
        self.assertAlmostEqual(page.evaluate("raceline.lines[1].lapTime"), driven, delta=0.02)
        self.assertAlmostEqual(page.evaluate("raceline.lines[0].lapTime"), line("club")["lap_time_s"], delta=1e-3)
        self.assertEqual(page.locator("#gg-values dt.name").all_text_contents(), labels)
        self.assertEqual(page.locator(".head .what").first.text_content().split(",")[0], "Time difference to the first line")

    def test_obstacles_come_and_go(self):
        page = self.open("obstacles")
        x, y = page.evaluate("() => { const { disc } = raceline.lines[0].passed.obstacles[0]; return [raceline.map.view.px(disc.x_m), raceline.map.view.py(disc.y_m)]; }")
        self.assertEqual(page.evaluate(COLOUR, ["base", x, y]), [200, 65, 75, 255])
        page.locator("#layer-passed").uncheck()
        page.evaluate(SETTLED)
        self.assertNotEqual(page.evaluate(COLOUR, ["base", x, y]), [200, 65, 75, 255])
