//! What a caller gives as a track: a `Track`, a path, the bytes of a file, or a picture as an array.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{DynamicImage, GrayImage, ImageFormat, RgbImage, RgbaImage};
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use raceline::Options;
use raceline::files::Reach;
use raceline::input::{self, Input};
use raceline::options::Layer;
use raceline::pipeline::{Extraction, TrackSource};
use raceline::vehicle::Vehicle;

use crate::error::{InputError, with_causes};
use crate::keywords;
use crate::track::Track;

/// A track as it was given.
pub enum Given {
    Track { extraction: Box<Extraction>, file: PathBuf, layers: Vec<Layer>, vehicle: Option<Box<Vehicle>> },
    File(PathBuf),
    Memory(PathBuf, Box<Input>),
}

impl Given {
    /// What `given` is. `name` is the name of what is in memory, and `hint` its kind, where the content
    /// does not determine it.
    pub fn new(given: &Bound<'_, PyAny>, name: Option<&str>, hint: Option<&str>) -> PyResult<Self> {
        if let Ok(track) = given.cast::<Track>() {
            let track = track.get();
            let extraction = Box::new(track.extraction.clone());
            let (file, layers, vehicle) =
                (track.file.clone(), track.layers.clone(), track.vehicle.clone().map(Box::new));
            return Ok(Self::Track { extraction, file, layers, vehicle });
        }
        let of_bytes = |bytes: Vec<u8>| {
            let name = PathBuf::from(name.unwrap_or("track"));
            let input = input::of_bytes(&name, bytes, hint, Reach::WithinFolder)
                .map_err(|error| InputError::new_err(with_causes(&error)))?;
            Ok(Self::Memory(name, Box::new(input)))
        };
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return of_bytes(bytes.as_bytes().to_vec());
        }
        if given.hasattr("__array_interface__")? {
            return of_bytes(picture(given)?);
        }
        match given.extract() {
            Ok(path) => Ok(Self::File(path)),
            Err(_) => Err(InputError::new_err(format!(
                "track is {}: give a raceline.Track, a path, bytes of a file or a picture as an array",
                given.get_type()
            ))),
        }
    }

    /// The options with which it was read, or those beside its file.
    pub fn layers(&self, reach: Reach) -> PyResult<Vec<Layer>> {
        match self {
            Self::Track { layers, .. } => Ok(layers.clone()),
            Self::File(path) => Ok(keywords::sidecar(path, reach)?.into_iter().collect()),
            Self::Memory(..) => Ok(Vec::new()),
        }
    }

    /// The vehicle for which a `Track` was read, if one was given.
    pub fn vehicle(&self) -> Option<&Vehicle> {
        match self {
            Self::Track { vehicle, .. } => vehicle.as_deref(),
            Self::File(_) | Self::Memory(..) => None,
        }
    }

    /// The options and the vehicle of a run on it: `layer` over its own, and the vehicle that is `given`,
    /// else its own.
    pub fn options(&self, layer: Layer, given: Option<&Bound<'_, PyAny>>) -> PyResult<(Options, Vehicle)> {
        let mut layers = self.layers(layer.reach())?;
        layers.push(layer);
        let mut merged = keywords::options(&layers)?;
        let vehicle = keywords::vehicle(given, self.vehicle(), &mut merged)?;
        Ok((merged, vehicle))
    }

    /// The file, or the name of what is in memory.
    pub fn file(&self) -> &Path {
        match self {
            Self::Track { file, .. } | Self::File(file) | Self::Memory(file, _) => file,
        }
    }

    /// The source that the pipeline takes.
    pub fn source(&self) -> TrackSource<'_> {
        match self {
            Self::Track { extraction, .. } => TrackSource::Extracted(extraction.clone()),
            Self::File(path) => TrackSource::File(path),
            Self::Memory(name, input) => TrackSource::Memory(name.clone(), input.clone()),
        }
    }
}

/// The bytes of the picture in an array of whole numbers from 0 to 255 or of truth values: of shape
/// (rows, columns), or with 1, 3 or 4 channels; the first row is the top one.
fn picture(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let wrong = |what: &str| {
        InputError::new_err(format!(
            "track is {what}: give a picture of shape (rows, columns) or (rows, columns, 3) with dtype uint8 or bool"
        ))
    };
    let numpy = given.py().import("numpy")?;
    let mut array = numpy.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("name")?.extract()?;
    match kind.as_str() {
        "uint8" => {}
        "bool" => array = array.call_method1("astype", ("uint8",))?.call_method1("__mul__", (255u8,))?,
        other => return Err(wrong(&format!("an array of {other}"))),
    }
    let array = numpy.call_method1("ascontiguousarray", (array,))?;
    let array = array.cast::<PyArrayDyn<u8>>().map_err(|_| wrong("no array of uint8"))?;
    let shape = array.shape().to_vec();
    let pixels = array.to_vec()?;
    let side = |length: usize| u32::try_from(length).map_err(|_| wrong("too large"));
    let (height, width, channels) = match shape[..] {
        [rows, columns] => (side(rows)?, side(columns)?, 1),
        [rows, columns, channels @ (1 | 3 | 4)] => (side(rows)?, side(columns)?, channels),
        _ => return Err(wrong(&format!("an array of shape {shape:?}"))),
    };
    let picture = match channels {
        1 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        3 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        _ => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from),
    };
    let picture = picture.ok_or_else(|| wrong("no picture"))?;
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).map_err(|error| InputError::new_err(with_causes(&error)))?;
    Ok(png.into_inner())
}
