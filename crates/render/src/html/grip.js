// What the tyres of a line's vehicle give as a point mass, beside what its g-g diagram allows.

const GRAVITY_MPS2 = 9.80665;

// The vehicle's limits at a speed, m/s²; tyres' limits are multiplied by the factor of surface and load.
function limitsAt(limits, speed, factor) {
  const i = stepAt(limits.speed_mps, speed);
  const size = limits.speed_mps[i + 1] - limits.speed_mps[i];
  const share = size > 0 ? clamp((speed - limits.speed_mps[i]) / size, 0, 1) : 0;
  const at = (column) => mix(column[i], column[i + 1], share);
  return {
    across: at(limits.across_mps2) * factor,
    braking: at(limits.braking_mps2) * factor,
    driving: at(limits.driving_mps2) * factor,
    drive: at(limits.drive_mps2),
    resistance: at(limits.resistance_mps2),
  };
}

// Per mass across and along the line, m/s², and percent of the friction ellipse, at each point.
function tyres(line) {
  const [across, along, used] = [0, 1, 2].map(() => new Float64Array(line.speed.length));
  if (!line.limits) return [across, along, used];
  const { braking_exponent, driving_exponent } = line.limits;
  for (let i = 0; i < across.length; i++) {
    const limit = limitsAt(line.limits, line.speed[i], line.gripFactor[i]);
    across[i] = line.curvature[i] * line.speed[i] ** 2 + GRAVITY_MPS2 * Math.sin((line.banking[i] * Math.PI) / 180);
    along[i] = line.accel[i] + GRAVITY_MPS2 * Math.sin(Math.atan(line.grade[i] / 100)) + limit.resistance;
    const [most, exponent] = along[i] > 0 ? [limit.driving, driving_exponent] : [limit.braking, braking_exponent];
    const part = (value, whole) => (Math.abs(value) / whole) ** exponent;
    used[i] = Math.min(100 * (part(across[i], limit.across) + part(along[i], most)) ** (1 / exponent), 999);
  }
  return [across, along, used];
}
