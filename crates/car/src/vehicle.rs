//! The parameters of a vehicle.

use crate::STANDARD_GRAVITY;

/// A vehicle for lap simulation: a point mass inside a g-g diagram.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Vehicle {
    /// Name of the preset or of the file. Optional in a vehicle file; default: the file's name
    /// without its extension.
    #[cfg_attr(feature = "serde", serde(default))]
    pub name: String,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Overall width, m.
    pub width_m: f64,
    /// Overall length, m.
    pub length_m: f64,
    /// Distance between the axles, m.
    pub wheelbase_m: f64,
    /// Distance between the vehicle's side and the edge of the road, m.
    pub safety_distance_m: f64,
    /// Largest lateral acceleration at standstill, m/s². Omitted (0) where `ggv_table` is
    /// specified.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub lateral_limit_mps2: f64,
    /// Largest braking and driving acceleration of the tyres at standstill, m/s². Omitted (0) where
    /// `ggv_table` is specified.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub longitudinal_limit_mps2: f64,
    /// The tyre limits over speed, in place of the two constants: points (speed m/s, longitudinal
    /// m/s², lateral m/s²) with increasing speeds; linear in between with rounded kinks, constant
    /// beyond the ends. They include downforce, so `downforce_kgpm` must be 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub ggv_table: Vec<[f64; 3]>,
    /// Largest driving acceleration of the tyres over speed where it is not that of braking, for
    /// instance because not all wheels are driven: points (speed m/s, acceleration m/s²), as in
    /// `ggv_table`. Unlike `drive`, it grows and falls with the grip and the load. Default: the
    /// longitudinal limit.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub driving_limit_table: Vec<[f64; 2]>,
    /// Exponent of the friction ellipse: 1 is a diamond, 2 an ellipse.
    pub ellipse_exponent: f64,
    /// Exponent of the ellipse while driving. Default: `ellipse_exponent`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub driving_exponent: Option<f64>,
    /// ½ρcA of drag, kg/m: drag force = this times speed squared.
    pub drag_kgpm: f64,
    /// ½ρcA of downforce, kg/m: both tyre limits grow by the factor 1 + this times speed squared /
    /// (mass times g).
    pub downforce_kgpm: f64,
    /// ½ρcA of the downforce that `ggv_table` includes, kg/m. Only a road in three dimensions needs
    /// it, for the load of the tyres on crests. Optional; estimate: what makes the lateral limit grow
    /// as in the table.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub table_downforce_kgpm: Option<f64>,
    /// Coefficient of rolling resistance: rolling resistance = this times mass times g. Default: 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub rolling_resistance: f64,
    /// The limit of the drive over speed.
    pub drive: DriveLimit,
    /// Time without drive at each change up, s: the time to accelerate grows by it at each of
    /// `gear_change_speeds_mps`. Default: 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub gear_change_s: f64,
    /// Speeds of the changes up, m/s, increasing. Default: none.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub gear_change_speeds_mps: Vec<f64>,
    /// Largest speed, m/s.
    pub max_speed_mps: f64,
    /// Largest curvature that the steering allows, 1/m.
    pub max_curvature_radpm: f64,
    /// Largest angle of the front wheels to either side, rad, at least that of `max_curvature_radpm`
    /// without slip. Optional; estimate: that angle plus the slip angle of the tyres' peak.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub max_steering_rad: Option<f64>,
    /// Largest rate of that angle, rad/s. Optional, as all keys below: where one is missing, a lap has
    /// no cost of turning that needs it (see [`Turning`](crate::Turning)); everything else
    /// uses the default of [`handling`](crate::handling).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub steering_rate_radps: Option<f64>,
    /// Largest rate of the lean angle of a vehicle on two wheels, rad/s; racing motorcycles reach 1.5. It needs
    /// `centre_of_gravity_m` and `front_weight_fraction`: brakes and drive lift no wheel (see
    /// [`lean`](crate::lean)). Default: it does not lean.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub lean_rate_radps: Option<f64>,
    /// Slip angle at which the tyres give the most lateral force, rad.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub peak_slip_rad: Option<f64>,
    /// Cornering stiffness of the tyres divided by their load, 1/rad: lateral force over load per slip
    /// angle where that is small, 20 to 30 for road and racing tyres. In the terms of CommonRoad and
    /// F1TENTH it is `mu` times `C_S`. Optional; default: by `peak_slip_rad`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub cornering_stiffness_per_rad: Option<f64>,
    /// Fraction of the weight on the front axle at rest.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub front_weight_fraction: Option<f64>,
    /// Fraction of the downforce on the front axle. With `front_weight_fraction`, cornering at speed is
    /// limited by the axle with the smaller ratio of its downforce to its weight. Default:
    /// both axles limit alike.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub front_downforce_fraction: Option<f64>,
    /// Moment of inertia in yaw, kg m².
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub yaw_inertia_kgm2: Option<f64>,
    /// Height of the centre of gravity, m.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub centre_of_gravity_m: Option<f64>,
    /// Fraction of the brake force at the front axle.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub front_brake_fraction: Option<f64>,
    /// Fraction of the drive force at the front axle: 0 is rear-wheel drive, 1 front-wheel drive.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub front_drive_fraction: Option<f64>,
    /// Fraction by which the rear tyres' lateral limit exceeds their part of the vehicle's: above 0,
    /// the car understeers at the limit.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub rear_grip_reserve: Option<f64>,
    /// Distance between the middles of the front wheels, m. With `rear_track_width_m`, load moves across the
    /// axles, and the inner wheel limits brakes and drive (see [`Wheels`](crate::Wheels)). Default: both
    /// wheels of an axle are one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub front_track_width_m: Option<f64>,
    /// Distance between the middles of the rear wheels, m. Default: none, as `front_track_width_m`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub rear_track_width_m: Option<f64>,
    /// Fraction of the roll stiffness on the front axle, with track widths: so much of the load that moves
    /// across moves there. Default: both axles lose the same part of the inner wheel's load.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub front_roll_stiffness_fraction: Option<f64>,
    /// Fraction by which a tyre's friction coefficient falls when its load doubles, with track widths.
    /// Racing tyres have 0.05 to 0.2. Default: 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub tyre_load_sensitivity: Option<f64>,
    /// Locking of the differentials of driven axles, with track widths: 0 is open, 1 locked. Default: 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub differential_lock_fraction: Option<f64>,
    /// Fraction of each axle's longitudinal limit that a car's lap leaves to the driver, where the options
    /// leave it open. Default: that of the options.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub longitudinal_reserve: Option<f64>,
    /// Fraction of the rear axle's lateral limit that a car's lap leaves to the driver, likewise. Default:
    /// that of the options.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub rear_reserve: Option<f64>,
    /// Reserve on crests, likewise: a soft suspension unloads its tyres there more than the road alone does.
    /// Default: that of the options.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub crest_reserve: Option<f64>,
}

