// The unit of speeds, which the reader can change.

const speedUnits = {
  "km/h": { factor: 3.6, digits: 1 },
  "m/s": { factor: 1, digits: 2 },
  mph: { factor: 3600 / 1609.344, digits: 1 },
};
// A track for small vehicles is read in m/s.
const isSmall = pageData.is_small;
const speed = { unit: isSmall ? "m/s" : "km/h" };
const speedIn = (mps) => mps * speedUnits[speed.unit].factor;
// Without the last digit of the charts.
const speedText = (mps) => speedIn(mps).toFixed(speed.unit === "m/s" || isSmall ? speedUnits[speed.unit].digits - (isSmall ? 0 : 1) : 0);
// Metres with the decimals that a track of its size needs.
const metresText = (metres, digits = 0) => metres.toFixed(isSmall ? digits + 2 : digits);

// Sets the unit in every part of the page.
function setSpeedUnit(unit) {
  speed.unit = unit;
  const row = quantities.find((one) => one.key === "speed");
  Object.assign(row, { unit, digits: speedUnits[unit].digits });
  charts.unitChanged(row);
  corners.fill();
  fillLosses();
  fillScale();
  cursor.changed();
}
