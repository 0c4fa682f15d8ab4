//! Longitude and latitude ↔ metres about a centre: the azimuthal equidistant projection of the WGS
//! 84 ellipsoid.
//!
//! A position is converted to earth-centred coordinates, and these to east, north and up at the
//! centre (National Imagery and Mapping Agency, *Department of Defense World Geodetic System 1984*,
//! TR8350.2, third edition, 2000, section 4.4 and its table 3.1 of constants). Seen from directly
//! above, a distance R c on the ground appears as R sin c, with R the Gaussian radius at the
//! centre. The distance from the centre is therefore scaled to R c (Snyder, *Map Projections: A
//! Working Manual*, U.S. Geological Survey Professional Paper 1395, 1987, chapter 25). The
//! remaining error is the stretch across the radius, c²/6: 4e-7 at 10 km from the centre.
//!
//! The inverse goes vertically from the plane to the ellipsoid. This is a quadratic equation, so
//! the inverse is exact.

use std::f64::consts::FRAC_PI_2;

use super::Point;
use raceline_numerics::math;

/// Semi-major axis, metres.
const EQUATORIAL_M: f64 = 6_378_137.0;
/// Flattening.
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Square of the first eccentricity.
const ECCENTRICITY_SQUARED: f64 = FLATTENING * (2.0 - FLATTENING);

/// A projection about a centre.
///
/// ```
/// use raceline_road::geometry::Projection;
///
/// let projection = Projection::at([11.5, 48.1]);
/// let north = projection.project([11.5, 48.101]);
/// assert!(north.x.abs() < 1e-6 && (north.y - 111.2).abs() < 0.1);
/// let back = projection.unproject(north).unwrap();
/// assert!((back[1] - 48.101).abs() < 1e-9);
/// ```
pub struct Projection {
    /// Longitude and latitude of the centre, degrees; it is at (0, 0).
    pub middle: [f64; 2],
    centre: [f64; 3],
    radius_m: f64,
}