/// The largest driving acceleration of engine and transmission, before drag and rolling resistance.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum DriveLimit {
    /// Points (speed m/s, acceleration m/s²) with increasing speeds; linear in between with rounded
    /// kinks, constant beyond the ends.
    TableMps2(Vec<[f64; 2]>),
    /// Points (speed m/s, force at the wheels N), likewise; the force is divided by the mass.
    TableN(Vec<[f64; 2]>),
    /// The smaller of a force, N, and a power, W, divided by the speed.
    PowerAndForce {
        /// Largest power at the wheels, W.
        power_w: f64,
        /// Largest force at the wheels, N.
        force_n: f64,
    },
}

impl Vehicle {
    /// The vehicle with all limits of its tyres multiplied by `factor`: across, along and while driving.
    ///
    /// ```
    /// let vehicle = raceline_car::preset("gt")?;
    /// let wet = vehicle.clone().with_grip(0.6);
    /// assert_eq!(wet.lateral_limit_mps2, 0.6 * vehicle.lateral_limit_mps2);
    /// # Ok::<(), raceline_car::VehicleError>(())
    /// ```
    #[must_use]
    pub fn with_grip(mut self, factor: f64) -> Self {
        self.lateral_limit_mps2 *= factor;
        self.longitudinal_limit_mps2 *= factor;
        for [_, driving] in &mut self.driving_limit_table {
            *driving *= factor;
        }
        for [_, longitudinal, lateral] in &mut self.ggv_table {
            *longitudinal *= factor;
            *lateral *= factor;
        }
        self
    }

    /// Margin between the line and the edges of the road, m: half the width plus the safety
    /// distance.
    ///
    /// ```
    /// let vehicle = raceline_car::preset("gt")?;
    /// assert_eq!(vehicle.margin_m(), vehicle.width_m / 2.0 + vehicle.safety_distance_m);
    /// # Ok::<(), raceline_car::VehicleError>(())
    /// ```
    #[must_use]
    pub fn margin_m(&self) -> f64 {
        self.width_m / 2.0 + self.safety_distance_m
    }

    /// Whether the file has what distinguishes a car from a point mass: the weight in front, the height of
    /// the centre of gravity, the yaw inertia and the brakes in front. Estimates of these make a car's lap
    /// no more exact than that of a point mass.
    ///
    /// ```
    /// let mut vehicle = raceline_car::preset("gt")?;
    /// assert!(vehicle.has_axles());
    /// vehicle.centre_of_gravity_m = None;
    /// assert!(!vehicle.has_axles());
    /// # Ok::<(), raceline_car::VehicleError>(())
    /// ```
    #[must_use]
    pub fn has_axles(&self) -> bool {
        let keys =
            [self.front_weight_fraction, self.centre_of_gravity_m, self.yaw_inertia_kgm2, self.front_brake_fraction];
        keys.iter().all(Option::is_some)
    }

    /// Downforce of the axle that limits cornering at speed, as a fraction of what it would have if
    /// downforce were distributed as the weight: at most 1.
    ///
    /// In a steady bend each axle carries the lateral force of its part of the mass, so with the
    /// fractions s of the weight and d of the downforce D v² its limit is `μ (g + (d / s) D v² / m)`.
    #[must_use]
    pub fn limiting_downforce_fraction(&self) -> f64 {
        let (Some(downforce), Some(weight)) = (self.front_downforce_fraction, self.front_weight_fraction) else {
            return 1.0;
        };
        (downforce / weight).min((1.0 - downforce) / (1.0 - weight))
    }

    /// ½ρcA of the downforce on the tyres, kg/m, also where a table of the limits includes it.
    #[must_use]
    pub fn downforce_on_tyres_kgpm(&self) -> f64 {
        let (Some(&[_, _, first]), Some(&[speed, _, last])) = (self.ggv_table.first(), self.ggv_table.last()) else {
            return self.downforce_kgpm;
        };
        self.table_downforce_kgpm.unwrap_or_else(|| {
            let growth = (last / first - 1.0) / (speed * speed);
            if growth.is_finite() { (growth * self.mass_kg * STANDARD_GRAVITY).max(0.0) } else { 0.0 }
        })
    }
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
