//! The options of a run, combined from layers: defaults, the sidecar TOML beside the picture, the
//! command line.
//!
//! A later [`Layer`] overrides an earlier one, key by key. [`known_options`] lists every key.

use std::borrow::Cow;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use raceline_file::Method;

use crate::construction::ImportOptions;
use crate::edges::RouteOptions;
use crate::files::Reach;
use crate::frame::{ScaleOptions, Spot};
use crate::network::NetworkOptions;
use crate::picture::PictureOptions;
use crate::plan::PlanOptions;
use crate::range::Range;
use crate::solve::passing::{Obstacle, PickUp};
use crate::solve::{LineOptions, POINT_SPACING, SolveOptions};
use crate::speed::{LoadOptions, SpeedOptions};
use crate::track::{
    BankingPoint, ClearanceOptions, EdgeStretch, ElevationPoint, GripStretch, ReliefOptions, TrackOptions,
};
use crate::vehicle::{Vehicle, VehicleError, preset};

mod corner_name;
mod error;
mod known;
mod layer;
mod reference;

pub use corner_name::{CornerName, CornerNameError};
pub use error::OptionsError;
pub use known::{KnownOption, ValueKind, known_option, known_options};
use layer::Entry;
pub use layer::{Layer, sidecar_of, vehicle_beside};
use reference::Reference;

/// Range of `safety_distance_m`.
const SAFETY_DISTANCE: Range = Range::at_least(0.0).in_metres();

