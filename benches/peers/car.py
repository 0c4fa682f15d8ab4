"""The car of the comparison, read from the vehicle TOML that `raceline vehicles NAME` prints: one source for everybody."""

import bisect
import dataclasses
import subprocess
import tomllib
from pathlib import Path

import numpy as np


class UnusableCar(Exception):
    """The peers can't represent this vehicle."""


@dataclasses.dataclass(frozen=True)
class Car:
    """A point mass in a friction ellipse. SI units."""

    name: str
    mass_kg: float
    margin_m: float  # from the line to an edge: half the width and the safety distance
    lateral_limit_mps2: float
    longitudinal_limit_mps2: float
    ellipse_exponent: float
    drag_kgpm: float  # ½ρcA
    max_speed_mps: float
    max_curvature_radpm: float
    drive_speeds_mps: tuple
    drive_mps2: tuple  # before drag, linear between the speeds and constant beyond them

    def drive_limit_mps2(self, speed_mps):
        """Acceleration that the drive gives at a speed, before drag."""
        speeds, limits = self.drive_speeds_mps, self.drive_mps2
        k = bisect.bisect_right(speeds, speed_mps)
        if k == 0:
            return limits[0]
        if k == len(speeds):
            return limits[-1]
        part = (speed_mps - speeds[k - 1]) / (speeds[k] - speeds[k - 1])
        return limits[k - 1] + part * (limits[k] - limits[k - 1])

    def drive_table(self):
        """[speed, acceleration] rows that reach past the top speed, as TUM's functions ask for."""
        rows = list(zip(self.drive_speeds_mps, self.drive_mps2))
        if rows[0][0] > 0.0:
            rows.insert(0, (0.0, rows[0][1]))
        if rows[-1][0] <= self.max_speed_mps:
            rows.append((self.max_speed_mps + 1.0, rows[-1][1]))
        return np.array(rows)

    def ggv_table(self):
        """[speed, longitudinal, lateral] rows: the tyres' limits, which don't depend on speed here."""
        limits = (self.longitudinal_limit_mps2, self.lateral_limit_mps2)
        return np.array([(0.0, *limits), (self.max_speed_mps + 1.0, *limits)])


def from_parameters(parameters):
    """A car from the keys of docs/reference/vehicle-keys.md, be they from a TOML or from the `vehicle` of a racing-line file."""
    table = parameters["drive"].get("table_mps2")
    if table is None:
        raise UnusableCar("the peers take the drive as a table: choose a vehicle with drive.table_mps2, such as tum-racecar")
    if parameters["downforce_kgpm"] != 0.0:
        raise UnusableCar("the peers know no downforce: choose a vehicle with downforce_kgpm = 0, such as tum-racecar")
    same = ("mass_kg", "lateral_limit_mps2", "longitudinal_limit_mps2", "ellipse_exponent", "drag_kgpm", "max_speed_mps", "max_curvature_radpm")
    return Car(
        name=parameters["name"],
        margin_m=parameters["width_m"] / 2 + parameters["safety_distance_m"],
        drive_speeds_mps=tuple(row[0] for row in table),
        drive_mps2=tuple(row[1] for row in table),
        **{key: float(parameters[key]) for key in same},
    )


def load(binary, vehicle):
    """The car of a preset's name or of a vehicle file's path, the two that `--vehicle` of raceline takes."""
    if vehicle.endswith(".toml"):
        parameters = tomllib.loads(Path(vehicle).read_text(encoding="utf-8"))
        parameters.setdefault("name", Path(vehicle).stem)
    else:
        printed = subprocess.run([binary, "vehicles", vehicle], capture_output=True, text=True)
        if printed.returncode != 0:
            raise UnusableCar(printed.stderr.strip())
        parameters = tomllib.loads(printed.stdout)
    return from_parameters(parameters)
