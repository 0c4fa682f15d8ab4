"""The commands of the program as functions: each gives what the command gives."""

import json
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
import raceline

ROOT = pathlib.Path(__file__).parents[3]
CLUB = ROOT / "tracks/club.png"


@pytest.fixture(scope="module")
def oval():
    return raceline.generate("oval", seed=3, length=900.0, width=12.0)


@pytest.fixture(scope="module")
def line(oval):
    return raceline.optimize(oval, vehicle="gt", method="min-curvature")


@pytest.fixture(scope="module")
def file(line, tmp_path_factory):
    path = tmp_path_factory.mktemp("line") / "oval.raceline.json"
    line.save(path)
    return path


def run(*arguments, code=0):
    done = subprocess.run([sys.executable, "-m", "raceline", *map(str, arguments)], capture_output=True)
    assert done.returncode == code, done.stderr.decode()
    return done.stdout


def test_a_generated_road_is_that_of_the_command(tmp_path):
    run("generate", "--style", "kart", "--seed", 7, "-o", tmp_path / "kart-7.csv")
    run("optimize", tmp_path / "kart-7.csv", "--vehicle", "kart", "--method", "min-curvature", "-q", "-o", tmp_path / "a.json")
    kart = raceline.generate("kart", seed=7, vehicle="kart")
    raceline.optimize(kart, method="min-curvature").save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    with pytest.raises(raceline.OptionsError, match="style is \"square\""):
        raceline.generate("square")
    with pytest.raises(raceline.OptionsError, match="length_m"):
        raceline.generate("oval", length=-1.0)


def test_a_track_is_saved_and_has_its_shape(oval, tmp_path):
    oval.save(tmp_path / "oval.json")
    assert json.loads(oval.to_json())["format"] == "raceline-track"
    again = raceline.extract(tmp_path / "oval.json")
    np.testing.assert_allclose(again.x, oval.x, atol=1e-6)
    assert len(oval.s) == len(oval.curvature) == len(oval.heights) == len(oval.x)
    assert oval.s[0] == 0.0 and np.all(np.diff(oval.s) > 0) and oval.s[-1] < oval.length
    # The curvature turns once around.
    turned = np.sum(oval.curvature * np.diff(np.append(oval.s, oval.length)))
    assert abs(turned) == pytest.approx(2 * np.pi, rel=0.02)
    assert not oval.heights.any()
    hilly = raceline.generate("oval", elevation=[{"s_m": 0, "z_m": 0}, {"s_m": 500, "z_m": 9}])
    assert hilly.heights.max() == pytest.approx(9.0, abs=0.5)
    with pytest.raises(raceline.InputError, match="oval.png"):
        oval.save(tmp_path / "oval.png")


def test_edges_make_a_track():
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    ring = raceline.Track.from_points(46 * circle, 54 * circle[::2], name="ring")
    assert ring.length == pytest.approx(2 * np.pi * 50, rel=2e-3) and ring.name == "ring"
    np.testing.assert_allclose(ring.width, 8, atol=0.2)
    assert ring.curvature.mean() == pytest.approx(1 / 50, rel=0.01)
    broken = 46 * circle
    broken[5, 1] = np.nan
    with pytest.raises(raceline.InputError, match=r"left\[5, 1\] is nan"):
        raceline.Track.from_points(broken, 54 * circle)
    with pytest.raises(raceline.InputError, match="right has no points of x and y"):
        raceline.Track.from_points(46 * circle, [1.0, 2.0])


def test_a_picture_may_be_an_array_and_a_file_bytes():
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    drawn = np.asarray(image.open(CLUB))
    by_array = raceline.extract(drawn, name="club", metres_per_pixel=0.5)
    by_bytes = raceline.extract(CLUB.read_bytes(), name="club", metres_per_pixel=0.5)
    np.testing.assert_array_equal(by_array.x, by_bytes.x)
    assert by_array.name == "club" and by_array.closed


