"""Everybody who makes a line, each in a process of its own, so that one that fails or hangs costs its row and no more.

Called as a program (`contestants.py JOB.json`) this is that process: it runs one Python peer, clocks the call and writes the line.
"""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

OCP_STEP_M = 1.0


class Failed(Exception):
    """A contestant made no line; the message is for its row."""


class Refused(Exception):
    """This raceline doesn't know the method."""


def run_peer(peer, csv, car_parameters, output, runs, budget_s, timeout_s):
    """{"points", "seconds", "processor_s", "optimizer_s", "runs", "own_lap_s"} of one Python peer on one circuit."""
    job = output.with_suffix(".job.json")
    job.write_text(json.dumps({
        "peer": peer, "csv": str(csv), "car": car_parameters, "output": str(output), "runs": runs, "budget_s": budget_s,
    }), encoding="utf-8")
    output.unlink(missing_ok=True)
    try:
        done = subprocess.run([sys.executable, __file__, str(job)], capture_output=True, text=True, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise Failed(f"stopped after {timeout_s:g} s") from None
    if done.returncode != 0 or not output.exists():
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise Failed(last[:160])
    return json.loads(output.read_text(encoding="utf-8"))


def run_raceline(binary, method, csv, vehicle, threads, output, runs, budget_s, timeout_s):
    """The same of raceline: the whole process, from the start of the program to the written file."""
    command = [binary, "optimize", str(csv), "--no-sidecar", "--method", method, "--turning", "free", "--vehicle", vehicle, "-o", str(output), "--quiet"]
    if threads:
        command += ["--threads", str(threads)]
    times, processor = [], []
    while more_runs(times, runs, budget_s):
        started, used = time.perf_counter(), children_s()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s)
        except subprocess.TimeoutExpired:
            raise Failed(f"stopped after {timeout_s:g} s") from None
        times.append(time.perf_counter() - started)
        processor.append(children_s() - used)
        message = done.stderr.strip().splitlines()
        if done.returncode == 2:
            raise Refused(message[0] if message else "wrong usage")
        if done.returncode != 0:
            raise Failed(message[0].removeprefix("error: ")[:160] if message else f"exit code {done.returncode}")
    document = json.loads(output.read_text(encoding="utf-8"))
    points = [[point["x_m"], point["y_m"]] for point in document["points"]]
    return {
        "points": points, "seconds": min(times), "processor_s": min(processor), "optimizer_s": None, "runs": len(times),
        "own_lap_s": document["lap_time_s"],
    }


def children_s():
    """Processor seconds of all processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def more_runs(times, runs, budget_s):
    """Once always; again while it is cheap."""
    return not times or (len(times) < runs and sum(times) + min(times) < budget_s)


def peer_process(job):
    # Imported here, so that neither the harness nor raceline's rows need the peers, and before the clock starts.
    import car as cars
    import circuits

    car, circuit = cars.Car(**job["car"]), circuits.load(job["csv"])
    if job["peer"] == "ocp":
        import minimum_time

        def solve():
            line, own_lap_s = minimum_time.solve(circuit, car, OCP_STEP_M)
            return line, None, own_lap_s
    else:
        import tum

        def solve():
            line, optimizer_s = tum.solve(circuit, car, job["peer"])
            return line, optimizer_s, None

    times, processor, optimizer = [], [], []
    while more_runs(times, job["runs"], job["budget_s"]):
        started, used = time.perf_counter(), time.process_time()
        line, optimizer_s, own_lap_s = solve()
        times.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
        optimizer.append(optimizer_s)
    if not np.all(np.isfinite(line)):
        raise Failed("the line holds numbers that aren't finite")
    best = int(np.argmin(times))
    result = {
        "points": np.round(line, 6).tolist(), "seconds": times[best], "processor_s": min(processor), "optimizer_s": optimizer[best],
        "runs": len(times), "own_lap_s": own_lap_s,
    }
    output = Path(job["output"])
    partial = output.with_suffix(".partial")
    partial.write_text(json.dumps(result), encoding="utf-8")
    os.replace(partial, output)


if __name__ == "__main__":
    try:
        peer_process(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    except Exception as error:  # whatever a peer throws becomes its row's text
        print(f"{type(error).__name__}: {error}".replace("\n", " "), file=sys.stderr)
        sys.exit(1)
