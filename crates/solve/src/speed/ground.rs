//! The road under a point of a line in three dimensions: what it adds to the forces of a lap.
//!
//! At a point of the plane with the road's height z, its gradient and its second derivatives H, a
//! line runs in the direction t (unit vector, l to the left of it) with the curvature κ in the
//! plane. With p = ∇z·t, q = ∇z·l and h = t·H t, the line in space has
//!
//! ```text
//! c = √(1 + p²)                         length per length in the plane                       (1)
//! m = √(1 + p² + q²)                    n = (-p, -q, 1) / m, the road's normal               (2)
//! κ_g = κ m / c³ + q h / (m c³)         curvature in the road's surface (geodesic)           (3)
//! κ_n = h / (m c²)                      curvature towards the normal, positive in a dip      (4)
//! g_n = g / m,  g_y = g q / (m c),  g_x = g p / c   gravity: normal, across, along           (5)
//! ```
//!
//! and, with the downforce per mass d w and w = v², the tyres must give per mass
//!
//! ```text
//! across  κ_g w + g_y        along  a + g_x + resistance        and carry  g_n + (κ_n + d) w (6)
//! ```
//!
//! These are the equations of a point mass on a surface; see Perantoni and Limebeer, *Optimal
//! control of a Formula One car on a three-dimensional track* (2015), section 2, and Lovato and
//! Massaro, *A three-dimensional free-trajectory quasi-steady-state optimal-control method for
//! minimum-lap-time of race vehicles*, Vehicle System Dynamics 60 (2022), section 2.
//!
//! Deviations: the tyre limits are proportional to the load, [`Ground::load_factor`], as Rowold et
//! al., *Online time-optimal trajectory planning on three-dimensional race tracks* (2023), find
//! good enough between the g-g diagrams of different loads. Which part of κ_n counts is the choice
//! of [`LoadOptions`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use raceline_car::{Jet, STANDARD_GRAVITY, Vehicle};
use raceline_numerics::math;
use raceline_road::geometry::{Slope, Vector, left_of};
use raceline_road::range::{OutOfRange, Range};

/// Range of `crest_reserve`.
const RESERVE: Range = Range::between(0.0, 2.0);
/// Range of a fraction.
const FRACTION: Range = Range::between(0.0, 1.0);

/// Smallest factor of [`Ground::load_jet`] and of the loads at points, so that limits divided by it
/// stay finite.
pub(super) const MIN_LOAD: f64 = 0.01;

/// How the vertical curvature of the road changes the load of the tyres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LoadOptions {
    /// Reserve on crests: their vertical curvature counts 1 plus this times, since a suspension
    /// unloads its tyres more than the road alone does. Default: the vehicle's, else 0.2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = RESERVE))]
    pub crest_reserve: Option<f64>,
    /// Fraction of a dip's vertical curvature that adds load to the tyres. A suspension follows a
    /// dip late, so that what it adds cannot be relied on. What banking adds in a bend counts by
    /// `banking_share`. Default: 0.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(extend("x-range" = FRACTION))]
    pub dip_share: f64,
    /// Fraction of the load that banking adds in a bend which counts as such; the rest counts as a
    /// dip. Simulations with flat wheel forces, as TORCS's, add less than the road does. Default:
    /// 1.
    #[serde(skip_serializing_if = "is_one")]
    #[schemars(extend("x-range" = FRACTION))]
    pub banking_share: f64,
    /// Smallest load of the tyres, as a fraction of that on a level road at the same speed; it
    /// bounds the speed on crests, on straights too. Default: 0.15.
    #[serde(skip_serializing_if = "is_default_load")]
    #[schemars(extend("x-range" = FRACTION))]
    pub least_load: f64,
}

/// Default reserve.
const DEFAULT_RESERVE: f64 = 0.2;
/// Default smallest load.
const DEFAULT_LOAD: f64 = 0.15;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_load(value: &f64) -> bool {
    *value == DEFAULT_LOAD
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(value: &f64) -> bool {
    *value == 1.0
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { crest_reserve: None, dip_share: 0.0, banking_share: 1.0, least_load: DEFAULT_LOAD }
    }
}

impl LoadOptions {
    /// Every curvature as it is.
    pub const EXACT: Self = Self { crest_reserve: Some(0.0), dip_share: 1.0, banking_share: 1.0, least_load: 0.0 };

