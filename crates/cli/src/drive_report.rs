//! What `raceline drive` prints: a table or JSON.

use raceline::drive::{Disturbance, Encounters, Measures};
use raceline::units::Decimals;
use raceline_follower::RememberedSpeeds;
use serde::Serialize;

use super::text_table::text_table;

/// The results of a drive.
pub struct DriveReport<'a> {
    pub name: &'a str,
    /// Decimals of the line's track.
    pub decimals: Decimals,
    pub vehicle: &'a str,
    pub follower: &'static str,
    /// `None` where no fraction is clean.
    pub speed_share: Option<f64>,
    /// The fractions that a search tried, and whether each was clean.
    pub tried: &'a [(f64, bool)],
    pub measures: &'a Measures,
    /// What the follower learned or remembered.
    pub learned: Option<&'a RememberedSpeeds>,
    pub disturbances: &'a [Disturbance],
}

/// The output as JSON.
#[derive(Serialize)]
struct Summary<'a> {
    name: &'a str,
    vehicle: &'a str,
    follower: &'static str,
    speed_share: Option<f64>,
    complete: bool,
    clean: bool,
    lap_times_s: &'a [f64],
    mean_lap_time_s: Option<f64>,
    profile_lap_time_s: f64,
    of_profile: Option<f64>,
    cross_track_mean_m: f64,
    cross_track_95_m: f64,
    cross_track_worst_m: f64,
    cross_track_worst_at_m: f64,
    #[serde(rename = "inside_share")]
    inside_fraction: f64,
    #[serde(rename = "least_room_m")]
    min_room_m: f64,
    #[serde(rename = "least_room_at_m")]
    min_room_at_m: f64,
    stuck_events: u32,
    placements: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "company")]
    traffic: Option<TrafficSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    learned: Option<LearnedSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tried: Vec<TriedFraction>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sensitivity: Vec<DisturbanceSummary>,
}

/// What the vehicle met.
#[derive(Serialize)]
struct TrafficSummary {
    obstacles: usize,
    vehicles: usize,
    obstacle_contacts: u32,
    vehicle_contacts: u32,
    contacts_of_others: u32,
    overtakes: u32,
    overtaken: u32,
    /// `None` where nothing came near.
    #[serde(rename = "least_gap_m")]
    min_gap_m: Option<f64>,
}

impl TrafficSummary {
    fn of(met: &Encounters) -> Self {
        Self {
            obstacles: met.obstacles,
            vehicles: met.vehicles,
            obstacle_contacts: met.obstacle_contacts,
            vehicle_contacts: met.vehicle_contacts,
            contacts_of_others: met.contacts_of_others,
            overtakes: met.overtakes,
            overtaken: met.overtaken,
            min_gap_m: met.min_gap_m.is_finite().then_some(met.min_gap_m),
        }
    }

    fn rows(&self) -> [(&'static str, String); 2] {
        let gap = self.min_gap_m.map_or_else(|| "-".to_owned(), |gap| format!("{gap:.2} m"));
        [
            (
                "contacts",
                format!(
                    "{} with {} obstacles, {} with {} vehicles, minimum distance {gap}",
                    self.obstacle_contacts, self.obstacles, self.vehicle_contacts, self.vehicles
                ),
            ),
            ("overtakes", format!("{}, overtaken {} times", self.overtakes, self.overtaken)),
        ]
    }
}

/// Learned speeds in short.
#[derive(Serialize)]
struct LearnedSummary {
    laps: u32,
    best_lap_s: Option<f64>,
    #[serde(rename = "least_factor")]
    min_factor: f64,
    greatest_factor: f64,
}

impl LearnedSummary {
    fn of(speeds: &RememberedSpeeds) -> Self {
        let factors = || speeds.factors.iter().copied();
        Self {
            laps: speeds.laps,
            best_lap_s: speeds.best_lap_s,
            min_factor: factors().fold(f64::INFINITY, f64::min),
            greatest_factor: factors().fold(0.0, f64::max),
        }
    }
}

#[derive(Serialize)]
struct TriedFraction {
    speed_share: f64,
    clean: bool,
}

#[derive(Serialize)]
struct DisturbanceSummary {
    quantity: &'static str,
    change: f64,
    clean: bool,
    mean_lap_time_s: Option<f64>,
    of_profile: Option<f64>,
    cross_track_worst_m: f64,
    #[serde(rename = "least_room_m")]
    min_room_m: f64,
    stuck_events: u32,
}

impl DriveReport<'_> {
    pub fn json(&self) -> anyhow::Result<String> {
        let measures = self.measures;
        let summary = Summary {
            name: self.name,
            vehicle: self.vehicle,
            follower: self.follower,
            speed_share: self.speed_share,
            complete: measures.is_complete(),
            clean: measures.is_clean(),
            lap_times_s: &measures.lap_times_s,
            mean_lap_time_s: measures.mean_lap_s(),
            profile_lap_time_s: measures.profile_lap_time_s,
            of_profile: measures.of_profile(),
            cross_track_mean_m: measures.cross_track_mean_m,
            cross_track_95_m: measures.cross_track_95_m,
            cross_track_worst_m: measures.cross_track_worst_m,
            cross_track_worst_at_m: measures.cross_track_worst_at_m,
            inside_fraction: measures.inside_fraction,
            min_room_m: measures.min_room_m,
            min_room_at_m: measures.min_room_at_m,
            stuck_events: measures.stuck_events,
            placements: measures.placements,
            traffic: measures.encounters.as_ref().map(TrafficSummary::of),
            learned: self.learned.map(LearnedSummary::of),
            tried: self.tried.iter().map(|&(speed_share, clean)| TriedFraction { speed_share, clean }).collect(),
            sensitivity: self.disturbances.iter().map(DisturbanceSummary::of).collect(),
        };
        Ok(serde_json::to_string_pretty(&summary)? + "\n")
    }

