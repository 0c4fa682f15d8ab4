//! Folder → the tasks in it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::FindError;
use super::size::Size;
use crate::files::{self, LARGEST_TRACK_FILE};
use crate::input::InputKind;
use crate::options::{Layer, Options, OptionsError, sidecar_of};
use crate::picture::MapYaml;
use crate::vehicle::Vehicle;

/// The file at the folder's root that contains the defaults of all its tracks.
const DEFAULTS: &str = "raceline.toml";
/// Ending of a racing-line file.
pub const ENDING: &str = ".raceline.json";

const PICTURES: [&str; 11] = ["png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp", "pnm", "pgm", "ppm", "pbm"];
const TRACK_FILES: [&str; 10] = ["csv", "geojson", "kml", "kmz", "gpx", "osm", "pbf", "xodr", "ai", "aiw"];
/// A track of a simulator, distinguished from other XML by its content.
const XML: &str = "xml";
/// A drawing, which is a track only if it has a sidecar. Few drawings are tracks, for instance
/// those that this program writes.
const DRAWING: &str = "svg";
const MAPS: [&str; 2] = ["yaml", "yml"];
const EXTRACTED: &str = ".track.json";

/// One track: its inputs and its output.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The input's path below the folder, with `/`, without its ending: `europe/monza`.
    pub name: String,
    /// The input's path below the folder, with the ending.
    pub relative: String,
    /// The input.
    pub input: PathBuf,
    /// The output.
    pub output: PathBuf,
    /// The file with the defaults at the folder's root, if there is one.
    pub defaults: Option<PathBuf>,
    /// The TOML beside the input, if there is one.
    pub sidecar: Option<PathBuf>,
    /// The picture that a map's YAML names.
    pub map_image: Option<PathBuf>,
    /// Another input with the same output, which makes the task fail.
    pub same_output: Option<PathBuf>,
}

impl Task {
    /// The task's options: defaults, then the sidecar, then `command_line`.
    ///
    /// # Errors
    /// Those of [`Layer::read`] and [`Options::from_layers`].
    pub fn options(&self, command_line: &Layer) -> Result<Options, OptionsError> {
        // What holds for all tracks of a folder holds for its pictures only, where it is a scale.
        let mut endings = TRACK_FILES.iter().chain([&XML]);
        let has_coordinates = endings.any(|ending| self.relative.to_ascii_lowercase().ends_with(ending));
        let shared = |layer: Layer| if has_coordinates { layer.without_scale() } else { layer };
        let reach = command_line.reach();
        let mut layers = Vec::new();
        if let Some(path) = &self.defaults {
            layers.push(shared(Layer::read_within(path, reach)?));
        }
        if let Some(path) = &self.sidecar {
            layers.push(Layer::read_within(path, reach)?);
        }
        let is_track_file = TRACK_FILES.iter().any(|ending| self.relative.to_ascii_lowercase().ends_with(ending));
        let command_line = command_line.clone();
        layers.push(if is_track_file { command_line.with_width_only() } else { shared(command_line) });
        Ok(Options::from_layers(&layers)?.resolved()?.into_owned())
    }

    /// Size, from the picture's header.
    pub fn size(&self) -> Size {
        let ending = self.input.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        match &self.map_image {
            Some(image) => Size::of_picture(image),
            None if ending.is_some_and(|ending| PICTURES.contains(&ending.as_str())) => Size::of_picture(&self.input),
            None => Size::of_track_file(&self.input),
        }
    }

    /// Whether its name is free of control characters, which could change a terminal or a list of
    /// tasks. A task with another name fails.
    pub fn has_plain_name(&self) -> bool {
        !self.relative.contains(char::is_control)
    }

    /// The files beside the input that the line depends on: defaults, sidecar, a map's picture, and
    /// a vehicle's TOML and tables if the options specify one and can be read.
    pub fn dependencies(&self, command_line: &Layer) -> Vec<PathBuf> {
        let vehicle = self.options(command_line).ok().and_then(|options| options.vehicle).map(PathBuf::from);
        let vehicle = vehicle.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
        let tables = vehicle.as_deref().map(Vehicle::table_files).unwrap_or_default();
        let files = [&self.defaults, &self.sidecar, &self.map_image, &vehicle];
        files.into_iter().flatten().cloned().chain(tables).collect()
    }
}

