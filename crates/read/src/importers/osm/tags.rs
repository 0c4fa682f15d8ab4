//! The meaning of the tags of a way.

use super::data::Tags;

/// Width of a lane where a way has a number of lanes and no width, metres: that of main roads in Germany's
/// and Austria's standards for roads, between 3.25 and 3.75 m.
pub(super) const LANE_M: f64 = 3.5;
/// Widths that are believed, metres.
const WIDTHS_M: std::ops::RangeInclusive<f64> = 0.5..=200.0;
/// Numbers of lanes that are believed.
const LANES: std::ops::RangeInclusive<f64> = 1.0..=20.0;
/// Metres in a foot.
const FOOT_M: f64 = 0.3048;

/// The direction of a way of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OneWay {
    /// In both directions.
    No,
    /// In the order of its nodes.
    Forward,
    /// Against it.
    Backward,
}

/// Values of `highway` on which cars drive.
const STREETS: [&str; 19] = [
    "motorway",
    "trunk",
    "primary",
    "secondary",
    "tertiary",
    "unclassified",
    "residential",
    "living_street",
    "service",
    "road",
    "track",
    "raceway",
    "motorway_link",
    "trunk_link",
    "primary_link",
    "secondary_link",
    "tertiary_link",
    "busway",
    "escape",
];
/// Words of the names of pit lanes.
const PIT_WORDS: [&str; 5] = ["pit", "pits", "pitlane", "pit-lane", "boxengasse"];
/// Values of `sport` of circuits on which cars do not race.
const OTHER_SPORTS: [&str; 12] = [
    "running",
    "athletics",
    "cycling",
    "bmx",
    "horse_racing",
    "equestrian",
    "skating",
    "roller_skating",
    "speedway_ice",
    "dog_racing",
    "rc_car",
    "model_aerodrome",
];

/// Whether a road may be of a way with these tags.
pub(super) fn is_wanted(tags: &Tags) -> bool {
    tags.get("highway").is_some() || tags.get("leisure").is_some() || tags.get("sport").is_some()
}

/// Whether a relation is a circuit.
pub(super) fn is_circuit_relation(tags: &Tags) -> bool {
    tags.is("type", &["circuit", "raceway"]) || tags.is("route", &["raceway", "race", "motor"])
}

/// Whether a way is a street.
pub(super) fn is_street(tags: &Tags) -> bool {
    let is_closed = ["motor_vehicle", "motorcar", "vehicle"].iter().any(|key| tags.is(key, &["no"]))
        || tags.is("access", &["no"]) && tags.get("motor_vehicle").is_none();
    tags.is("highway", &STREETS) && !tags.is("area", &["yes"]) && !is_closed
}

/// How likely it is that a way is the circuit that is meant: 0 is the likeliest; `None` for no circuit.
pub(super) fn circuit_rank(tags: &Tags) -> Option<u8> {
    let is_track = tags.is("highway", &["raceway"]) || tags.is("leisure", &["track"]);
    if !is_track || tags.is("area", &["yes"]) || is_pit_lane(tags) {
        return None;
    }
    let sports = || tags.get("sport").unwrap_or_default().split(';').map(str::trim);
    let is_raceway = tags.is("highway", &["raceway"]);
    let name = tags.name().unwrap_or_default().to_lowercase();
    if sports().any(|sport| sport == "karting") || name.contains("kart") {
        return Some(1);
    }
    let is_motor =
        sports().any(|sport| matches!(sport, "motor" | "motocross" | "motorsport" | "autocross" | "rallycross"));
    match () {
        () if is_motor => Some(0),
        () if sports().any(|sport| OTHER_SPORTS.contains(&sport)) => Some(3),
        () if is_raceway => Some(0),
        () => Some(2),
    }
}

/// Whether a way is a pit lane or leads to one.
pub(super) fn is_pit_lane(tags: &Tags) -> bool {
    let has_pit_word = |text: &str| {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| PIT_WORDS.contains(&word))
    };
    let keys = ["raceway", "service", "motorsport", "racetrack", "raceway:type"];
    keys.iter().any(|key| {
        tags.get(key)
            .is_some_and(|value| value.replace('_', " ").split(' ').any(|word| word == "pit" || word == "pitlane"))
    }) || tags.get("pit_lane").is_some_and(|value| value != "no")
        || tags.get("name").is_some_and(has_pit_word)
        || tags.get("description").is_some_and(has_pit_word)
}

