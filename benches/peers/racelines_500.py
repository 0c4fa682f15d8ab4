"""racelines-500: five hundred closed roads of the library of roads, each with raceline's fastest line and, for as many as time
allows, that of CasADi and IPOPT. Started by `run racelines-500`; see README.md.

A road is in the set if it is closed, level, without crossings and noise, and at least `MIN_WIDTH_M` wide, so that every program can
represent it; the set is the first roads by number for which this holds. Results are rows of a table that a later run continues.
"""

import dataclasses
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

import arguments
import car as cars
import circuits
import contestants
import judge
import table
from curve import ClosedCurve
from table import progress

ROOT = Path(__file__).resolve().parents[2]
SIZE = 500
MIN_WIDTH_M = 6.0
CLOSED_STYLES = {"circuit", "street", "kart", "oval"}
COLUMNS = ("number", "kind", "length_m", "width_m", "line", "lap_s", "own_lap_s", "processor_s", "overhang_m", "error")
TITLES = {"raceline": "raceline time-optimal", "ocp": "CasADi/IPOPT minimum time"}


def roads(program, folder):
    """(number, kind, CSV, length, width) of each road of the set."""
    folder.mkdir(parents=True, exist_ok=True)
    found = 0
    for number in itertools.count():
        if found == SIZE:
            return
        csv = folder / f"{number}.csv"
        done = subprocess.run([program, "--from", str(number), "--csv", str(csv)], capture_output=True, text=True)
        # Some sizes are too small for a road of their style.
        words = done.stdout.split(" for ")[0].split() if done.returncode == 0 else []
        if len(words) == 1 and words[0] in CLOSED_STYLES:
            rows = circuits.load(csv)
            width_m = float((rows[:, 2] + rows[:, 3]).min())
            if width_m >= MIN_WIDTH_M:
                found += 1
                yield number, words[0], csv, ClosedCurve(rows[:, :2]).length, width_m
                continue
        csv.unlink(missing_ok=True)


def read(path):
    """The rows of the table so far, by number and line."""
    if not path.exists():
        return {}
    rows = [dict(zip(COLUMNS, line.split("\t"))) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {(int(row["number"]), row["line"]): row for row in rows}


def measured(line, csv, car, vehicle, binary, folder, timeout_s):
    """Lap, own lap, processor seconds and overhang of one program's line; or its error."""
    output = folder / f"{csv.stem}.{line}.json"
    limits = (1, timeout_s, timeout_s)
    try:
        if line == "raceline":
            made = contestants.run_raceline(binary, "time-optimal", csv, vehicle, 1, output, *limits)
        else:
            made = contestants.run_peer(line, csv, dataclasses.asdict(car), output, *limits)
        verdict = judge.judge(made["points"], judge.Road(circuits.load(csv)), car)
    except Exception as failure:  # a row of its own, and the others go on
        return {"error": re.sub(r"\s+", " ", str(failure)) or type(failure).__name__}
    return {
        "lap_s": f"{verdict.lap_s:.4f}", "own_lap_s": f"{made['own_lap_s']:.4f}",
        "processor_s": f"{made['processor_s']:.3f}", "overhang_m": f"{verdict.overhang_m:.4f}",
    }


def summary(rows, markdown):
    """Both programs beside each other, and raceline's gap to IPOPT where both keep the margin."""
    numbers = sorted({number for number, _ in rows})
    solved = {line: [n for n in numbers if rows.get((n, line), {"error": "-"})["error"] == ""] for line in TITLES}
    tried = {line: sum((n, line) in rows for n in numbers) for line in TITLES}

    def value(number, line, column):
        return float(rows[number, line][column])

    kept = {line: [n for n in solved[line] if value(n, line, "overhang_m") < judge.RESOLUTION_M] for line in TITLES}
    both = [n for n in kept["raceline"] if n in kept["ocp"]]
    gaps = np.array([100.0 * (value(n, "raceline", "lap_s") / value(n, "ocp", "lap_s") - 1.0) for n in both])
    sooner = [value(n, "ocp", "processor_s") / value(n, "raceline", "processor_s") for n in solved["ocp"] if n in solved["raceline"]]
    header = ("program", "solved", "margin kept", "processor s, median")
    body = [
        (title, f"{len(solved[line])} of {tried[line]}", str(len(kept[line])),
         f"{np.median([value(n, line, 'processor_s') for n in solved[line]]):.2f}" if solved[line] else "")
        for line, title in TITLES.items()
    ]
    text = [(table.markdown if markdown else table.text)(header, body)]
    if len(gaps):
        worst = both[int(gaps.argmax())]
        text.append(
            f"Lap of raceline beyond that of IPOPT, on the {len(gaps)} roads where both keep the margin: mean {gaps.mean():+.4f} %, "
            f"median {np.median(gaps):+.4f} %, from {gaps.min():+.4f} to {gaps.max():+.4f} % (road {worst}); "
            f"faster or equal within 0.01 % on {int((gaps <= 0.01).sum())}."
        )
    if sooner:
        text.append(f"IPOPT takes {np.median(sooner):.0f} times as long, the median of processor seconds.")
    failures = [f"{n} {TITLES[line]}: {row['error']}" for (n, line), row in sorted(rows.items()) if row["error"]]
    return "\n\n".join(text + failures)


def main():
    chosen = arguments.of_racelines_500()
    binary = os.environ.get("RACELINE_BINARY", str(ROOT / "target/release/raceline"))
    program = os.environ.get("RACELINE_ROADS", str(ROOT / "target/release/raceline-road-library"))
    folder = Path(os.environ.get("RACELINE_PEERS", ROOT / "target/peers")) / "racelines-500"
    results = folder / "results.tsv"
    rows = read(results)
    try:
        car = cars.load(binary, chosen.vehicle)
    except (cars.UnusableCar, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    machine = table.environment(binary)
    if not chosen.table:
        for number, kind, csv, length_m, width_m in roads(program, folder / "roads"):
            for line in TITLES:
                if (number, line) in rows or (line == "ocp" and length_m > chosen.peer_max_length_m):
                    continue
                row = dict.fromkeys(COLUMNS, "") | {
                    "number": str(number), "kind": kind, "length_m": f"{length_m:.0f}", "width_m": f"{width_m:.2f}", "line": line,
                }
                row |= measured(line, csv, car, chosen.vehicle, binary, folder, chosen.timeout_s)
                rows[number, line] = row
                is_new = not results.exists()
                with results.open("a", encoding="utf-8") as file:
                    file.write(("\t".join(COLUMNS) + "\n" if is_new else "") + "\t".join(row[name] for name in COLUMNS) + "\n")
                progress(f"{number} {kind} {length_m:.0f} m: {TITLES[line]}: {row['error'] or row['lap_s'] + ' s'}")
    print(summary(rows, chosen.markdown))
    print(f"\nCar {car.name}, margin {car.margin_m:g} m; one thread each; laps by the judge.\n\n{table.describe(machine)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
