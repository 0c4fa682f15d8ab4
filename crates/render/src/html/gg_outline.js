// The outline of a g-g diagram: what grip and drive allow, in points across and along, m/s².

function ggOutline({ across, braking, driving, drive, braking_exponent, driving_exponent }, steps = 60) {
  const rest = (use, exponent) => Math.max(0, 1 - Math.abs(use) ** exponent) ** (1 / exponent);
  const points = [];
  const side = (along) => {
    for (let k = -steps; k <= steps; k++) {
      // Closer together at the sides, where the ellipse is steep.
      const use = Math.sin((k / steps) * (Math.PI / 2));
      points.push([use * across, along(use)]);
    }
  };
  side((use) => Math.min(driving * rest(use, driving_exponent), drive));
  const above = points.splice(0);
  side((use) => -braking * rest(use, braking_exponent));
  return [...above, ...points.reverse()];
}
