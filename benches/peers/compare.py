"""raceline and its peers on the same tracks with the same car, judged by the same judge. Started by `run`; see README.md."""

import dataclasses
import json
import os
import sys
from pathlib import Path

import arguments
import car as cars
import circuits
import contestants
import judge
import self_test
import table
from table import progress

ROOT = Path(__file__).resolve().parents[2]
HEADER = ("track", "line", "lap s", "lap ratio", "seconds", "seconds ratio", "processor s", "optimizer alone s", "own lap s", "greatest curvature 1/m", "margin to the edges")


def measure(track, csv, chosen, car, binary, lines, refused):
    """A row, as a dict, for each contestant on one circuit."""
    road = judge.Road(circuits.load(csv))
    limits = (chosen.runs, chosen.budget_s, chosen.timeout_s)
    jobs = [("raceline", method, f"raceline {method}") for method in chosen.methods]
    jobs += [("peer", peer, arguments.PEERS[peer]) for peer in chosen.peers]
    for kind, method, title in jobs:
        if kind == "raceline" and method in refused:
            continue
        row = {"track": track, "kind": kind, "method": method, "line": title}
        output = lines / f"{track}.{method}.json"
        try:
            if kind == "raceline":
                made = contestants.run_raceline(binary, method, csv, chosen.vehicle, chosen.threads, output, *limits)
            else:
                made = contestants.run_peer(method, csv, dataclasses.asdict(car), output, *limits)
            row |= {key: made[key] for key in ("seconds", "processor_s", "optimizer_s", "runs", "own_lap_s")}
            row |= dataclasses.asdict(judge.judge(made["points"], road, car))
            progress(f"{track}: {title}: {row['lap_s']:.3f} s lap, {row['seconds']:.2f} s")
        except contestants.Refused as refusal:
            refused[method] = str(refusal)
            progress(f"skipping {method}, which this raceline refuses: {refusal}")
            continue
        except Exception as failure:  # a row of its own, and the others go on
            row["error"] = str(failure) or type(failure).__name__
            progress(f"{track}: {title}: {row['error']}")
        yield row


def cells(row, baseline):
    """The row's texts, in the order of HEADER."""
    if "error" in row:
        return (row["track"], row["line"], *[""] * (len(HEADER) - 3), "failed")

    def number(value, digits):
        return "" if value is None else f"{value:.{digits}f}"

    def ratio(key, digits):
        return number(row[key] / baseline[key], digits) if baseline else ""

    past = row["overhang_m"]
    return (
        row["track"],
        row["line"],
        number(row["lap_s"], 3),
        ratio("lap_s", 4),
        number(row["seconds"], 2),
        ratio("seconds", 1),
        number(row["processor_s"], 2),
        number(row["optimizer_s"], 2),
        number(row["own_lap_s"], 3),
        number(row["max_curvature_radpm"], 3),
        "kept" if past < judge.RESOLUTION_M else f"past by {past:.3f} m",
    )


def summary(rows):
    """Header and rows of the table in the project's README."""
    lines = list(dict.fromkeys(row["line"] for row in rows))
    found = {(row["track"], row["line"]): row for row in rows}

    def cell(row):
        if row is None or "error" in row:
            return "failed" if row else ""
        past = "kept" if row["overhang_m"] < judge.RESOLUTION_M else f"{100 * row['overhang_m']:.0f} cm"
        return f"{row['lap_s']:.2f} s, {row['processor_s']:.1f} s, {past}"

    tracks = dict.fromkeys(row["track"] for row in rows)
    return ("lap, processor seconds, past the margin", *lines), [(track, *[cell(found.get((track, line))) for line in lines]) for track in tracks]


def main():
    chosen = arguments.of_comparison()
    if chosen.self_test:
        return self_test.main()
    binary = os.environ.get("RACELINE_BINARY", str(ROOT / "target/release/raceline"))
    folder = Path(os.environ.get("RACELINE_PEERS", ROOT / "target/peers"))
    lines = folder / "lines"
    lines.mkdir(parents=True, exist_ok=True)
    try:
        car = cars.load(binary, chosen.vehicle)
        tracks = list(circuits.find(chosen.tracks, binary, ROOT, folder / "tracks"))
    except (cars.UnusableCar, circuits.UnusableCircuit, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    machine = table.environment(binary)
    rows, refused = [], {}
    for track, csv in tracks:
        rows += measure(track, csv, chosen, car, binary, lines, refused)
    left = [method for method in chosen.methods if method not in refused]
    method = chosen.baseline if chosen.baseline in left else (left[-1] if left else None)
    base = {row["track"]: row for row in rows if row["method"] == method and "error" not in row}
    print(report(rows, base, method, refused, machine, car, chosen))
    if chosen.json:
        document = {"environment": machine, "car": dataclasses.asdict(car), "threads": chosen.threads, "baseline": method, "refused": refused, "rows": rows}
        Path(chosen.json).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


def report(rows, base, method, refused, machine, car, chosen):
    layout = table.markdown if chosen.markdown else table.text
    threads = f"{chosen.threads} of raceline" if chosen.threads else "one per core of raceline"
    notes = [
        f"Car {car.name}, margin {car.margin_m:g} m. Ratios are to raceline {method}: above 1 is slower than it. Threads: 1 of each peer, {threads}.",
        "Laps by the judge. Seconds: the whole process of raceline, the library calls alone of the peers; processor seconds tell the same on a busy machine.",
        *[f"Failed: {row['track']}, {row['line']}: {row['error']}" for row in rows if "error" in row],
        *[f"Skipped: {name}, which this raceline refuses." for name in refused],
        table.describe(machine),
    ]
    if chosen.summary:
        body = layout(*summary(rows))
    else:
        body = layout(HEADER, [cells(row, base.get(row["track"])) for row in rows])
    return body + "\n\n" + ("\n\n" if chosen.markdown else "\n").join(notes)


if __name__ == "__main__":
    sys.exit(main())
