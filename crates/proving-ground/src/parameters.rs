//! The parameters that tuning may change, their bounds, and their files.
//!
//! The options of the stuck manager are not among them: they are the same for all.

use anyhow::{Context, bail};

use raceline_follower::{CurveSpan, current_key};

use crate::contender::Contender;

/// A parameter of a follower.
pub struct Parameter {
    /// Name as in the options, qualified by its struct: `target_speed.spacing_m`.
    pub name: &'static str,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Whether the search is logarithmic.
    pub logarithmic: bool,
    get: fn(&Contender) -> f64,
    set: fn(&mut Contender, f64),
}

macro_rules! parameter {
    ($kind:ident, $($field:ident).+, $low:expr, $high:expr, $logarithmic:expr) => {
        Parameter {
            name: concat_name!($($field).+),
            low: $low,
            high: $high,
            logarithmic: $logarithmic,
            get: |contender| match contender {
                Contender::$kind(options) => options.$($field).+,
                _ => f64::NAN,
            },
            set: |contender, value| {
                if let Contender::$kind(options) = contender {
                    options.$($field).+ = value;
                }
            },
        }
    };
}

macro_rules! concat_name {
    ($only:ident) => {
        stringify!($only)
    };
    ($first:ident $(. $more:ident)+) => {
        concat!(stringify!($first) $(, ".", stringify!($more))+)
    };
}

const LOG: bool = true;
const LINEAR: bool = false;

macro_rules! ours {
    ($($field:ident).+, $low:expr, $high:expr, $logarithmic:expr) => {
        Parameter { name: concat_name!($($field).+), ..parameter!(Ours, follower.$($field).+, $low, $high, $logarithmic) }
    };
}

static OURS: [Parameter; 24] = [
    ours!(target_speed.lateral_acceleration_g, 0.03, 1.0, LOG),
    ours!(target_speed.yaw_rate_radps, 0.1, 3.0, LOG),
    ours!(target_speed.grip_fraction, 0.1, 1.5, LOG),
    ours!(target_speed.yaw_rate_fraction, 0.3, 4.0, LOG),
    ours!(target_speed.spacing_m, 2.0, 10.0, LOG),
    Parameter {
        name: "target_speed.points",
        low: 4.0,
        high: 16.0,
        logarithmic: LOG,
        get: |contender| match contender {
            Contender::Ours(ours) => ours.follower.target_speed.points as f64,
            _ => f64::NAN,
        },
        set: |contender, value| {
            if let Contender::Ours(ours) = contender {
                ours.follower.target_speed.points = value.round() as usize;
            }
        },
    },
    Parameter {
        name: "target_speed.span",
        low: 0.0,
        high: 2.0,
        logarithmic: LINEAR,
        get: |contender| match contender {
            Contender::Ours(ours) => f64::from(ours.follower.target_speed.span as u8),
            _ => f64::NAN,
        },
        set: |contender, value| {
            if let Contender::Ours(ours) = contender {
                ours.follower.target_speed.span = match value.round() as u8 {
                    0 => CurveSpan::Points,
                    1 => CurveSpan::Midpoints,
                    _ => CurveSpan::Headings,
                };
            }
        },
    },
    ours!(target_speed.min_speed_mps, 0.5, 4.0, LOG),
    ours!(target_speed.max_speed_mps, 4.0, 15.0, LOG),
    ours!(target_speed.braking_mps2, 0.5, 8.0, LOG),
    ours!(target_speed.preview_s, 0.0, 0.8, LINEAR),
    ours!(lookahead.base_m, 1.0, 16.0, LOG),
    ours!(lookahead.time_s, 0.05, 1.5, LOG),
    ours!(lookahead.curvature_gain_m, 0.0, 10.0, LINEAR),
    ours!(lookahead.cross_track_gain, 0.0, 0.5, LINEAR),
    ours!(lookahead.min_m, 1.0, 12.0, LOG),
    ours!(steering.curvature_feedforward, 0.0, 1.0, LINEAR),
    ours!(steering.preview_s, 0.0, 0.8, LINEAR),
    ours!(steering.yaw_damping_s, 0.0, 0.6, LINEAR),
    ours!(steering.early_turn, 0.0, 2.0, LINEAR),
    ours!(speed_control.proportional, 0.1, 3.0, LOG),
    ours!(speed_control.integral, 0.02, 2.0, LOG),
    ours!(speed_control.back_calculation, 0.2, 10.0, LOG),
    Parameter { name: "corridor.share", ..parameter!(Ours, corridor_fraction, 0.0, 1.0, LINEAR) },
];

