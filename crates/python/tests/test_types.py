"""The types: mypy and pyright, both strict, accept what runs and refuse what does not."""

import pathlib
import subprocess
import sys
import typing

import numpy as np
import pytest
import raceline

GOOD = """
import numpy as np
import raceline

track = raceline.generate("kart", seed=3, spacing_m=1.0)
kart = raceline.Vehicle("kart").replace(grip=0.9, name="wet")
options: raceline.Options = {"obstacle": [{"at": (10.0, 20.0), "radius_m": 0.5}], "grip": None}
line = raceline.optimize(track, vehicle=kart, method="min-curvature", **options)
other = raceline.optimize(track, seed=4, safety_distance_m=0.3)
peak: float = float(line.speed.max())
edges = np.column_stack(track.left)
again = raceline.optimize("club.png", metres_per_pixel=0.5, direction="clockwise", end_speed_mps="free")
picture = raceline.extract(np.zeros((10, 10), dtype=np.uint8), name="drawn", road_at="10,20px")
found = raceline.drive(line, laps=2, obstacles=[raceline.Body(1.0, 2.0)])
laps: list[float] = found["lap_times_s"]
robot: raceline.Noise = {"position_m": 0.05, "grip_fraction": 0.05}
sure = raceline.optimize(track, vehicle="kart", noise=robot, confidence=0.99)
kept: float = raceline.drive(sure, noise=robot, drives=1000)["on_road_fraction"] - sure.survival["predicted"] if sure.survival else 0.0
lowest: float = float(raceline.drive(sure, laps=1, noise="robot.toml")["each_lap"]["grip"].min())
fitted = raceline.calibrate(found["trace"], base=kart)
print(fitted["vehicle"].name, fitted["drag_kgpm"]["value"], raceline.drive(line, learned=found["learned"])["clean"])
corners: list[raceline.results.Corner] = raceline.inspect(line)["corners"]
slowest = min(line.corners, key=lambda corner: corner["lowest_speed_mps"])
gained = raceline.compare(line, other)["corners"][0]["difference_s"] + raceline.coach("log.csv")["losses"]["total_s"]
plans = [plan["length_m"] for plan in raceline.plan("hall.yaml", (0.0, 1.0), (2.0, 3.0), planner="all")]
shortest: float = min(plans) + raceline.plan("hall.yaml", "1,2px", (2.0, 3.0))["cost"] + raceline.laps("log.csv")["laps"][0]["time_s"]
text: bytes = line.export(format="tum")
line.render("line.png", width=400)
for command in raceline.Follower(line, planner=True).drive(None):  # type: ignore[arg-type]
    print(command.steering, command == command)
"""
# Each is refused, with the word in the message.
BAD = {
    "raceline.optimize('club.png', metres_per_pixl=0.5)": "metres_per_pixl",
    "raceline.optimize('club.png', method='fastest')": "method",
    "raceline.optimize('club.png', direction='left')": "direction",
    "raceline.optimize('club.png', seed='four')": "seed",
    "raceline.optimize('club.png', obstacle=[{'at': (1.0, 2.0), 'radius': 0.5}])": "obstacle",
    "raceline.generate('triangle')": "triangle",
    "raceline.extract('club.png', vehicel='kart')": "vehicel",
    "raceline.drive('line.json', follower='fast')": "follower",
    "raceline.drive('line.json', noise={'place_m': 0.05})": "drive",
    "raceline.drive('line.json', noise={'position_m': 0.05})['trace']": "trace",
    "raceline.optimize(3)": "int",
    "raceline.load('line.json').velocity": "velocity",
    "raceline.drive('line.json')['laps_s']": "laps_s",
    "raceline.inspect('line.json')['corners'][0]['apex']": "apex",
    "raceline.plan('hall.yaml', '1,2px', '3,4px', planner='straight')": "planner",
}


