//! The request for a run.

use super::{Progress, Silent};
use crate::options::Options;
use crate::vehicle::Vehicle;

/// The parameters of [`optimize`](super::optimize) and [`sweep`](crate::sweep::sweep) beside their
/// input.
///
/// ```
/// use raceline::pipeline::Request;
/// use raceline::{Options, vehicle};
///
/// let (options, car) = (Options::default(), vehicle::preset("kart")?);
/// let request = Request::new(&options, &car).detail(true);
/// # let _ = request;
/// # Ok::<(), vehicle::VehicleError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub(crate) options: &'a Options,
    pub(crate) vehicle: &'a Vehicle,
    pub(crate) detail: bool,
    pub(crate) verify: bool,
    pub(crate) prices: bool,
    pub(crate) progress: &'a dyn Progress,
}

impl<'a> Request<'a> {
    /// A run with `options` for `vehicle`, without detail and without progress.
    #[must_use]
    pub fn new(options: &'a Options, vehicle: &'a Vehicle) -> Self {
        Self { options, vehicle, detail: false, verify: true, prices: true, progress: &Silent }
    }

    /// Whether the line includes the candidates' points and the cross-sections. Default: no. A
    /// sweep ignores it.
    #[must_use]
    pub fn detail(self, detail: bool) -> Self {
        Self { detail, ..self }
    }

    /// Whether the line is proven to be sound, as [`raceline_verify`] judges it, before it is returned.
    /// Default: yes. A sweep ignores it.
    #[must_use]
    pub fn verify(self, verify: bool) -> Self {
        Self { verify, ..self }
    }

    /// Whether further laps measure what pins, speed caps, regions and pick-ups cost. Default: yes. A
    /// sweep ignores it.
    #[must_use]
    pub fn prices(self, prices: bool) -> Self {
        Self { prices, ..self }
    }

    /// Reports the stages to `progress`. Default: no reports.
    pub fn progress(self, progress: &'a dyn Progress) -> Self {
        Self { progress, ..self }
    }
}