    pub fn table(&self) -> String {
        let measures = self.measures;
        let laps: Vec<String> = measures.lap_times_s.iter().map(|lap| format!("{lap:.3} s")).collect();
        let laps = match laps.len() {
            0 => "none completed".to_owned(),
            1..=6 => laps.join(", "),
            count => {
                let best = measures.best_lap_s().unwrap_or(0.0);
                format!("{}, … ({count} laps, best {best:.3} s)", laps[..4].join(", "))
            }
        };
        let against = measures.of_profile().map_or_else(
            || "-".to_owned(),
            |fraction| format!("{:.2} % ({:.3} s)", 100.0 * fraction, measures.profile_lap_time_s),
        );
        let at = |metres: f64| format!("{metres:.*}", self.decimals.length);
        let error = format!(
            "mean {:.3} m, 95 % {:.3} m, worst {:.3} m (at {} m)",
            measures.cross_track_mean_m,
            measures.cross_track_95_m,
            measures.cross_track_worst_m,
            at(measures.cross_track_worst_at_m)
        );
        let road = format!(
            "{:.2} % of the time, minimum distance to an edge {:.3} m (at {} m)",
            100.0 * measures.inside_fraction,
            measures.min_room_m,
            at(measures.min_room_at_m)
        );
        let stuck = match measures.placements {
            0 => measures.stuck_events.to_string(),
            1 => format!("{}, placed back once", measures.stuck_events),
            placements => format!("{}, placed back {placements} times", measures.stuck_events),
        };
        let fraction = match (self.speed_share, self.tried.len()) {
            (Some(fraction), 0) => format!("{fraction}"),
            (Some(fraction), tried) => format!("{fraction:.2}, the best of {tried} tried"),
            (None, _) => "none is clean".to_owned(),
        };
        let learned = self.learned.map(LearnedSummary::of).map(|learned| {
            let best = learned.best_lap_s.map_or_else(|| "none timed".to_owned(), |best| format!("best {best:.3} s"));
            let (min, greatest) = (learned.min_factor, learned.greatest_factor);
            ("learned", format!("{} laps, {best}, factors {min:.3} to {greatest:.3}", learned.laps))
        });
        let rows = [
            ("vehicle", self.vehicle.to_owned()),
            ("follower", self.follower.to_owned()),
            ("speed fraction", fraction),
            ("lap times", laps),
            ("of the profile", against),
            ("from the line", error),
            ("body on the road", road),
            ("stuck", stuck),
        ];
        let traffic = measures.encounters.as_ref().map(|met| TrafficSummary::of(met).rows()).into_iter().flatten();
        let rows: Vec<Vec<String>> =
            rows.into_iter().chain(traffic).chain(learned).map(|(name, value)| vec![name.to_owned(), value]).collect();
        format!("{}\n{}{}", self.name, text_table(&rows, 2), self.disturbance_table())
    }

    fn disturbance_table(&self) -> String {
        if self.disturbances.is_empty() {
            return String::new();
        }
        let head = ["off", "by", "clean", "of the profile", "worst m", "to an edge m"].map(str::to_owned).to_vec();
        let rows = self.disturbances.iter().map(|Disturbance { quantity, change, measures }| {
            vec![
                quantity.name().to_owned(),
                format!("{:+.0} %", 100.0 * change),
                if measures.is_clean() { "yes" } else { "no" }.to_owned(),
                measures.of_profile().map_or_else(|| "-".to_owned(), |fraction| format!("{:.2} %", 100.0 * fraction)),
                format!("{:.3}", measures.cross_track_worst_m),
                format!("{:.3}", measures.min_room_m),
            ]
        });
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        format!("\n{}", text_table(&rows, 1))
    }
}

impl DisturbanceSummary {
    fn of(Disturbance { quantity, change, measures }: &Disturbance) -> Self {
        Self {
            quantity: quantity.name(),
            change: *change,
            clean: measures.is_clean(),
            mean_lap_time_s: measures.mean_lap_s(),
            of_profile: measures.of_profile(),
            cross_track_worst_m: measures.cross_track_worst_m,
            min_room_m: measures.min_room_m,
            stuck_events: measures.stuck_events,
        }
    }
}
