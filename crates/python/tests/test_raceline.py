"""The wheel as a user has it."""

import contextlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
import raceline

ROOT = pathlib.Path(__file__).parents[3]
CLUB = ROOT / "tracks/club.png"


@pytest.fixture(scope="module")
def line():
    return raceline.optimize(CLUB, method="min-curvature")


def ring(radius=50.0, half_width=4.0, count=120):
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    width = np.full(count, half_width)
    return raceline.Track.from_centerline(radius * np.cos(angle), radius * np.sin(angle), width, width, name="ring")


def test_a_ring_has_its_length_and_its_widths():
    track = ring()
    assert track.closed and track.name == "ring"
    assert track.length == pytest.approx(2 * np.pi * 50, rel=1e-3)
    np.testing.assert_allclose(np.hypot(track.x, track.y), 50, atol=0.02)
    np.testing.assert_allclose(track.width, 8, atol=0.02)
    x, y = track.left
    assert np.hypot(x, y).mean() == pytest.approx(46, abs=0.05)


def test_numbers_of_any_kind_make_a_track():
    x, y = [0, 100, 100, 0], [0, 0, 60, 60]
    # Lists of whole numbers, single precision, every second entry.
    lists = raceline.Track.from_centerline(x, y, [4] * 4, np.full(8, 4, dtype=np.float32)[::2])
    doubles = raceline.Track.from_centerline(*[np.array(one, dtype=float) for one in (x, y, [4] * 4, [4] * 4)])
    np.testing.assert_array_equal(lists.x, doubles.x)
    with pytest.raises(raceline.InputError, match="x is no one-dimensional array"):
        raceline.Track.from_centerline("monza", y, [4] * 4, [4] * 4)


def test_a_vehicle_of_another_type_or_out_of_range_is_told():
    with pytest.raises(raceline.OptionsError, match="vehicle is .*int.*: give the name of a preset"):
        raceline.optimize(ring(), vehicle=3)
    vehicle = {"name": "box", "mass_kg": 3.0, "width_m": 0.2, "length_m": 0.4, "wheelbase_m": 0.3}
    with pytest.raises(raceline.OptionsError):
        raceline.optimize(ring(), vehicle=vehicle)


def test_sections_of_the_wrong_shape_are_refused():
    from raceline._raceline import solve_sections

    right, bounds = np.zeros((5, 3)), np.zeros(5)
    with pytest.raises(raceline.InputError, match="a row"):
        solve_sections(right, right, bounds, bounds, True, True)
    with pytest.raises(raceline.InputError, match="a row"):
        solve_sections(right[:, :2], right[:, :2], bounds, np.zeros(4), True, True)


