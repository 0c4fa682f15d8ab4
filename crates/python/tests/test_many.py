"""Many tracks at once, and their lines in one file."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import raceline


@pytest.fixture(scope="module")
def ovals():
    return [raceline.generate("oval", seed=seed, length=900.0) for seed in range(4)]


def test_the_lines_do_not_depend_on_the_threads(ovals):
    alone = [raceline.optimize(oval, vehicle="gt", method="min-curvature") for oval in ovals]
    for threads in (None, 1, 3):
        assert raceline.optimize_many(iter(ovals), vehicle="gt", method="min-curvature", threads=threads) == alone
    steps = []
    raceline.optimize_many(ovals, vehicle="gt", method="min-curvature", progress=lambda *step: steps.append(step))
    assert {step[0] for step in steps} == {"searching"} and sorted(step[1] for step in steps) == [0, 1, 2, 3, 4]
    assert raceline.optimize_many([]) == []


def test_what_fails_is_raised_or_returned(ovals, tmp_path):
    mixed = [ovals[0], tmp_path / "missing.csv", ovals[1]]
    with pytest.raises(raceline.InputError, match="missing.csv"):
        raceline.optimize_many(mixed, vehicle="gt", method="min-curvature")
    first, failed, last = raceline.optimize_many(mixed, vehicle="gt", method="min-curvature", errors="return")
    assert (first.name, last.name) == ("oval-0", "oval-1") and isinstance(failed, raceline.InputError)
    for options, message in (({"threads": 0}, "threads"), ({"errors": "hide"}, "errors is"), ({"seeds": 3}, "seeds")):
        with pytest.raises(raceline.OptionsError, match=message):
            raceline.optimize_many(ovals, **options)


def test_lines_are_in_one_file(ovals, tmp_path):
    lines = raceline.optimize_many(ovals, vehicle="gt", method="min-curvature")
    raceline.save_lines(tmp_path / "lines.npz", lines)
    table, points = raceline.load_lines(tmp_path / "lines.npz")
    assert table["lap_time_s"].tolist() == [line.lap_time for line in lines] and table["closed"].all()
    for line, own in zip(lines, points):
        np.testing.assert_array_equal(own["speed_mps"], line.speed)
        np.testing.assert_array_equal(own["left_m"], line.left)
    assert (tmp_path / "lines.npz").stat().st_size < sum(len(line.to_json()) for line in lines) / 2
    raceline.save_lines(tmp_path / "none.npz", [])
    assert len(raceline.load_lines(tmp_path / "none.npz")[0]) == 0
    with pytest.raises(raceline.InputError, match="ends in .npz"):
        raceline.save_lines(tmp_path / "lines.json", lines)
    with pytest.raises(raceline.InputError, match=r"lines\[0\]"):
        raceline.save_lines(tmp_path / "lines.npz", [3])
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(raceline.InputError, match="no lines and points"):
        raceline.load_lines(tmp_path / "other.npz")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_many():
    program = f"""
import os, signal, raceline
signal.signal(signal.SIGINT, signal.default_int_handler)
track = raceline.extract({str(pathlib.Path(__file__).parents[3] / "tracks/club.png")!r})
try:
    raceline.optimize_many([track] * 50, progress=lambda stage, done, *_: done and os.kill(os.getpid(), signal.SIGINT))
    print("ended")
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout == "stopped\n", done.stderr
