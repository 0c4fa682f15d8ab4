//! Conditions of a lap: the vehicle, the speeds at the ends of an open road, the grip along it.

use std::borrow::Cow;
use std::fmt::Debug;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::{Course, ParseEndSpeedError, Relief, SpeedCaps};
use raceline_car::{Turning, Vehicle};
use raceline_road::geometry::{Point, Vector};
use raceline_road::range::Range;

/// Range of a speed at an end of the road, m/s.
const END_SPEED: Range = Range::between(0.0, 1000.0).in_metres_per_second();

/// The speeds at the ends of an open road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SpeedOptions {
    /// Speed at the start of an open road, m/s, or `free`: as fast as the road ahead allows.
    /// Default: 0, a standing start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "end-speed", "x-range" = END_SPEED))]
    pub start_speed_mps: Option<EndSpeed>,
    /// Highest speed at the end of an open road, m/s, or `free`. Default: `free`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "end-speed", "x-range" = END_SPEED))]
    pub end_speed_mps: Option<EndSpeed>,
    /// What turning the body costs. Default: by-vehicle.
    #[serde(skip_serializing_if = "TurningCost::is_by_vehicle")]
    pub turning: TurningCost,
}

/// What turning the body costs, in time-optimal lines and in all speeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TurningCost {
    /// Force for the yaw inertia, the rate of the steering and the drag of the tyres' slip, as far
    /// as the vehicle has the keys.
    #[default]
    ByVehicle,
    /// Nothing: the vehicle is a point mass.
    Free,
}

impl TurningCost {
    /// The costs of turning `vehicle`.
    #[must_use]
    pub fn of(self, vehicle: &Vehicle) -> Turning {
        match self {
            Self::ByVehicle => Turning::of(vehicle),
            Self::Free => Turning::default(),
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_by_vehicle(&self) -> bool {
        *self == Self::ByVehicle
    }
}

impl SpeedOptions {
    /// The course for a closed or an open road with these speeds.
    ///
    /// ```
    /// use raceline_solve::speed::{Course, EndSpeed, SpeedOptions};
    ///
    /// let flying = SpeedOptions { start_speed_mps: Some(EndSpeed::Free), ..SpeedOptions::default() };
    /// assert_eq!(flying.course(false), Course::Open { start_speed_mps: None, end_speed_mps: None });
    /// assert_eq!(flying.course(true), Course::Closed);
    /// ```
    pub fn course(&self, closed: bool) -> Course {
        if closed {
            return Course::Closed;
        }
        Course::Open {
            start_speed_mps: self.start_speed_mps.map_or(Some(0.0), EndSpeed::given),
            end_speed_mps: self.end_speed_mps.and_then(EndSpeed::given),
        }
    }
}

/// The speed at an end of an open road. As text: a number in m/s, or `free`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawEndSpeed", into = "RawEndSpeed")]
pub enum EndSpeed {
    /// A specified speed, m/s.
    Given(f64),
    /// Any speed.
    Free,
}

impl EndSpeed {
    /// The speed if it is specified, m/s.
    ///
    /// ```
    /// use raceline_solve::speed::EndSpeed;
    ///
    /// assert_eq!("12.5".parse::<EndSpeed>()?.given(), Some(12.5));
    /// assert_eq!("free".parse::<EndSpeed>()?.given(), None);
    /// # Ok::<(), raceline_solve::speed::ParseEndSpeedError>(())
    /// ```
    #[must_use]
    pub fn given(self) -> Option<f64> {
        match self {
            Self::Given(speed) => Some(speed),
            Self::Free => None,
        }
    }
}

impl FromStr for EndSpeed {
    type Err = ParseEndSpeedError;

    fn from_str(text: &str) -> Result<Self, ParseEndSpeedError> {
        if text.trim() == "free" {
            return Ok(Self::Free);
        }
        let number = text.trim().parse::<f64>().ok().filter(|speed| speed.is_finite());
        number.map(Self::Given).ok_or_else(|| ParseEndSpeedError { text: text.to_owned() })
    }
}

/// Serialised form of a speed at an end.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum RawEndSpeed {
    /// Speed, m/s.
    Number(f64),
    /// `free`.
    Text(String),
}

impl TryFrom<RawEndSpeed> for EndSpeed {
    type Error = ParseEndSpeedError;

