"""Tunes the follower's options in a simulator: laps before and after, and the methods beside random search.

    pip install raceline gymnasium
    python examples/python/tune_follower.py [--compare]

The simulator is an environment of Gymnasium with 20 frames per second, whose vehicle obeys a frame late; yours takes
the place of `lap`. Its score is noisy: each lap begins at another place of the circuit. On one circuit is tuned, on
two others the laps are measured.
"""

import sys

import gymnasium
import numpy as np
import raceline
import raceline.gym

TRIALS = 40
FRAME_RATE = 20.0
# Seconds for each metre that a wheel is off the road in a frame, and for a lap that is not complete.
OFF_ROAD, INCOMPLETE = 0.5, 30.0

# What is tuned, with the follower's own values as the start.
PARAMETERS = {
    "limit.heading_gain": {"min": 0.4, "max": 4.0, "scale": "logarithmic", "start": 1.4},
    "limit.return_s": {"min": 0.2, "max": 3.0, "scale": "logarithmic", "start": 0.7},
    "limit.preview_s": {"min": 0.0, "max": 0.3, "start": 0.1},
    "limit.yaw_damping_s": {"min": 0.0, "max": 0.4, "start": 0.12},
    "limit.speed_gain": {"min": 0.5, "max": 10.0, "scale": "logarithmic", "start": 3.0},
    "limit.speed_preview_s": {"min": 0.0, "max": 0.2, "start": 0.02},
    "limit.delay_s": {"min": 0.0, "max": 0.15, "start": 0.0},
    "limit.braking_fraction": {"min": 0.5, "max": 1.0, "start": 0.8},
}


def circuit(seed):
    """The racing line of a generated circuit, and an environment in which a vehicle drives it."""
    line = raceline.optimize(raceline.generate("kart", seed=seed), vehicle="kart", method="min-curvature")
    return line, gymnasium.make("raceline/Track-v0", track=line, frame_rate=FRAME_RATE, random_start=False)


def lap(world, options, start=0.0):
    """The score of a lap from the distance `start` along the line: its seconds with penalties."""
    line = world.unwrapped.line
    seconds, gained, off = 0.0, 0.0, 0.0
    world.reset(options={"s": start, "speed": 0.5 * float(line.speed.min())})
    policy = raceline.gym.FollowerPolicy(world, options)
    ended, late = False, np.zeros(2, dtype=np.float32)
    while not ended:
        action, late = late, policy()
        _, _, ended, cut, info = world.step(action)
        before, gained = gained, float(info["gained"])
        off += max(0.0, -float(info["room"]))
        ended = ended or cut
        seconds += 1.0 / FRAME_RATE
    if gained < line.length:
        return seconds + OFF_ROAD * off + INCOMPLETE * (2.0 - gained / line.length)
    # The part of the last frame after the finish does not count.
    return seconds - (gained - line.length) / max(gained - before, 1e-9) / FRAME_RATE + OFF_ROAD * off


def tuned(world, method, seed, trials=TRIALS):
    """The options that a tuner finds, and the tuner."""
    tuner = raceline.Tuner(PARAMETERS, method, seed=seed)
    random = np.random.default_rng(seed)
    for _ in range(trials):
        trial, options = tuner.ask()
        tuner.tell(trial, lap(world, options, random.uniform(0.0, world.unwrapped.line.length)))
    return tuner.best["values"], tuner


def at_random(world, seed, trials=TRIALS):
    """The best options of random ones, as many as the tuners try."""
    random = np.random.default_rng(seed)
    found = []
    for trial in range(trials):
        values = {}
        for name, given in PARAMETERS.items():
            low, high, part = given["min"], given["max"], random.uniform()
            values[name] = low * (high / low) ** part if given.get("scale") else low + part * (high - low)
        if trial == 0:
            values = {name: given["start"] for name, given in PARAMETERS.items()}
        found.append((lap(world, values, random.uniform(0.0, world.unwrapped.line.length)), trial, values))
    return min(found)[2]


def measured(world, options):
    """The mean score of laps from eight places: what is compared, without much noise."""
    length = world.unwrapped.line.length
    return float(np.mean([lap(world, options, length * part / 8.0) for part in range(8)]))


def main():
    compare = "--compare" in sys.argv[1:]
    start = {name: given["start"] for name, given in PARAMETERS.items()}
    _, training = circuit(7)
    others = [circuit(seed)[1] for seed in (1, 2)]
    options, tuner = tuned(training, "bayesian", 1)
    print(tuner.report())
    for name, world in zip(("training", "other 1", "other 2"), [training, *others]):
        before, after = measured(world, start), measured(world, options)
        print(f"{name}: {before:.3f} s before, {after:.3f} s after")
    assert measured(training, options) < measured(training, start)
    if not compare:
        return
    print(f"\n{TRIALS} trials each, mean of 3 seeds: training, other 1, other 2")
    searches = {
        "random": at_random,
        "cma-es": lambda world, seed: tuned(world, "cma-es", seed)[0],
        "bayesian": lambda world, seed: tuned(world, "bayesian", seed)[0],
    }
    for name, search in searches.items():
        found = [search(training, seed) for seed in range(1, 4)]
        scores = [np.mean([measured(world, options) for options in found]) for world in [training, *others]]
        print(f"{name}: " + ", ".join(f"{score:.3f} s" for score in scores))


if __name__ == "__main__":
    main()
