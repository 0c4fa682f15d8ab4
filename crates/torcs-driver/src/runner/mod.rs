//! The command line of the runner.

mod arguments;
mod car;
mod car_file;
mod installation;
mod line;
mod opponents;
mod params;
mod picture;
mod race;
mod results;
mod same_car;
mod season;
mod session;
mod standings;
mod table;
mod traffic;

pub use arguments::Arguments;

/// Runs the command line.
///
/// # Errors
/// What went wrong, with the file or the track.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        arguments::Command::Car(car) => car::car(car),
        arguments::Command::Race(race) => race::race(race),
        arguments::Command::Traffic(traffic) => traffic::traffic(traffic),
    }
}
