"""The judge against closed forms. Started by `run --self-test`; takes a second or two."""

import dataclasses
import math

import numpy as np

import circuits
import judge
from car import Car
from curve import ClosedCurve

CAR = Car(
    name="closed-form", mass_kg=1000.0, margin_m=1.5, lateral_limit_mps2=10.0, longitudinal_limit_mps2=8.0, ellipse_exponent=2.0, drag_kgpm=0.0,
    max_speed_mps=100.0, max_curvature_radpm=1.0, drive_speeds_mps=(0.0, 50.0), drive_mps2=(5.0, 5.0),
)


def circle(radius, count=400, centre=(0.0, 0.0)):
    angle = np.arange(count) * 2 * np.pi / count
    return np.column_stack([centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)])


def constant(radius):
    count = int(round(2 * np.pi * radius))
    return np.full(count, 1 / radius), 2 * np.pi * radius / count


def the_curve_of_a_circle():
    curve = ClosedCurve(circle(50.0))
    at, step = curve.even_parameters(1.0)
    yield "length of a circle of 50 m", curve.length, 2 * math.pi * 50, 1e-6
    yield "least curvature of it", curve.curvature(at).min(), 1 / 50, 1e-5
    yield "greatest curvature of it", curve.curvature(at).max(), 1 / 50, 1e-5
    yield "clockwise it is negative", ClosedCurve(circle(50.0)[::-1]).curvature(at).max(), -1 / 50, 1e-5


def a_lap_of_a_circle():
    for radius in (20.0, 80.0):
        yield f"cornering limit, {radius:g} m", judge.lap_time(*constant(radius), CAR), 2 * math.pi * radius / math.sqrt(10 * radius), 1e-9
    slow = dataclasses.replace(CAR, max_speed_mps=11.0)
    yield "top speed", judge.lap_time(*constant(80.0), slow), 2 * math.pi * 80 / 11, 1e-9
    # Drag takes its part of the ellipse: (w / (r a_y))² + (c w / (m a_x))² = 1.
    draggy = dataclasses.replace(CAR, drag_kgpm=2.0, longitudinal_limit_mps2=5.0)
    w = 1 / math.hypot(1 / (80 * 10), 2.0 / (1000 * 5.0))
    yield "ellipse balanced by drag", judge.lap_time(*constant(80.0), draggy), 2 * math.pi * 80 / math.sqrt(w), 1e-6
    # Where the drive only just meets the drag: a_d = c w / m.
    weak = dataclasses.replace(CAR, drag_kgpm=2.0, drive_mps2=(0.5, 0.5))
    yield "terminal speed", judge.lap_time(*constant(1000.0), weak), 2 * math.pi * 1000 / math.sqrt(0.5 * 1000 / 2.0), 1e-6


def a_lap_of_a_stadium():
    # Two half circles of radius r at v_c; on each straight of length d driving at 5 m/s² and braking at 8 m/s²:
    # (v_p² - v_c²) (1/10 + 1/16) = d.
    radius, straight, step = 50.0, 400.0, 0.05
    bend = int(round(math.pi * radius / step))
    half = np.concatenate([np.full(bend, 1 / radius), np.zeros(int(straight / step))])
    corner = math.sqrt(10 * radius)
    peak = math.sqrt(corner**2 + straight / (1 / 10 + 1 / 16))
    exact = 2 * (math.pi * radius / corner + (peak - corner) / 5 + (peak - corner) / 8)
    yield "stadium", judge.lap_time(np.tile(half, 2), step, CAR), exact, 2e-4


def a_circle_in_an_annulus():
    # Centre line of radius 60, 5 m to the right (outside, counter-clockwise) and 4 m to the left: walls at 56 and 65.
    road = judge.Road(np.column_stack([circle(60.0), np.full(400, 5.0), np.full(400, 4.0)]))
    for radius, exact in ((60.0, 1.5 - 4.0), (57.0, 0.5), (64.5, 1.0), (66.0, 2.5), (55.0, 2.5)):
        # The walls are drawn with corners half a metre apart, which cut 0.6 mm off the circle.
        yield f"overhang of a circle of {radius:g} m", road.overhang(ClosedCurve(circle(radius)), 1.5), exact, 1e-3
    yield "overhang of a circle shifted by 2 m", road.overhang(ClosedCurve(circle(60.0, centre=(2.0, 0.0))), 1.5), -0.5, 1e-3


def the_widths_of_an_annulus():
    sections = np.stack([circle(65.0), circle(56.0)], axis=1).tolist()
    document = {"sections": sections, "edges": {"right": circle(65.0, 4000).tolist(), "left": circle(56.0, 4000).tolist()}}
    rows = circuits.centre_line(document)
    # Smoothing may lay the line beside the middle, but the widths must lead from wherever it lies to the walls.
    radius = np.hypot(rows[:, 0], rows[:, 1])
    yield "greatest distance of the outer wall", (radius + rows[:, 2]).max(), 65.0, 1e-4
    yield "least distance of the outer wall", (radius + rows[:, 2]).min(), 65.0, 1e-4
    yield "greatest distance of the inner wall", (radius - rows[:, 3]).max(), 56.0, 1e-4
    yield "least distance of the inner wall", (radius - rows[:, 3]).min(), 56.0, 1e-4
    yield "greatest radius of the line", radius.max(), 60.5, 2e-3
    yield "least radius of the line", radius.min(), 60.5, 2e-3


def the_drive_table():
    table = dataclasses.replace(CAR, drive_speeds_mps=(10.0, 20.0, 40.0), drive_mps2=(6.0, 4.0, 1.0))
    for speed, exact in ((0.0, 6.0), (10.0, 6.0), (15.0, 5.0), (30.0, 2.5), (40.0, 1.0), (90.0, 1.0)):
        yield f"drive at {speed:g} m/s", table.drive_limit_mps2(speed), exact, 1e-12


def main():
    failures = 0
    for group in (the_curve_of_a_circle, a_lap_of_a_circle, a_lap_of_a_stadium, a_circle_in_an_annulus, the_widths_of_an_annulus, the_drive_table):
        for what, got, exact, tolerance in group():
            # Relative, but absolute for what may be near zero.
            good = abs(got - exact) <= tolerance * max(abs(exact), 1.0)
            failures += not good
            print(f"{'ok  ' if good else 'FAIL'}  {group.__name__.replace('_', ' ')}: {what}: {got:.9g}, exactly {exact:.9g}")
    print("all hold" if failures == 0 else f"{failures} fail")
    return 1 if failures else 0
