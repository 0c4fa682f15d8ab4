//! The track and its sidecar among files in memory.

use std::path::Path;

use raceline_file::files::Reach;
use raceline_read::input::{self, Input, InputKind};
use raceline_read::picture::MapYaml;

use super::session_error::SessionError;

/// A track that was given as files.
pub(super) struct GivenTrack {
    /// Name of the track's file.
    pub(super) name: String,
    pub(super) input: Input,
    /// Text of the sidecar; empty without one.
    pub(super) sidecar: String,
}

/// A file in memory.
#[derive(Clone, Debug)]
struct Held {
    name: String,
    bytes: Vec<u8>,
}

/// Whether a file of this name is a sidecar.
pub(super) fn is_sidecar(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

impl GivenTrack {
    /// The track among `files`, each with its name: a track file or a picture, with the picture that a map's YAML
    /// names or the other edge of the road.
    ///
    /// # Errors
    /// The first six variants of [`SessionError`].
    pub(super) fn among(files: Vec<(String, Vec<u8>)>) -> Result<Self, SessionError> {
        let count = files.len();
        let (mut sidecars, mut tracks) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            if is_sidecar(&name) { &mut sidecars } else { &mut tracks }.push(Held { name, bytes });
        }
        let is_map = |held: &Held| InputKind::of(Path::new(&held.name), &held.bytes) == InputKind::Map;
        let first = tracks.iter().position(is_map).unwrap_or(0);
        if tracks.is_empty() {
            return Err(SessionError::NoTrack { count });
        }
        let Held { name, bytes } = tracks.remove(first);
        let track = Path::new(&name);
        let input = if InputKind::of(track, &bytes) == InputKind::Map {
            let map = MapYaml::parse(track, &String::from_utf8_lossy(&bytes))?;
            let image = map.image.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let at = tracks.iter().position(|held| held.name == image);
            let Some(at) = at else { return Err(SessionError::NoMapImage { map: name, image }) };
            Input::Map { map, yaml: bytes, image: tracks.remove(at).bytes }
        } else {
            let input = input::of_bytes(track, bytes, None, Reach::WithinFolder)?;
            match tracks.as_slice() {
                [other] => with_other_edge(input, &name, other)?,
                _ => input,
            }
        };
        if matches!(input, Input::Edges(..)) {
            tracks.clear();
        }
        if let Some(other) = tracks.first() {
            return Err(SessionError::SeveralTracks { first: name, second: other.name.clone() });
        }
        let sidecar = sidecars.first().map(|held| String::from_utf8_lossy(&held.bytes).into_owned());
        Ok(Self { name, input, sidecar: sidecar.unwrap_or_default() })
    }
}

/// The two edges of a road where both files may be one, in the order of their names' "left" and "right", else as given;
/// otherwise the input as it is.
fn with_other_edge(input: Input, name: &str, other: &Held) -> Result<Input, SessionError> {
    if input.edge_file().is_none() {
        return Ok(input);
    }
    let second = input::of_bytes(Path::new(&other.name), other.bytes.clone(), None, Reach::WithinFolder)?;
    if second.edge_file().is_none() {
        return Ok(input);
    }
    let is_right = |name: &str| name.to_lowercase().contains("right");
    let [left, right] = if is_right(name) && !is_right(&other.name) { [second, input] } else { [input, second] };
    Ok(Input::Edges(Box::new(left), Box::new(right)))
}