/// The direction of a way.
pub(super) fn one_way(tags: &Tags) -> OneWay {
    match tags.get("oneway").map(str::trim) {
        Some("yes" | "true" | "1") => OneWay::Forward,
        Some("-1" | "reverse") => OneWay::Backward,
        Some(_) => OneWay::No,
        None if tags.is("junction", &["roundabout", "circular"])
            || tags.is("highway", &["motorway", "motorway_link"]) =>
        {
            OneWay::Forward
        }
        None => OneWay::No,
    }
}

/// A width, and whether it follows from the number of lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Width {
    /// Full width, metres.
    pub width_m: f64,
    /// Whether it is that of the lanes.
    pub is_of_lanes: bool,
}

/// The width of a way: `width` or `width:carriageway`, else `lanes` of 3.5 m. What cannot be read is no width.
pub(super) fn width(tags: &Tags) -> Option<Width> {
    let stated = ["width:carriageway", "width", "est_width"].iter().find_map(|key| length_m(tags.get(key)?));
    if let Some(width_m) = stated.filter(|width| WIDTHS_M.contains(width)) {
        return Some(Width { width_m, is_of_lanes: false });
    }
    let lanes = tags.get("lanes")?.trim().parse::<f64>().ok().filter(|lanes| LANES.contains(lanes))?;
    Some(Width { width_m: LANE_M * lanes, is_of_lanes: true })
}

/// A length in metres, or in feet with a unit.
fn length_m(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = |text: &str| text.trim().parse::<f64>().ok();
    if let Some((feet, inches)) = text.split_once('\'') {
        let inches = inches.trim().trim_end_matches('"');
        let inches = if inches.is_empty() { 0.0 } else { number(inches)? };
        return Some(FOOT_M * (number(feet)? + inches / 12.0));
    }
    if let Some(feet) = text.strip_suffix("ft") {
        return Some(FOOT_M * number(feet)?);
    }
    number(text.strip_suffix('m').unwrap_or(text)).or_else(|| number(&text.replace(',', ".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(pairs: &[(&str, &str)]) -> Tags {
        Tags(pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    #[test]
    fn widths_have_units_and_lanes_a_usual_width() {
        let cases = [("12", 12.0), ("12.5 m", 12.5), ("40 ft", 12.192), ("39'4\"", 11.9888), ("9,5", 9.5)];
        for (text, width_m) in cases {
            let found = width(&tags(&[("width", text)])).unwrap();
            assert!((found.width_m - width_m).abs() < 1e-9 && !found.is_of_lanes, "{text}: {found:?}");
        }
        assert_eq!(width(&tags(&[("lanes", "3")])), Some(Width { width_m: 10.5, is_of_lanes: true }));
        assert_eq!(width(&tags(&[("width", "wide"), ("lanes", "many")])), None);
        assert_eq!(width(&tags(&[("width", "1200")])), None);
    }

    #[test]
    fn pit_lanes_and_other_sports_are_recognised() {
        let raceway = ("highway", "raceway");
        assert_eq!(circuit_rank(&tags(&[raceway, ("name", "Pit Lane")])), None);
        assert_eq!(circuit_rank(&tags(&[raceway, ("raceway", "pit_lane")])), None);
        assert_eq!(circuit_rank(&tags(&[raceway, ("name", "Pitt Bend")])), Some(0));
        assert_eq!(circuit_rank(&tags(&[raceway, ("sport", "karting")])), Some(1));
        assert_eq!(circuit_rank(&tags(&[("leisure", "track"), ("sport", "motor")])), Some(0));
        assert_eq!(circuit_rank(&tags(&[("leisure", "track"), ("sport", "running")])), Some(3));
        assert_eq!(circuit_rank(&tags(&[("highway", "residential")])), None);
    }
}
