//! Longitude and latitude → metres about a middle: the azimuthal equidistant projection of the WGS 84 ellipsoid.
//!
//! A position becomes earth-centred coordinates, these become east, north and up at the middle (National Imagery and Mapping
//! Agency, *Department of Defense World Geodetic System 1984*, TR8350.2, third edition, 2000, section 4.4 and its table 3.1 of constants). Seen straight
//! from above, a distance R c on the ground appears as R sin c; the radius from the middle is stretched back to R c, with R the Gaussian radius
//! there (Snyder, *Map Projections: A Working Manual*, U.S. Geological Survey Professional Paper 1395, 1987, chapter 25). What remains is the stretch
//! across the radius, c²/6: 4e-7 at 10 km from the middle.

use crate::geometry::Point;

/// Half of the equatorial axis, metres.
const EQUATORIAL_M: f64 = 6_378_137.0;
/// Flattening.
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Square of the first eccentricity.
const ECCENTRICITY_SQUARED: f64 = FLATTENING * (2.0 - FLATTENING);

/// A projection about a middle.
pub(super) struct Projection {
    /// Longitude and latitude of the middle, degrees; it is at (0, 0).
    pub middle: [f64; 2],
    centre: [f64; 3],
    radius_m: f64,
}

impl Projection {
    /// About the middle of the box round `positions` (longitude and latitude, degrees), which may lie on both sides of the 180th meridian.
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
        let middle = [longitude, f64::midpoint(low[1], high[1])];
        let sine = middle[1].to_radians().sin();
        let shape = 1.0 - ECCENTRICITY_SQUARED * sine * sine;
        // √(M N): the radii of curvature along the meridian and across it.
        let radius_m = EQUATORIAL_M * (1.0 - ECCENTRICITY_SQUARED).sqrt() / shape;
        Self { middle, centre: earth_centred(middle), radius_m }
    }

    /// Metres to the east and to the north of the middle.
    pub fn project(&self, position: [f64; 2]) -> Point {
        let [x, y, z] = earth_centred(position);
        let [dx, dy, dz] = [x - self.centre[0], y - self.centre[1], z - self.centre[2]];
        let (sin_longitude, cos_longitude) = self.middle[0].to_radians().sin_cos();
        let (sin_latitude, cos_latitude) = self.middle[1].to_radians().sin_cos();
        let east = cos_longitude * dy - sin_longitude * dx;
        let outwards = cos_longitude * dx + sin_longitude * dy;
        let flat = Point::new(east, cos_latitude * dz - sin_latitude * outwards);
        let sine = (flat.coords.norm() / self.radius_m).min(1.0);
        if sine > 0.0 { flat * (sine.asin() / sine) } else { flat }
    }
}

/// Earth-centred coordinates of a position on the ellipsoid, metres.
fn earth_centred([longitude, latitude]: [f64; 2]) -> [f64; 3] {
    let (sin_longitude, cos_longitude) = longitude.to_radians().sin_cos();
    let (sin_latitude, cos_latitude) = latitude.to_radians().sin_cos();
    let normal = EQUATORIAL_M / (1.0 - ECCENTRICITY_SQUARED * sin_latitude * sin_latitude).sqrt();
    [
        normal * cos_latitude * cos_longitude,
        normal * cos_latitude * sin_longitude,
        normal * (1.0 - ECCENTRICITY_SQUARED) * sin_latitude,
    ]
}
