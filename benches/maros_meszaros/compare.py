"""Solves the quadratic programs of Maros and Mészáros by raceline's interior-point method and by Clarabel.

The problems are not part of the repository: FOLDER holds them as the .mat files of maros_meszaros_qpbenchmark, with P, q, r, A,
l and u. The last rows of A are the bounds.
"""

import argparse
import pathlib
import subprocess
import time

import clarabel
import numpy
import scipy.io
import scipy.sparse

INFINITE = 1e19
# Relative difference of the objectives and largest relative violation of a row that count as solved.
OBJECTIVE = 1e-4
VIOLATION = 1e-6


def text(p, q, a, l, u):
    p, a = p.tocoo(), a.tocoo()
    numbers = [[len(q), len(l), p.nnz, a.nnz]]
    numbers += [[row, column, repr(float(value))] for row, column, value in zip(p.row, p.col, p.data)]
    numbers += [[repr(float(value)) for value in q]]
    numbers += [[row, column, repr(float(value))] for row, column, value in zip(a.row, a.col, a.data)]
    numbers += [[repr(float(max(min(value, 1e20), -1e20))) for value in bound] for bound in (l, u)]
    return "\n".join(" ".join(map(str, line)) for line in numbers)


def by_clarabel(p, q, a, l, u):
    a = a.tocsr()
    equal = l == u
    low, high = ~equal & (l > -INFINITE), ~equal & (u < INFINITE)
    rows = scipy.sparse.vstack([a[equal], a[high], -a[low]]).tocsc()
    sides = numpy.concatenate([u[equal], u[high], -l[low]])
    cones = [clarabel.ZeroConeT(int(equal.sum())), clarabel.NonnegativeConeT(int(high.sum() + low.sum()))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    found = clarabel.DefaultSolver(scipy.sparse.triu(p).tocsc(), q, rows, sides, cones, settings).solve()
    return str(found.status), found.obj_val


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER", help="the problems, *.mat")
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the example quadratic_program, built with --release")
    parser.add_argument("--size", type=int, default=700, help="largest number of unknowns and rows; default: 700")
    parser.add_argument("--seconds", type=float, default=120, help="longest time of a problem; default: 120")
    arguments = parser.parse_args()
    solved, tried = 0, 0
    print("| Problem | n | Rows | Status | Steps | Factorisations | Objective by Clarabel's | Violation | Seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for file in sorted(arguments.folder.glob("*.mat")):
        problem = scipy.io.loadmat(file)
        p, a = problem["P"], problem["A"]
        q, l, u = (problem[name].ravel().astype(float) for name in ("q", "l", "u"))
        rows = a.shape[0]
        if len(q) + rows > arguments.size:
            continue
        tried += 1
        status, best = by_clarabel(p, q, a, l, u)
        began = time.monotonic()
        try:
            ran = subprocess.run([arguments.program], input=text(p, q, a, l, u), capture_output=True, text=True, check=True,
                                 timeout=arguments.seconds)
        except subprocess.TimeoutExpired:
            print(f"| {file.stem} | {len(q)} | {rows} | no end | | | | | |", flush=True)
            continue
        except subprocess.CalledProcessError as error:
            print(f"| {file.stem} | {len(q)} | {rows} | error: {error.stderr.strip()[-80:]} | | | | | |", flush=True)
            continue
        seconds = time.monotonic() - began
        own, steps, factorisations, objective, violation = ran.stdout.split()
        difference = (float(objective) - best) / max(1.0, abs(best))
        good = own == "Converged" and abs(difference) < OBJECTIVE and float(violation) < VIOLATION
        solved += good
        print(f"| {file.stem} | {len(q)} | {rows} | {own}{'' if good else ' !'} | {steps} | {factorisations} | {difference:+.0e}"
              f"{'' if status == 'Solved' else ' (' + status + ')'} | {float(violation):.0e} | {seconds:.1f} |", flush=True)
    print(f"\n{solved} of {tried} solved.")


if __name__ == "__main__":
    main()
