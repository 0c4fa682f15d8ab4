//! The YAML beside an occupancy grid of ROS `map_server` (<https://wiki.ros.org/map_server>, "YAML
//! format").

use std::path::{Path, PathBuf};

use serde::Deserialize;

use raceline_file::files::{self, LARGEST_TRACK_FILE};

/// A map's picture and what its cells mean.
#[derive(Clone, Debug, PartialEq)]
pub struct MapYaml {
    /// The picture's path; a relative path is joined to the YAML's folder.
    pub image: PathBuf,
    /// Side of a cell, metres.
    pub resolution: f64,
    /// World position of the picture's bottom-left corner, x and y in metres, and yaw in radians,
    /// which is zero.
    pub origin: [f64; 3],
    /// Whether white means occupied.
    pub negate: bool,
    /// Cells with an occupancy above it are walls, 0 to 1. Default: 0.65.
    pub occupied_thresh: f64,
    /// Cells with an occupancy below it are free, 0 to 1. Default: 0.196.
    pub free_thresh: f64,
}

/// An error in a map's YAML.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapYamlError {
    /// The file cannot be read.
    #[error("can't read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// Not YAML, or a key is missing or of the wrong type.
    #[error("{}: {message}; a map needs at least the keys image, resolution and origin: [x, y, yaw]", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The parser's message, with line and column.
        message: String,
    },
    /// A key has an invalid value.
    #[error("{}: {key} is {value}, but must be {must_be}", path.display())]
    BadValue {
        /// The file.
        path: PathBuf,
        /// The key.
        key: &'static str,
        /// Value.
        value: f64,
        /// The requirement.
        must_be: &'static str,
    },
}

/// The keys of the file.
#[derive(Deserialize)]
struct Raw {
    image: PathBuf,
    resolution: f64,
    origin: [f64; 3],
    #[serde(default)]
    negate: i64,
    #[serde(default = "default_occupied")]
    occupied_thresh: f64,
    #[serde(default = "default_free")]
    free_thresh: f64,
}

fn default_occupied() -> f64 {
    0.65
}

fn default_free() -> f64 {
    0.196
}

impl MapYaml {
    /// Reads and checks the YAML at `path`.
    ///
    /// # Errors
    /// See [`MapYamlError`].
    pub fn read(path: &Path) -> Result<Self, MapYamlError> {
        let text = files::read_to_string(path, LARGEST_TRACK_FILE)
            .map_err(|source| MapYamlError::Unreadable { path: path.to_owned(), source })?;
        Self::parse(path, &text)
    }

    /// Parses and checks `text`; `path` is used in messages and to resolve a relative `image`.
    ///
    /// # Errors
    /// [`MapYamlError::Malformed`] and [`MapYamlError::BadValue`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, MapYamlError> {
        let raw: Raw = serde_saphyr::from_str(text)
            .map_err(|error| MapYamlError::Malformed { path: path.to_owned(), message: error.to_string() })?;
        let check = |holds: bool, key, value, must_be| {
            if holds { Ok(()) } else { Err(MapYamlError::BadValue { path: path.to_owned(), key, value, must_be }) }
        };
        check(
            raw.resolution.is_finite() && raw.resolution > 0.0,
            "resolution",
            raw.resolution,
            "metres per pixel, above zero",
        )?;
        for value in raw.origin {
            check(value.is_finite(), "origin", value, "three finite numbers: x, y, yaw")?;
        }
        check(raw.origin[2] == 0.0, "origin's yaw", raw.origin[2], "0: turn the picture instead")?;
        check(matches!(raw.negate, 0 | 1), "negate", raw.negate as f64, "0 or 1")?;
        let fraction = |value: f64| (0.0..=1.0).contains(&value);
        check(fraction(raw.occupied_thresh), "occupied_thresh", raw.occupied_thresh, "from 0 to 1")?;
        let ordered = raw.free_thresh > 0.0 && raw.free_thresh <= raw.occupied_thresh;
        check(ordered, "free_thresh", raw.free_thresh, "above 0 and not above occupied_thresh")?;
        Ok(Self {
            image: path.parent().map_or_else(|| raw.image.clone(), |folder| folder.join(&raw.image)),
            resolution: raw.resolution,
            origin: raw.origin,
            negate: raw.negate == 1,
            occupied_thresh: raw.occupied_thresh,
            free_thresh: raw.free_thresh,
        })
    }

    /// The 16 bit grey value above which a cell is free, or, with `negate`, above which it is not.
    ///
    /// Occupancy is p = (255 - v)/255, or v/255 with `negate`; free is p < `free_thresh`.
    pub(super) fn free_level(&self) -> u16 {
        let full = f64::from(u16::MAX);
        let level = if self.negate {
            // The largest value still free: strictly below the threshold.
            (self.free_thresh * full).ceil() - 1.0
        } else {
            ((1.0 - self.free_thresh) * full).floor()
        };
        level.clamp(0.0, full - 1.0) as u16
    }
}
