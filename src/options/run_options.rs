//! Every option of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use raceline_file::Method;

use super::corner_name::CornerName;
use crate::construction::ImportOptions;
use crate::edges::RouteOptions;
use crate::files::Reach;
use crate::frame::ScaleOptions;
use crate::network::NetworkOptions;
use crate::picture::PictureOptions;
use crate::plan::PlanOptions;
use crate::range::Range;
use crate::solve::passing::{Obstacle, PickUp};
use crate::solve::{NoGo, POINT_SPACING, Pin, SolveOptions};
use crate::speed::{LoadOptions, SpeedOptions};
use crate::track::{
    BankingPoint, ClearanceOptions, EdgeCorrection, EdgeMargin, EdgeStretch, ElevationPoint, Grip, ReliefOptions,
    SpeedCap, TrackOptions,
};

/// Range of `safety_distance_m`.
const SAFETY_DISTANCE: Range = Range::at_least(0.0).in_metres();
/// Range of `grip_fraction`.
const GRIP_FRACTION: Range = Range::between(0.05, 1.0);

/// Every option of a run, flat: a key has the same name in a TOML, on the command line (with
/// dashes) and in the racing-line file.
///
/// Two keys are not in the racing-line file: `like`, because the file contains the start and the
/// direction, and `vehicle`, because the file contains every parameter of the vehicle. So
/// [`Self::vehicle`] is `None` in the options of a line. In the options of a run `None` means
/// [`Self::DEFAULT_VEHICLE`].
///
/// ```
/// use raceline::Options;
/// use raceline::file::Method;
///
/// let mut options = Options { method: Method::MinCurvature, ..Options::default() };
/// options.scale.metres_per_pixel = Some(0.5);
/// options.track.spacing_m = Some(2.0);
/// assert_eq!(options.load_vehicle()?.name, Options::DEFAULT_VEHICLE);
/// # Ok::<(), raceline::options::OptionsError>(())
/// ```
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
    /// Stretches of road with a different grip, each with `from_m`, `to_m` and `factor`, or parts of its width:
    /// with `side` (`left`, `right` or `both`) and `width_m` from that edge, or with `polygon = [[x, y], …]`; in a
    /// TOML `[[grip]]`. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "grip"))]
    pub grip: Vec<Grip>,
    /// Stretches of road with a maximum speed, each with `from_m`, `to_m` and `max_speed_mps`; in a TOML
    /// `[[speed_cap]]`. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "speed-cap"))]
    pub speed_cap: Vec<SpeedCap>,
    /// Places that the line passes, each with `at` and optionally `tolerance_m`; in a TOML `[[pin]]`. Default:
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "pin"))]
    pub pin: Vec<Pin>,
    /// Regions that the vehicle keeps out of, each with `from_m`, `to_m`, `side` (`left`, `right` or `both`) and
    /// `width_m` from that edge, or with `polygon = [[x, y], …]`; in a TOML `[[no_go]]`. A line's file contains the
    /// side that was searched, as `side`. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "no-go"))]
    pub no_go: Vec<NoGo>,
    /// Kinds of edges on stretches of road, in place of the source's, each with `from_m`, `to_m`,
    /// `kind` (`line`, `kerb` or `wall`) and optionally `side` (`left`, `right` or `both`); in a
    /// TOML `[[edge]]`. Default: the source's kinds, else lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "edge"))]
    pub edge: Vec<EdgeStretch>,
    /// Places that an edge passes through, where it was read wrongly, each with `at` and optionally `side` (`left`
    /// or `right`) and `length_m`, over which the correction fades out along the edge; in a TOML `[[edge_point]]`.
    /// Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "edge-point"))]
    pub edge_point: Vec<EdgeCorrection>,
    /// How near to its edges a road is used.
    #[serde(flatten)]
    pub clearance: ClearanceOptions,
    /// Room that the line keeps to the edges beside the vehicle's margin, each with `s_m` along the
    /// centre line, `left_m` and `right_m`, with a spline between the places; in a TOML
    /// `[[edge_margin]]`. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "edge-margin"))]
    pub edge_margin: Vec<EdgeMargin>,
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
    /// `side` (`left` or `right`) on which the line passes; in a TOML `[[obstacle]]`. A line's file
    /// has the sides that were searched. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "obstacle"))]
    pub obstacle: Vec<Obstacle>,
    /// Places that are worth time to a line that comes by, each with `at`, `radius_m`, `worth_s`
    /// and optionally `take` (true or false); in a TOML `[[pick_up]]`. A line's file states which
    /// were taken. Default: none.
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
    /// The extension that the input is taken to have where its content does not determine its kind,
    /// as `csv`. It is neither in a TOML nor in a line's file. Default: that of the input's name.
    #[serde(skip)]
    pub format_hint: Option<String>,
    /// Which files the files of a run may name: a sidecar its vehicle, a vehicle its tables, a map
    /// its picture. It is neither in a TOML nor in a line's file. Default: those in their own
    /// folder.
    #[serde(skip)]
    pub reach: Reach,
    /// A reference line whose start and direction the lap takes: a racing-line file, or a CSV with
    /// x_m and y_m; in a sidecar the path is relative to the sidecar. `start` and `direction`
    /// override it. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// A line that exists, from which the search for the time-optimal line starts: a racing-line
    /// file, a CSV with x_m and y_m, or another file with one line; in a sidecar the path is
    /// relative to the sidecar. A line's file has its name without its folder. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_line: Option<String>,
    /// Overrides the vehicle's distance between its side and the edge of the road, metres. Default:
    /// the vehicle's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SAFETY_DISTANCE))]
    pub safety_distance_m: Option<f64>,
    /// Fraction of the tyres' limits across and along that the line may use; the file's vehicle has
    /// these lower limits. For a vehicle that is driven less exactly than it is simulated. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = GRIP_FRACTION))]
    pub grip_fraction: Option<f64>,
    /// Distance between the points of the line on straights, metres; smaller in bends. At most the
    /// road's mean width; the smallest follows from that width and the rounding of positions. It
    /// does not change the line. Default: a quarter of the road's mean width, at most three
    /// quarters of the vehicle's length.
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
            speed_cap: Vec::new(),
            pin: Vec::new(),
            no_go: Vec::new(),
            edge: Vec::new(),
            edge_point: Vec::new(),
            clearance: ClearanceOptions::default(),
            edge_margin: Vec::new(),
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
            initial_line: None,
            safety_distance_m: None,
            grip_fraction: None,
            point_spacing_m: None,
            sectors_m: Vec::new(),
        }
    }
}

/// The keys that specify the scale. One is enough; one of a later layer replaces any of an earlier
/// one.
pub const SCALE_KEYS: [&str; 3] = ["metres_per_pixel", "track_length_m", "track_width_m"];