def test_a_name_with_a_dot_stays_whole():
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    track = raceline.Track.from_centerline(40 * np.cos(angle), 40 * np.sin(angle), np.full(60, 3.0), np.full(60, 3.0), name="monza.2024")
    assert track.name == "monza.2024"


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_in_place_of_a_line_blocks_nothing(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(raceline.InputError, match="pipe.json"):
        raceline.load(tmp_path / "pipe.json")


def test_the_shortest_path_of_a_ring_is_its_inner_edge():
    line = raceline.optimize(ring(), vehicle="kart", method="shortest-path", safety_distance_m=0.5)
    half_vehicle = json.loads(line.to_json())["vehicle"]["width_m"] / 2
    np.testing.assert_allclose(np.hypot(line.x, line.y), 46 + half_vehicle + 0.5, atol=0.05)
    assert line.curvature.mean() == pytest.approx(1 / np.hypot(line.x, line.y).mean(), rel=0.01)


def test_the_line_keeps_off_a_slippery_strip_of_the_road():
    dry = raceline.optimize(ring(), vehicle="kart", method="time-optimal")
    strip = {"from_m": 0.0, "to_m": 310.0, "side": "left", "width_m": 2.0, "factor": 0.3}
    wet = raceline.optimize(ring(), vehicle="kart", method="time-optimal", grip=[strip])
    inner, outer = (np.hypot(line.x, line.y).mean() for line in (dry, wet))
    # The inner edge has a radius of 46 m. At equal lateral acceleration the lap grows with the root of the radius.
    assert outer == pytest.approx(48, abs=0.05)
    assert wet.lap_time / dry.lap_time == pytest.approx(np.sqrt(outer / inner), rel=1e-3)
    (patch,) = json.loads(wet.to_json())["constraints"]
    assert patch["kind"] == "grip"


def test_an_extracted_track_and_its_file_give_the_same_bytes(line):
    assert raceline.optimize(raceline.extract(CLUB), method="min-curvature").to_json() == line.to_json()


def test_python_and_the_command_line_give_the_same_bytes(line, tmp_path):
    program = pathlib.Path(sys.executable).with_name("raceline")
    subprocess.run([program, "optimize", CLUB, "--method", "min-curvature", "-q", "-o", tmp_path / "a.json"], check=True)
    line.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert subprocess.run([program, "optimize"], capture_output=True).returncode == 2
    assert subprocess.run([program, "inspect", CLUB], capture_output=True).returncode == 1
    module = subprocess.run([sys.executable, "-m", "raceline", "--version"], capture_output=True, text=True)
    assert module.stdout.startswith("raceline ")


def test_columns_are_arrays_that_are_made_once_and_not_written(line):
    assert line.x is line.x and line.x.dtype == np.float64 and len(line) == len(line.x)
    with pytest.raises(ValueError, match="read-only"):
        line.x[0] = 1.0
    assert np.all(np.diff(line.s) > 0) and line.speed.min() > 0
    frame = line.to_dataframe()
    assert list(frame.columns)[:3] == ["s_m", "x_m", "y_m"] and len(frame) == len(line)


def test_a_line_has_the_heights_of_its_road(line):
    assert line.z is None and line.banking is None and "z_m" not in line.to_dataframe()
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    width = np.full(60, 4.0)
    hills = [{"s_m": 0, "z_m": 0}, {"s_m": 125, "z_m": 3}]
    track = raceline.Track.from_centerline(40 * np.cos(angle), 40 * np.sin(angle), width, width, elevation=hills)
    hilly = raceline.optimize(track, vehicle="kart", method="min-curvature")
    assert hilly.z.min() < 0.2 and hilly.z.max() > 2.8 and np.abs(hilly.banking).max() < 0.1
    assert list(hilly.to_dataframe().columns)[-2:] == ["z_m", "banking_rad"]


def test_a_saved_line_is_loaded_again(line, tmp_path):
    line.save(tmp_path / "line.json")
    again = raceline.load(tmp_path / "line.json")
    assert again.to_json() == line.to_json() and again.lap_time == line.lap_time
    assert [path.name for path in tmp_path.iterdir()] == ["line.json"]


class Read(HTMLParser):
    """The elements of a notebook's output, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


def test_a_notebook_shows_the_page_or_the_picture_of_a_line(line):
    assert line._repr_svg_().startswith("<svg") and "club" in repr(line)
    shown = Read(line._repr_html_())
    assert [tag for tag, _ in shown.elements] == ["p", "iframe"]
    frame = shown.elements[1][1]
    # The whole page, which needs nothing beside it.
    assert frame["srcdoc"].encode() == raceline.render(line, format="html")
    assert len(line._repr_html_()) < 600_000 and "allow-same-origin" not in frame["sandbox"]
    # Where a frame is forbidden, the text remains.
    assert f"{line.lap_time:.3f} s" in shown.texts[0]


def test_a_notebook_shows_the_road_of_a_track():
    name = '</svg><script>alert("&")</script>'
    angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    width = np.full(100, 4.0)
    ring = raceline.Track.from_centerline(50 * np.cos(angle), 50 * np.sin(angle), width, width, name=name)
    shown = Read(ring._repr_html_())
    tags = [tag for tag, _ in shown.elements]
    assert tags[:4] == ["svg", "path", "path", "path"] and "script" not in tags
    assert name in shown.texts and "closed" in shown.texts and f"{ring.length:.1f} m" in shown.texts
    drawing, road, edges, _ = (attributes for _, attributes in shown.elements[:4])
    wide, high = float(drawing["width"]), float(drawing["height"])
    assert abs(wide - high) <= 1 and drawing["aria-label"] == name
    # Two rings, of which the outer one has a diameter of 108 m in a drawing of 480 pixels with its rim.
    inner, outer = (np.ptp([float(word) for word in re.findall(r"[0-9.]+", edge)][::2]) for edge in edges["d"].split("Z")[:2])
    assert outer == pytest.approx(480 / 1.08, rel=2e-3) and inner / outer == pytest.approx(92 / 108, rel=5e-3)
    assert road["d"].count("Z") == 2
    lane = raceline.Track.from_points(np.array([[0.0, 5.0], [90.0, 5.0]]), np.array([[0.0, 0.0], [90.0, 0.0]]), closed=False)
    opened = Read(lane._repr_html_())
    assert opened.elements[2][1]["d"].count("Z") == 0 and "open" in opened.texts


def test_errors_have_the_library_s_messages(tmp_path):
    with pytest.raises(raceline.InputError, match="missing.png"):
        raceline.extract(tmp_path / "missing.png")
    with pytest.raises(raceline.OptionsError, match="metres_per_pixl is not an option: did you mean metres_per_pixel"):
        raceline.extract(CLUB, metres_per_pixl=1)
    with pytest.raises(raceline.OptionsError, match="metres_per_pixel is -1"):
        raceline.extract(CLUB, metres_per_pixel=-1)
    with pytest.raises(raceline.OptionsError, match="preset"):
        raceline.optimize(CLUB, vehicle="tank")
    with pytest.raises(raceline.SolveError):
        raceline.optimize(ring(half_width=0.6), vehicle="gt")
    with pytest.raises(raceline.InputError, match="one of each per point"):
        raceline.Track.from_centerline(np.zeros(3), np.zeros(2), np.zeros(3), np.zeros(3))
    for error in (raceline.InputError, raceline.OptionsError, raceline.SolveError):
        assert issubclass(error, raceline.RacelineError)


def test_a_vehicle_may_be_a_dictionary(tmp_path):
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 and later")

    shown = subprocess.run([sys.executable, "-m", "raceline", "vehicles", "kart"], capture_output=True, text=True).stdout
    vehicle = {**tomllib.loads(shown), "name": "mine", "max_speed_mps": 9.0}
    line = raceline.optimize(ring(), vehicle=vehicle, method="min-curvature")
    assert line.vehicle == "mine" and line.speed.max() <= 9.0 + 1e-6
    with pytest.raises(raceline.OptionsError, match="wheels"):
        raceline.optimize(ring(), vehicle={**vehicle, "wheels": 3})


def test_progress_is_told_and_may_stop_the_run():
    stages = []
    raceline.optimize(ring(), method="blend", progress=lambda stage, done, total, note: stages.append(stage))
    assert len(set(stages)) > 1

    def stop(stage, done, total, note):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        raceline.optimize(CLUB, progress=stop)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_stops_the_search_and_other_threads_run_meanwhile():
    program = f"""
import os, signal, threading, time, raceline
# A shell starts what it sends to the background with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
count = [0]
def tick():
    while True:
        count[0] += 1
        time.sleep(0.001)
threading.Thread(target=tick, daemon=True).start()
# Ctrl-C as soon as the other thread has run during the search.
def report(*_):
    if count[0] > 20:
        os.kill(os.getpid(), signal.SIGINT)
try:
    raceline.optimize({str(CLUB)!r}, generations=100000, population=5000, method="blend", progress=report)
    print("ended", count)
except KeyboardInterrupt:
    print("stopped")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert run.stdout == "stopped\n", run.stderr


class Bicycle:
    """A kinematic bicycle that begins on the line."""

    def __init__(self, line, seconds, dt):
        self.vehicle = json.loads(line.to_json())["vehicle"]
        self.line, self.seconds, self.dt = line, seconds, dt

    def reset(self):
        self.state, self.time = [self.line.x[0], self.line.y[0], self.line.heading[0], 0.0], 0.0
        return tuple(self.state)

    def step(self, command):
        x, y, heading, speed = self.state
        dt, self.time = self.dt, self.time + self.dt
        speed = max(speed + dt * (4 * command.throttle - 8 * command.brake), 0.0)
        heading += dt * speed * np.tan(command.steering) / self.vehicle["wheelbase_m"]
        self.state = [x + dt * speed * np.cos(heading), y + dt * speed * np.sin(heading), heading, speed]
        return tuple(self.state) if self.time < self.seconds else None


def test_the_follower_drives_a_bicycle_along_the_line():
    line = raceline.optimize(ring(), vehicle="kart", method="min-curvature")
    commands = list(raceline.Follower(line).drive(Bicycle(line, 40.0, 0.02), dt=0.02))
    assert len(commands) == 2000 and all(command.on_road for command in commands)
    assert max(command.s for command in commands) > 0.9 * line.length
    assert max(abs(command.cross_track_error) for command in commands) < 1.0
    with pytest.raises(raceline.OptionsError, match="nonsense"):
        raceline.Follower(line, {"nonsense": 1.0})
    # The paper's setting does not know the line's speeds.
    at = dict(x=line.x[0], y=line.y[0], heading=line.heading[0], speed=5.0)
    targets = {preset: raceline.Follower(line, preset=preset).step(**at, lateral_speed=0.0).target_speed
               for preset in ("limit", "racing", "game", "paper")}
    assert targets["paper"] <= 10.0 and targets["game"] < 13.5 and targets["limit"] > targets["game"]
    with pytest.raises(raceline.OptionsError, match="preset is \"sport\""):
        raceline.Follower(line, preset="sport")


def test_the_laps_of_a_log(tmp_path):
    rows = ["time_s,x_m,y_m,speed_mps"]
    for i in range(1200):
        angle = 0.2 * i * 0.1
        rows.append(f"{i * 0.1:.1f},{100 * math.cos(angle):.3f},{100 * math.sin(angle):.3f},20")
    (tmp_path / "day.csv").write_text("\n".join(rows) + "\n")
    found = raceline.laps(tmp_path / "day.csv", start=(100.0, 0.0), driven=True)
    times = [lap["time_s"] for lap in found["laps"]]
    # The log begins on the start line, so that its first crossing ends no lap.
    assert len(times) == 2 and all(abs(time - 10 * math.pi) < 0.01 for time in times)
    assert found["driven"].startswith("time_s,lap,x_m,y_m,heading_rad,speed_mps")
    with pytest.raises(raceline.InputError, match="sectors is 0"):
        raceline.laps(tmp_path / "day.csv", sectors=0)
    (tmp_path / "no.csv").write_text("a,b\n1,2\n")
    with pytest.raises(raceline.InputError, match="no log that is known"):
        raceline.laps(tmp_path / "no.csv")


def test_a_log_is_coached_from_python(tmp_path):
    track = raceline.generate("kart", seed=2)
    line = raceline.optimize(track, vehicle="kart", method="min-curvature")
    driven = raceline.drive(line, laps=4, speed_fraction=0.9)["trace"]
    names = ["time_s", "x_m", "y_m"]
    table = np.column_stack([driven[name] for name in names])
    np.savetxt(tmp_path / "day.csv", table, delimiter=",", header=",".join(names), comments="")
    page = tmp_path / "day.html"
    found = raceline.coach(tmp_path / "day.csv", track=track, vehicle="kart", page=page)
    assert found["losses"]["total_s"] == pytest.approx(found["driven"].lap_time - found["line"].lap_time, abs=2e-5)
    assert found["losses"]["total_s"] > 2 and len(found["losses"]["corners"]) > 3
    assert b'"losses":{"total_s"' in page.read_bytes()
    # From the log alone: the vehicle is fitted, the road is that of the laps.
    alone = raceline.coach(tmp_path / "day.csv", track_width=7.0, base="kart")
    assert alone["vehicle"].name == "day" and alone["vehicle"]["mass_kg"] == raceline.Vehicle("kart")["mass_kg"]
    assert alone["line"].lap_time < alone["driven"].lap_time
    for wrong, message in (({"track": track, "track_width": 5.0}, "give one"), ({"vehicle": "kart", "base": "gt"}, "base")):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.coach(tmp_path / "day.csv", **wrong)
    with pytest.raises(raceline.InputError, match="there is no lap 99"):
        raceline.coach(tmp_path / "day.csv", track=track, vehicle="kart", lap=99)


def test_the_path_ahead_leads_between_the_cones():
    cones = [(4.0 * i, side * 1.75, colour) for i in range(8) for side, colour in ((1, "blue"), (-1, "yellow"))]
    path = raceline.path_ahead(reversed(cones), -1.0, 0.2, 0.0)
    assert not path.is_straight_guess and "PathAhead" in repr(path)
    x, y = path.points
    assert (x[0], y[0]) == (-1.0, 0.2) and x[-1] > 20
    np.testing.assert_allclose(y[1:], 0, atol=1e-9)
    assert (path.left[1] > 0).all() and (path.right[1] < 0).all()
    # Without colours too, given the width of the road.
    assert not raceline.path_ahead([cone[:2] for cone in cones], -1.0, 0.0, 0.0, width=3.5).is_straight_guess
    assert raceline.path_ahead([], 0.0, 0.0, 1.0).is_straight_guess
    with pytest.raises(raceline.InputError, match="mauve"):
        raceline.path_ahead([(0.0, 1.0, "mauve")], 0.0, 0.0, 0.0)
    with pytest.raises(raceline.InputError, match="heading is NaN"):
        raceline.path_ahead([], 0.0, 0.0, float("nan"))


def test_the_right_edge_is_a_file_of_its_own(tmp_path):
    for name, radius in (("left", 46), ("right", 54)):
        angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
        np.savetxt(tmp_path / f"{name}.csv", np.column_stack((radius * np.cos(angle), radius * np.sin(angle))))
    track = raceline.extract(tmp_path / "left.csv", right=str(tmp_path / "right.csv"))
    assert track.closed and track.length == pytest.approx(2 * np.pi * 50, rel=5e-3)


def test_vehicles_lists_the_presets():
    assert "robot-car" in raceline.vehicles()


class Sliding:
    """A single-track car whose tyres slide; it drives as a file specifies, and reports its whole state."""

    def __init__(self, line, seconds, dt, lateral=True):
        self.vehicle = json.loads(line.to_json())["vehicle"]
        self.line, self.seconds, self.dt, self.lateral = line, seconds, dt, lateral
        self.laps = 0.0

    def state(self):
        x, y, heading, u, v, r, _ = self.q
        state = {"x": x, "y": y, "heading": heading, "speed": u, "yaw_rate": r}
        return {**state, "lateral_speed": v} if self.lateral else state

    def reset(self):
        line = self.line
        self.q, self.time = np.array([line.x[0], line.y[0], line.heading[0], line.speed[0], 0.0, 0.0, 0.0]), 0.0
        return self.state()

    def step(self, command):
        grip, a = self.vehicle["lateral_limit_mps2"], self.vehicle["wheelbase_m"] / 2
        for _ in range(10):
            h = self.dt / 10
            x, y, heading, u, v, r, wheel = self.q
            wheel += np.clip(command.steering - wheel, -1.0 * h, 1.0 * h)
            tyre = lambda slip: grip * np.sin(1.4 * np.arctan(12 * slip))  # noqa: E731
            front, rear = tyre(wheel - np.arctan2(v + a * r, max(u, 1.0))), tyre(-np.arctan2(v - a * r, max(u, 1.0)))
            along = 5 * command.throttle - 0.8 * grip * command.brake
            c, s = np.cos(heading), np.sin(heading)
            change = [u * c - v * s, u * s + v * c, r, along + v * r, (front + rear) / 2 - u * r, (front - rear) / (2 * a)]
            self.q = np.array([*(self.q[:6] + h * np.array(change)), wheel])
        self.time += self.dt
        return self.state() if self.time < self.seconds else None


def test_a_known_velocity_engages_the_control_at_the_limit():
    line = raceline.load(ROOT / "tracks/stadium.raceline.json")
    k = len(line) // 3
    at = dict(x=line.x[k], y=line.y[k], heading=line.heading[k], speed=line.speed[k], dt=0.02)
    yaw_rate = line.speed[k] * line.curvature[k]
    steering = set()
    for enabled in (0.0, 1.0):
        follower = raceline.Follower(line, {"limit.enabled": enabled})
        with pytest.warns(RuntimeWarning, match="lateral_speed") if enabled else contextlib.nullcontext():
            follower.step(**at, yaw_rate=yaw_rate)
        follower.reset()
        by_side = follower.step(**at, lateral_speed=0.3, yaw_rate=yaw_rate)
        steering.add(by_side.steering)
        follower.reset()
        heading, speed = at["heading"], at["speed"]
        x = speed * np.cos(heading) - 0.3 * np.sin(heading)
        y = speed * np.sin(heading) + 0.3 * np.cos(heading)
        assert follower.step(**at, velocity=(x, y), yaw_rate=yaw_rate).steering == by_side.steering
    assert len(steering) == 2, "the option changes nothing: the control does not engage"
    with pytest.raises(raceline.OptionsError, match="velocity and lateral_speed are both given"):
        follower.step(**at, velocity=(1.0, 0.0), lateral_speed=0.0)


def test_a_line_is_judged(tmp_path):
    file = ROOT / "tracks/stadium.raceline.json"
    assert raceline.verify(file) == raceline.verify(raceline.load(file)) == []
    assert any("max-speed" in finding for finding in raceline.verify(file, vehicle="kart"))
    spoiled = json.loads(file.read_text())
    spoiled["points"][50]["heading_rad"] += 0.02
    (tmp_path / "spoiled.json").write_text(json.dumps(spoiled))
    assert any("heading" in finding for finding in raceline.verify(tmp_path / "spoiled.json"))
    spoiled["points"][50]["curvature_radpm"] = 1e308
    (tmp_path / "spoiled.json").write_text(json.dumps(spoiled))
    with pytest.raises(raceline.InputError, match="curvature_radpm"):
        raceline.load(tmp_path / "spoiled.json")


def test_a_sidecar_names_files_in_its_own_folder_unless_it_is_allowed(tmp_path):
    (tmp_path / "tracks").mkdir()
    ring = tmp_path / "tracks/ring.csv"
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    np.savetxt(ring, np.c_[60 * np.cos(angles), 60 * np.sin(angles), np.full((60, 2), 5.0)], delimiter=",")
    ring.with_suffix(".toml").write_text('like = "../line.csv"\n')
    (tmp_path / "line.csv").write_text(ring.read_text())
    with pytest.raises(raceline.OptionsError, match="outside the folder"):
        raceline.optimize(ring, method="shortest-path")
    assert raceline.optimize(ring, method="shortest-path", allow_outside=True).lap_time > 0


def test_a_sliding_car_keeps_to_the_line_where_its_velocity_is_known():
    line = raceline.load(ROOT / "tracks/stadium.raceline.json")
    # These tyres give less than the vehicle's: at 0.95 of the speed they leave the road, and whether they do at 0.9
    # depends on the last digits of the line.
    options = {"target_speed.profile_scale": 0.88}
    commands = list(raceline.Follower(line, options).drive(Sliding(line, 40.0, 0.02), dt=0.02))
    assert len(commands) == 2000 and all(command.on_road and command.state == "driving" for command in commands)
    assert max(abs(command.cross_track_error) for command in commands) < 0.5


def test_the_scene_is_avoided_collected_and_driven_in_reverse():
    line = raceline.load(ROOT / "tracks/club.raceline.json")
    k = 20
    at = dict(x=line.x[k], y=line.y[k], heading=line.heading[k], speed=8.0, lateral_speed=0.0)
    ahead = k + int(25 / (line.length / len(line)))
    there = line.x[ahead], line.y[ahead]
    empty = raceline.Follower(line).step(**at)
    assert not empty.avoiding and empty.shift == 0 and empty.place_back is None
    parked = raceline.Neighbour(*there, line.heading[ahead])
    rock = raceline.Body(*there, radius=1.0)
    assert parked.velocity == (0.0, 0.0) and "Neighbour at" in repr(parked) and rock.radius == 1.0
    for planner in (None, False, True, {"gap_m": 0.3}):
        for scene in ({"neighbours": [parked]}, {"obstacles": (rock,)}, {"neighbours": [parked], "obstacles": [rock]}):
            follower = raceline.Follower(line, planner=planner)
            for _ in range(5):
                command = follower.step(**at, **scene)
            assert command.avoiding and command.target != empty.target
            follower.reset()
            assert follower.step(**at).target == empty.target
    side = 1.5
    coin = raceline.PickUp(there[0] - side * np.sin(line.heading[ahead]), there[1] + side * np.cos(line.heading[ahead]))
    assert raceline.Follower(line, {"pick_ups.max_curvature_radpm": 1.0}).step(**at, pick_ups=[coin]).target != empty.target
    backwards = {**at, "heading": at["heading"] + np.pi, "speed": -4.0}
    assert raceline.Follower(line).step(**backwards, reverse=True).reverse
    for planner, message in ((3, "planner is"), ({"gap": 1.0}, "no option gap"), ({"horizon_m": 1.0}, "horizon_m is 1")):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.Follower(line, planner=planner)


def test_the_neural_driver_drives_along_the_line():
    line = raceline.load(ROOT / "tracks/club.raceline.json")
    driver = raceline.NeuralDriver(line, ROOT / "examples/neural/driver.json", profile_scale=0.9)
    command = driver.step(line.x[0], line.y[0], line.heading[0], 10.0, 0.02, lateral_speed=0.0, yaw_rate=0.0)
    assert command.target_speed > 1.0 and command.steering != 0.0
    driver.reset()
    with pytest.raises(raceline.InputError):
        raceline.NeuralDriver(line, ROOT / "tracks/club.raceline.json")


def test_behaviours_steer_agents():
    from raceline import Body, behaviours as b

    agent = b.Agent(0.0, 0.0, velocity=(4.0, 0.0), max_speed=8.0)
    assert agent.heading == 0.0 and agent.body().velocity == (4.0, 0.0)
    other, rock = Body(6.0, 1.0, velocity=(0.0, -2.0)), Body(5.0, 0.2, radius=1.0)
    field = b.FlowField((0.0, 0.0), 5.0, np.ones((2, 3, 2)))
    assert field.velocity((5.0, 5.0)) == pytest.approx((1.0, 1.0))
    wanted = [
        b.seek(agent, (9.0, 9.0)), b.flee(agent, (9.0, 9.0)), b.arrival(agent, (9.0, 9.0)), b.pursuit(agent, other),
        b.evasion(agent, other), b.avoid_obstacles(agent, [rock]), b.avoid_bodies(agent, [other, rock]),
        b.separation(agent, [other]), b.cohesion(agent, [other]), b.alignment(agent, [other]),
        b.follow_leader(agent, other, [rock]), b.follow_flow_field(agent, field), b.Wander(seed=3).step(agent, 0.02),
        b.PathFollowing(ROOT / "tracks/club.raceline.json").step(agent), b.offset_pursuit(agent, other, (-2.0, 1.0)),
        b.follow_wall(agent, [((-9.0, -1.0), (9.0, -1.0))], distance=2.0), b.Flock().acceleration(agent, [other, rock]),
    ]  # fmt: skip
    assert all(np.isfinite(one).all() and np.hypot(*one) <= 6.0 + 1e-9 for one in wanted)
    assert wanted[0][1] > 0 > wanted[1][1] and wanted[5] != (0.0, 0.0)
    assert b.interception_time((0.0, 0.0), 5.0, Body(10.0, 0.0)) == pytest.approx(2.0)
    assert b.interception_time((0.0, 0.0), 1.0, Body(10.0, 0.0, velocity=(5.0, 0.0))) is None
    agent.advance(b.blend_by_priority(agent, wanted), 0.1)
    agent.advance(b.blend_weighted(agent, [(0.5, one) for one in wanted]), 0.1)
    pedal, steering = b.car_controls((2.0, 1.0), agent.heading, 4.0)
    assert 0 < pedal <= 1 and agent.position[0] > 0.5
    with pytest.raises(raceline.InputError, match="shape"):
        b.FlowField((0.0, 0.0), 5.0, np.ones((2, 3)))


def test_a_crowd_is_moved_by_a_flock():
    from raceline import Body, behaviours as b

    agents = [b.Agent(float(k % 6), float(k // 6), velocity=(1.0, 0.1 * k)) for k in range(30)]
    flock = b.Flock(separation=(1.5, 2.0, 3.2), cohesion=(0.5, 4.0, 2.0))
    wanted = flock.accelerations(agents)
    bodies = [agent.body() for agent in agents]
    for agent, found in zip(agents, wanted):
        assert found == pytest.approx(flock.acceleration(agent, bodies), abs=1e-9)
    before = [agent.velocity for agent in agents]
    flock.step(agents, 0.1)
    for agent, velocity, acceleration in zip(agents, before, wanted):
        assert np.allclose(agent.velocity, np.add(velocity, np.multiply(0.1, acceleration)))
    grid = b.NeighbourGrid(bodies, reach=2.0)
    assert sorted(grid.near((0.0, 0.0), 1.1)) == [0, 1, 6]
    assert [body.position for body in grid.others(0, 1.1)] in ([(1.0, 0.0), (0.0, 1.0)], [(0.0, 1.0), (1.0, 0.0)])
    assert grid.others(30, 9.0) == []
    grid.rebuild([Body(3.0, 3.0)])
    assert grid.near((3.0, 4.0), 2.0) == [0]
    with pytest.raises(raceline.InputError, match="reach"):
        b.NeighbourGrid(bodies, reach=0.0)


def test_a_line_that_exists_gets_its_speeds():
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    points = np.column_stack([48 * np.cos(angle), 48 * np.sin(angle)])
    own = raceline.profile(points, track=ring(), vehicle="gt", name="own")
    assert own.method == "given" and own.name == "ring" and not raceline.verify(own)
    assert own.length == pytest.approx(2 * np.pi * 48, rel=1e-4)
    # Without a track, on a road of the stated width; as a list, and from a file.
    alone = raceline.profile(points.tolist(), vehicle="gt", track_width_m=8)
    assert alone.lap_time == pytest.approx(own.lap_time, rel=1e-3)
    with pytest.raises(raceline.InputError, match="finite"):
        raceline.profile([[0, 0], [1, float("nan")]])


def test_a_file_with_a_line_gets_its_speeds_and_starts_a_search(line, tmp_path):
    path = tmp_path / "club.raceline.json"
    line.save(path)
    again = raceline.profile(path)
    assert again.lap_time == pytest.approx(line.lap_time, rel=1e-3)
    faster = raceline.optimize(CLUB, initial_line=path, allow_outside=True)
    assert faster.lap_time < line.lap_time


def test_a_command_has_its_acceleration_and_a_line_less_grip(line):
    vehicle = json.loads(line.to_json())["vehicle"]
    command = raceline.Follower(line).step(line.x[0], line.y[0], line.heading[0], 2.0, velocity=(2.0, 0.0), yaw_rate=0.0)
    full = max(acceleration for _, acceleration in vehicle["drive"]["table_mps2"])
    drag = vehicle["drag_kgpm"] / vehicle["mass_kg"] * 4.0 + vehicle.get("rolling_resistance", 0.0) * 9.80665
    assert command.acceleration == pytest.approx(command.throttle * full - drag)
    careful = raceline.optimize(CLUB, method="min-curvature", grip_fraction=0.8)
    assert json.loads(careful.to_json())["vehicle"]["lateral_limit_mps2"] == pytest.approx(0.8 * vehicle["lateral_limit_mps2"])
    assert careful.lap_time > 1.05 * line.lap_time
