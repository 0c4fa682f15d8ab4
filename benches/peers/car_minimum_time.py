"""The lap of a car with two axles, by CasADi and IPOPT: the yardstick of `raceline optimize --model car`.

    target/peers/venv/bin/python benches/peers/car_minimum_time.py LINE.json...

LINE.json is a line of raceline. Its points are the mesh and the start: the reference line with its curvature κ, and bounds of the
offset n from it that keep the margin. It must be of a level road, and of a vehicle with constant tyre limits, a drive table and an
exponent of 2. The equations are those of docs/explanation/car-model.md, written again here:

    τ = (1 - n κ) / (u cos ξ - v sin ξ)     n' = τ (u sin ξ + v cos ξ)     ξ' = τ r - κ     u', v', r' by the car

by the trapezoidal rule, periodic. With energy_j or energy_price_spj in the line's options, the energy of docs/explanation/car-model.md is limited or
priced; a budget is a constraint here. Steering angle and pedal are linear between points and their rates are bounded.
"""

import json
import sys
import time

import casadi
import numpy as np

GRAVITY = 9.80665
# The magic formula with its peak at 1 and the slope 3 at 0: C tan(π / 2C) = 3.
SHAPE = 1.37746093175595
STIFFNESS = np.tan(np.pi / 2 / SHAPE)
OVERLAP = 0.2
# Rounding of the energy at a pedal that is not pressed.
ROUNDING = 0.04
PEDAL_TIME_S = 0.1
SMOOTHING = 4e-3
SPEED_SHARE = 0.95
TABLE_ROUNDING_MPS = 0.25


def drive_limit(speed, rows):
    """The drive table as a smooth expression."""
    speeds, limits = np.array(rows).T
    slopes = np.concatenate([[0.0], np.diff(limits) / np.diff(speeds), [0.0]])
    total = limits[0]
    for knot, change in zip(speeds, np.diff(slopes)):
        if change != 0.0:
            reach = (speed - knot) / TABLE_ROUNDING_MPS
            total += change * TABLE_ROUNDING_MPS * (casadi.fmax(reach, 0) + casadi.log1p(casadi.exp(-casadi.fabs(reach))))
    return total


def brush_peak(peak):
    return min(peak, 0.13) + 0.15 * max(peak - 0.13, 0.0)


