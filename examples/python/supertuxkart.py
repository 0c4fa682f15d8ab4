"""Drives SuperTuxKart without a window: the road of a track, our line over pick-ups and pads, our follower with drifts.

    pip install "raceline" "PySuperTuxKart2==0.7.4"
    python examples/python/supertuxkart.py lighthouse cornfield_crossing
    python examples/python/supertuxkart.py --race lighthouse

The package needs the game's data, of Debian's package supertuxkart-data, in ~/.cache/PySuperTuxKart2/1.5/data, with empty
files supertuxkart.1.5 there and __downloaded__.txt above. Beside the lap of ours stands that of the game's own kart at
the hardest level, each the best of three alone on the road. With --race, ours starts behind seven of the game's karts.

A kart turns as its wheels do; how sharply follows from its speed alone. With `drift` it turns by 0.2 to 0.8 of that,
and after a second of it, it may drive 4.5 m/s faster for three seconds. So a drift begins where the line bends by that
much for the next second. A small bottle of nitro is two pushes of 2.7 m/s. The package does not give the places of pads
that make karts faster: the road is searched for them, with a kart that is put everywhere on it.
"""

import math
import re
import sys

import numpy as np
import pystk2
import raceline

FRAME_S, LAPS, KART, WHEELBASE_M = 1 / 30, 3, "tux", 1.2
# The sharpest turn of a kart of medium weight: its radius by the speed, as the game's kart_characteristics.xml has it.
SPEEDS_MPS, RADII_M = (0, 10, 25, 45), (2.3, 8.625, 17.25, 34.5)
# Karts drive 23 m/s, and 27.5 after a drift. The line is made for that speed.
VEHICLE = {
    "name": KART, "mass_kg": 200.0, "width_m": 1.2, "length_m": 1.8, "wheelbase_m": WHEELBASE_M, "safety_distance_m": 0.5,
    "lateral_limit_mps2": 33.0, "longitudinal_limit_mps2": 40.0, "ellipse_exponent": 8.0, "drag_kgpm": 0.0, "downforce_kgpm": 0.0,
    "drive": {"power_and_force": {"power_w": 24_000.0, "force_n": 2000.0}}, "max_speed_mps": 27.0, "max_curvature_radpm": 0.2,
    "max_steering_rad": 0.5, "steering_rate_radps": 8.0,
}  # fmt: skip
# Its speeds are those of a kart on a pad: what the bends allow, so that nothing else slows it down.
FASTEST = {key: value for key, value in VEHICLE.items() if not key.endswith("_limit_mps2")} | {
    "max_speed_mps": 46.0, "drive": {"power_and_force": {"power_w": 200_000.0, "force_n": 4000.0}},
    "ggv_table": [[float(v), 40.0, float(v * v / np.interp(v, SPEEDS_MPS, RADII_M))] for v in range(5, 46, 5)],
}  # fmt: skip
# A kart turns within a frame and its wheels follow in 0.17 s: a control as strong as a car's would swing.
CONTROL = {"limit.heading_gain": 0.5, "limit.heading_rate_radps": 8.0, "limit.yaw_damping_s": 0.0, "limit.delay_s": 0.07}
# Seconds that a pick-up is worth: what its push gains. A present is a zipper once in ten times.
WORTH_S = {pystk2.Item.Type.NITRO_SMALL: 0.3, pystk2.Item.Type.NITRO_BIG: 0.9, pystk2.Item.Type.BONUS_BOX: 0.12}
BAD = (pystk2.Item.Type.BANANA, pystk2.Item.Type.BUBBLEGUM)
# How near a kart takes a pick-up, and how far its middle stays from the edges.
REACH_M, MARGIN_M = 0.7, 1.1
BANANA_M, SMOOTH_M = 0.2, 4.0
PAD_WORTH_S, PAD_MPS = 1.5, 2.0