/// Every option of a run, flat: a key has the same name in a TOML, on the command line (with
/// dashes) and in the racing-line file.
///
/// Two keys are not in the racing-line file: `like`, because the file contains the start and the
/// direction, and `vehicle`, because the file contains every parameter of the vehicle. So [`Self::vehicle`] is `None` in the options of a line. In the options of a run
/// `None` means [`Self::DEFAULT_VEHICLE`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Options {
    /// How a picture is read.
    #[serde(flatten)]
    pub picture: PictureOptions,
    /// How pixels become metres.
    #[serde(flatten)]
    pub scale: ScaleOptions,
    /// The route along the road.
    #[serde(flatten)]
    pub route: RouteOptions,
    /// How track files are imported.
    #[serde(flatten)]
    pub import: ImportOptions,
    /// How the road is cut.
    #[serde(flatten)]
    pub track: TrackOptions,
    /// A path through free space in place of a road.
    #[serde(flatten)]
    pub plan: PlanOptions,
    /// A route through streets in place of a road.
    #[serde(flatten)]
    pub network: NetworkOptions,
    /// How lines are searched.
    #[serde(flatten)]
    pub solve: SolveOptions,
    /// The speeds at the ends of an open road.
    #[serde(flatten)]
    pub speed: SpeedOptions,
    /// Stretches of road with a different grip, each with `from_m`, `to_m` and `factor`; in a TOML
    /// `[[grip]]`. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "grip"))]
    pub grip: Vec<GripStretch>,
    /// Kinds of edges on stretches of road, in place of the source's, each with `from_m`, `to_m`,
    /// `kind` (`line`, `kerb` or `wall`) and optionally `side` (`left`, `right` or `both`); in a
    /// TOML `[[edge]]`. Default: the source's kinds, else lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "edge"))]
    pub edge: Vec<EdgeStretch>,
    /// How near to its edges a road is used.
    #[serde(flatten)]
    pub clearance: ClearanceOptions,
    /// How heights become a smooth road.
    #[serde(flatten)]
    pub relief: ReliefOptions,
    /// What the road's vertical curvature changes.
    #[serde(flatten)]
    pub load: LoadOptions,
    /// Heights of the centre line, in place of the source's, each with `s_m` and `z_m`; in a TOML
    /// `[[elevation]]`. Default: the source's heights, else a level road.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "elevation"))]
    pub elevation: Vec<ElevationPoint>,
    /// Banking of the road, in place of the source's, each with `s_m` and `banking_rad`, positive
    /// where the left edge is higher; in a TOML `[[banking]]`. Default: the source's banking.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "banking"))]
    pub banking: Vec<BankingPoint>,
    /// What stands on the road, each with `at` and `radius_m`, or with `points`, and optionally the
    /// `side` (`left` or `right`) on which the line passes; in a TOML `[[obstacle]]`. A line's file has
    /// the sides that were searched. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "obstacle"))]
    pub obstacle: Vec<Obstacle>,
    /// Places that are worth time to a line that comes by, each with `at`, `radius_m`, `worth_s` and
    /// optionally `take` (true or false); in a TOML `[[pick_up]]`. A line's file states which were
    /// taken. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "pick-up"))]
    pub pick_up: Vec<PickUp>,
    /// Names of corners, each with `at`, a place in the corner, and `name`; in a TOML `[[corner]]`.
    /// Tables, pictures and the page show them. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "corner"))]
    pub corner: Vec<CornerName>,
    /// Selects the line; stages that it does not need are skipped. Default: `time-optimal`.
    pub method: Method,
    /// Name of a preset, or path of a vehicle file ending in `.toml`; in a sidecar the path is
    /// relative to the sidecar. Default: `tum-racecar`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vehicle: Option<String>,
    /// The extension that the input is taken to have where its content does not determine its kind, as
    /// `csv`. It is neither in a TOML nor in a line's file. Default: that of the input's name.
    #[serde(skip)]
    pub format_hint: Option<String>,
    /// Which files the files of a run may name: a sidecar its vehicle, a vehicle its tables, a map its
    /// picture. It is neither in a TOML nor in a line's file. Default: those in their own folder.
    #[serde(skip)]
    pub reach: Reach,
    /// A reference line whose start and direction the lap takes: a racing-line file, or a CSV with
    /// x_m and y_m; in a sidecar the path is relative to the sidecar. `start` and `direction`
    /// override it. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// Overrides the vehicle's distance between its side and the edge of the road, metres. Default:
    /// the vehicle's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SAFETY_DISTANCE))]
    pub safety_distance_m: Option<f64>,
    /// Distance between the points of the line on straights, metres; smaller in bends. At most the
    /// road's mean width; the smallest follows from that width and the rounding of positions. It
    /// does not change the line. Default: a quarter of the road's mean width, at most three quarters
    /// of the vehicle's length.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = POINT_SPACING))]
    pub point_spacing_m: Option<f64>,
    /// Ends of the sectors of a report, metres from the start line, ascending. Default: thirds of
    /// the lap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "numbers"))]
    pub sectors_m: Vec<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            picture: PictureOptions::default(),
            scale: ScaleOptions::default(),
            route: RouteOptions::default(),
            import: ImportOptions::default(),
            track: TrackOptions::default(),
            plan: PlanOptions::default(),
            network: NetworkOptions::default(),
            solve: SolveOptions::default(),
            speed: SpeedOptions::default(),
            grip: Vec::new(),
            edge: Vec::new(),
            clearance: ClearanceOptions::default(),
            relief: ReliefOptions::default(),
            load: LoadOptions::default(),
            elevation: Vec::new(),
            banking: Vec::new(),
            obstacle: Vec::new(),
            pick_up: Vec::new(),
            corner: Vec::new(),
            method: Method::TimeOptimal,
            vehicle: None,
            format_hint: None,
            reach: Reach::default(),
            like: None,
            safety_distance_m: None,
            point_spacing_m: None,
            sectors_m: Vec::new(),
        }
    }
}

/// The keys that specify the scale. One is enough; one of a later layer replaces any of an earlier
/// one.
pub const SCALE_KEYS: [&str; 3] = ["metres_per_pixel", "track_length_m", "track_width_m"];

impl Options {
    /// The preset that is used where no vehicle is specified.
    pub const DEFAULT_VEHICLE: &str = "tum-racecar";