def checked(tool, text, tmp_path):
    """What a type checker prints about a program, and its exit code."""
    program = tmp_path / "program.py"
    program.write_text(text)
    if tool == "mypy":
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", tmp_path / "cache", program]
    else:
        pytest.importorskip("pyright", reason="pyright is not installed")
        # A comment of mypy is none of pyright.
        program.write_text("# pyright: strict\n" + text.replace("# type: ignore[arg-type]", "# type: ignore"))
        command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("tool", ["mypy", "pyright"])
def test_a_program_with_the_right_types_is_accepted(tool, tmp_path):
    code, printed = checked(tool, GOOD, tmp_path)
    assert code == 0, printed


@pytest.mark.parametrize("tool", ["mypy", "pyright"])
def test_a_program_with_wrong_names_and_values_is_refused_line_by_line(tool, tmp_path):
    code, printed = checked(tool, "import raceline\n\n" + "\n".join(BAD) + "\n", tmp_path)
    assert code == 1, printed
    offset = 4 if tool == "pyright" else 3
    for number, (line, word) in enumerate(BAD.items()):
        about = [text for text in printed.splitlines() if f"program.py:{number + offset}" in text]
        assert about, f"{line} is accepted: {printed}"
        # A message goes on below, with other words in each checker.
        assert word in printed or word == "obstacle", line


def test_what_the_types_refuse_is_refused_when_it_runs():
    with pytest.raises(raceline.OptionsError, match="metres_per_pixl"):
        raceline.generate("oval", metres_per_pixl=0.5)
    with pytest.raises(raceline.OptionsError, match="method"):
        raceline.optimize(raceline.generate("oval"), method="fastest")


def test_every_option_of_the_types_is_one_of_the_library():
    hints = typing.get_type_hints(raceline.Options)
    assert {"metres_per_pixel", "obstacle", "from_", "allow_outside"} <= hints.keys() and "method" not in hints
    # A value of a wrong kind is refused by its name, so each name is known.
    for key in hints.keys() - {"allow_outside"}:
        with pytest.raises(raceline.OptionsError) as error:
            raceline.extract("no-such-file.csv", **{key: object})
        assert "is not an option" not in str(error.value), key
    assert set(typing.get_args(raceline.Method)) >= {"time-optimal", "blend"}


