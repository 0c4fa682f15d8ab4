//! The choice of follower.

/// The follower that drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FollowerKind {
    /// The follower of `raceline-follower`, as fast as the curves ahead allow.
    Bezier,
    /// The follower of `raceline-follower` at the speeds of the file.
    Profile,
    /// The follower of `raceline-follower` at the lower of both speeds.
    #[default]
    Both,
    /// The baseline of de Schaetzen and Sestini (2023).
    Baseline,
    /// Path following after Reynolds (1999).
    Reynolds,
    /// A trained network ([`Simulation::network`](super::Simulation::network)).
    Neural,
}

impl FollowerKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Bezier, Self::Profile, Self::Both, Self::Baseline, Self::Reynolds, Self::Neural];

    /// The name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bezier => "bezier",
            Self::Profile => "profile",
            Self::Both => "both",
            Self::Baseline => "baseline",
            Self::Reynolds => "reynolds",
            Self::Neural => "neural",
        }
    }
}
