"""Rows as an aligned table, as Markdown, or as JSON; and what they were measured on."""

import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys

PACKAGES = ("numpy", "scipy", "shapely", "casadi", "quadprog", "trajectory-planning-helpers")


def text(header, rows):
    """Columns aligned: the first two to the left, numbers to the right."""
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    lines = ["  ".join(cell.ljust(w) if k < 2 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths))).rstrip() for row in [header, *rows]]
    return "\n".join([lines[0], "-" * (sum(widths) + 2 * (len(widths) - 1)), *lines[1:]])


def markdown(header, rows):
    rule = ["---" if k < 2 else "--:" for k in range(len(header))]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(header), rule, *cells])


def environment(binary):
    """Date, machine and versions; no name of a host, a user or a folder."""
    return {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.machine()}",
        "raceline": " ".join(filter(None, [first_line([binary, "--version"]), commit()])),
        "rust": first_line(["rustc", "--version"]),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
    }


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            for line in info:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def commit():
    here = os.path.dirname(os.path.abspath(__file__))
    return first_line(["git", "-C", here, "describe", "--always", "--dirty", "--exclude=*"])


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else ""


def describe(environment):
    packages = ", ".join(f"{name} {version}" for name, version in environment["packages"].items())
    return (
        f"{environment['date']}, {environment['processor']}, {environment['cores']} cores, load {environment['load_1min']} at the start; "
        f"{environment['raceline']}, {environment['rust']}; Python {environment['python']}, {packages}"
    )


def progress(message):
    print(message, file=sys.stderr, flush=True)