class Car:
    """Parameters by the keys of docs/reference/vehicle-keys.md, and the equations."""

    def __init__(self, vehicle, options):
        get = vehicle.get
        # What the lap leaves to the driver; options that have their default are not in the file.
        self.kept = (1 - options.get("longitudinal_reserve", 0.05), 1 - options.get("rear_reserve", 0.0))
        self.length = vehicle["wheelbase_m"]
        front = get("front_weight_fraction", 0.5)
        self.a, self.b = (1 - front) * self.length, front * self.length
        self.front, self.height = get("front_downforce_fraction", front), get("centre_of_gravity_m", 0.0)
        self.gyration = vehicle["yaw_inertia_kgm2"] / vehicle["mass_kg"] if "yaw_inertia_kgm2" in vehicle else self.a * self.b
        self.brake, self.drive = get("front_brake_fraction", 0.6), get("front_drive_fraction", 0.0)
        self.peak = brush_peak(vehicle["peak_slip_rad"]) if "peak_slip_rad" in vehicle else 0.12
        self.lateral, self.along = vehicle["lateral_limit_mps2"], vehicle["longitudinal_limit_mps2"]
        self.drag = vehicle["drag_kgpm"] / vehicle["mass_kg"]
        self.downforce = vehicle.get("downforce_kgpm", 0.0) / vehicle["mass_kg"]
        self.rolling = get("rolling_resistance", 0.0) * GRAVITY
        self.table = vehicle["drive"]["table_mps2"]
        rolling = np.arctan(self.length * vehicle["max_curvature_radpm"]) + self.peak
        self.lock = max(get("max_steering_rad", rolling), rolling)
        self.steering_rate = get("steering_rate_radps", 1.0)
        self.pedal_rate = self.along / PEDAL_TIME_S
        self.mass = vehicle["mass_kg"]
        self.top = vehicle["max_speed_mps"]
        self.rear = 1 + get("rear_grip_reserve", 0.05)
        moved = self.along * self.height / (GRAVITY * self.length)
        loads = (self.b / self.length + moved, self.a / self.length - moved)
        self.factor = max(self.brake / max(loads[0], 0.005), (1 - self.brake) / max(loads[1], 0.005))
        assert vehicle["ellipse_exponent"] == 2, "the exponent must be 2"

    def rates(self, u, v, r, steering, pedal):
        a, b, length = self.a, self.b, self.length
        w = u**2
        moved = pedal * self.height / length
        loads = (
            GRAVITY * b / length + self.front * self.downforce * w - moved,
            GRAVITY * a / length + (1 - self.front) * self.downforce * w + moved,
        )
        grip = self.lateral / GRAVITY
        grip_along = self.along / GRAVITY * self.factor
        driving = (pedal + casadi.sqrt(pedal**2 + OVERLAP**2)) / 2
        x_front = pedal * self.brake + driving * (self.drive - self.brake)
        along = (x_front, pedal - x_front)
        slip = (
            (steering - casadi.atan((v + a * r) / u)) / self.peak,
            -casadi.atan((v - b * r) / u) / self.peak,
        )
        share = [casadi.sin(SHAPE * casadi.atan(STIFFNESS * s)) for s in slip]
        y_front, y_rear = grip * loads[0] * share[0], grip * loads[1] * share[1] * self.rear
        lateral = (share[0], share[1] / self.kept[1])
        use = [(along[i] / (grip_along * self.kept[0] * loads[i])) ** 2 + lateral[i] ** 2 for i in range(2)]
        front_across = y_front * casadi.cos(steering) + along[0] * casadi.sin(steering)
        forward = along[0] * casadi.cos(steering) - y_front * casadi.sin(steering) + along[1] - self.rolling - self.drag * w + v * r
        return forward, front_across + y_rear - u * r, (a * front_across - b * y_rear) / self.gyration, use, slip

    def steady(self, speed, curvature, acceleration):
        """u, v, r, steering and pedal in a steady bend."""
        a, b, length = self.a, self.b, self.length
        w = speed**2
        pedal = acceleration + self.rolling + self.drag * w
        moved = pedal * self.height / length
        loads = (
            GRAVITY * b / length + self.front * self.downforce * w - moved,
            GRAVITY * a / length + (1 - self.front) * self.downforce * w + moved,
        )
        lateral = curvature * w
        needs = (lateral * b / length, lateral * a / length / self.rear)
        slip = []
        for need, load in zip(needs, loads):
            share = np.clip(need / (self.lateral / GRAVITY * load), -0.97, 0.97)
            slip.append(self.peak * np.tan(np.arcsin(share) / SHAPE) / STIFFNESS)
        r = curvature * speed
        v = b * r - speed * np.tan(slip[1])
        steering = np.arctan((v + a * r) / speed) + slip[0]
        return np.sqrt(np.maximum(w - v**2, w / 4)), v, r, np.clip(steering, -self.lock, self.lock), pedal