class Road:
    """The game's road: the fastest route over the pieces of its drivelines, x and z seen from above.

    `pads` are worth `pad_worth_s` each where the road forks.
    """

    def __init__(self, game, pads, pad_worth_s):
        starts, steps, half_widths = pieces_of(game)
        # Where the road forks, the branch that is faster to the end: pieces lead on to later ones, the last to the first.
        seconds = np.linalg.norm(steps, axis=1) / VEHICLE["max_speed_mps"]
        for piece, _ in pads:
            seconds[piece] -= pad_worth_s
        left, after = np.full(len(starts), np.inf), {}
        for _ in starts:
            before = left.copy()
            for piece, following in enumerate(game.successors):
                for next_piece in following:
                    total = seconds[piece] + (0.0 if next_piece == 0 else left[next_piece])
                    if total < left[piece]:
                        left[piece], after[piece] = total, next_piece
            if np.array_equal(before, left):
                break
        route = [0]
        while after[route[-1]] != 0:
            route.append(after[route[-1]])
        self.pads = [pad for piece, pad in pads if piece in route]
        # Pieces overlap where branches meet: those that begin behind the one before are left out.
        kept = route[:1]
        for piece in route[1:]:
            if (starts[piece] - starts[kept[-1]]) @ steps[kept[-1]] > 0.0:
                kept.append(piece)
        self.starts, self.steps, self.half_width = starts[kept], steps[kept], half_widths[kept]

    def track(self):
        """The track between the edges, narrower where a bend is sharper than half the road."""
        headings = np.unwrap(np.arctan2(self.steps[:, 2], self.steps[:, 0]))
        lengths = np.hypot(self.steps[:, 0], self.steps[:, 2])
        turn = np.abs((np.roll(headings, -1) - np.roll(headings, 1) + np.pi) % (2 * np.pi) - np.pi)
        radius = (lengths + (np.roll(lengths, 1) + np.roll(lengths, -1)) / 2) / np.maximum(turn, 1e-6)
        half_width = np.minimum(self.half_width, np.maximum(0.9 * radius, 2.0))
        return raceline.Track.from_centerline(self.starts[:, 0], self.starts[:, 2], half_width, half_width)

    def is_near(self, location):
        """Whether something stands on this road, and not on another above or below it."""
        along = ((location - self.starts) * self.steps).sum(1) / (self.steps**2).sum(1)
        apart = location - self.starts - np.clip(along, 0, 1)[:, None] * self.steps
        nearest = np.argmin((apart**2).sum(1))
        aside = math.hypot(apart[nearest, 0], apart[nearest, 2])
        return abs(apart[nearest, 1] + 0.5) < 2.0 and aside < self.half_width[nearest] + 1.0


def pieces_of(game):
    """Start and step of each piece of the game's road, and half of its width."""
    pieces = np.array(game.path_nodes, dtype=float)
    return pieces[:, 0], pieces[:, 1] - pieces[:, 0], np.array(game.path_width, dtype=float).ravel() / 2


def find_pads(race, world, starts, steps, half_widths):
    """The pads that make karts faster, as gates, each with the piece of road that has it.

    A kart at 22 m/s is put everywhere, and driven for three frames.
    """
    go, stop, found, skip_m = pystk2.Action(acceleration=1.0), pystk2.Action(), [], 0.0
    home = list(world.karts[0].location)
    for piece, (start, step, half_width) in enumerate(zip(starts, steps, half_widths)):
        length, heading = float(np.linalg.norm(step)), math.atan2(step[0], step[2])
        left = np.array([step[2], 0.0, -step[0]]) / math.hypot(step[0], step[2])
        for s in np.arange(0.0, length, 2.0):
            row, skip_m = [], skip_m - 2.0
            for offset in np.arange(0.5 - half_width, half_width - 0.4, 1.0) if skip_m <= 0 else ():
                place = start + step * s / length + left * offset + [0.0, 0.1, 0.0]
                world.set_kart_location(0, place.tolist(), [0.0, math.sin(heading / 2), 0.0, math.cos(heading / 2)], 22.0)
                speeds = [22.0]
                for _ in range(3):
                    race.step(go)
                    world.update()
                    speeds.append(math.hypot(world.karts[0].velocity[0], world.karts[0].velocity[2]))
                if max(np.diff(speeds)) > PAD_MPS:
                    row.append(place)
                    # Until the push is over.
                    for _ in range(200):
                        world.set_kart_location(0, home, [0.0, 0.0, 0.0, 1.0], 0.0)
                        race.step(stop)
            if row:
                middle, skip_m = np.mean(row, axis=0) + step / length, 15.0
                reach = max(0.5, math.dist(row[0], row[-1]) / 2)
                found.append((piece, {"at": [middle[0], middle[2]], "radius_m": reach, "worth_s": PAD_WORTH_S}))
    return found


def place_beside(line, at):
    """Where something is beside the line: the index of the nearest point, and how far to its left, m."""
    apart = np.array([at[0] - line.x, at[1] - line.y])
    nearest = int(np.argmin(np.hypot(*apart)))
    heading = line.heading[nearest]
    return nearest, float(apart[1, nearest] * math.cos(heading) - apart[0, nearest] * math.sin(heading))