def strays(value, hint, where):
    """What of a value is not as its type has it."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any:
        return []
    if typing.is_typeddict(hint):
        if not isinstance(value, dict):
            return [f"{where} is {value!r}"]
        hints = typing.get_type_hints(hint, localns=vars(raceline))
        found = [f"{where}: {key} is not in the type" for key in value.keys() - hints.keys()]
        found += [f"{where}: {key} is missing" for key in hint.__required_keys__ - value.keys()]
        return found + [stray for key in value.keys() & hints.keys() for stray in strays(value[key], hints[key], f"{where}.{key}")]
    if origin is list:
        return [stray for one in value for stray in strays(one, inner[0], f"{where}[]")] if isinstance(value, list) else [f"{where} is no list"]
    if origin is dict:
        if not isinstance(value, dict):
            return [f"{where} is no dict"]
        return [stray for key, one in value.items() for stray in strays(key, inner[0], where) + strays(one, inner[1], f"{where}.{key}")]
    if origin is tuple:
        if not isinstance(value, tuple) or len(value) != len(inner):
            return [f"{where} is {value!r}"]
        return [stray for one, of in zip(value, inner) for stray in strays(one, of, f"{where}[]")]
    if origin is typing.Union:
        tried = [strays(value, one, where) for one in inner]
        return [] if [] in tried else tried[0]
    if origin is typing.Literal:
        return [] if value in inner else [f"{where} is {value!r}"]
    if origin is np.ndarray:
        return [] if isinstance(value, np.ndarray) and value.dtype == typing.get_args(inner[1])[0] else [f"{where} is no array of {inner[1]}"]
    return [] if isinstance(value, (int, float) if hint is float else hint) else [f"{where} is {value!r}"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A result of each function, by its type."""
    folder = tmp_path_factory.mktemp("results")
    track = raceline.generate("kart", seed=2)
    line = raceline.optimize(track, vehicle="kart", method="min-curvature")
    other = raceline.optimize(track, vehicle="kart", method="shortest-path")
    driven = raceline.drive(line, laps=2, learn_laps=1)
    slow = raceline.drive(line, laps=3, speed_fraction=0.9)["trace"]
    log, hall, streets = folder / "log.csv", folder / "hall.pgm", folder / "streets.svg"
    table = np.column_stack([slow[name] for name in ("time_s", "x_m", "y_m")])
    np.savetxt(log, table, delimiter=",", header="time_s,x_m,y_m", comments="")
    hall.write_bytes(b"P5 200 100 255\n" + bytes([0]) * 1000 + bytes([254]) * 19000)
    streets.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H100V80M0 0V80H100"/></svg>')
    keywords = dict(vehicle="robot-car", metres_per_pixel=0.1)
    hill = [{"s_m": 0, "z_m": 0}, {"s_m": 500, "z_m": 9}]
    hilly = raceline.optimize(raceline.generate("oval", elevation=hill), vehicle="gt", method="min-curvature")
    types = raceline.results
    return [
        (raceline.inspect(line, sectors=[200.0]), types.Inspection),
        (raceline.inspect(line, sensitivities=True), types.Inspection),
        (raceline.inspect(hilly), types.Inspection),
        (raceline.compare(line, other), types.Comparison),
        (line.corners, typing.List[types.Corner]),
        (line.candidates, typing.List[types.Candidate]),
        (driven, types.Drive),
        (raceline.drive(line, laps=1, obstacles=[raceline.Body(line.x[60], line.y[60])]), types.Drive),
        (raceline.drive(line, laps=1, noise={"grip_fraction": 0.05}, drives=2), types.NoisyDrives),
        (raceline.optimize(track, vehicle="kart", noise={"position_m": 0.02}, confidence=0.9).survival, types.Survival),
        (raceline.calibrate(slow, base="kart"), types.Calibration),
        (raceline.coach(log, track=track, vehicle="kart"), types.Coaching),
        (raceline.setup(track, {"mass_kg": (140.0, 160.0)}, vehicle="kart"), types.SetUp),
        (raceline.stint(track, 2, car={"fuel": {"work_jpkg": 1e7}}, vehicle="gt"), types.Stint),
        (raceline.laps(log, driven=True), types.Laps),
        (raceline.plan(hall, (2.0, 5.0), (18.0, 5.0), **keywords), types.Plan),
        (raceline.plan(hall, (2.0, 5.0), (18.0, 5.0), planner="all", **keywords), typing.List[types.Plan]),
        (raceline.discover(hall, (2.0, 5.0), (18.0, 5.0), radius=5.0, **keywords), types.Discovery),
        (raceline.tile_race(hall, (2.0, 5.0), (18.0, 5.0), radius=5.0, tile=4.0, **keywords), types.TileRace),
        (raceline.GridPlanner([[False, False]], (0, 0), (0, 1)).path(), types.GridPath),
        (list(raceline.AnytimeSearch([[False, False]], (0, 0), (0, 1))), typing.List[types.AnytimePath]),
        (raceline.route(streets, (0.0, 80.0), (100.0, 0.0), metres_per_pixel=1.0, street_width_m=8.0), types.Route),
    ]


def test_results_are_as_their_types_have_them(results):
    for value, hint in results:
        assert strays(value, hint, getattr(hint, "__name__", str(hint))) == []
    # The check sees what is wrong.
    plan = next(dict(value) for value, hint in results if hint is raceline.results.Plan)
    assert strays({**plan, "cost": "1"}, raceline.results.Plan, "Plan") == ["Plan.cost is '1'"]
    assert strays({**plan, "more": 1}, raceline.results.Plan, "Plan") == ["Plan: more is not in the type"]
    del plan["cost"]
    assert strays(plan, raceline.results.Plan, "Plan") == ["Plan: cost is missing"]


def test_the_stub_has_every_name_of_the_package():
    stub = pathlib.Path(raceline.__file__).with_name("__init__.pyi").read_text()
    assert all(name in stub for name in raceline.__all__)
