//! The quadratic programs on cross-sections that the caller gives, for `raceline.compat`.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use raceline::geometry::Point;
use raceline::solve::min_curvature::min_curvature;
use raceline::solve::shortest_path::shortest_path;
use raceline::solve::{Corridor, Formulation, SolveOptions};
use raceline::track::CrossSection;

use crate::error::{InputError, SolveError, with_causes};
use crate::interruptible::{Reports, run};

/// Where the shortest path or the minimum-curvature line crosses each cross-section, from 0 at its right
/// end to 1 at its left end, between `low` and `high`; and whether the programs have
/// settled.
#[pyfunction]
pub fn solve_sections<'py>(
    py: Python<'py>,
    right: PyReadonlyArray2<'_, f64>,
    left: PyReadonlyArray2<'_, f64>,
    low: PyReadonlyArray1<'_, f64>,
    high: PyReadonlyArray1<'_, f64>,
    closed: bool,
    shortest: bool,
) -> PyResult<(Bound<'py, PyArray1<f64>>, bool)> {
    let count = right.as_array().nrows();
    let [right_shape, left_shape] = [&right, &left].map(|array| array.as_array().dim());
    let bounds = [&low, &high].map(|array| array.as_array().len());
    if right_shape != (count, 2) || left_shape != (count, 2) || bounds != [count; 2] || count < 3 {
        return Err(InputError::new_err(
            "right and left must have a row [x, y] per cross-section, low and high a number, of at least three",
        ));
    }
    let points = |array: &PyReadonlyArray2<'_, f64>| -> Vec<Point> {
        array.as_array().rows().into_iter().map(|row| Point::new(row[0], row[1])).collect()
    };
    let sections = points(&right).into_iter().zip(points(&left));
    let sections: Vec<CrossSection> = sections.map(|(right, left)| CrossSection { right, left }).collect();
    let corridor = Corridor { closed, sections, low: low.as_array().to_vec(), high: high.as_array().to_vec() };
    let solved = run(py, &Reports::default(), move |_| {
        let solved = if shortest {
            // The squared distances of the classical program, which these callers expect.
            let options = SolveOptions { formulation: Formulation::Classic, ..SolveOptions::default() };
            shortest_path(&corridor, &options)
        } else {
            min_curvature(&corridor, &SolveOptions::default(), &corridor.middle())
        };
        solved.map_err(|error| SolveError::new_err(with_causes(&error)))
    })?;
    let has_settled = solved.report.settled && solved.report.unsolved == 0;
    Ok((PyArray1::from_vec(py, solved.alpha), has_settled))
}
