//! Times as loggers write them.

/// Seconds of a time: a number of seconds, `hh:mm:ss.sss`, `mm:ss.sss`, or a date and time of ISO 8601.
pub(super) fn seconds(field: &str) -> Option<f64> {
    let field = &*field.trim().replace(',', ".");
    if let Ok(value) = field.parse::<f64>() {
        return Some(value).filter(|value| value.is_finite());
    }
    if let Some((date, time)) = field.split_once(['T', ' ']) {
        return Some(days(date)? * 86_400.0 + clock(time)?);
    }
    clock(field)
}

/// Seconds of `hh:mm:ss.sss` or `mm:ss.sss`, less the offset of a time zone behind it.
fn clock(field: &str) -> Option<f64> {
    let field = field.trim();
    let (field, zone_s) = match field.find(['Z', 'z', '+', '-']) {
        Some(place) if field.is_char_boundary(place) => {
            let (time, zone) = field.split_at(place);
            (time, offset(zone)?)
        }
        _ => (field, 0.0),
    };
    let parts: Vec<f64> = field.split(':').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
    let time = match parts[..] {
        [hours, minutes, seconds] => hours * 3600.0 + minutes * 60.0 + seconds,
        [minutes, seconds] => minutes * 60.0 + seconds,
        _ => return None,
    };
    (time.is_finite() && time >= 0.0).then_some(time - zone_s)
}

/// Seconds of `Z`, `+01:00` or `-0530`.
fn offset(zone: &str) -> Option<f64> {
    let sign = match zone.chars().next()? {
        '+' => 1.0,
        '-' => -1.0,
        _ => return Some(0.0),
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let hours: f64 = digits.get(..2)?.parse().ok()?;
    let minutes: f64 = digits.get(2..4).map_or(Some(0.0), |minutes| minutes.parse().ok())?;
    Some(sign * (hours * 3600.0 + minutes * 60.0))
}

/// Days since 1970-01-01 of `yyyy-mm-dd` (Hinnant, *chrono-Compatible Low-Level Date Algorithms*).
fn days(date: &str) -> Option<f64> {
    let parts: Vec<i64> = date.trim().splitn(3, '-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let &[year, month, day] = parts.as_slice() else { return None };
    if !((1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days as f64)
}

/// Seconds of a day that Racelogic writes as `hhmmss.sss`; a number below 100000 without a point in its
/// sixth digit may also be seconds, which the caller decides.
pub(super) fn of_racelogic(field: &str) -> Option<f64> {
    if field.contains(':') {
        return clock(field);
    }
    let value: f64 = field.parse().ok().filter(|value: &f64| (0.0..240_000.0).contains(value))?;
    let (hours, rest) = ((value / 10_000.0).floor(), value % 10_000.0);
    let (minutes, seconds) = ((rest / 100.0).floor(), rest % 100.0);
    (minutes < 60.0 && seconds < 61.0).then_some(hours * 3600.0 + minutes * 60.0 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_loggers() {
        assert_eq!(seconds("12.5"), Some(12.5));
        assert_eq!(seconds("1:02:03.5"), Some(3723.5));
        assert_eq!(seconds("2:03.25"), Some(123.25));
        assert_eq!(seconds("1970-01-02T00:00:01Z"), Some(86_401.0));
        assert_eq!(seconds("2026-11-25T13:00:00.250+01:00"), seconds("2026-11-25T12:00:00.250Z"));
        assert_eq!(seconds("2000-03-01 00:00:00"), Some(951_868_800.0));
        assert_eq!(of_racelogic("134501.25"), Some(13.0 * 3600.0 + 45.0 * 60.0 + 1.25));
        for bad in ["", "s", "nan", "inf", "1:2:3:4", "2026-13-01T00:00:00Z", "é:1", "1970-01-01T1:1+é9"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
        assert_eq!(of_racelogic("139901"), None);
    }
}
