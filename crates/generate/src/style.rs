//! What a road looks like.

use serde::{Deserialize, Serialize};

/// What a road looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// A circuit of straights, sweeping bends and hairpins: 4000 m, 12 m wide.
    #[default]
    Circuit,
    /// A circuit along the streets of a town: right angles and a few diagonals; 3000 m, 10 m wide.
    Street,
    /// A kart track, with many tight corners: 1100 m, 8 m wide.
    Kart,
    /// An oval with two to five wide bends: 2400 m, 15 m wide.
    Oval,
    /// A stage with a start and an end, as in a rally: 8000 m, 5 m wide.
    Stage,
    /// A circuit that fills a rectangle like the path along the walls of a maze: 1200 m, 4 m wide.
    Maze,
}

impl Style {
    /// All styles.
    pub const ALL: [Self; 6] = [Self::Circuit, Self::Street, Self::Kart, Self::Oval, Self::Stage, Self::Maze];

    /// The name on the command line and in names of files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Circuit => "circuit",
            Self::Street => "street",
            Self::Kart => "kart",
            Self::Oval => "oval",
            Self::Stage => "stage",
            Self::Maze => "maze",
        }
    }

    /// Length of the centre line and width where none are specified, m.
    #[must_use]
    pub fn default_size_m(self) -> (f64, f64) {
        match self {
            Self::Circuit => (4000.0, 12.0),
            Self::Street => (3000.0, 10.0),
            Self::Kart => (1100.0, 8.0),
            Self::Oval => (2400.0, 15.0),
            Self::Stage => (8000.0, 5.0),
            Self::Maze => (1200.0, 4.0),
        }
    }

    /// The shortest road, in widths: a shorter one folds or touches itself.
    #[must_use]
    pub fn min_widths(self) -> f64 {
        match self {
            Self::Circuit | Self::Street | Self::Kart | Self::Oval => 25.0,
            Self::Stage => 15.0,
            Self::Maze => 40.0,
        }
    }
}
