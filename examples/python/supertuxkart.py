"""Drives SuperTuxKart without a window: the road of a track, our line, our follower with nitro and drifts.

    pip install "raceline" "PySuperTuxKart2==0.7.4"
    python examples/python/supertuxkart.py lighthouse cornfield_crossing

The package needs the game's data, of Debian's package supertuxkart-data, in ~/.cache/PySuperTuxKart2/1.5/data, with empty
files supertuxkart.1.5 there and __downloaded__.txt above. Beside the lap of ours stands that of the game's own kart at
the hardest level, each the best of three alone on the road.

A kart turns as its wheels do; how sharply follows from its speed alone. With `drift` it turns by 0.2 to 0.8 of that,
and after a second of it, it may drive 4.5 m/s faster for three seconds. So a drift begins where the line bends by that
much for the next second. Pads on the road that make karts faster are not used: the package does not tell where they are.
"""

import math
import sys

import numpy as np
import pystk2
import raceline

FRAME_S, LAPS, KART, WHEELBASE_M = 1 / 30, 3, "tux", 1.2
# The sharpest turn: its radius by the speed, as the game's kart_characteristics.xml has it.
SPEEDS_MPS, RADII_M = (0, 10, 25, 45), (2.0, 7.5, 15.0, 30.0)
VEHICLE = {
    "name": KART, "mass_kg": 200.0, "width_m": 1.2, "length_m": 1.8, "wheelbase_m": WHEELBASE_M, "safety_distance_m": 0.5,
    "lateral_limit_mps2": 33.0, "longitudinal_limit_mps2": 40.0, "ellipse_exponent": 8.0, "drag_kgpm": 0.0, "downforce_kgpm": 0.0,
    "drive": {"power_and_force": {"power_w": 24_000.0, "force_n": 2000.0}}, "max_speed_mps": 27.0, "max_curvature_radpm": 0.2,
    "max_steering_rad": 0.5, "steering_rate_radps": 8.0,
}  # fmt: skip


def road():
    """The track between the edges of the game's road, seen from above: its x and z."""
    game = pystk2.Track()
    game.update()
    nodes = [0]
    # Where the road forks, the first way.
    while (following := game.successors[nodes[-1]][0]) != 0 and len(nodes) <= len(game.path_nodes):
        nodes.append(following)
    x, _, z = np.array(game.path_nodes, dtype=float)[nodes, 0].T
    half_width = np.array(game.path_width, dtype=float).ravel()[nodes] / 2
    return raceline.Track.from_centerline(x, z, half_width, half_width)


class Drift:
    """Decides when to drift: for a second, where the line bends enough and not too much."""

    SECONDS, FRACTIONS = 1.07, (0.2, 0.8)

    def __init__(self):
        self.side, self.since, self.ended = 0, 0.0, 0.0

    def update(self, now, speed, wanted, ahead):
        """1 for a drift to the left, -1 to the right, 0 for none. `wanted` and `ahead` are fractions of the sharpest turn."""
        side = int(np.sign(np.mean(ahead)))
        if self.side and (now - self.since > self.SECONDS or not -0.35 < self.side * wanted < 1.25):
            self.side, self.ended = 0, now
        elif not self.side and speed > 12 and now - self.ended > 0.1 and 0.15 < side * wanted < 0.8:
            if np.min(side * ahead) > 0.1 and np.max(side * ahead) < 0.85:
                self.side, self.since = side, now
        return self.side


class Driver:
    """Our follower in place of the player."""

    def __init__(self, line):
        self.line, self.drift = line, Drift()
        # A kart does not slide, so the control at the limit of grip has nothing to do.
        self.follower = raceline.Follower(line, preset="racing")

    def action(self, kart, now):
        """What the player would press."""
        position, velocity = np.array(kart.location), np.array(kart.velocity)
        nose = np.array(kart.front) - position
        heading = math.atan2(nose[2], nose[0])
        speed = velocity[0] * math.cos(heading) + velocity[2] * math.sin(heading)
        command = self.follower.step(position[0], position[2], heading, speed, FRAME_S, lateral_speed=0.0)
        radius = np.interp(max(speed, 0.0), SPEEDS_MPS, RADII_M)
        wanted = math.tan(command.steering) / WHEELBASE_M * radius
        places = (command.s + np.linspace(0.0, speed, 8)) % self.line.length
        ahead = np.interp(places, self.line.s, self.line.curvature) * radius
        side = self.drift.update(now, speed, wanted, ahead) if command.on_road else 0
        low, high = Drift.FRACTIONS
        turn = side * (2 * (side * wanted - low) / (high - low) - 1) if side else wanted
        if side and now - self.drift.since < 0.1:
            turn = side
        pressed = pystk2.Action()
        pressed.steer, pressed.drift = float(np.clip(-turn, -1.0, 1.0)), side != 0
        pressed.acceleration, pressed.brake = float(command.acceleration > -2.0), command.acceleration < -8.0
        pressed.nitro = side == 0 and speed > 15 and kart.energy > 0
        return pressed


def best_lap(track, is_ours):
    """Seconds of the best lap of three, and who drove it, if it was ours."""
    race_of = pystk2.RaceConfig(track=track, laps=LAPS, num_kart=1, difficulty=2)
    race_of.step_size, player = FRAME_S, race_of.players[0]
    control = pystk2.PlayerConfig.Controller
    player.kart, player.controller = KART, control.PLAYER_CONTROL if is_ours else control.AI_CONTROL
    race, world = pystk2.Race(race_of), pystk2.WorldState()
    race.start()
    driver = Driver(raceline.optimize(road(), vehicle=VEHICLE)) if is_ours else None
    race.step()
    world.update()
    passed = []
    while not world.karts[0].has_finished_race:
        if world.time > 120.0 * LAPS:
            sys.exit(f"{track}: {len(passed)} of {LAPS} laps in {world.time:.0f} s")
        race.step(driver.action(world.karts[0], world.time)) if driver else race.step()
        world.update()
        if world.karts[0].finished_laps >= len(passed):
            passed.append(world.time)
    race.stop()
    return min(np.diff(passed)), driver


if __name__ == "__main__":
    pystk2.init(pystk2.GraphicsConfig.none())
    for name in sys.argv[1:]:
        (game_s, _), (ours_s, driver) = best_lap(name, is_ours=False), best_lap(name, is_ours=True)
        gap = 100 * (ours_s / game_s - 1)
        print(f"{name}: the follower {ours_s:.2f} s ({gap:+.1f} %), its line {driver.line.lap_time:.2f} s, the game's kart {game_s:.2f} s")
