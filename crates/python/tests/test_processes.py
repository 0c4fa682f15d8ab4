"""Forks, other processes, other threads and Ctrl-C. Each in a process of its own with a generous limit,
so that one that waits for ever fails and hinders nothing."""

import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest
import raceline

ROOT = pathlib.Path(__file__).parents[3]
CLUB = ROOT / "tracks/club.png"
# Beyond which a process waits for ever, s.
LIMIT = 300
METHODS = [
    {"method": method}
    for method in ("shortest-path", "min-curvature", "iterated-min-curvature", "blend", "sampled", "relaxation", "time-optimal")
] + [{"model": "car", "vehicle": "gt"}]

RING = """
import os, signal, sys, threading, time
import multiprocessing as mp
import numpy as np
import raceline

def ring(radius):
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    width = np.full(60, 4.0)
    return raceline.Track.from_centerline(radius * np.cos(angle), radius * np.sin(angle), width, width)

def lap_time(radius):
    return raceline.optimize(ring(radius), vehicle="kart", method="time-optimal").lap_time
"""


def run(program, path=None):
    """What a program prints; `path` is where it stands as a file, which processes that are spawned need."""
    given = ["-c", program]
    if path:
        path.write_text(program)
        given = [str(path)]
    done = subprocess.run([sys.executable, *given], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    return done.stdout


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@needs_fork
def test_a_child_that_is_forked_after_a_search_searches():
    program = RING + """
before = lap_time(40)
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, repr(lap_time(40)).encode())
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(os.read(reading, 100).decode() == repr(before) == repr(lap_time(40)))
"""
    assert run(program) == "True\n"


@needs_fork
def test_a_child_that_is_forked_during_a_search_searches():
    program = RING + f"""
begun = threading.Event()
def search():
    raceline.optimize({str(CLUB)!r}, method="blend", generations=300, progress=lambda *_: begun.set())
thread = threading.Thread(target=search)
thread.start()
begun.wait()
child = os.fork()
if child == 0:
    os._exit(0 if lap_time(40) > 0 else 1)
assert os.waitpid(child, 0)[1] == 0
thread.join()
print("done")
"""
    assert run(program) == "done\n"


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_processes_of_every_kind_give_what_this_one_gives(start, tmp_path):
    import multiprocessing

    if start not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system starts no process by {start}")
    program = RING + f"""
if __name__ == "__main__":
    here = [lap_time(radius) for radius in (30, 40, 50)]
    with mp.get_context({start!r}).Pool(2) as pool:
        print(pool.map(lap_time, (30, 40, 50)) == here)
"""
    assert run(program, tmp_path / "program.py") == "True\n"


def test_two_threads_at_once_have_their_own_results():
    def search(radius):
        angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        width = np.full(60, 4.0)
        track = raceline.Track.from_centerline(radius * np.cos(angle), radius * np.sin(angle), width, width)
        return raceline.optimize(track, vehicle="kart").to_json()

    radii, found = (30, 40), {}
    alone = {radius: search(radius) for radius in radii}
    threads = [threading.Thread(target=lambda radius=radius: found.update({radius: search(radius)})) for radius in radii]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert found == alone


def test_threads_that_ask_for_a_column_at_once_get_one_array():
    line = raceline.load(ROOT / "tracks/club.raceline.json")
    got = []
    threads = [threading.Thread(target=lambda: got.append(line.curvature)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert len(got) == 8 and all(column is line.curvature for column in got)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("options", METHODS, ids=lambda options: options.get("method", "car"))
def test_ctrl_c_ends_every_method_before_its_result(options):
    # Points so near to one another that the search takes long; Ctrl-C comes as soon as it has begun.
    program = RING + f"""
signal.signal(signal.SIGINT, signal.default_int_handler)
track = raceline.extract({str(CLUB)!r}, spacing_m=0.4)
begun = threading.Event()
def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    raceline.optimize(track, progress=lambda *_: begun.set(), **{options!r})
    print("ended")
except KeyboardInterrupt:
    # Another search works, while what is left of the first one ends.
    print("stopped", lap_time(40) > 0)
"""
    assert run(program) == "stopped True\n"
