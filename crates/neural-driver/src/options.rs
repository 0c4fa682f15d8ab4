//! The options of a training.

use raceline_vehicle_simulation::{OutOfRange, check_range};

/// How a driver is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainOptions {
    /// Units of the hidden layers from the inputs to the outputs: 1 to 3 layers of 1 to 128 units.
    /// Default: one layer of 40.
    pub hidden: Vec<usize>,
    /// Sizes of one hidden layer that are tried on the drives of the last round: the smallest whose
    /// error on drives that it was not fitted to is within 5 % of the smallest is kept. Default:
    /// none,
    /// `hidden` is used.
    pub sizes: Vec<usize>,
    /// Rounds of data aggregation, 1 to 100. In the first the follower drives, in the later ones the
    /// network of the round before. Default: 12.
    pub rounds: u32,
    /// Drives per round, 1 to 100 000. Default: 240.
    pub episodes: u32,
    /// Length of a drive, s, 0.5 to 600. Default: 12.
    pub episode_s: f64,
    /// Passes over the data per round, 1 to 1000. The fit after the last round makes four times as
    /// many. Default: 6.
    pub epochs: u32,
    /// Learning rate at the beginning of a fit, 1e-6 to 1. It falls to a hundredth by a half cosine.
    /// Default: 0.003.
    pub learning_rate: f64,
    /// Generations of evolution on the lap time, 0 to 10 000; 0 for none. Default: 0.
    pub evolve: u32,
    /// Lines that the evolution drives, 1 to 1000, spread over those that are trained on. Default: 8.
    pub evolve_lines: u32,
    /// Fraction of the loss that recorded samples have where the follower is imitated besides, 0.01 to 0.99.
    /// Default: 0.5.
    pub recorded_fraction: f64,
    /// Seed of all random numbers. Default: 1.
    pub seed: u64,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            hidden: vec![40],
            sizes: Vec::new(),
            rounds: 12,
            episodes: 240,
            episode_s: 12.0,
            epochs: 6,
            learning_rate: 0.003,
            evolve: 0,
            evolve_lines: 8,
            recorded_fraction: 0.5,
            seed: 1,
        }
    }
}

impl TrainOptions {
    /// Checks every range.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        check_range("hidden", self.hidden.len() as f64, 1.0, 3.0, "1 to 3 layers")?;
        for &units in self.hidden.iter().chain(&self.sizes) {
            check_range("hidden", units as f64, 1.0, 128.0, "layers of 1 to 128 units")?;
        }
        check_range("rounds", f64::from(self.rounds), 1.0, 100.0, "from 1 to 100")?;
        check_range("episodes", f64::from(self.episodes), 1.0, 1e5, "from 1 to 100000")?;
        check_range("episode_s", self.episode_s, 0.5, 600.0, "from 0.5 to 600 s")?;
        check_range("epochs", f64::from(self.epochs), 1.0, 1000.0, "from 1 to 1000")?;
        check_range("learning_rate", self.learning_rate, 1e-6, 1.0, "from 0.000001 to 1")?;
        check_range("evolve", f64::from(self.evolve), 0.0, 1e4, "from 0 to 10000")?;
        check_range("evolve_lines", f64::from(self.evolve_lines), 1.0, 1000.0, "from 1 to 1000")?;
        check_range("recorded_fraction", self.recorded_fraction, 0.01, 0.99, "from 0.01 to 0.99")?;
        Ok(())
    }
}
