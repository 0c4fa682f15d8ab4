#!/usr/bin/env python3
"""Checks the racing lines of a folder for a GitHub job: see action.yml.

    check.py FOLDER [ARGUMENTS OF raceline batch]

Runs `raceline batch FOLDER --check`, which makes every line again, compares it with the file, and judges both.
Each line that drifted, is missing or is not sound becomes an error at its track, each warning a warning, and
the job's summary has a table. The program is that in the variable RACELINE, or raceline.
"""

import json
import os
import subprocess
import sys


def escaped(text, also=""):
    """Text of a command of the runner."""
    for character in "%\r\n" + also:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def annotation(kind, track, text):
    return f"::{kind} file={escaped(track['input'], ':,')},title=raceline::{escaped(text)}"


def problem(track):
    """What is wrong with a track, in a few lines; empty if nothing is."""
    if track["status"] == "failed":
        return track.get("error", "")
    if track["status"] == "drifted":
        return f"the line drifted from {track['output']}: run raceline batch and commit the line, or undo the change"
    return ""


def table(tracks):
    cell = lambda text: text.replace("|", "\\|").replace("\n", "<br>")
    rows = ["| Track | Line | Lap | Finding |", "|---|---|---|---|"]
    for track in tracks:
        lap = f"{track['lap_time_s']:.3f} s" if "lap_time_s" in track else ""
        findings = [problem(track), *track["warnings"]]
        rows.append(f"| {cell(track['name'])} | {track['status']} | {lap} | {cell(chr(10).join(filter(None, findings)))} |")
    return "\n".join(rows) + "\n"


def main():
    folder, *arguments = sys.argv[1:]
    command = [os.environ.get("RACELINE", "raceline"), "batch", folder, "--check", "--json", "--quiet", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        # Wrong usage, or no track: the program has reported which on stderr.
        return done.returncode or 1
    tracks = json.loads(done.stdout)["tracks"]
    for track in tracks:
        if text := problem(track):
            print(annotation("error", track, text))
        for warning in track["warnings"]:
            print(annotation("warning", track, warning))
    print(f"{sum(not problem(track) for track in tracks)} of {len(tracks)} lines are as they should be")
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(path, "a", encoding="utf-8") as summary:
            summary.write(table(tracks))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