static BASELINE: [Parameter; 7] = [
    parameter!(Baseline, horizon_m, 4.0, 40.0, LOG),
    parameter!(Baseline, speed_angle_mps, 0.2, 20.0, LOG),
    parameter!(Baseline, min_speed_mps, 0.5, 4.0, LOG),
    parameter!(Baseline, max_speed_mps, 4.0, 15.0, LOG),
    parameter!(Baseline, proportional, 0.1, 3.0, LOG),
    parameter!(Baseline, lookahead_m, 1.5, 15.0, LOG),
    parameter!(Baseline, steering_gain, 0.2, 4.0, LOG),
];

static REYNOLDS: [Parameter; 6] = [
    parameter!(Reynolds, prediction_s, 0.05, 2.0, LOG),
    parameter!(Reynolds, tube_radius_m, 0.1, 3.0, LOG),
    parameter!(Reynolds, seek_ahead_m, 1.0, 12.0, LOG),
    parameter!(Reynolds, max_speed_mps, 2.0, 15.0, LOG),
    parameter!(Reynolds, max_acceleration_mps2, 0.5, 20.0, LOG),
    parameter!(Reynolds, proportional, 0.1, 3.0, LOG),
];

impl Parameter {
    /// The parameters of a contender.
    #[must_use]
    pub fn all(contender: &Contender) -> &'static [Self] {
        match contender {
            Contender::Ours(_) => &OURS,
            Contender::Baseline(_) => &BASELINE,
            Contender::Reynolds(_) => &REYNOLDS,
        }
    }

    /// Value.
    #[must_use]
    pub fn get(&self, contender: &Contender) -> f64 {
        (self.get)(contender)
    }

    /// Value as a fraction of the range from low to high, 0 to 1.
    #[must_use]
    pub fn to_unit(&self, value: f64) -> f64 {
        let fraction = if self.logarithmic {
            (value.max(1e-12) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        fraction.clamp(0.0, 1.0)
    }

    /// The value at a fraction of the range, to four significant digits, so that the file contains
    /// exactly the evaluated value.
    #[must_use]
    pub fn from_unit(&self, fraction: f64) -> f64 {
        let fraction = fraction.clamp(0.0, 1.0);
        let value = if self.logarithmic {
            self.low * (self.high / self.low).powf(fraction)
        } else {
            self.low + (self.high - self.low) * fraction
        };
        if value.abs() < 1e-9 {
            return 0.0;
        }
        let digits = (3.0 - value.abs().log10().floor()).max(0.0) as usize;
        format!("{value:.digits$}").parse().unwrap_or(value)
    }
}

/// All parameters of `contender` as fractions of their ranges.
#[must_use]
pub fn to_units(contender: &Contender) -> Vec<f64> {
    Parameter::all(contender).iter().map(|parameter| parameter.to_unit(parameter.get(contender))).collect()
}

/// `base` with its parameters set from fractions of their ranges.
#[must_use]
pub fn from_units(base: &Contender, fractions: &[f64]) -> Contender {
    let mut contender = *base;
    for (parameter, &fraction) in Parameter::all(base).iter().zip(fractions) {
        (parameter.set)(&mut contender, parameter.from_unit(fraction));
    }
    contender
}

/// The file with the parameters of `contender`; `head` is its first comment.
#[must_use]
pub fn to_toml(contender: &Contender, head: &str) -> String {
    let mut text: String = head.lines().map(|line| format!("# {line}\n")).collect();
    let mut section = "";
    for parameter in Parameter::all(contender) {
        let (own, key) = parameter.name.split_once('.').unwrap_or(("", parameter.name));
        if own != section {
            text.push_str(&format!("\n[{own}]\n"));
            section = own;
        }
        text.push_str(&format!("{key} = {:?}\n", parameter.get(contender)));
    }
    text
}

/// `base` with the parameters in the file's text.
///
/// # Errors
/// Invalid TOML, a name that is not a parameter, or a value that is not a number within the
/// parameter's bounds.
pub fn from_toml(base: &Contender, text: &str) -> anyhow::Result<Contender> {
    let table: toml::Table = toml::from_str(text).context("invalid TOML")?;
    let mut contender = *base;
    let mut put = |name: &str, value: &toml::Value| -> anyhow::Result<()> {
        let present = current_key(name);
        let Some(parameter) = Parameter::all(base).iter().find(|parameter| parameter.name == present) else {
            bail!("{name} is no parameter of this follower");
        };
        let number = match value {
            toml::Value::Float(number) => *number,
            toml::Value::Integer(number) => *number as f64,
            _ => bail!("{name} must be a number"),
        };
        if !(parameter.low..=parameter.high).contains(&number) {
            bail!("{name} is {number}, but must be {} to {}", parameter.low, parameter.high);
        }
        (parameter.set)(&mut contender, number);
        Ok(())
    };
    for (key, value) in &table {
        match value {
            toml::Value::Table(inner) => {
                for (field, value) in inner {
                    put(&format!("{key}.{field}"), value)?;
                }
            }
            value => put(key, value)?,
        }
    }
    Ok(contender)
}
