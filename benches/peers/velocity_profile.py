"""The speed profile of a racing-line file against TUM's calc_vel_profile, on the same curvature and with the same car."""

import json
import os
import sys
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

import arguments
import car as cars
import circuits
import contestants
import judge
import table
import tum
from compare import ROOT

HEADER = ("track", "line", "points", "step m", "raceline s", "TUM s", "difference %", "at 1/2 step %", "at 1/4 step %", "at 1/8 step %", "judge at 1/8 step %")
REFINEMENTS = (1, 2, 4, 8)


def lap_time(speeds, lengths):
    """Seconds round a closed line, at constant acceleration from point to point."""
    return float(np.sum(2 * lengths / (speeds + np.roll(speeds, -1))))


def refined(document, parts):
    """Curvature and lengths with each step cut into `parts`; in between by a periodic cubic spline over the file's curvature."""
    s = np.array([point["s_m"] for point in document["points"]])
    curvature = np.array([point["curvature_radpm"] for point in document["points"]])
    ring = np.append(s, s[0] + document["length_m"])
    through = CubicSpline(ring, np.append(curvature, curvature[0]), bc_type="periodic")
    lengths = np.repeat(np.diff(ring) / parts, parts)
    starts = np.concatenate([[ring[0]], ring[0] + np.cumsum(lengths)[:-1]])
    return through(starts), lengths


def compare(name, document):
    if not document["closed"]:
        raise contestants.Failed("an open line; closed ones are compared")
    car = cars.from_parameters(document["vehicle"])
    row = {"track": name, "line": document["method"], "points": len(document["points"]), "step_m": document["length_m"] / len(document["points"]), "lap_time_s": document["lap_time_s"]}
    for parts in REFINEMENTS:
        curvature, lengths = refined(document, parts)
        row[f"tum_{parts}_s"] = lap_time(tum.velocity_profile(curvature, lengths, car), lengths)
    # The file's steps are even to a millimetre, so the judge may take their mean.
    row["judge_s"] = judge.lap_time(curvature, float(lengths.mean()), car)
    return row


def cells(row):
    if "error" in row:
        return (row["track"], row["line"], *[""] * (len(HEADER) - 3), f"failed: {row['error']}")

    def difference(seconds):
        return f"{100 * (seconds / row['lap_time_s'] - 1):+.3f}"

    return (
        row["track"], row["line"], str(row["points"]), f"{row['step_m']:.3f}", f"{row['lap_time_s']:.3f}", f"{row['tum_1_s']:.3f}",
        *[difference(row[f"tum_{parts}_s"]) for parts in REFINEMENTS], difference(row["judge_s"]),
    )


def documents(chosen, binary, folder):
    """(name, racing-line document) for each input; makes the lines of tracks."""
    files = [Path(name) for name in chosen.inputs if Path(name).suffix == ".json"]
    for path in files:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("format") != "raceline":
            raise contestants.Failed(f"{path}: not a racing-line file")
        yield document["name"], document
    tracks = [name for name in chosen.inputs if Path(name).suffix != ".json"]
    if tracks or not files:
        for name, csv in circuits.find(tracks, binary, ROOT, folder / "tracks"):
            output = folder / "lines" / f"{name}.{chosen.method}.json"
            output.parent.mkdir(parents=True, exist_ok=True)
            contestants.run_raceline(binary, chosen.method, csv, chosen.vehicle, 0, output, 1, 0.0, chosen.timeout_s)
            yield name, json.loads(output.read_text(encoding="utf-8"))


def main():
    chosen = arguments.of_profiles()
    binary = os.environ.get("RACELINE_BINARY", str(ROOT / "target/release/raceline"))
    folder = Path(os.environ.get("RACELINE_PEERS", ROOT / "target/peers"))
    rows = []
    try:
        for name, document in documents(chosen, binary, folder):
            table.progress(f"{name}: {document['method']}")
            try:
                rows.append(compare(name, document))
            except Exception as failure:  # a row of its own, and the others go on
                rows.append({"track": name, "line": document["method"], "error": str(failure) or type(failure).__name__})
    except (circuits.UnusableCircuit, contestants.Failed, contestants.Refused, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    machine = table.environment(binary)
    print((table.markdown if chosen.markdown else table.text)(HEADER, [cells(row) for row in rows]))
    print("\nDifferences are to the file's lap time. Finer steps are cut from the file's curvature, whose own lap time stays that of its points.")
    print(("\n" if chosen.markdown else "") + table.describe(machine))
    if chosen.json:
        Path(chosen.json).write_text(json.dumps({"environment": machine, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
