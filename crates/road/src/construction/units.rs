//! Whether coordinates and widths are in metres, by the size of the road that they make.

use super::ImportError;
use crate::geometry::Point;
use raceline_numerics::math;

/// A road wider than this is not for cars, metres.
pub const WIDE_M: f64 = 30.0;

/// Roads wider than this are refused, metres: the widest runways have 80.
const WIDEST_M: f64 = 200.0;
/// Roads narrower than this are refused, metres: model roads have 0.05.
const NARROWEST_M: f64 = 0.02;
/// A road shorter than this many of its widths is refused: it would have no inside.
const SHORTEST_WIDTHS: f64 = 2.0;

/// Sizes of circuits and stages for cars and model cars, from which a unit is guessed: width,
/// length, and length in widths.
const USUAL_WIDTHS_M: [f64; 2] = [0.4, 40.0];
const USUAL_LENGTHS_M: [f64; 2] = [10.0, 100_000.0];
const USUAL_SLENDERNESS: [f64; 2] = [8.0, 5000.0];
/// Length of a degree of latitude, metres.
const DEGREE_M: f64 = 111_195.0;

/// Usual width of a circuit, metres.
const USUAL_WIDTH_M: f64 = 10.0;
/// Other units, in metres.
const UNITS: [(&str, f64); 4] = [("millimetres", 1e-3), ("centimetres", 1e-2), ("feet", 0.3048), ("kilometres", 1e3)];

/// Refuses a line whose size is not that of a road in metres.
///
/// # Errors
/// [`ImportError::Units`] with the unit that would make it one.
pub fn check(positions: &[Point], closed: bool, width_m: f64) -> Result<(), ImportError> {
    let steps = positions.windows(2).map(|pair| (pair[1] - pair[0]).norm());
    let closing = match positions {
        [first, .., last] if closed => (last - first).norm(),
        _ => 0.0,
    };
    let length_m = steps.sum::<f64>() + closing;
    let is_absurd = !(NARROWEST_M..=WIDEST_M).contains(&width_m) || length_m < SHORTEST_WIDTHS * width_m;
    if !is_absurd || !length_m.is_finite() {
        return Ok(());
    }
    Err(ImportError::Units { width_m, length_m, likely: likely_unit(positions, length_m, width_m) })
}

/// The unit in which the numbers describe a usual road.
fn likely_unit(positions: &[Point], length: f64, width: f64) -> Option<String> {
    // Of several, the one that makes a road of about the usual width.
    let nearest = |fits: &dyn Fn(f64) -> bool| {
        let off = |factor: f64| math::ln(factor * width / USUAL_WIDTH_M).abs();
        let fitting = UNITS.iter().filter(|(_, factor)| fits(*factor));
        fitting.min_by(|a, b| off(a.1).total_cmp(&off(b.1))).map(|(name, _)| name)
    };
    let all = || {
        let name = nearest(&|factor| is_usual(factor * length, factor * width))?;
        Some(format!("coordinates and widths in {name}"))
    };
    let widths = || nearest(&|factor| is_usual(length, factor * width)).map(|name| format!("widths in {name}"));
    let on_globe = positions.iter().all(|p| p.x.abs() <= 180.0 && p.y.abs() <= 90.0);
    let degrees = (on_globe && is_usual(length * DEGREE_M, width))
        .then(|| "coordinates in degrees of longitude and latitude, which are read from GeoJSON".to_owned());
    degrees.or_else(all).or_else(widths)
}

fn is_usual(length_m: f64, width_m: f64) -> bool {
    let within = |[low, high]: [f64; 2], value: f64| (low..=high).contains(&value);
    within(USUAL_WIDTHS_M, width_m)
        && within(USUAL_LENGTHS_M, length_m)
        && within(USUAL_SLENDERNESS, length_m / width_m)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::construction::ImportError;
    use crate::geometry::Point;

    /// A ring of 4 km, 12 m wide, with other factors on coordinates and width.
    fn likely(coordinates: f64, widths: f64) -> Option<String> {
        let ring: Vec<Point> = (0..400)
            .map(|i| std::f64::consts::TAU * f64::from(i) / 400.0)
            .map(|t| Point::new(640.0 * coordinates * t.cos(), 640.0 * coordinates * t.sin()))
            .collect();
        match check(&ring, true, 12.0 * widths) {
            Err(ImportError::Units { likely, .. }) => Some(likely.unwrap_or_default()),
            _ => None,
        }
    }

    #[test]
    fn the_unit_follows_from_the_size() {
        assert_eq!(likely(1.0, 1.0), None);
        assert_eq!(likely(100.0, 100.0).unwrap(), "coordinates and widths in centimetres");
        assert_eq!(likely(1000.0, 1000.0).unwrap(), "coordinates and widths in millimetres");
        assert_eq!(likely(0.001, 0.001).unwrap(), "coordinates and widths in kilometres");
        assert_eq!(likely(1.0, 1000.0).unwrap(), "widths in millimetres");
        // A road of 80 m is one for model cars, one of 8 m is none.
        assert_eq!(likely(0.02, 5000.0 / 12.0).unwrap(), "widths in millimetres");
        assert_eq!(likely(0.002, 500.0 / 12.0).unwrap(), "");
        assert!(likely(1.0 / 111_195.0, 1.0).unwrap().starts_with("coordinates in degrees"));
    }
}
