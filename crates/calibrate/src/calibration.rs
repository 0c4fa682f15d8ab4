//! The result of a calibration.

use serde::{Serialize, Serializer};

use super::resistance::ResistanceSource;
use raceline_car::Vehicle;

/// A vehicle fitted to telemetry, and how sure its numbers are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Calibration {
    /// The vehicle: the base with measured limits, drive, drag and rolling resistance.
    pub vehicle: Vehicle,
    /// Samples that were used, and the time that they cover, s.
    pub samples: usize,
    /// The time, s.
    pub seconds: f64,
    /// The greatest speed, m/s.
    pub fastest_mps: f64,
    /// Standard deviation of the noise of the acceleration along and across, m/s².
    pub noise_mps2: [f64; 2],
    /// Delay from the pedals to their effect, s, where the pedals are known.
    pub pedal_lag_s: Option<f64>,
    /// c_d, kg/m.
    pub drag_kgpm: Estimate,
    /// Coefficient of rolling resistance.
    pub rolling_resistance: Estimate,
    /// How both were found.
    pub resistance: ResistanceSource,
    /// Downforce that explains how the limits grow with speed, kg/m. It is contained in the g-g-v
    /// table; the vehicle's own `downforce_kgpm` is 0.
    pub downforce_kgpm: Estimate,
    /// Downforce by the loads of the wheels, kg/m, where they are known.
    pub downforce_by_loads_kgpm: Option<Estimate>,
    /// Mass by the loads of the wheels, kg, where they are known.
    pub mass_by_loads_kg: Option<Estimate>,
    /// Exponent of the friction ellipse.
    pub ellipse_exponent: Estimate,
    /// The longitudinal limit of the tyres, from braking.
    pub braking: Curve,
    /// The lateral limit of the tyres.
    pub lateral: Curve,
    /// The drive at full throttle, before drag and rolling resistance.
    pub drive: Curve,
    /// What the tyres transmit while driving, at a grip of 1: the vehicle's `driving_limit_table`.
    /// `None` where they were nowhere seen to limit the drive; the table is then the base's.
    pub driving: Option<Curve>,
    /// What the user should know.
    #[serde(serialize_with = "as_texts")]
    pub notes: Vec<Note>,
}

/// Notes are sentences in a report.
fn as_texts<S: Serializer>(notes: &[Note], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(notes.iter().map(Note::to_string))
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Standard error; `None` for a value of the base vehicle.
    pub standard_error: Option<f64>,
    /// Samples that it was computed from.
    pub samples: usize,
}

impl Estimate {
    /// A value of the base vehicle.
    pub(super) fn of_base(value: f64) -> Self {
        Self { value, standard_error: None, samples: 0 }
    }
}

/// A limit over speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The points in ascending order of speed.
    pub points: Vec<CurvePoint>,
    /// The slowest and the fastest speed at which the limit was reached, m/s; `None` where it never
    /// was.
    pub reached_mps: Option<[f64; 2]>,
}

/// A point of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// Speed, m/s.
    pub speed_mps: f64,
    /// The limit, m/s².
    pub limit_mps2: f64,
    /// Standard error, m/s²; `None` for a value of the base vehicle.
    pub standard_error_mps2: Option<f64>,
    /// Samples at the limit; of an unreached point, those nearest to it.
    pub samples: usize,
    /// Where the value comes from.
    pub origin: Origin,
}

/// Where a point of a limit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The limit was reached at this speed.
    Measured,
    /// The limit was reached at lower and at higher speeds only: by the fit through all of them.
    Between,
    /// The limit was reached neither here nor beyond: by the fit, continued (limits: weight and
    /// downforce; drive: constant below, constant power above).
    Beyond,
    /// The pedal was never pressed fully: in proportion to it.
    Pedal,
    /// By the other limit, in the base's proportion.
    Proportion,
    /// The base's.
    Base,
}

impl Origin {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Between => "between",
            Self::Beyond => "beyond",
            Self::Pedal => "pedal",
            Self::Proportion => "proportion",
            Self::Base => "base",
        }
    }
}