def choose(line, pick_ups):
    """Of the pick-ups, those with the largest worth that a kart can take one after another, less their detours."""
    offered = []
    for pick_up in pick_ups:
        nearest, offset = place_beside(line, pick_up["at"])
        room = (line.left if offset > 0 else line.right)[nearest] - MARGIN_M + pick_up["radius_m"] - 0.2
        detour = max(0.0, abs(offset) - pick_up["radius_m"])
        gain = pick_up["worth_s"] - detour**2 / 600.0 - abs(line.curvature[nearest]) * detour
        if abs(offset) < room and gain > 0.0:
            offered.append((float(line.s[nearest]), offset, gain, pick_up))
    offered.sort(key=lambda offer: offer[0])
    best = []  # for each offer: the largest gain of a chain that ends with it, and the chain
    for s, offset, gain, pick_up in offered:
        total, chain = 0.0, []
        for (before_s, before_offset, _, before), (before_total, before_chain) in zip(offered, best):
            aside = max(0.0, abs(offset - before_offset) - pick_up["radius_m"] - before["radius_m"])
            if before_total > total and aside <= (s - before_s) ** 2 / 120.0:
                total, chain = before_total, before_chain
        best.append((total + gain, [*chain, {**pick_up, "take": True}]))
    return max(best, key=lambda candidate: candidate[0])[1] if best else []


def solve(track, taken, avoided):
    """The line that takes and avoids them, without those that no line can pass."""
    while True:
        try:
            return raceline.optimize(track, vehicle=VEHICLE, method="relaxation", pick_up=taken, obstacle=avoided)
        except raceline.RacelineError as error:
            if not taken and not avoided:
                raise
            # The message has the place that no line can pass.
            named = re.search(r"(-?[\d.]+) m, (?:y )?(-?[\d.]+) m\)", str(error))
            there = (float(named[1]), float(named[2])) if named else (avoided + taken)[0]["at"]
            chosen = min(avoided + taken, key=lambda item: math.dist(item["at"], there))
            (avoided if chosen in avoided else taken).remove(chosen)


def sharpest(line, at):
    """The largest curvature of the line within 20 m of a place, 1/m."""
    return np.max(np.abs(line.curvature[np.hypot(line.x - at[0], line.y - at[1]) < 20.0]), initial=0.0)


def smooth(line):
    """The points of a line, a metre apart, without kinks at what it takes: a mean over SMOOTH_M along it."""
    count = int(line.length)
    along = np.arange(count) * line.length / count
    places = np.interp(along, line.s, line.x, period=line.length) + 1j * np.interp(along, line.s, line.y, period=line.length)
    frequencies = np.fft.fftfreq(count, line.length / count)
    places = np.fft.ifft(np.fft.fft(places) * np.exp(-0.5 * (2 * np.pi * SMOOTH_M * frequencies) ** 2))
    return np.column_stack([places.real, places.imag])


