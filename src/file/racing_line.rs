//! The racing line that `raceline` reads and writes.

use crate::options::Options;
use crate::vehicle::Vehicle;

/// A racing line with its speed profile, its vehicle and the options that shaped it.
///
/// The vehicle is [`RacingLine::vehicle`](raceline_file::RacingLine::vehicle), with every
/// parameter. The preset or file that it came from is not kept: [`Options::vehicle`] is `None` in a
/// line that was read or made, and is not written.
pub type RacingLine = raceline_file::RacingLine<Vehicle, Options>;

/// The program and its version, for the key `generator`.
pub const GENERATOR: &str = concat!("raceline ", env!("CARGO_PKG_VERSION"));