    /// Checks every option's range.
    ///
    /// ```
    /// use raceline_solve::speed::LoadOptions;
    ///
    /// assert!(LoadOptions { crest_reserve: Some(0.5), ..LoadOptions::default() }.validate().is_ok());
    /// assert!(LoadOptions { dip_share: 1.5, ..LoadOptions::default() }.validate().is_err());
    /// ```
    ///
    /// # Errors
    /// The first option outside its range, with its value and range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        self.crest_reserve.map_or(Ok(()), |reserve| RESERVE.check("crest_reserve", reserve))?;
        FRACTION.check("dip_share", self.dip_share)?;
        FRACTION.check("banking_share", self.banking_share)?;
        FRACTION.check("least_load", self.least_load)
    }

    /// The options with the vehicle's reserve where they leave it open.
    #[must_use]
    pub fn for_vehicle(self, vehicle: &Vehicle) -> Self {
        Self { crest_reserve: self.crest_reserve.or(vehicle.crest_reserve), ..self }
    }
}

/// The road under a point of a line.
///
/// ```
/// use raceline_road::geometry::{Slope, Vector};
/// use raceline_solve::speed::{Ground, LoadOptions};
///
/// // Uphill by 10 %, straight ahead.
/// let slope = Slope { height_m: 3.0, gradient: Vector::new(0.1, 0.0), bending: [0.0; 3] };
/// let ground = Ground::under(&slope, Vector::x(), 0.0, &LoadOptions::default());
/// assert!((ground.grade_rad.tan() - 0.1).abs() < 1e-12);
/// assert!((ground.gravity_along / ground.gravity_normal - 0.1).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height, m.
    pub height_m: f64,
    /// Angle of the line above the horizontal, rad: positive uphill.
    pub grade_rad: f64,
    /// Angle across the line, rad: positive where the left is higher.
    pub banking_rad: f64,
    /// Length of the line in space per length in the plane.
    pub stretch: f64,
    /// Curvature in the surface per curvature in the plane.
    pub geodesic_factor: f64,
    /// Addend to the curvature in the surface, 1/m.
    pub geodesic_offset: f64,
    /// κ_n as it counts for the load, 1/m: positive in a dip.
    pub normal_curvature: f64,
    /// κ_n of the road, 1/m.
    pub vertical_curvature: f64,
    /// Gravity towards the road, m/s².
    pub gravity_normal: f64,
    /// Lateral acceleration that the tyres must give against gravity, m/s², positive to the left.
    pub gravity_across: f64,
    /// Deceleration by gravity, m/s²: positive uphill.
    pub gravity_along: f64,
    /// Smallest load factor, see [`LoadOptions::least_load`].
    pub min_load: f64,
}

impl Ground {
    /// A level road.
    pub const LEVEL: Self = Self {
        height_m: 0.0,
        grade_rad: 0.0,
        banking_rad: 0.0,
        stretch: 1.0,
        geodesic_factor: 1.0,
        geodesic_offset: 0.0,
        normal_curvature: 0.0,
        vertical_curvature: 0.0,
        gravity_normal: STANDARD_GRAVITY,
        gravity_across: 0.0,
        gravity_along: 0.0,
        min_load: 0.0,
    };

    /// The road under a line in the direction `along` (a unit vector) with the curvature
    /// `curvature` in the plane, 1/m.
    #[must_use]
    pub fn under(slope: &Slope, along: Vector, curvature: f64, options: &LoadOptions) -> Self {
        let (p, q) = (slope.gradient.dot(&along), slope.gradient.dot(&left_of(along)));
        let [xx, xy, yy] = slope.bending;
        let h = xx * along.x * along.x + 2.0 * xy * along.x * along.y + yy * along.y * along.y;
        let c = (1.0 + p * p).sqrt(); // equation (1)
        let m = (1.0 + p * p + q * q).sqrt(); // equation (2)
        let vertical = h / (m * c * c); // equation (4)
        // What a road of this banking adds to the load because the line bends.
        let by_banking = (-q * curvature / (m * c * c)).max(0.0);
        let counted = if vertical < 0.0 {
            (1.0 + options.crest_reserve.unwrap_or(DEFAULT_RESERVE)) * vertical
        } else {
            let banked = vertical.min(options.banking_share * by_banking);
            banked + options.dip_share * (vertical - banked)
        };
        Self {
            height_m: slope.height_m,
            grade_rad: math::atan(p),
            banking_rad: math::asin(q / (m * c)),
            stretch: c,
            // Equation (3), by κ and without it.
            geodesic_factor: m / (c * c * c),
            geodesic_offset: q * h / (m * c * c * c),
            normal_curvature: counted,
            vertical_curvature: vertical,
            // Equation (5).
            gravity_normal: STANDARD_GRAVITY / m,
            gravity_across: STANDARD_GRAVITY * q / (m * c),
            gravity_along: STANDARD_GRAVITY * p / c,
            min_load: options.least_load,
        }
    }

