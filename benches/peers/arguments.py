"""The arguments of `run`. They need no package, so that wrong ones and --help are answered before anything is installed or built."""

import argparse
import sys

COMPARISON = "raceline and its peers on the same tracks with the same car, judged by the same judge."
PROFILES = """The speed profile of a racing-line file against TUM's calc_vel_profile, on the same curvature and with the same car."""
RACELINES_500 = "Five hundred generated roads: raceline's fastest line on each, and the minimum-time problem by IPOPT on the shorter ones."
# Of the repository's tracks: those that close, don't cross themselves and are as large as the car.
CIRCUITS = ("club", "outline", "street", "oval", "hairpin")
CIRCUIT_COLUMNS = "x_m,y_m,w_tr_right_m,w_tr_left_m"
# Name in --peers: name in the table.
PEERS = {
    "shortest": "TUM opt_shortest_path",
    "mincurv": "TUM opt_min_curv",
    "iqp": "TUM iqp_handler",
    "ocp": "CasADi/IPOPT minimum time",
}


def of_comparison():
    parser = argparse.ArgumentParser(prog="benches/peers/run", description=COMPARISON, epilog="`run profile --help` compares speed profiles instead, `run racelines-500 --help` five hundred generated roads.")
    parser.add_argument("tracks", nargs="*", metavar="TRACK", help=f"a name from tracks/, a picture, or a CSV of {CIRCUIT_COLUMNS} [default: {' '.join(CIRCUITS)}]")
    parser.add_argument("--methods", default="blend,time-optimal", metavar="LIST", help="methods of raceline; one that it refuses is skipped [default: %(default)s]")
    parser.add_argument("--peers", default=",".join(PEERS), metavar="LIST", help="peers, or none [default: %(default)s]")
    parser.add_argument("--baseline", metavar="METHOD", help="method whose lap and seconds are 1 [default: the last of --methods that isn't refused]")
    parser.add_argument("--vehicle", default="tum-racecar", help="preset or vehicle TOML with a drive table and no downforce [default: %(default)s]")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="best of so many runs, while they are cheap [default: %(default)s]")
    parser.add_argument("--budget-s", type=float, default=15.0, metavar="S", help="seconds that the repeated runs of one line may take together [default: %(default)s]")
    parser.add_argument("--timeout-s", type=float, default=1800.0, metavar="S", help="a line that takes longer is given up [default: %(default)s]")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads of raceline, 0 for one per core; the peers have one [default: %(default)s]")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--summary", action="store_true", help="one row a track: lap, processor seconds and metres past the margin of each line")
    parser.add_argument("--json", metavar="FILE", help="write everything that was measured to a file as well")
    parser.add_argument("--self-test", action="store_true", help="check the judge against closed forms and stop")
    chosen = parser.parse_args()
    chosen.methods = [name for name in chosen.methods.split(",") if name]
    chosen.peers = [] if chosen.peers == "none" else [name for name in chosen.peers.split(",") if name]
    unknown = set(chosen.peers) - set(PEERS)
    if unknown:
        parser.error(f"--peers: no peer {', '.join(sorted(unknown))}; there are {', '.join(PEERS)}")
    if chosen.baseline and chosen.baseline not in chosen.methods:
        parser.error(f"--baseline: {chosen.baseline} isn't among --methods {','.join(chosen.methods)}")
    if chosen.runs < 1:
        parser.error("--runs: at least 1")
    return chosen


def of_profiles():
    parser = argparse.ArgumentParser(prog="benches/peers/run profile", description=PROFILES)
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="racing-line files; or tracks as `run` takes them, on which raceline makes the line first")
    parser.add_argument("--method", default="blend", help="method of raceline for tracks [default: %(default)s]")
    parser.add_argument("--vehicle", default="tum-racecar", help="vehicle for tracks; a racing-line file has its own [default: %(default)s]")
    parser.add_argument("--timeout-s", type=float, default=1800.0, metavar="S", help="a run that takes longer is stopped [default: %(default)s]")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", metavar="FILE", help="write everything that was measured to a file as well")
    return parser.parse_args()


def of_racelines_500():
    parser = argparse.ArgumentParser(prog="benches/peers/run racelines-500", description=RACELINES_500)
    parser.add_argument("--vehicle", default="tum-racecar", help="preset or vehicle TOML with a drive table and no downforce [default: %(default)s]")
    parser.add_argument("--peer-max-length-m", type=float, default=1500.0, metavar="M", help="the peer solves roads of at most this length, which takes it up to a minute [default: %(default)s]")
    parser.add_argument("--timeout-s", type=float, default=1800.0, metavar="S", help="a line that takes longer is given up [default: %(default)s]")
    parser.add_argument("--table", action="store_true", help="print the table of all runs so far, and run nothing")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    if sys.argv[1:2] == ["profile"]:
        sys.argv.pop(1)
        of_profiles()
    elif sys.argv[1:2] == ["racelines-500"]:
        sys.argv.pop(1)
        of_racelines_500()
    else:
        of_comparison()
