"""The types: mypy and pyright, both strict, accept what runs and refuse what does not."""

import pathlib
import subprocess
import sys
import typing

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
found: dict[str, object] = raceline.drive(line, laps=2, obstacles=[raceline.Body(1.0, 2.0)])
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
    "raceline.optimize(3)": "int",
    "raceline.load('line.json').velocity": "velocity",
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


def test_the_stub_has_every_name_of_the_package():
    stub = pathlib.Path(raceline.__file__).with_name("__init__.pyi").read_text()
    assert all(name in stub for name in raceline.__all__)