def solve(line):
    """Lap time without the smoothing, s; energy, J; IPOPT's statistics; and the seconds that it took."""
    vehicle, points = line["vehicle"], line["points"]
    car = Car(vehicle, line.get("options", {}))
    column = {key: np.array([point[key] for point in points]) for key in ("s_m", "heading_rad", "curvature_radpm", "speed_mps", "accel_mps2", "left_m", "right_m")}
    count = len(points)
    h = np.diff(np.append(column["s_m"], line["length_m"]))
    turn = np.diff(np.append(column["heading_rad"], column["heading_rad"][0]))
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    bend = column["curvature_radpm"]
    margin = vehicle["width_m"] / 2 + vehicle["safety_distance_m"]
    low, high = margin - column["right_m"], column["left_m"] - margin
    middle = (low + high) / 2
    narrow = high - low < 0.01
    low, high = np.where(narrow, middle - 0.005, low), np.where(narrow, middle + 0.005, high)
    reach = 0.7 / np.maximum(np.abs(bend), 1e-9)
    low, high = np.maximum(low, -reach), np.minimum(high, reach)

    scales = (5.0, 0.1, 30.0, 1.0, 0.5, car.peak, car.along)
    scaled = [casadi.MX.sym(name, count) for name in ("n", "xi", "u", "v", "r", "steering", "pedal")]
    n, xi, u, v, r, steering, pedal = (x * scale for x, scale in zip(scaled, scales))
    tau = (1 - n * bend) / (u * casadi.cos(xi) - v * casadi.sin(xi))
    forward, leftward, yaw, use, slip = car.rates(u, v, r, steering, pedal)

    def after(x):
        return casadi.vertcat(x[1:], x[0])

    slopes = (tau * (u * casadi.sin(xi) + v * casadi.cos(xi)), tau * r, tau * forward, tau * leftward, tau * yaw)
    steps = []
    for x, slope, scale in zip((n, xi, u, v, r), slopes, scales):
        steps.append((after(x) - x - h / 2 * (slope + after(slope))) / scale)
    steps[1] = steps[1] + turn / scales[1]
    interval = h / 2 * (tau + after(tau))
    turning, pressing = (after(x) - x for x in (steering, pedal))
    limits = casadi.vertcat(
        (pedal - drive_limit(u, car.table)) / car.along,
        use[0] - 1,
        use[1] - 1,
        slip[0] ** 2 - 1,
        slip[1] ** 2 - 1,
        (u**2 + v**2) / car.top**2 - 1,
        (turning - car.steering_rate * interval) / car.peak,
        (-turning - car.steering_rate * interval) / car.peak,
        (pressing - car.pedal_rate * interval) / car.along,
        (-pressing - car.pedal_rate * interval) / car.along,
    )
    lap = casadi.sum1(interval)
    smoothing = line["smoothing_sm"] if "smoothing_sm" in line else 1e-2
    change = casadi.sum1((after(scaled[5]) - scaled[5]) ** 2 / h) + casadi.sum1((after(scaled[6]) - scaled[6]) ** 2 / h)
    variables = casadi.vertcat(*scaled)
    per_second = count / line["lap_time_s"]
    options = line.get("options", {})
    returned = options.get("recuperation", 0.0)
    work = car.mass * tau * u * ((1 + returned) * pedal + (1 - returned) * casadi.sqrt(pedal**2 + ROUNDING**2)) / 2
    energy = casadi.sum1(h / 2 * (work + after(work)))
    if "energy_j" in options:
        limits = casadi.vertcat(limits, energy / options["energy_j"] - 1)
    cost = lap + smoothing * change + options.get("energy_price_spj", 0.0) * energy
    problem = {"x": variables, "f": per_second * cost, "g": casadi.vertcat(*steps, limits)}
    start = car.steady(SPEED_SHARE * column["speed_mps"], bend, SPEED_SHARE**2 * column["accel_mps2"])
    first = (np.zeros(count), -np.arctan2(start[1], start[0]), *start)
    most = (high, np.full(count, np.inf), np.full(count, car.top), *[np.full(count, np.inf)] * 2, np.full(count, car.lock), np.full(count, np.inf))
    least = (low, -most[1], np.full(count, 2.0), *[np.full(count, -np.inf)] * 2, -most[5], -most[6])
    stack = lambda columns: np.concatenate([x / scale for x, scale in zip(columns, scales)])
    settings = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "max_iter": 1000, "tol": 1e-5, "mu_init": 2e-3}}
    solver = casadi.nlpsol("car", "ipopt", problem, settings)
    begun = time.perf_counter()
    found = solver(
        x0=stack(first), lbx=stack(least), ubx=stack(most),
        lbg=np.concatenate([np.zeros(5 * count), np.full(limits.shape[0], -np.inf)]), ubg=np.zeros(5 * count + limits.shape[0]),
    )
    seconds = time.perf_counter() - begun
    lap, energy = (float(value) for value in casadi.Function("lap", [variables], [lap, energy])(found["x"]))
    return lap, energy, solver.stats(), seconds


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            line = json.load(file)
        lap, energy, stats, seconds = solve(line)
        print(f"{line['name']}: lap {lap:.4f} s, energy {1e-6 * energy:.4f} MJ, {stats['return_status']}, {stats['iter_count']} iterations, {seconds:.2f} s", flush=True)
