"""Racing lines of many generated tracks as a dataset, in files of a chunk each; a run that stopped goes on.

    python examples/python/dataset.py kart-lines --count 10000
    python examples/python/dataset.py kart-lines --count 10000 --on dask      # or ray: pip install "dask[distributed]"

Each file is one of `raceline.save_lines`: `raceline.load_lines` reads it, and NumPy without raceline.
"""

import argparse
import os
import pathlib
import time

import raceline


def write_chunk(path, style, seeds, vehicle, method, threads):
    """Writes the lines of the seeds to `path`, whole or not at all; returns how many there are."""
    tracks = [raceline.generate(style, seed=seed) for seed in seeds]
    found = raceline.optimize_many(tracks, vehicle=vehicle, method=method, threads=threads, errors="return")
    lines = [line for line in found if isinstance(line, raceline.Line)]
    part = f"{path}.{os.getpid()}.part.npz"
    raceline.save_lines(part, lines)
    os.replace(part, path)
    return len(lines)


def on_this_machine(jobs, threads):
    return (write_chunk(*job, threads) for job in jobs)


def on_dask(jobs, threads):
    from dask.distributed import Client, as_completed

    # A chunk keeps one worker busy.
    with Client(n_workers=threads or os.cpu_count(), threads_per_worker=1, dashboard_address=None) as client:
        yield from (future.result() for future in as_completed([client.submit(write_chunk, *job, 1) for job in jobs]))


def on_ray(jobs, threads):
    import ray

    ray.init(num_cpus=threads or os.cpu_count(), include_dashboard=False, log_to_driver=False)
    waiting = [ray.remote(write_chunk).remote(*job, 1) for job in jobs]
    while waiting:
        done, waiting = ray.wait(waiting)
        yield from ray.get(done)
    ray.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--chunk", type=int, default=200)
    parser.add_argument("--style", default="kart")
    parser.add_argument("--vehicle", default="kart")
    parser.add_argument("--method", default="min-curvature")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--on", choices=["machine", "dask", "ray"], default="machine")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for first in range(0, given.count, given.chunk):
        path = given.folder / f"{given.style}-{first:07d}.npz"
        if not path.exists():
            seeds = range(first, min(first + given.chunk, given.count))
            jobs.append((str(path), given.style, seeds, given.vehicle, given.method))
    run = {"machine": on_this_machine, "dask": on_dask, "ray": on_ray}[given.on]
    began, lines = time.perf_counter(), 0
    for count in run(jobs, given.threads):
        lines += count
        print(f"{lines} lines, {lines / (time.perf_counter() - began):.1f} a second", flush=True)
    files = sorted(given.folder.glob("*.npz"))
    files = [path for path in files if ".part" not in path.name]
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
