//! `raceline serve`: a page that edits a track.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use super::GlobalFlags;
use super::file_guard;
use super::following::{Address, follow};
use super::line_making::LineTask;
use super::option_flags::OptionFlags;
use super::output::Output;
use super::page_server::DEFAULT_PORT;
use super::report::Failure;
use super::track_name::name_of;

/// Edit a track in the browser: each change makes the line anew
///
/// Serves the page of `raceline render` with tools that set what a sidecar holds: the scale by two
/// clicks and a length, the road, the start line, the direction, obstacles, pick-ups and grip. Each
/// change is written to the sidecar, and the line is made anew. A change by another program, as a
/// text editor or a drawing program, does the same. Ends with Ctrl-C.
///
/// The server is for this machine alone unless --listen specifies otherwise. Then everyone who has
/// the printed address, which contains a token, can edit the sidecar.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A picture, map YAML, extracted track or track file: CSV, GeoJSON, SVG or XML of TORCS
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// Where to write the line [default: <NAME>.raceline.json in the current folder]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Port of the page; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Address of this machine at which the page is served
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  A picture without a scale: open the printed address, choose Scale, click two places, enter their distance:
    raceline serve monza.png
  At another port, with the line in another folder:
    raceline serve monza.png --port 9000 -o lines/monza.raceline.json";

impl Arguments {
    /// Serves until the process ends.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let output = self.output.unwrap_or_else(|| PathBuf::from(name_of(&self.input) + raceline::batch::ENDING));
        let output = &Output::new(&output);
        file_guard::check(&self.options.files(&self.input), [output])?;
        let (input, options) = (&*self.input, &self.options);
        let task = LineTask {
            input,
            output,
            name: None,
            options,
            detail: false,
            json: false,
            explain: None,
            survival: None,
            flags,
        };
        follow(&task, Some(Address { ip: self.listen, port: self.port, edits: true }))
    }
}