    fn try_from(raw: RawEndSpeed) -> Result<Self, ParseEndSpeedError> {
        match raw {
            RawEndSpeed::Number(speed) => Ok(Self::Given(speed)),
            RawEndSpeed::Text(text) => text.parse(),
        }
    }
}

impl From<EndSpeed> for RawEndSpeed {
    fn from(speed: EndSpeed) -> Self {
        match speed {
            EndSpeed::Given(speed) => Self::Number(speed),
            EndSpeed::Free => Self::Text("free".to_owned()),
        }
    }
}

impl JsonSchema for EndSpeed {
    fn schema_name() -> Cow<'static, str> {
        "EndSpeed".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        RawEndSpeed::json_schema(generator)
    }
}

/// Grip along a road.
pub trait GripMap: Debug + Sync {
    /// The factor on both tyre limits at each point of a line along the road, in the order of the
    /// points; finite and positive.
    fn along(&self, line: &[Point]) -> Vec<f64>;

    /// The part of this factor that changes across the road, at each of these offsets from `origin`
    /// along the unit vector `across`, m; `None` where it is 1 at all of them.
    fn patches_across(&self, _origin: Point, _across: Vector, _offsets: &[f64]) -> Option<Vec<f64>> {
        None
    }
}

/// Conditions of a lap. A [`Vehicle`] alone has the default speeds and a grip of 1 everywhere.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::preset;
/// use raceline_road::track::{GripStretch, TrackGrip};
/// use raceline_solve::LoadedRelief;
/// use raceline_solve::speed::{DrivenLine, Lap, SpeedOptions};
///
/// let vehicle = preset("kart")?;
/// let wet = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0 };
/// let grip = TrackGrip::new(&track, &[wet])?;
/// let lap = Lap::on(&vehicle, SpeedOptions::default(), grip.as_ref(), None::<&LoadedRelief>);
/// let line = track.centre_line().points;
/// let (dry, wet) = (DrivenLine::through(&line, true, &vehicle)?, DrivenLine::through(&line, true, lap)?);
/// assert!(wet.lap_time_s() > dry.lap_time_s());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lap<'a> {
    /// The vehicle.
    pub vehicle: &'a Vehicle,
    /// The speeds at the ends of an open road.
    pub speeds: SpeedOptions,
    /// The grip along the road; `None` is 1 everywhere.
    pub grip: Option<&'a dyn GripMap>,
    /// The heights along the road; `None` is a level road.
    pub relief: Option<&'a dyn Relief>,
    /// The maximum speeds along the road; `None` is the vehicle's everywhere.
    pub caps: Option<&'a dyn SpeedCaps>,
}

impl<'a> Lap<'a> {
    /// The conditions on a road with this grip and these heights, where it has them.
    #[must_use]
    pub fn on<G: GripMap, R: Relief>(
        vehicle: &'a Vehicle,
        speeds: SpeedOptions,
        grip: Option<&'a G>,
        relief: Option<&'a R>,
    ) -> Self {
        let grip = grip.map(|grip| grip as &dyn GripMap);
        let relief = relief.map(|relief| relief as &dyn Relief);
        Self { vehicle, speeds, grip, relief, caps: None }
    }

    /// The lap with maximum speeds on stretches of the road, where it has them.
    #[must_use]
    pub fn with_caps<C: SpeedCaps>(self, caps: Option<&'a C>) -> Self {
        Self { caps: caps.map(|caps| caps as &dyn SpeedCaps), ..self }
    }
}

impl<'a> From<&'a Vehicle> for Lap<'a> {
    fn from(vehicle: &'a Vehicle) -> Self {
        Self { vehicle, speeds: SpeedOptions::default(), grip: None, relief: None, caps: None }
    }
}
