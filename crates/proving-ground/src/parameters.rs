//! The parameters that tuning may change, their bounds, and their files.
//!
//! The options of the stuck manager are not among them: they are the same for all.

use anyhow::{Context, bail};

use raceline_follower::{CurveSpan, current_key};
use raceline_tune::Scale;

use crate::contender::Contender;

/// A parameter of a follower.
pub struct Parameter {
    /// Name as in the options, qualified by its struct: `target_speed.spacing_m`.
    pub name: &'static str,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Scale of the search.
    pub scale: Scale,
    /// Whether it takes integers alone.
    pub integer: bool,
    get: fn(&Contender) -> f64,
    set: fn(&mut Contender, f64),
}

macro_rules! parameter {
    ($kind:ident, $($field:ident).+, $low:expr, $high:expr, $scale:expr) => {
        Parameter {
            name: concat_name!($($field).+),
            low: $low,
            high: $high,
            scale: $scale,
            integer: false,
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

const LOG: Scale = Scale::Logarithmic;
const LINEAR: Scale = Scale::Linear;

macro_rules! ours {
    ($($field:ident).+, $low:expr, $high:expr, $scale:expr) => {
        Parameter { name: concat_name!($($field).+), ..parameter!(Ours, follower.$($field).+, $low, $high, $scale) }
    };
}

macro_rules! baseline {
    ($field:ident, $low:expr, $high:expr, $scale:expr) => {
        Parameter { name: stringify!($field), ..parameter!(Baseline, follower.$field, $low, $high, $scale) }
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
        scale: LOG,
        integer: true,
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
        scale: LINEAR,
        integer: true,
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
    Parameter { name: "corridor.fraction", ..parameter!(Ours, corridor_fraction, 0.0, 1.0, LINEAR) },
];

/// The last one is that of the line inside the corridor, which the baseline on the path has not.
static BASELINE: [Parameter; 8] = [
    baseline!(horizon_m, 4.0, 40.0, LOG),
    baseline!(speed_angle_mps, 0.2, 20.0, LOG),
    baseline!(min_speed_mps, 0.5, 4.0, LOG),
    baseline!(max_speed_mps, 4.0, 15.0, LOG),
    baseline!(proportional, 0.1, 3.0, LOG),
    baseline!(lookahead_m, 1.5, 15.0, LOG),
    baseline!(steering_gain, 0.2, 4.0, LOG),
    Parameter {
        name: "corridor.fraction",
        low: 0.0,
        high: 1.0,
        scale: LINEAR,
        integer: false,
        get: |contender| match contender {
            Contender::Baseline(baseline) => baseline.corridor_fraction.unwrap_or(f64::NAN),
            _ => f64::NAN,
        },
        set: |contender, value| {
            if let Contender::Baseline(baseline) = contender {
                baseline.corridor_fraction = Some(value);
            }
        },
    },
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
            Contender::Baseline(baseline) if baseline.corridor_fraction.is_some() => &BASELINE,
            Contender::Baseline(_) => &BASELINE[..BASELINE.len() - 1],
            Contender::Reynolds(_) => &REYNOLDS,
        }
    }

    /// Value.
    #[must_use]
    pub fn get(&self, contender: &Contender) -> f64 {
        (self.get)(contender)
    }

    /// As the tuner takes it, starting at the value that `contender` has, or at the bound next to it: the
    /// paper's figures have an infinite limit.
    fn declared(&self, contender: &Contender) -> raceline_tune::Parameter {
        raceline_tune::Parameter {
            name: self.name.to_owned(),
            min: self.low,
            max: self.high,
            scale: self.scale,
            integer: self.integer,
            start: Some(self.get(contender).clamp(self.low, self.high)),
        }
    }
}

/// `value` to four significant digits, so that the file contains exactly the evaluated value.
fn rounded(value: f64) -> f64 {
    if value.abs() < 1e-9 {
        return 0.0;
    }
    let digits = (3.0 - value.abs().log10().floor()).max(0.0) as usize;
    format!("{value:.digits$}").parse().unwrap_or(value)
}

/// All parameters of `contender` as the tuner takes them, starting at its values.
#[must_use]
pub fn declared(contender: &Contender) -> Vec<raceline_tune::Parameter> {
    Parameter::all(contender).iter().map(|parameter| parameter.declared(contender)).collect()
}

/// `base` with its parameters set to `values`, to four significant digits, within their bounds.
#[must_use]
pub fn with_values(base: &Contender, values: &[f64]) -> Contender {
    let mut contender = *base;
    for (parameter, &value) in Parameter::all(base).iter().zip(values) {
        (parameter.set)(&mut contender, rounded(value).clamp(parameter.low, parameter.high));
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