    /// The defaults, overridden by `layers` in their order.
    ///
    /// # Errors
    /// A number out of its range, and a layer with several keys for the scale.
    pub fn from_layers(layers: &[Layer]) -> Result<Self, OptionsError> {
        let mut merged = Map::new();
        for layer in layers {
            let scales: Vec<_> =
                layer.entries.iter().filter(|entry| SCALE_KEYS.contains(&entry.key.as_str())).collect();
            // Length and width together describe a schematic map.
            let is_schematic = |key: &str| scales.iter().filter(|entry| entry.key == key).count() == 1;
            let is_pair = scales.len() == 2 && is_schematic("track_length_m") && is_schematic("track_width_m");
            if let Some(first) = scales.first() {
                if let Some(second) = scales.get(1).filter(|_| !is_pair) {
                    return Err(OptionsError::SeveralScales {
                        first: layer.place_of(first),
                        second: layer.place_of(second),
                    });
                }
                merged.retain(|key: &String, _| !SCALE_KEYS.contains(&key.as_str()));
            }
            for entry in &layer.entries {
                let number = entry.value.as_f64();
                if let Some((option, number)) = known_option(&entry.key).zip(number)
                    && option.range.is_some_and(|range| !range.contains(number))
                {
                    return Err(OptionsError::OutOfRange {
                        place: layer.place_of(entry),
                        found: entry.value.to_string(),
                        range: option.allowed(),
                    });
                }
                check_stretches(layer, entry)?;
                merged.insert(entry.key.clone(), entry.value.clone());
            }
        }
        // Each value was checked when its layer was made, so the whole is valid too.
        let options: Self = serde_json::from_value(Value::Object(merged)).map_err(|error| OptionsError::Value {
            place: "options".to_owned(),
            found: "a combination that is not valid".to_owned(),
            expected: error.to_string(),
        })?;
        let is_anywhere = layers.iter().any(|layer| layer.reach() == Reach::Anywhere);
        Ok(Self { reach: if is_anywhere { Reach::Anywhere } else { Reach::WithinFolder }, ..options })
    }

    /// The options with the start and the direction of the reference line `like`, if there is one.
    /// Only these depend on a file beside the input, so that a racing-line file contains all that
    /// shaped it.
    ///
    /// # Errors
    /// [`OptionsError::Reference`] for a reference that cannot be read.
    pub fn resolved(&self) -> Result<Cow<'_, Self>, OptionsError> {
        let Some(like) = &self.like else { return Ok(Cow::Borrowed(self)) };
        let Reference { start_m, direction } = Reference::read(Path::new(like))?;
        let mut options = Self { like: None, ..self.clone() };
        options.track.start = options.track.start.or(Some(Spot::Metres(start_m)));
        options.track.direction = options.track.direction.or(direction);
        Ok(Cow::Owned(options))
    }

    /// What the search for a line takes of these options. Places must be in metres: those in pixels are errors
    /// of the search.
    #[must_use]
    pub fn line_options(&self) -> LineOptions {
        LineOptions {
            method: self.method,
            solve: self.solve.clone(),
            speed: self.speed,
            grip: self.grip.clone(),
            clearance: self.clearance,
            spacing_m: self.track.spacing_m,
            relief: self.relief,
            load: self.load,
            obstacle: self.obstacle.clone(),
            pick_up: self.pick_up.clone(),
            is_route: self.plan.is_planned(),
            point_spacing_m: self.point_spacing_m,
        }
    }

    /// The options as a racing-line file contains them: without the vehicle's name.
    #[must_use]
    pub fn without_vehicle(&self) -> Self {
        Self { vehicle: None, ..self.clone() }
    }

    /// The specified vehicle, read from its preset or file, with the safety distance of the
    /// options.
    ///
    /// # Errors
    /// An unknown preset, a file that cannot be read, and a vehicle with a number out of its range.
    pub fn load_vehicle(&self) -> Result<Vehicle, OptionsError> {
        let name = self.vehicle.as_deref().unwrap_or(Self::DEFAULT_VEHICLE);
        let mut vehicle = if layer::is_vehicle_file(name) {
            Vehicle::read_within(Path::new(name), self.reach).map_err(|error| match error {
                // These errors already name the file.
                VehicleError::Toml { .. } | VehicleError::Unreadable { .. } | VehicleError::TableFile { .. } => {
                    error.into()
                }
                error => OptionsError::VehicleFile { file: name.to_owned(), error },
            })?
        } else {
            preset(name)?
        };
        if let Some(safety_distance_m) = self.safety_distance_m {
            vehicle.safety_distance_m = safety_distance_m;
            vehicle.validate()?;
        }
        Ok(vehicle)
    }
}