    /// Curvature in the surface where the line's curvature in the plane is `curvature`, 1/m.
    #[inline]
    #[must_use]
    pub fn geodesic(&self, curvature: f64) -> f64 {
        self.geodesic_factor * curvature + self.geodesic_offset // equation (3)
    }

    /// Load of the tyres at the squared speed `w`, as a fraction of that on a level road;
    /// `downforce` is that per mass and w, 1/m. Negative where the vehicle would fly.
    #[inline]
    #[must_use]
    pub fn load_factor(&self, w: f64, downforce: f64) -> f64 {
        // What the tyres carry by equation (6), over the same on a level road.
        (self.gravity_normal + (self.normal_curvature + downforce) * w) / (STANDARD_GRAVITY + downforce * w)
    }

    /// [`Self::load_factor`] with its derivatives with respect to `w`, at least a hundredth.
    #[inline]
    #[must_use]
    pub(crate) fn load_jet(&self, w: f64, downforce: f64) -> Jet {
        let level = STANDARD_GRAVITY + downforce * w;
        let growth = self.normal_curvature + downforce;
        let value = (self.gravity_normal + growth * w) / level;
        if value < MIN_LOAD {
            return Jet { value: MIN_LOAD, slope: 0.0, bend: 0.0 };
        }
        let slope = (growth - value * downforce) / level;
        Jet { value, slope, bend: -2.0 * downforce * slope / level }
    }

    /// The mean of two grounds: that of an interval between two points.
    #[must_use]
    pub fn mean(&self, other: &Self) -> Self {
        let mid = f64::midpoint;
        Self {
            height_m: mid(self.height_m, other.height_m),
            grade_rad: mid(self.grade_rad, other.grade_rad),
            banking_rad: mid(self.banking_rad, other.banking_rad),
            stretch: mid(self.stretch, other.stretch),
            geodesic_factor: mid(self.geodesic_factor, other.geodesic_factor),
            geodesic_offset: mid(self.geodesic_offset, other.geodesic_offset),
            normal_curvature: mid(self.normal_curvature, other.normal_curvature),
            vertical_curvature: mid(self.vertical_curvature, other.vertical_curvature),
            gravity_normal: mid(self.gravity_normal, other.gravity_normal),
            gravity_across: mid(self.gravity_across, other.gravity_across),
            gravity_along: mid(self.gravity_along, other.gravity_along),
            min_load: mid(self.min_load, other.min_load),
        }
    }

    /// The highest squared speed at which the load is not below [`Self::min_load`], m²/s².
    #[must_use]
    pub(crate) fn flying_speed_squared(&self, downforce: f64) -> f64 {
        // g_n + (κ_n + d) w ≥ l (g + d w)
        let falls = self.min_load * downforce - downforce - self.normal_curvature;
        let spare = self.gravity_normal - self.min_load * STANDARD_GRAVITY;
        if falls > 0.0 { (spare / falls).max(0.0) } else { f64::INFINITY }
    }
}

/// Heights along a road.
pub trait Relief: std::fmt::Debug + Sync {
    /// The road under each point of a line along it, in the order of the points; each point with
    /// its derivatives with respect to arc length in the plane.
    fn along(&self, line: &[raceline_road::geometry::CurvePoint]) -> Vec<Ground>;
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::{Ground, LoadOptions};
    use raceline_car::{STANDARD_GRAVITY, Vehicle, preset};
    use raceline_road::geometry::{Slope, Vector};

