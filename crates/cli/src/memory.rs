//! The available memory, and the syntax of sizes.

use std::fs;

/// Fraction of the free memory that a batch uses by default.
const FRACTION: (u64, u64) = (3, 4);

/// Bytes that a batch may use by default: three quarters of the available memory, or of the
/// container's limit if that is less. `None` where the system does not report it.
pub fn default_limit() -> Option<u64> {
    let available = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    });
    let container = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    let min = [available, container].into_iter().flatten().min()?;
    Some(min / FRACTION.1 * FRACTION.0)
}

/// `4G`, `1.5GiB`, `800M` or a number of bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a size: write bytes, or a number with K, M, G or T, as 4G");
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.trim().to_ascii_uppercase();
    let power = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(wrong()),
    };
    let bytes = number * 1024_f64.powi(power);
    if (1.0..1e18).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::parse_bytes;

    #[test]
    fn sizes_have_units_or_none() {
        assert_eq!(parse_bytes("4G"), Ok(4 << 30));
        assert_eq!(parse_bytes("1.5 GiB"), Ok(3 << 29));
        assert_eq!(parse_bytes("800mb"), Ok(800 << 20));
        assert_eq!(parse_bytes("1024"), Ok(1024));
        for wrong in ["", "G", "4X", "-1G", "0", "1e9", "nan"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