/// Every track in `folder` and the folders in it, by name. A track is a picture, a ROS map's YAML
/// in place of the picture that it names, a track file (CSV, GeoJSON, SVG with a sidecar), an
/// extracted track (`.track.json`), recognised by its ending, or a track of TORCS among the XML
/// files, recognised by its content; the mask of the same name beside it is skipped. Names that begin with a dot, the
/// folder `out` and links to folders are skipped. With `out` the outputs are placed there, in the
/// same subfolders as the inputs.
///
/// # Errors
/// A folder that cannot be listed.
pub fn find(folder: &Path, out: Option<&Path>) -> Result<Vec<Task>, FindError> {
    let out_inside = out.and_then(|out| fs::canonicalize(out).ok());
    let same = |path: &Path| out_inside.is_some() && fs::canonicalize(path).ok() == out_inside;
    let defaults =
        Some(folder.join(DEFAULTS)).filter(|path| fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir()));
    let mut inputs = Vec::new();
    // The folder itself may be the output folder.
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((here, prefix)) = folders.pop() {
        let unlistable = |error| FindError::Unlistable { folder: here.clone(), error };
        for entry in fs::read_dir(&here).map_err(unlistable)? {
            let entry = entry.map_err(unlistable)?;
            // A name that is not Unicode is matched and reported with replacement characters.
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            let (path, relative) = (entry.path(), format!("{prefix}{name}"));
            if entry.file_type().map_err(unlistable)?.is_dir() {
                if !same(&path) {
                    folders.push((path, relative + "/"));
                }
            } else if let Some(found) = InputFile::of(path, relative, defaults.as_ref()) {
                inputs.push(found);
            }
        }
    }
    inputs.sort_by(|a, b| a.relative.cmp(&b.relative));
    let images: BTreeSet<PathBuf> =
        inputs.iter().filter_map(|found| fs::canonicalize(found.map_image.as_ref()?).ok()).collect();
    // A map's picture belongs to the task of its YAML, and a simulator's mask to that of its XML.
    let of_xml: BTreeSet<PathBuf> =
        inputs.iter().filter(|found| found.is_xml).map(|found| found.path.with_extension("")).collect();
    inputs.retain(|found| found.is_xml || !found.is_picture() || !of_xml.contains(&found.path.with_extension("")));
    inputs.retain(|found| {
        found.map_image.is_some()
            || images.is_empty()
            || fs::canonicalize(&found.path).is_ok_and(|path| !images.contains(&path))
    });
    let mut tasks: Vec<Task> = inputs.into_iter().map(|found| found.task(folder, out, defaults.clone())).collect();
    let mut first_of: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for index in 0..tasks.len() {
        if let Some(&first) = first_of.get(&tasks[index].output) {
            tasks[index].same_output = Some(tasks[first].input.clone());
            tasks[first].same_output = Some(tasks[index].input.clone());
        } else {
            first_of.insert(tasks[index].output.clone(), index);
        }
    }
    Ok(tasks)
}

/// A file that is an input.
struct InputFile {
    path: PathBuf,
    relative: String,
    sidecar: Option<PathBuf>,
    map_image: Option<PathBuf>,
    /// Whether it is a track in XML.
    is_xml: bool,
}

impl InputFile {
    fn is_picture(&self) -> bool {
        let ending = self.path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        ending.is_some_and(|ending| PICTURES.contains(&ending.as_str()))
    }

    fn of(path: PathBuf, relative: String, defaults: Option<&PathBuf>) -> Option<Self> {
        // `raceline.png` cannot have a sidecar, because its name is that of the defaults.
        let sidecar = sidecar_of(&path).filter(|sidecar| Some(sidecar) != defaults);
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let ending = ending.as_str();
        let is_track =
            TRACK_FILES.contains(&ending) || relative.ends_with(EXTRACTED) || (ending == DRAWING && sidecar.is_some());
        if PICTURES.contains(&ending) || is_track {
            Some(Self { path, relative, sidecar, map_image: None, is_xml: false })
        } else if MAPS.contains(&ending) {
            // Other YAMLs, common in repositories, are skipped. One that names a picture but cannot
            // be parsed is reported by its task, and so is one that cannot be read.
            let bytes = match files::read(&path, LARGEST_TRACK_FILE) {
                Ok(bytes) => bytes,
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::FileTooLarge) => return None,
                Err(_) => return Some(Self { path, relative, sidecar, map_image: None, is_xml: false }),
            };
            let text = String::from_utf8_lossy(&bytes);
            text.lines().find(|line| line.starts_with("image:"))?;
            let image = MapYaml::parse(&path, &text).map(|map| map.image).unwrap_or_default();
            Some(Self { path, relative, sidecar, map_image: Some(image), is_xml: false })
        } else if ending == XML {
            // XML is seldom a track. A file that cannot be read is reported by its task.
            let is_xml = match files::read(&path, LARGEST_TRACK_FILE) {
                Ok(bytes) => InputKind::by_content(&bytes) == Some(InputKind::TorcsXml),
                Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::FileTooLarge),
            };
            is_xml.then_some(Self { path, relative, sidecar, map_image: None, is_xml })
        } else {
            None
        }
    }

    fn task(self, folder: &Path, out: Option<&Path>, defaults: Option<PathBuf>) -> Task {
        let Self { path: input, relative, sidecar, map_image, .. } = self;
        let stem = relative.rsplit_once('.').map_or(relative.as_str(), |(stem, _)| stem);
        let name = stem.strip_suffix(".track").unwrap_or(stem).to_owned();
        // The system's own name, which need not be Unicode.
        let inside = input.strip_prefix(folder).unwrap_or(&input);
        let stem = inside.file_stem().unwrap_or(inside.as_os_str());
        let is_extracted = Path::new(stem).extension() == Some(OsStr::new("track"));
        let mut file = Path::new(stem).file_stem().filter(|_| is_extracted).unwrap_or(stem).to_owned();
        file.push(ENDING);
        let output = out.unwrap_or(folder).join(inside.with_file_name(file));
        Task { name, relative, input, output, defaults, sidecar, map_image, same_output: None }
    }
}
