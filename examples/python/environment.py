"""An environment of Gymnasium: a random driver, the follower, and 64 vehicles at once.

    python examples/python/environment.py
"""

import time

import gymnasium
import numpy as np
import raceline
import raceline.gym

VEHICLES = 64
SECONDS = 5.0

line = raceline.optimize(raceline.generate("kart", seed=7), vehicle="kart", method="min-curvature")

# A random driver, until it leaves the road.
world = gymnasium.make("raceline/Track-v0", track=line, frame_rate=20.0, random_start=False)
world.reset(seed=0)
world.action_space.seed(0)
gained, ended = 0.0, False
while not ended:
    _, reward, ended, cut, _ = world.step(world.action_space.sample())
    gained, ended = gained + reward, ended or cut
print(f"a random driver: {gained:.1f} m of {line.length:.0f} m")

# The follower, which a trained driver has to beat.
world = gymnasium.make("raceline/Track-v0", track=line, frame_rate=60.0, random_start=False)
policy = raceline.gym.FollowerPolicy(world)
world.reset(seed=0)
gained, frames, ended = 0.0, 0, False
while not ended:
    _, reward, ended, cut, _ = world.step(policy())
    gained, frames, ended = gained + reward, frames + 1, ended or cut
print(f"the follower: {gained:.1f} m, {frames / 60.0:.2f} s from rest, {line.lap_time:.2f} s by the line")

# Many at once, with actions of any kind.
worlds = gymnasium.make_vec(
    "raceline/Track-v0", num_envs=VEHICLES, vectorization_mode="vector_entry_point", track=line
)
worlds.reset(seed=0)
actions = np.random.default_rng(0).uniform(-0.3, 0.3, (VEHICLES, 2)).astype(np.float32)
steps, began = 0, time.perf_counter()
while time.perf_counter() - began < SECONDS:
    worlds.step(actions)
    steps += VEHICLES
print(f"{steps / (time.perf_counter() - began):.0f} steps of {VEHICLES} vehicles a second")