/// What the user should know about a calibration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// The tyres' limit was never reached while braking.
    BrakingNotReached {
        /// The greatest deceleration by the tyres, m/s².
        max_mps2: f64,
        /// The furthest that the brake pedal went, where it is known.
        max_brake: Option<f64>,
        /// How the limit was filled.
        filled: Origin,
    },
    /// The limit was never reached in bends.
    LateralNotReached {
        /// The greatest lateral acceleration, m/s².
        max_mps2: f64,
        /// How the limit was filled.
        filled: Origin,
    },
    /// The throttle was never fully open.
    DriveNotReached {
        /// The furthest that it was.
        max_throttle: f64,
    },
    /// From the lowest speed to this one, at a grip of 1, the tyres limit the drive, not the engine.
    Traction {
        /// Up to this speed, m/s.
        below_mps: f64,
    },
    /// Drag and rolling resistance are the base's.
    ResistanceOfBase {
        /// Whether the telemetry has both pedals.
        has_pedals: bool,
    },
    /// The growth with speed is the base's.
    GrowthOfBase {
        /// The limit, `braking` or `lateral`.
        limit: &'static str,
    },
    /// The friction ellipse's exponent is the base's: too little braking in bends.
    ExponentOfBase,
    /// The loads give another mass than the base has.
    Mass {
        /// By the loads, kg.
        measured_kg: f64,
        /// The base's, kg.
        base_kg: f64,
    },
    /// The limits are below those of the fit, because laps were driven slower than such limits predict.
    Held {
        /// The limits by those of the fit.
        level: f64,
    },
    /// Keys of the axles that neither the base has nor the telemetry shows.
    Guessed {
        /// Names of the keys.
        keys: Vec<&'static str>,
    },
    /// Limits and telemetry show that a limit in m/s² is a tenth of the base's: perhaps in g.
    SmallAccelerations {
        /// The greatest lateral acceleration, m/s².
        max_mps2: f64,
        /// The base's limit, m/s².
        base_mps2: f64,
    },
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let how = |origin: &Origin| match origin {
            Origin::Pedal => "in proportion to the pedal",
            Origin::Proportion => "by the other limit, in the base's proportion",
            _ => "by the base",
        };
        match self {
            Self::BrakingNotReached { max_mps2, max_brake, filled } => {
                let pedal =
                    max_brake.map_or(String::new(), |brake| format!(", with {:.0} % of the pedal", 100.0 * brake));
                write!(
                    f,
                    "the braking limit was never reached (at most {max_mps2:.2} m/s² by the tyres{pedal}); it was filled \
                     {}: brake to the limit on straights, from several speeds",
                    how(filled)
                )
            }
            Self::LateralNotReached { max_mps2, filled } => write!(
                f,
                "the lateral limit was never reached (at most {max_mps2:.2} m/s²); it was filled {}: drive bends at the \
                 limit, at several speeds",
                how(filled)
            ),
            Self::DriveNotReached { max_throttle } => write!(
                f,
                "the throttle was never fully open (at most {:.0} %): the drive is that of this position",
                100.0 * max_throttle
            ),
            Self::Traction { below_mps } => write!(
                f,
                "below {below_mps:.0} m/s the tyres limit the drive, not the engine: driving_limit_table is what they \
                 transmit, and the drive there is the minimum that the engine must give"
            ),
            Self::ResistanceOfBase { has_pedals: true } => write!(
                f,
                "the pedals show too little of drag and rolling resistance, which are the base's: let the car coast \
                 from its top speed"
            ),
            Self::ResistanceOfBase { has_pedals: false } => write!(
                f,
                "without the columns throttle and brake, drag and rolling resistance are the base's, and what differs \
                 from them is in the drive and in the braking limit"
            ),
            Self::GrowthOfBase { limit } => write!(
                f,
                "the {limit} limit was reached over too few speeds to show how it grows with speed: its growth is the \
                 base's"
            ),
            Self::ExponentOfBase => {
                write!(f, "too little braking in bends for the friction ellipse: ellipse_exponent is the base's")
            }
            Self::Mass { measured_kg, base_kg } => write!(
                f,
                "the wheels' loads give a mass of {measured_kg:.0} kg, the base has {base_kg:.0} kg: drag and drive forces \
                 are those of the base's mass"
            ),
            Self::Held { level } => write!(
                f,
                "laps were driven slower than predicted, so the limits are {:.1} % of those of the fit",
                100.0 * level
            ),
            Self::Guessed { keys } => write!(
                f,
                "guessed by what is usual, as neither the base nor the telemetry has them: {}; set those that you know in \
                 the base",
                keys.join(", ")
            ),
            Self::SmallAccelerations { max_mps2, base_mps2 } => write!(
                f,
                "lateral accelerations reach {max_mps2:.2} m/s² where the base has {base_mps2:.1}: if they are multiples \
                 of g, multiply them by 9.80665"
            ),
        }
    }
}