def find_line(road, world):
    """The line over what is worth its detour and around bananas, with the speeds of a kart on a pad."""
    track = road.track()
    try:
        straight = solve(track, [], [])
    except raceline.RacelineError as error:
        # A road that lies above itself twice at one place is no track: ours has no heights there.
        print(f"the middle of the road is driven: {error}", file=sys.stderr)
        middle = road.starts + road.steps / 2
        return raceline.profile(middle[:, [0, 2]], vehicle=FASTEST)
    items = [(item.type, np.array(item.location)) for item in world.items]
    items = [(kind, [place[0], place[2]]) for kind, place in items if road.is_near(place)]
    taken = [{"at": at, "radius_m": REACH_M, "worth_s": WORTH_S[kind]} for kind, at in items if kind in WORTH_S]
    taken, avoided = choose(straight, taken + road.pads), []
    line = solve(track, taken, avoided)
    for kind, at in items:
        nearest, offset = place_beside(line, at)
        if kind in BAD and abs(offset) < MARGIN_M + BANANA_M and -line.right[nearest] < offset < line.left[nearest]:
            avoided.append({"at": at, "radius_m": BANANA_M, "side": "left" if offset < 0 else "right"})
    while True:
        fast = raceline.profile(smooth(solve(track, taken, avoided)), vehicle=FASTEST)
        # What needs a bend that the kart has to brake for costs more than it gives.
        sharp = [
            item
            for item in taken + avoided
            if sharpest(fast, item["at"]) > max(1 / 18.0, 1.1 * sharpest(straight, item["at"]))
        ]
        if not sharp:
            return fast
        taken = [item for item in taken if item not in sharp]
        avoided = [item for item in avoided if item not in sharp]


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
        self.line, self.drift, self.next_push, self.slow_since = line, Drift(), 0.0, 0.0
        self.follower = raceline.Follower(line, CONTROL, preset="racing")

    def action(self, world):
        """What the player would press."""
        *others, kart = world.karts
        now = world.time
        position, velocity = np.array(kart.location), np.array(kart.velocity)
        nose = np.array(kart.front) - position
        heading = math.atan2(nose[2], nose[0])
        speed = velocity[0] * math.cos(heading) + velocity[2] * math.sin(heading)
        # The others are left out: karts are light, and whoever brakes for them comes in last.
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
        # One frame of nitro pushes for half a second and lets the kart drive faster for two more.
        if side == 0 and speed > 15 and kart.energy > 0 and command.acceleration > -2.0 and now > self.next_push:
            pressed.nitro, self.next_push = True, now + 1.6
        # A zipper on a straight.
        if kart.powerup.type == pystk2.Powerup.Type.ZIPPER and not side:
            places = (command.s + np.linspace(0.0, 45.0, 12)) % self.line.length
            pressed.fire = bool(np.max(np.abs(np.interp(places, self.line.s, self.line.curvature))) < 1 / 40)
        # Anything else at those ahead, or as a shield.
        elif others and kart.position > 1:
            pressed.fire = True
        # The bird puts a kart that stands back on the road.
        self.slow_since = now if speed > 2.0 or now < 3.0 else self.slow_since
        if now - self.slow_since > 1.5:
            pressed.rescue, self.slow_since = True, now + 3.0
        return pressed


def start(track, is_ours, karts=1):
    """A race, and its state. The last kart, which starts behind the others, is the one that counts."""
    race_of = pystk2.RaceConfig(track=track, laps=LAPS, num_kart=karts, difficulty=2)
    race_of.step_size, control = FRAME_S, pystk2.PlayerConfig.Controller
    race_of.players.clear()
    for _ in range(karts):
        race_of.players.append(pystk2.PlayerConfig(kart=KART, controller=control.AI_CONTROL))
    if is_ours:
        race_of.players[-1].controller = control.PLAYER_CONTROL
    race, world = pystk2.Race(race_of), pystk2.WorldState()
    race.start()
    race.step()
    world.update()
    return race, world


def make_line(track):
    """Our line of a track: of the road by its pads and of the shortest one, that with the faster laps."""
    race, world = start(track, is_ours=True)
    while world.time == 0.0:
        race.step(pystk2.Action())
        world.update()
    game = pystk2.Track()
    game.update()
    pads = find_pads(race, world, *pieces_of(game))
    roads = [Road(game, pads, worth_s) for worth_s in (PAD_WORTH_S, 0.0)]
    if np.array_equal(roads[0].starts, roads[1].starts):
        roads.pop()
    lines = [find_line(road, world) for road in roads]
    race.stop()
    del race  # the game runs one at a time
    # A branch may have a jump that a kart does not make from standing still, after the bird has put it there.
    return lines[0] if len(lines) == 1 else min(lines, key=lambda line: min(drive(track, line)[0], default=math.inf))


def drive(track, line=None, karts=1):
    """Seconds of each lap and the place at the end, of our kart, or of the game's where no line is given.

    A lap takes for ever where a kart does not get round.
    """
    race, world = start(track, line is not None, karts)
    driver, passed = Driver(line) if line else None, []
    while not world.karts[-1].has_finished_race:
        if world.time > 120.0 * LAPS:
            passed.append(math.inf)
            break
        race.step(driver.action(world)) if driver else race.step()
        world.update()
        if world.karts[-1].finished_laps >= len(passed):
            passed.append(world.time)
    place = world.karts[-1].position
    race.stop()
    return np.diff(passed), place


if __name__ == "__main__":
    pystk2.init(pystk2.GraphicsConfig.none())
    for name in sys.argv[1:]:
        if name == "--race":
            continue
        line = make_line(name)
        if "--race" in sys.argv:
            print(f"{name}: place {drive(name, line, karts=8)[1]} of 8")
            continue
        game_s, ours_s = min(drive(name)[0]), min(drive(name, line)[0], default=math.inf)
        gap = 100 * (ours_s / game_s - 1)
        print(f"{name}: the follower {ours_s:.2f} s ({gap:+.1f} %), the game's kart {game_s:.2f} s")