def test_pictures_of_every_shape_are_read_and_others_refused():
    y, x = np.mgrid[:240, :320]
    road = abs(np.hypot((x - 160) / 1.4, y - 120) - 80) < 8
    tracks = [
        raceline.extract(picture, metres_per_pixel=0.5)
        for picture in (
            road,
            road.astype(np.uint8) * 255,
            np.repeat(road[:, :, None], 3, axis=2),
            (np.repeat(road[:, :, None], 4, axis=2) * 255).astype(np.uint8) | np.array([0, 0, 0, 255], dtype=np.uint8),
        )
    ]
    for track in tracks[1:]:
        np.testing.assert_array_equal(track.x, tracks[0].x)
    line = raceline.optimize(road, vehicle="kart", method="shortest-path", metres_per_pixel=0.5, name="drawn")
    assert line.name == "drawn"
    with pytest.raises(raceline.InputError, match="an array of float64: give a picture"):
        raceline.extract(np.zeros((5, 5)))
    with pytest.raises(raceline.InputError, match=r"shape \[5, 5, 2\]"):
        raceline.extract(np.zeros((5, 5, 2), dtype=np.uint8))
    with pytest.raises(raceline.InputError, match="track is .*int"):
        raceline.optimize(3)


def test_exports_and_drawings_are_those_of_the_commands(line, file, tmp_path):
    for name in ("tum", "csv", "autoware", "ros-path"):
        run("export", file, "--format", name, "-o", tmp_path / "a")
        assert line.export(format=name) == (tmp_path / "a").read_bytes()
        assert raceline.export(file, format=name) == line.export(format=name)
    run("render", file, "-o", tmp_path / "a.svg", "--width-px", 500, "--colour-by", "curvature")
    line.render(tmp_path / "b.svg", width=500, colour_by="curvature")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    page = raceline.render([line, file], format="html")
    assert page.startswith(b"<!") and line.render(format="png")[1:4] == b"PNG"
    for options, message in (
        ({"format": "gif"}, "format is \"gif\""),
        ({"colour_by": "mood"}, "colour_by is \"mood\""),
        ({"width": 1}, "width"),
        ({"background": 3}, "background is neither"),
    ):
        with pytest.raises(raceline.OptionsError, match=message):
            line.render(**options)
    with pytest.raises(raceline.OptionsError, match="format is \"nonsense\", but must be one of csv, tum"):
        line.export(format="nonsense")
    with pytest.raises(raceline.OptionsError, match="origin="):
        line.export(format="gpx")
    assert b"<gpx" in line.export(format="gpx", origin=(11.1, 49.4))
    with pytest.raises(raceline.OptionsError, match="both missing"):
        line.export()


