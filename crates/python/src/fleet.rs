//! Many vehicles on one line that Python drives: what `raceline.gym` is made of.

use numpy::ndarray::Array2;
use numpy::{AllowTypeChange, IntoPyArray, PyArray1, PyArray2, PyArrayLike2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use raceline::Options;
use raceline::drive::{Action, Fleet, FleetOptions, Placement, Standing};

use crate::error::{InputError, OptionsError, with_causes};
use crate::keywords;
use crate::loading::line_of;

/// Number of vehicles from which on they are divided among threads.
const WORTH_THREADS: usize = 16;
/// Largest number of vehicles.
const MAX_COUNT: usize = 1_000_000;

/// Vehicles that are alike, each alone on the road of a line.
#[pyclass(module = "raceline._raceline", name = "_Fleet")]
pub struct PyFleet {
    fleet: Fleet,
    /// The threads, and the process that they live in: a fork does not have them.
    pool: Option<(u32, rayon::ThreadPool)>,
    /// Number of threads; 0 is one per core.
    threads: usize,
    max_steering_rad: f64,
    width_m: f64,
    length_m: f64,
    wheelbase_m: f64,
}

impl PyFleet {
    /// Makes the threads of this process, if the fleet is worth them and has none.
    fn make_pool(&mut self) -> PyResult<()> {
        if self.threads == 1 || self.fleet.len() < WORTH_THREADS {
            return Ok(());
        }
        let process = std::process::id();
        if self.pool.as_ref().is_none_or(|(made_in, _)| *made_in != process) {
            // Those of another process can be neither used nor ended.
            std::mem::forget(self.pool.take());
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
            let pool = pool.map_err(|error| OptionsError::new_err(format!("can't start a thread: {error}")))?;
            self.pool = Some((process, pool));
        }
        Ok(())
    }

    fn of_standings<'py>(&self, py: Python<'py>, value: fn(Standing) -> f64) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.fleet.standings().map(value))
    }

    fn check(&self, index: usize) -> PyResult<()> {
        let count = self.fleet.len();
        if index < count { Ok(()) } else { Err(PyIndexError::new_err(format!("vehicle {index} of {count}"))) }
    }
}

#[pymethods]
impl PyFleet {
    #[new]
    #[pyo3(signature = (line, *, vehicle = None, count = 1, frame_rate = 20.0, time_step = 0.01, preview = 60.0,
        preview_points = 10, threads = 0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        line: &Bound<'_, PyAny>,
        vehicle: Option<&Bound<'_, PyAny>>,
        count: usize,
        frame_rate: f64,
        time_step: f64,
        preview: f64,
        preview_points: usize,
        threads: usize,
    ) -> PyResult<Self> {
        let line = line_of("line", line)?;
        let vehicle = match vehicle {
            Some(_) => keywords::vehicle(vehicle, None, &mut Options::default())?,
            None => line.vehicle.clone(),
        };
        if !(1..=MAX_COUNT).contains(&count) {
            return Err(OptionsError::new_err(format!("count is {count}, but must be from 1 to {MAX_COUNT}")));
        }
        let options =
            FleetOptions { frame_rate_hz: frame_rate, time_step_s: time_step, preview_m: preview, preview_points };
        let fleet =
            Fleet::new(&line, &vehicle, count, &options).map_err(|error| InputError::new_err(with_causes(&error)))?;
        let max_steering_rad = vehicle.handling().max_steering_rad;
        Ok(Self {
            fleet,
            pool: None,
            threads,
            max_steering_rad,
            width_m: vehicle.width_m,
            length_m: vehicle.length_m,
            wheelbase_m: vehicle.wheelbase_m,
        })
    }

    /// Puts vehicle `index` at the distance `s` along the line, with its offset from it and its heading relative
    /// to it.
    fn place(&mut self, index: usize, s: f64, offset: f64, heading: f64, speed: f64) -> PyResult<()> {
        self.check(index)?;
        if ![s, offset, heading, speed].iter().all(|number| number.is_finite()) {
            return Err(InputError::new_err("a vehicle can only be placed at finite numbers"));
        }
        self.fleet.place(index, Placement { s_m: s, offset_m: offset, heading_rad: heading, speed_mps: speed });
        Ok(())
    }

    /// Moves all vehicles on for a frame under their actions, rows of steering and pedal from -1 to 1, and returns
    /// the observations.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let count = self.fleet.len();
        let wrong = || InputError::new_err(format!("actions: give an array of shape ({count}, 2)"));
        let actions: PyArrayLike2<'_, f64, AllowTypeChange> = actions.extract().map_err(|_| wrong())?;
        let actions = actions.as_array();
        if actions.shape() != [count, 2] {
            return Err(wrong());
        }
        let actions: Vec<Action> =
            actions.rows().into_iter().map(|row| Action { steering: row[0], pedal: row[1] }).collect();
        let width = self.fleet.observation_len();
        let mut seen = vec![0.0; count * width];
        self.make_pool()?;
        let (fleet, pool) = (&mut self.fleet, self.pool.as_ref());
        py.detach(|| match pool {
            Some((_, pool)) => pool.install(|| fleet.step(&actions, &mut seen)),
            None => fleet.step_in_this_thread(&actions, &mut seen),
        });
        let seen = Array2::from_shape_vec((count, width), seen).map_err(|_| wrong())?;
        Ok(seen.into_pyarray(py))
    }

    /// The observation of vehicle `index`.
    fn observation<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.check(index)?;
        let mut seen = vec![0.0; self.fleet.observation_len()];
        self.fleet.observe(index, &mut seen);
        Ok(seen.into_pyarray(py))
    }

    /// Position, heading, velocity along and across the body, yaw rate and steering angle of vehicle `index`.
    fn state(&self, index: usize) -> PyResult<[f64; 7]> {
        self.check(index)?;
        let state = self.fleet.states().nth(index).copied().unwrap_or_default();
        Ok([
            state.x_m,
            state.y_m,
            state.heading_rad,
            state.forward_mps,
            state.leftward_mps,
            state.yaw_rate_radps,
            state.steering_rad,
        ])
    }

    /// Distances to the left and the right edge and the profile's speed, at a distance along the line.
    fn road(&self, s: f64) -> (f64, f64, f64) {
        let (left, right) = self.fleet.widths_m(s);
        (left, right, self.fleet.profile_speed_mps(s))
    }

    #[getter]
    fn progress<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.of_standings(py, |standing| standing.progress_m)
    }

    #[getter]
    fn s<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.of_standings(py, |standing| standing.s_m)
    }

    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.of_standings(py, |standing| standing.offset_m)
    }

    #[getter]
    fn room<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.of_standings(py, |standing| standing.room_m)
    }

    #[getter]
    fn observation_len(&self) -> usize {
        self.fleet.observation_len()
    }

    #[getter]
    fn length(&self) -> f64 {
        self.fleet.length_m()
    }

    #[getter]
    fn frame(&self) -> f64 {
        self.fleet.frame_s()
    }

    #[getter]
    fn max_steering(&self) -> f64 {
        self.max_steering_rad
    }

    #[getter]
    fn width(&self) -> f64 {
        self.width_m
    }

    /// Length of a vehicle and distance between its axles, m.
    #[getter]
    fn body(&self) -> (f64, f64) {
        (self.length_m, self.wheelbase_m)
    }
}