/// Checks the numbers in a list of stretches, each of which has its own range.
fn check_stretches(layer: &Layer, entry: &Entry) -> Result<(), OptionsError> {
    fn first_wrong<T: DeserializeOwned>(
        value: &Value,
        validate: fn(&T) -> Result<(), (f64, &'static str)>,
    ) -> Result<(), (f64, &'static str)> {
        // What is no list of stretches was refused when the layer was made.
        let stretches: Vec<T> = serde_json::from_value(value.clone()).unwrap_or_default();
        stretches.iter().try_for_each(validate)
    }
    // Every kind is named, so that a new one does not compile before its check is decided.
    let checked = match known_option(&entry.key).map(|option| &option.kind) {
        Some(ValueKind::Grip) => first_wrong(&entry.value, GripStretch::validate),
        Some(ValueKind::Edge) => first_wrong(&entry.value, EdgeStretch::validate),
        Some(
            ValueKind::Number
            | ValueKind::Switch
            | ValueKind::Count
            | ValueKind::Choice(_)
            | ValueKind::Position
            | ValueKind::Spot
            | ValueKind::Spots
            | ValueKind::Colour
            | ValueKind::EndSpeed
            | ValueKind::Elevation
            | ValueKind::Banking
            | ValueKind::Obstacle
            | ValueKind::PickUp
            | ValueKind::Corner
            | ValueKind::Numbers
            | ValueKind::OneWay
            | ValueKind::Text,
        )
        | None => Ok(()),
    };
    checked.map_err(|(value, range)| OptionsError::OutOfRange {
        place: layer.place_of(entry),
        found: value.to_string(),
        range: range.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Layer, Options, OptionsError, SCALE_KEYS, ValueKind, known_option, known_options};

    #[test]
    fn rules_are_about_options_that_exist() {
        for key in SCALE_KEYS {
            assert!(known_option(key).is_some(), "{key}");
        }
    }

    #[test]
    fn every_range_is_checked() {
        let mut checked = 0;
        for option in known_options() {
            let Some(range) = option.range else { continue };
            let whole = [0.0, 1e12].into_iter().filter(|_| option.kind == ValueKind::Count);
            let numbers = [-1e12, 1e12].into_iter().filter(|_| option.kind != ValueKind::Count);
            let outside = whole.chain(numbers).find(|&value| !range.contains(value));
            let outside = outside.unwrap_or_else(|| panic!("{} has a range without ends", option.key));
            let number = if option.kind == ValueKind::Count { format!("{outside}") } else { format!("{outside:?}") };
            // A number that is too large for its type is refused when the layer is made.
            let layer = Layer::from_toml(Path::new("a.toml"), &format!("{} = {number}", option.key));
            let error = layer.and_then(|layer| Options::from_layers(&[layer])).unwrap_err();
            let is_range = matches!(error, OptionsError::OutOfRange { .. } | OptionsError::Value { .. });
            assert!(is_range && error.to_string().contains(&option.key), "{}: {error}", option.key);
            checked += 1;
        }
        assert_eq!(checked, 40);
    }
}