def test_a_line_is_saved_as_what_its_name_ends_in(line, tmp_path):
    starts = {"json": b"{", "png": b"\x89PNG", "svg": b"<svg", "html": b"<!", "csv": b"s_m,", "dxf": b"0\nSECTION", "xodr": b"<?xml"}
    for ending, start in starts.items():
        line.save(tmp_path / f"o.{ending}")
        assert (tmp_path / f"o.{ending}").read_bytes().startswith(start), ending
    for name, message in (("o.jpg", "unknown ending: use one of .json, .svg"), ("o", "has no ending"), ("o.tres", "several formats")):
        with pytest.raises(raceline.InputError, match=message):
            line.save(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_line_is_inspected_and_compared_as_by_the_commands(line, file, oval, tmp_path):
    found, printed = raceline.inspect(line), json.loads(run("inspect", file, "--json"))
    assert found == printed and found["corners"] == line.corners and found == raceline.inspect(file)
    assert "sensitivities" in raceline.inspect(line, sensitivities=True)
    assert len(raceline.inspect(line, sectors=[100.0, 300.0])["sectors"]) == 3
    with pytest.raises(raceline.OptionsError):
        raceline.inspect(line, corner_merge=-1.0)
    short = raceline.optimize(oval, vehicle="gt", method="shortest-path")
    short.save(tmp_path / "short.json")
    printed = json.loads(run("compare", file, tmp_path / "short.json", "--json"))[0]
    found = raceline.compare(line, short)
    assert found["lap_difference_s"] > 0 and all(printed[key] == value for key, value in found.items())
    with pytest.raises(raceline.InputError, match="reference is .*int"):
        raceline.compare(3, line)


def test_a_line_has_its_candidates_its_edges_and_its_vehicle(oval):
    line = raceline.optimize(oval, vehicle="gt", method="blend", detail=True)
    methods = [candidate["method"] for candidate in line.candidates]
    assert {"shortest-path", "min-curvature"} <= set(methods)
    assert all(candidate["x"].shape == candidate["y"].shape for candidate in line.candidates)
    (x, y), _ = line.edges
    assert x.shape == y.shape and line.vehicle_used == raceline.Vehicle("gt")
    assert line.options["seed"] == raceline.optimize(oval, vehicle="gt", method="min-curvature").options["seed"]


def test_a_vehicle_is_changed_and_used_everywhere(oval, tmp_path):
    gt = raceline.Vehicle("gt")
    assert dict(gt) == gt.as_dict() and "mass_kg" in gt and gt.name == "gt" and "gt" in repr(gt)
    with pytest.raises(KeyError):
        gt["wheels"]
    wet = gt.replace(name="wet", grip=0.7)
    assert wet["lateral_limit_mps2"] == pytest.approx(0.7 * gt["lateral_limit_mps2"]) and wet != gt
    for twin in (pickle.loads(pickle.dumps(wet)), raceline.Vehicle.from_dict(wet.as_dict())):
        assert twin == wet and hash(twin) == hash(wet)
    wet.save(tmp_path / "wet.toml")
    assert raceline.Vehicle.from_file(tmp_path / "wet.toml") == wet
    lines = [
        raceline.optimize(oval, vehicle=vehicle, method="shortest-path")
        for vehicle in (wet, wet.as_dict(), tmp_path / "wet.toml", str(tmp_path / "wet.toml"))
    ]
    assert len({line.lap_time for line in lines}) == 1 and lines[0].vehicle == "wet"
    assert lines[0].lap_time > raceline.optimize(oval, vehicle="gt", method="shortest-path").lap_time
    read_for = raceline.extract(ROOT / "tracks/club.png", vehicle=wet)
    assert raceline.optimize(read_for, method="shortest-path").vehicle == "wet"
    for wrong, message in (
        (lambda: raceline.Vehicle("tank"), "tank"),
        (lambda: raceline.Vehicle("wet.toml"), "from_file"),
        (lambda: raceline.Vehicle.from_file("gt"), "ends in .toml"),
        (lambda: gt.replace(wheels=3), "wheels"),
        (lambda: gt.replace(mass_kg=-1.0), "mass_kg"),
        (lambda: gt.replace(grip="much"), "grip is no number"),
        (lambda: raceline.Vehicle.from_dict({"mass_kg": 3.0}), "missing"),
        (lambda: raceline.Vehicle.from_dict(3), "give a dictionary"),
    ):
        with pytest.raises(raceline.OptionsError, match=message):
            wrong()


def test_a_sweep_has_a_column_for_each_number(oval):
    table = raceline.sweep(
        oval, {"grip": [0.8, 1.0], "mass_kg": "+0%,+10%"}, vehicle="gt", method="min-curvature", fixed_line=True
    )
    np.testing.assert_array_equal(table["grip"], [0.8, 0.8, 1.0, 1.0])
    assert table["lap_time_s"].shape == (4,) and table["lap_time_s"][0] > table["lap_time_s"][2]
    assert table["gain_s"][2] == pytest.approx(0.0, abs=1e-9) and table["message"] == [""] * 4
    for vary, message in (({"wheels": [3]}, "wheels"), ({"grip": "90%"}, "sign"), ({}, "vary")):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.sweep(oval, vary, vehicle="gt", fixed_line=True)


def test_a_set_up_is_that_of_the_command(tmp_path):
    club = ROOT / "tracks/club.png"
    wing = {"downforce_kgpm": (1.0, 3.0), "drag_kgpm": (0.7, 1.1)}
    found = raceline.setup(club, {"front_brake_fraction": "0.55:0.75", "wing": wing}, vehicle="gt")
    printed = json.loads(
        run("setup", club, "--vehicle", "gt", "--free", "front_brake_fraction=0.55:0.75", "--free",
            "downforce_kgpm=1:3,drag_kgpm=0.7:1.1", "--json", "-o", tmp_path / "gt-club.toml")
    )
    assert found["gain_s"] == pytest.approx(printed["gain_s"], abs=1e-9) and found["laps"] == printed["laps"]
    # Lines have lap times of five decimals.
    assert found["gain_s"] == pytest.approx(found["base"].lap_time - found["line"].lap_time, abs=1.1e-5)
    assert {key["key"]: key["best"] for key in printed["keys"]} == {key: one["best"] for key, one in found["keys"].items()}
    written = raceline.Vehicle.from_file(tmp_path / "gt-club.toml")
    assert written == found["vehicle"]
    assert raceline.optimize(club, vehicle=written).lap_time == pytest.approx(found["line"].lap_time, abs=1e-9)
    for free, message in (
        ({"wheels": (3, 4)}, "wheels"),
        ({"mass_kg": "1:2,drag_kgpm=1:2"}, "dictionary"),
        ({"width_m": (1.0, 2.0)}, "sweep"),
        ({}, "0 numbers"),
    ):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.setup(club, free, vehicle="gt")
    with pytest.raises(TypeError, match="no range"):
        raceline.setup(club, {"mass_kg": 3}, vehicle="gt")


def test_a_stint_is_that_of_the_command(tmp_path):
    club = ROOT / "tracks/club.png"
    text = "[fuel]\nwork_jpkg = 1.3e7\nstart_kg = 5.0\n[tyres]\nlife_j = 2e8\nworn_grip_loss = 0.1\n"
    (tmp_path / "car.toml").write_text(text)
    car = {"fuel": {"work_jpkg": 1.3e7, "start_kg": 5.0}, "tyres": {"life_j": 2e8, "worn_grip_loss": 0.1}}
    found = raceline.stint(club, 4, car=car, vehicle="gt")
    printed = json.loads(run("stint", club, "--vehicle", "gt", "--laps", 4, "--stint", tmp_path / "car.toml", "--json"))
    assert found["time_s"] == printed["time_s"] and found["laps"] == printed["laps"]
    assert raceline.stint(club, 4, car=tmp_path / "car.toml", vehicle="gt")["laps"] == found["laps"]
    assert found["shown_lap"] == 2 and found["line"].lap_time == pytest.approx(found["laps"][1]["time_s"], abs=1e-4)
    for wrong, message in (({"fuel": {"litres": 3}}, "litres"), ({"fuel": {"work_jpkg": -1.0}}, "work_jpkg"), (3, "file")):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.stint(club, 4, car=wrong, vehicle="gt")
    with pytest.raises(raceline.OptionsError, match="1 to 1000"):
        raceline.stint(club, 0, vehicle="gt")


def test_a_drive_is_that_of_the_command_and_calibrates_a_vehicle(line, file, tmp_path):
    driven = raceline.drive(line, laps=2)
    printed = json.loads(run("drive", file, "--laps", 2, "--json"))
    assert driven["lap_times_s"] == printed["lap_times_s"] and driven["min_room_m"] == printed["least_room_m"]
    assert driven["clean"] and driven["complete"] and len(driven["lap_times_s"]) == 2
    trace = driven["trace"]
    assert {len(column) for column in trace.values()} == {len(trace["x_m"])} and trace["lap"].max() == 2
    learned = raceline.drive(line, laps=1, learn_laps=3)["learned"]
    assert raceline.drive(line, laps=1, learned=learned)["lap_times_s"][0] > 0
    met = raceline.drive(line, laps=1, obstacles=[raceline.Body(float(line.x[60]), float(line.y[60]), 0.3)])
    assert met["min_gap_m"] >= 0
    fitted = raceline.calibrate([trace, trace], base="gt")
    assert isinstance(fitted["vehicle"], raceline.Vehicle) and isinstance(fitted["notes"], list)
    for options, message in (
        ({"follower": "fast"}, "follower is"),
        ({"laps": 0}, "laps is 0, but must be"),
        ({"speed_fraction": 3.0}, "speed_fraction is 3"),
        ({"network": "x.json"}, "follower=\"neural\""),
        ({"best": True, "traffic": 2}, "best goes without"),
        ({"grip": [(0.0, 10.0, 9.0)]}, "grip"),
    ):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.drive(line, **options)
    with pytest.raises(raceline.InputError, match="learned is not"):
        raceline.drive(line, learned={"a": 1})
    for telemetry, message in (
        (3, "telemetry is .*int"),
        ({"time_s": [0.0, 1.0], "speed_mps": [1.0]}, "one of each per frame"),
        ([{"time_s": [0.0, float("inf")]}], r"telemetry\[0\]\[\"time_s\"\]\[1\] is inf"),
        ({"time_s": [0.0, 1.0]}, "lateral_accel_mps2"),
    ):
        with pytest.raises(raceline.InputError, match=message):
            raceline.calibrate(telemetry, base="gt")


ROBOT = {"position_m": 0.05, "heading_rad": 0.0087, "grip_fraction": 0.05, "delay_s": 0.02, "side_mps2": 0.3}


def test_drives_with_noise_are_those_of_the_command(line, file, tmp_path):
    (tmp_path / "robot.toml").write_text("".join(f"{key} = {value}\n" for key, value in ROBOT.items()))
    driven = raceline.drive(line, laps=1, noise=ROBOT, drives=12, seed=3)
    words = ("--laps", 1, "--noise", tmp_path / "robot.toml", "--drives", 12, "--seed", 3)
    printed = json.loads(run("drive", file, *words, "--json"))
    laps = driven.pop("each_lap")
    assert {**driven, "on_road_range": list(driven["on_road_range"])} == {key: printed[key] for key in driven}
    assert {key for key in printed} - set(driven) == {"name", "vehicle"}
    assert {len(column) for column in laps.values()} == {driven["laps"]} and laps["on_road"].sum() == driven["laps_on_road"]
    assert (abs(laps["grip"] - 1) <= 0.05).all() and ((0 <= laps["delay_s"]) & (laps["delay_s"] <= 0.02)).all()
    assert laps["min_room_m"].min() == driven["min_room_m"]
    # A path is the same noise; None is a key that is not given; the number of drives has a default.
    again = raceline.drive(line, laps=1, noise=tmp_path / "robot.toml", drives=12, seed=3)
    assert (again["each_lap"]["min_room_m"] == laps["min_room_m"]).all()
    assert raceline.drive(line, laps=1, noise={"position_m": None, "grip_fraction": 0.0})["on_road_fraction"] == 1.0
    assert raceline.drive(line, laps=1, noise={})["laps"] == 200


def test_wrong_noise_is_refused_with_its_place(line, tmp_path):
    file = tmp_path / "robot.toml"
    file.write_text("place_m = 0.05\n")
    for options, message in (
        ({"noise": {"place_m": 0.05}}, "unknown field `place_m`"),
        ({"noise": {"position_m": "wide"}}, "noise: position_m is wide: give a number"),
        ({"noise": {"position_m": 11.0}}, "position_m is 11, but must be"),
        ({"noise": {"position_m": float("nan")}}, "position_m is NaN, but must be"),
        ({"noise": file}, r"robot\.toml: .*unknown field `place_m`"),
        ({"noise": 3}, "noise is .*int.*dictionary"),
        ({"noise": ROBOT, "drives": 0}, "drives is 0, but must be 1 to 100000"),
        ({"noise": ROBOT, "learn_laps": 2}, "noise goes without"),
        ({"noise": ROBOT, "best": True}, "noise goes without"),
        ({"drives": 5}, "drives needs noise="),
    ):
        with pytest.raises(raceline.OptionsError, match="(?s)" + message):
            raceline.drive(line, **options)
    with pytest.raises(raceline.InputError, match="no-such-file.toml"):
        raceline.drive(line, noise="no-such-file.toml")


def test_a_line_with_a_confidence_is_that_of_the_command(tmp_path):
    noise = {"position_m": 0.02, "grip_fraction": 0.1}
    track = raceline.generate("oval", length=400.0)
    track.save(tmp_path / "oval.json")
    (tmp_path / "noise.toml").write_text("position_m = 0.02\ngrip_fraction = 0.1\n")
    sure = raceline.optimize(tmp_path / "oval.json", vehicle="gt", method="min-curvature", noise=noise, confidence=0.9)
    words = ("--vehicle", "gt", "--method", "min-curvature", "--noise", tmp_path / "noise.toml", "--confidence", 0.9)
    printed = json.loads(run("optimize", tmp_path / "oval.json", *words, "-o", tmp_path / "sure.json", "--json"))
    assert sure.survival == printed["survival"] and sure.survival["predicted"] >= 0.9
    assert sure.lap_time >= sure.survival["free_lap_time_s"] - 1e-4 and sure.x.tolist() == raceline.load(tmp_path / "sure.json").x.tolist()
    assert pickle.loads(pickle.dumps(sure)) == sure and pickle.loads(pickle.dumps(sure)).survival == sure.survival
    free = raceline.optimize(tmp_path / "oval.json", vehicle="gt", method="min-curvature")
    assert free.survival is None and free.lap_time == pytest.approx(sure.survival["free_lap_time_s"], abs=1e-4)
    for options, message in (
        ({"noise": noise}, "noise needs confidence="),
        ({"confidence": 0.9}, "confidence needs noise="),
        ({"noise": noise, "confidence": 1.0}, "confidence = 1 must be from 0.5"),
        ({"noise": noise, "confidence": 0.9, "edge_margin": [{"s_m": 0.0, "left_m": 0.1, "right_m": 0.1}]}, "edge_margin"),
    ):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.optimize(track, vehicle="gt", **options)


def test_a_grid_planner_follows_the_changes_of_its_grid():
    blocked = np.zeros((20, 30), bool)
    blocked[:18, 15] = True
    planner = raceline.GridPlanner(blocked, (0, 0), (0, 29))
    first = planner.path()
    assert first["cells"][0].tolist() == [0, 0] and first["cells"][-1].tolist() == [0, 29]
    assert not blocked[tuple(first["cells"].T)].any()
    planner.update(free=[(5, 15)], blocked=[(19, 15), (18, 15)])
    blocked[5, 15], blocked[18:, 15] = False, True
    second = planner.path()
    assert second["cost"] < first["cost"] and not blocked[tuple(second["cells"].T)].any()
    fresh = list(raceline.AnytimeSearch(blocked, (0, 0), (0, 29)))
    assert fresh[-1]["cost"] == second["cost"] and fresh[-1]["factor"] == 1.0
    assert [path["factor"] for path in fresh] == sorted((path["factor"] for path in fresh), reverse=True)
    planner.move_to((4, 14))
    assert planner.start == (4, 14) and planner.path()["cost"] < second["cost"]
    planner.update(blocked=[(5, 15)])
    blocked[5, 15] = True
    assert planner.path() is None and list(raceline.AnytimeSearch(blocked, (0, 0), (0, 29))) == []
    for wrong in ((20, 0), (0, -1)):
        with pytest.raises(raceline.InputError, match="20 rows and 30 columns"):
            planner.move_to(wrong)
    with pytest.raises(raceline.InputError, match="blocked"):
        raceline.GridPlanner([1.0, 2.0], (0, 0), (0, 1))
    with pytest.raises(raceline.OptionsError, match="factor"):
        raceline.AnytimeSearch(blocked, (0, 0), (0, 29), factor=0.5)


DECISIONS = """
inputs = ["gap", "go"]
outputs = ["attack", { name = "pace", default = 0.9 }]
root = "driver"
[machines.driver]
initial = "wait"
transitions = [{ from = "wait", to = "race", when = "go" }]
[machines.driver.states.wait]
activity = ["pace = 0"]
[machines.driver.states.race]
tree = { sequence = [{ condition = "gap < 20" }, { action = "attack" }] }
"""


def test_decisions_are_stepped_and_explained(tmp_path):
    file = tmp_path / "driver.toml"
    file.write_text(DECISIONS)
    for tactics in (raceline.Tactics(DECISIONS), raceline.Tactics(file)):
        assert tactics.inputs == ["gap", "go"] and tactics.outputs == ["attack", "pace"]
        assert tactics.status is None and tactics.active == []
        assert tactics.step({}) == {"attack": 0.0, "pace": 0.0}
        assert tactics.active == ["driver.wait"] and tactics.trace == []
        tactics.set_tracing(True)
        # An input that is not named keeps its value.
        tactics.step({"go": 1})
        assert tactics.step({"gap": 12.0}, dt=0.1) == {"attack": 1.0, "pace": 0.9}
        assert tactics.active == ["driver.race"] and tactics.status == "running"
        assert any("condition gap < 20: success, because gap is 12" in line for line in tactics.trace)
        assert tactics.step([30.0, 1.0]) == {"attack": 0.0, "pace": 0.9}
        tactics.reset()
        assert tactics.active == [] and tactics.step({})["pace"] == 0.0
    for wrong, message in (({"gas": 1.0}, "no input gas: use gap, go"), ([1.0], "1 inputs were given")):
        with pytest.raises(raceline.InputError, match=message):
            tactics.step(wrong)
    with pytest.raises(raceline.InputError, match="a step's time"):
        tactics.step({}, dt=-1.0)
    with pytest.raises(raceline.OptionsError, match="line 7, machines.driver.transitions.*unknown input og"):
        raceline.Tactics(DECISIONS.replace('"go" }', '"og" }'))
    with pytest.raises(raceline.InputError, match="none.toml"):
        raceline.Tactics(tmp_path / "none.toml")


def test_paths_and_routes_are_planned(tmp_path):
    hall = tmp_path / "hall.pgm"
    hall.write_bytes(b"P5 200 100 255\n" + bytes([0]) * 1000 + bytes([254]) * 19000)
    options = dict(vehicle="robot-car", metres_per_pixel=0.1)
    plans = raceline.plan(hall, (2.0, 5.0), (18.0, 5.0), planner="all", **options)
    assert len(plans) > 5 and all(plan["length_m"] == pytest.approx(16.0, abs=2.0) for plan in plans)
    line = raceline.optimize(hall, from_=(2.0, 5.0), to=(18.0, 5.0), method="shortest-path", **options)
    assert not line.closed and line.length == pytest.approx(16.0, abs=1.0)
    with pytest.raises(raceline.OptionsError, match="planner"):
        raceline.plan(hall, (2.0, 5.0), (18.0, 5.0), planner="magic", **options)
    streets = tmp_path / "streets.svg"
    streets.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H100V80M0 0V80H100"/></svg>')
    options = dict(metres_per_pixel=1.0, street_width_m=8.0)
    found = raceline.route(streets, (0.0, 80.0), (100.0, 0.0), kind="shortest", **options)
    assert found["route"] == "shortest" and found["length_m"] == pytest.approx(180.0, abs=5.0)
    assert found["x"].shape == found["y"].shape and not found["closed"]
    with pytest.raises(raceline.OptionsError, match="route"):
        raceline.route(streets, (0.0, 80.0), (100.0, 0.0), kind="scenic", **options)
    with pytest.raises(raceline.InputError, match="it is a racing line, not a track"):
        raceline.plan(ROOT / "tracks/club.raceline.json", (0.0, 80.0), (100.0, 0.0))


def test_a_line_is_plotted(line):
    with pytest.raises(raceline.OptionsError, match="colour is 'mood'"):
        line.plot(colour="mood")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("Agg")
    axes = line.plot(colour="curvature", linewidth=2)
    assert line.plot(axes) is axes and "oval-3" in axes.get_title()


def test_without_matplotlib_a_plot_reports_what_is_missing():
    program = """
import sys
sys.modules["matplotlib"] = None
import raceline
line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
try:
    line.plot()
except raceline.RacelineError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "Line.plot needs matplotlib: pip install matplotlib\n", done.stderr


def test_the_schema_and_the_formats_are_those_of_the_commands():
    assert raceline.schema().encode() == run("schema")
    assert set(raceline.formats()) >= {"csv", "tum", "autoware", "gpx"}


TUNED = {
    "preview": (0.0, 0.8),
    "gain": (0.1, 10.0, "logarithmic"),
    "points": {"min": 4, "max": 12, "integer": True, "start": 5},
}


def cost(values):
    return (values["preview"] - 0.3) ** 2 + abs(np.log(values["gain"])) + abs(values["points"] - 9)


@pytest.mark.parametrize("method", ["cma-es", "bayesian"])
def test_numbers_are_tuned_by_their_scores(method):
    tuner = raceline.Tuner(TUNED, method, seed=3)
    for step in range(50):
        trial, values = tuner.ask()
        assert trial == step and list(values) == list(TUNED) and isinstance(values["points"], int)
        tuner.tell(trial, None if step == 4 else cost(values))
    assert tuner.trials[0]["values"]["points"] == 5 and tuner.trials[4]["failed"]
    sheet = tuner.sheet()
    assert sheet["trials"] == len(tuner) == 50 and sheet["failed"] == 1 and set(sheet["importances"]) == set(TUNED)
    best = tuner.best
    assert best == sheet["standings"][0] and best["score"] < cost(tuner.trials[0]["values"])
    assert best["deviation"] >= 0.0 and "preview" in tuner.report() and tuner.history_svg().startswith("<svg")
    # A trial that is out stays out, and everything goes on as if nothing had happened.
    trial, values = tuner.ask()
    again = pickle.loads(pickle.dumps(tuner))
    assert again.open == tuner.open == [(trial, values)] and again.save() == tuner.save()
    for one in (tuner, again):
        one.tell(trial, 1.0)
    assert again.ask() == tuner.ask()


def test_what_cannot_be_tuned_is_refused():
    for parameters, message in (
        ({}, "0 parameters"),
        ({"a": (1.0, 0.0)}, '"a" ranges from 1 to 0'),
        ({"a": (0.0, 1.0, "log")}, "unknown variant `log`"),
        ({"a": {"min": 0.0, "max": 1.0, "begin": 0.5}}, "unknown field `begin`"),
        ({"a": 3.0}, "give \\(min, max\\)"),
    ):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.Tuner(parameters)
    with pytest.raises(raceline.OptionsError, match='method is "simplex"'):
        raceline.Tuner(TUNED, "simplex")
    with pytest.raises(raceline.OptionsError, match="population is 2"):
        raceline.Tuner(TUNED, population=2)
    tuner = raceline.Tuner(TUNED, population=4)
    with pytest.raises(raceline.InputError, match="no trial 0"):
        tuner.tell(0, 1.0)
    with pytest.raises(raceline.InputError, match="no trial has a score"):
        tuner.best
    for _ in range(4):
        trial, _ = tuner.ask()
    with pytest.raises(raceline.InputError, match="4 of them without a score"):
        tuner.ask()
    with pytest.raises(raceline.InputError, match="NaN"):
        tuner.tell(trial, float("nan"))
    with pytest.raises(raceline.InputError, match="no state of a tuner"):
        raceline.Tuner.load("{}")