impl Projection {
    /// About the centre of the box round `positions` (longitude and latitude, degrees), which may
    /// lie on both sides of the 180th meridian.
    #[must_use]
    pub fn about(positions: &[[f64; 2]]) -> Self {
        let reference = positions.first().map_or(0.0, |position| position[0]);
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for &[longitude, latitude] in positions {
            let east = (longitude - reference + 540.0).rem_euclid(360.0) - 180.0;
            for (axis, value) in [east, latitude].into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        let east = f64::midpoint(low[0], high[0]);
        let longitude = (reference + east + 540.0).rem_euclid(360.0) - 180.0;
        Self::at([longitude, f64::midpoint(low[1], high[1])])
    }

    /// About `middle`, longitude and latitude in degrees.
    #[must_use]
    pub fn at(middle: [f64; 2]) -> Self {
        let sine = math::sin(middle[1].to_radians());
        let shape = 1.0 - ECCENTRICITY_SQUARED * sine * sine;
        // √(M N): M and N are the radii of curvature along and across the meridian.
        let radius_m = EQUATORIAL_M * (1.0 - ECCENTRICITY_SQUARED).sqrt() / shape;
        Self { middle, centre: earth_centred(middle), radius_m }
    }

    /// Metres to the east and to the north of the centre.
    #[must_use]
    pub fn project(&self, position: [f64; 2]) -> Point {
        let [x, y, z] = earth_centred(position);
        let from_middle = [x - self.centre[0], y - self.centre[1], z - self.centre[2]];
        let [east, north, _] = self.axes();
        let flat = Point::new(dot(east, from_middle), dot(north, from_middle));
        let sine = (flat.coords.norm() / self.radius_m).min(1.0);
        if sine > 0.0 { flat * (math::asin(sine) / sine) } else { flat }
    }

    /// Longitude in (-180, 180] and latitude, degrees, of `point`, metres to the east and to the
    /// north of the centre. `None` for points farther away than a quarter of the earth's
    /// circumference.
    #[must_use]
    pub fn unproject(&self, point: Point) -> Option<[f64; 2]> {
        let angle = point.coords.norm() / self.radius_m;
        if angle.is_nan() || angle >= FRAC_PI_2 {
            return None;
        }
        let flat = if angle > 0.0 { point * (math::sin(angle) / angle) } else { point };
        let [east, north, up] = self.axes();
        let foot: [f64; 3] = std::array::from_fn(|i| self.centre[i] + east[i] * flat.x + north[i] * flat.y);
        // |scaled(foot + u up)| = a, with the z axis stretched so that the ellipsoid is a sphere: the root nearest to 0.
        let scaled = |[x, y, z]: [f64; 3]| [x, y, z / (1.0 - FLATTENING)];
        let (from, along) = (scaled(foot), scaled(up));
        let (a, b, c) = (dot(along, along), dot(from, along), dot(from, from) - EQUATORIAL_M * EQUATORIAL_M);
        let root = b * b - a * c;
        if root < 0.0 {
            return None;
        }
        let height = -c / (b + root.sqrt());
        let [x, y, z]: [f64; 3] = std::array::from_fn(|i| foot[i] + up[i] * height);
        let latitude = math::atan2(z, (1.0 - ECCENTRICITY_SQUARED) * math::hypot(x, y));
        Some([math::atan2(y, x).to_degrees(), latitude.to_degrees()])
    }

    /// Earth-centred unit vectors to the east, to the north and up at the centre.
    fn axes(&self) -> [[f64; 3]; 3] {
        let (sin_longitude, cos_longitude) = math::sin_cos(self.middle[0].to_radians());
        let (sin_latitude, cos_latitude) = math::sin_cos(self.middle[1].to_radians());
        [
            [-sin_longitude, cos_longitude, 0.0],
            [-sin_latitude * cos_longitude, -sin_latitude * sin_longitude, cos_latitude],
            [cos_latitude * cos_longitude, cos_latitude * sin_longitude, sin_latitude],
        ]
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Earth-centred coordinates of a position on the ellipsoid, metres.
fn earth_centred([longitude, latitude]: [f64; 2]) -> [f64; 3] {
    let (sin_longitude, cos_longitude) = math::sin_cos(longitude.to_radians());
    let (sin_latitude, cos_latitude) = math::sin_cos(latitude.to_radians());
    let normal = EQUATORIAL_M / (1.0 - ECCENTRICITY_SQUARED * sin_latitude * sin_latitude).sqrt();
    [
        normal * cos_latitude * cos_longitude,
        normal * cos_latitude * sin_longitude,
        normal * (1.0 - ECCENTRICITY_SQUARED) * sin_latitude,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unprojected_is_the_point_again() {
        for middle in [[0.0, 0.0], [9.28, 45.62], [-73.5, 45.5], [144.97, -37.85], [179.99, 5.0], [20.0, 89.9]] {
            let projection = Projection::at(middle);
            for (x, y) in [(0.0, 0.0), (1.0, -2.0), (-3000.0, 4000.0), (20_000.0, 1e4), (-9e4, -3e4)] {
                let position = projection.unproject(Point::new(x, y)).unwrap();
                let back = projection.project(position);
                assert!((back - Point::new(x, y)).norm() < 1e-6, "{middle:?}: {x} {y} -> {position:?} -> {back}");
            }
        }
    }

    #[test]
    fn a_step_from_the_middle_has_the_radii_of_curvature() {
        // On the equator a degree of longitude is that of a circle, a degree of latitude that of
        // the meridian.
        let projection = Projection::at([30.0, 0.0]);
        let east = projection.unproject(Point::new(100.0, 0.0)).unwrap();
        assert!((east[0] - 30.0 - (100.0 / EQUATORIAL_M).to_degrees()).abs() < 1e-12 && east[1].abs() < 1e-12);
        let north = projection.unproject(Point::new(0.0, 100.0)).unwrap();
        let meridian_m = EQUATORIAL_M * (1.0 - ECCENTRICITY_SQUARED);
        assert!((north[1] - (100.0 / meridian_m).to_degrees()).abs() < 1e-12);
        assert_eq!(projection.unproject(Point::new(2e7, 0.0)), None);
        assert_eq!(projection.unproject(Point::new(f64::NAN, 0.0)), None);
    }
}