    fn is_near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} {expected}");
    }

    #[test]
    fn on_a_tilted_plane_a_line_keeps_its_curvature_in_space() {
        let slope = Slope { height_m: 0.0, gradient: Vector::new(0.3, -0.2), bending: [0.0; 3] };
        // A circle of the plane's own surface, seen from above: an ellipse. At any direction its
        // normal curvature is zero.
        for angle in [0.0_f64, 0.7, 2.0, 4.0] {
            let along = Vector::new(angle.cos(), angle.sin());
            let ground = Ground::under(&slope, along, 0.02, &LoadOptions::EXACT);
            is_near(ground.normal_curvature, 0.0);
            let whole = ground.gravity_normal.powi(2) + ground.gravity_across.powi(2) + ground.gravity_along.powi(2);
            is_near(whole.sqrt(), STANDARD_GRAVITY);
        }
    }

    #[test]
    fn on_a_banked_circle_both_curvatures_are_parts_of_the_circle_s() {
        let (banking, radius) = (0.2_f64, 50.0);
        // A cone that falls to the left, where the centre is: z = tan(banking) r.
        let rise = banking.tan();
        let slope = Slope { height_m: 0.0, gradient: Vector::new(0.0, -rise), bending: [rise / radius, 0.0, 0.0] };
        for options in [LoadOptions::EXACT, LoadOptions::default()] {
            let ground = Ground::under(&slope, Vector::new(1.0, 0.0), 1.0 / radius, &options);
            is_near(ground.geodesic(1.0 / radius), banking.cos() / radius);
            is_near(ground.normal_curvature, banking.sin() / radius);
            is_near(ground.gravity_across, -STANDARD_GRAVITY * banking.sin());
            is_near(ground.banking_rad, -banking);
        }
    }

    #[test]
    fn a_crest_counts_with_its_reserve_and_a_dip_not_at_all() {
        let bent = |bend: f64| Slope { height_m: 0.0, gradient: Vector::zeros(), bending: [bend, 0.0, 0.0] };
        let counted = |bend: f64| {
            Ground::under(&bent(bend), Vector::new(1.0, 0.0), 0.0, &LoadOptions::default()).normal_curvature
        };
        is_near(counted(-0.005), -0.006);
        is_near(counted(0.005), 0.0);
    }

    /// A dip in a banked bend to the right: what its banking explains counts by one fraction, and
    /// the rest by another.
    #[test]
    fn a_dip_beyond_the_banking_counts_by_the_fraction_of_dips() {
        let (rise, curvature, bend) = (0.2, -0.02, 0.01);
        let slope = Slope { height_m: 0.0, gradient: Vector::new(0.0, rise), bending: [bend, 0.0, 0.0] };
        let options = LoadOptions { dip_share: 0.4, banking_share: 0.7, ..LoadOptions::default() };
        let m = (1.0 + rise * rise).sqrt();
        let [banked, whole] = [0.7 * rise * 0.02 / m, bend / m];
        assert!(banked < whole);
        let counted =
            |curvature: f64| Ground::under(&slope, Vector::new(1.0, 0.0), curvature, &options).normal_curvature;
        is_near(counted(curvature), banked + 0.4 * (whole - banked));
        // To the other side the banking adds nothing.
        is_near(counted(-curvature), 0.4 * whole);
        is_near(counted(0.0), 0.4 * whole);
    }

    #[test]
    fn the_reserve_is_the_options_or_else_the_vehicle_s() {
        let vehicle = Vehicle { crest_reserve: Some(0.4), ..preset("gt").unwrap() };
        let options = LoadOptions { dip_share: 0.5, ..LoadOptions::default() };
        assert_eq!(options.for_vehicle(&vehicle), LoadOptions { crest_reserve: Some(0.4), ..options });
        let own = LoadOptions { crest_reserve: Some(0.1), ..options };
        assert_eq!(own.for_vehicle(&vehicle), own);
        assert_eq!(options.for_vehicle(&Vehicle { crest_reserve: None, ..vehicle }), options);
    }

    #[test]
    fn the_flying_speed_is_that_of_the_smallest_load() {
        let slope = Slope { height_m: 0.0, gradient: Vector::zeros(), bending: [-0.01, 0.0, 0.0] };
        let ground = Ground::under(&slope, Vector::new(1.0, 0.0), 0.0, &LoadOptions::default());
        for downforce in [0.0, 0.002] {
            is_near(ground.load_factor(ground.flying_speed_squared(downforce), downforce), 0.15);
        }
        assert_eq!(Ground::LEVEL.flying_speed_squared(0.002), f64::INFINITY);
    }

    #[test]
    fn the_load_has_its_derivatives_at_random_places() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(2);
        let mut bounded = 0;
        for _ in 0..300 {
            let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
            let ground = Ground {
                normal_curvature: between(-0.01, 0.01),
                gravity_normal: between(8.0, STANDARD_GRAVITY),
                ..Ground::LEVEL
            };
            let (w, downforce, h) = (between(10.0, 3000.0), between(0.0, 0.004), 1e-3);
            let (jet, after, before) =
                (ground.load_jet(w, downforce), ground.load_jet(w + h, downforce), ground.load_jet(w - h, downforce));
            let (slope, bend) = ((after.value - before.value) / (2.0 * h), (after.slope - before.slope) / (2.0 * h));
            assert!((slope - jet.slope).abs() < 1e-10, "{w}: {slope} {jet:?}");
            assert!((bend - jet.bend).abs() < 1e-12, "{w}: {bend} {jet:?}");
            let load = ground.load_factor(w, downforce);
            assert_eq!(jet.value, load.max(super::MIN_LOAD));
            bounded += usize::from(load < super::MIN_LOAD);
        }
        assert!(bounded > 5, "{bounded}");
    }
}
