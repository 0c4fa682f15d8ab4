//! Paths on grids of cells that change, or that are searched as long as there is time.

use numpy::ndarray::Array2;
use numpy::{AllowTypeChange, IntoPyArray, PyArrayLike2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::plan::{AnytimeSearch as Anytime, Grid, GridError, GridPlanner as Planner};

use crate::error::{InputError, OptionsError};

/// Row and column of a cell.
type Cell = (i64, i64);

fn wrong(error: &GridError) -> PyErr {
    InputError::new_err(error.to_string())
}

fn grid_of(blocked: &Bound<'_, PyAny>) -> PyResult<Grid> {
    let array: PyArrayLike2<'_, bool, AllowTypeChange> =
        blocked.extract().map_err(|_| InputError::new_err("blocked is no two-dimensional array of true and false"))?;
    let array = array.as_array();
    let [height, width] = [array.nrows(), array.ncols()].map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    Grid::new(width, height, array.iter().copied().collect()).map_err(|error| wrong(&error))
}

fn index_of(grid: &Grid, name: &str, (row, column): Cell) -> PyResult<u32> {
    let (height, width) = (i64::from(grid.height()), i64::from(grid.width()));
    if (0..height).contains(&row) && (0..width).contains(&column) {
        return Ok((row * width + column) as u32);
    }
    Err(InputError::new_err(format!(
        "{name} is the cell ({row}, {column}), but the grid has {height} rows and {width} columns, counted from 0"
    )))
}

fn cell_of(grid: &Grid, index: u32) -> (u32, u32) {
    (index / grid.width(), index % grid.width())
}

/// The dictionary of a path.
fn path_of<'py>(
    py: Python<'py>,
    grid: &Grid,
    cells: &[u32],
    cost: u64,
    expanded: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let array = Array2::from_shape_fn((cells.len(), 2), |(number, axis)| {
        let (row, column) = cell_of(grid, cells[number]);
        i64::from(if axis == 0 { row } else { column })
    });
    let found = PyDict::new(py);
    found.set_item("cells", array.into_pyarray(py))?;
    found.set_item("cost", cost as f64 / 1000.0)?;
    found.set_item("expanded", expanded)?;
    Ok(found)
}

/// Plans a path on a grid of which cells become blocked and free, from a start that moves (D* Lite).
///
/// blocked: an array of true and false, rows from the top; unknown cells count as free.
/// start, goal: cells, (row, column).
///
/// Moves lead to the eight neighbours, over a corner only if both cells beside it are free.
///
/// >>> import numpy as np, raceline
/// >>> planner = raceline.GridPlanner(np.zeros((2, 3), bool), (0, 0), (0, 2))
/// >>> planner.path()["cells"].tolist()
/// [[0, 0], [0, 1], [0, 2]]
/// >>> planner.update(blocked=[(0, 1)])
/// >>> planner.path()["cost"]
/// 4.0
#[pyclass(module = "raceline._raceline")]
pub struct GridPlanner {
    planner: Planner,
}

#[pymethods]
impl GridPlanner {
    #[new]
    #[pyo3(signature = (blocked, start, goal))]
    fn new(blocked: &Bound<'_, PyAny>, start: Cell, goal: Cell) -> PyResult<Self> {
        let grid = grid_of(blocked)?;
        let (start, goal) = (index_of(&grid, "start", start)?, index_of(&grid, "goal", goal)?);
        Ok(Self { planner: Planner::new(grid, start, goal).map_err(|error| wrong(&error))? })
    }

    /// Blocks and frees cells, (row, column); a cell in both is free. Where one is not on the grid, `InputError` is
    /// raised and nothing changes.
    #[pyo3(signature = (*, blocked = Vec::new(), free = Vec::new()))]
    fn update(&mut self, py: Python<'_>, blocked: Vec<Cell>, free: Vec<Cell>) -> PyResult<()> {
        let grid = self.planner.grid();
        let of = |name: &'static str, cells: Vec<Cell>, is_blocked: bool| {
            let change = move |cell| Ok((index_of(grid, name, cell)?, is_blocked));
            cells.into_iter().map(change)
        };
        let changes = of("a blocked cell", blocked, true).chain(of("a free cell", free, false));
        let changes = changes.collect::<PyResult<Vec<_>>>()?;
        let planner = &mut self.planner;
        py.detach(|| planner.update(&changes)).map_err(|error| wrong(&error))
    }

    /// Moves the start to a cell, (row, column).
    fn move_to(&mut self, cell: Cell) -> PyResult<()> {
        let index = index_of(self.planner.grid(), "the cell", cell)?;
        self.planner.move_to(index).map_err(|error| wrong(&error))
    }

    /// The path of minimum cost on the grid as it is: "cells", an array of rows (row, column), "cost" in sides of a
    /// cell, and "expanded", the cells that were searched since the last call. None where there is no path.
    fn path<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let planner = &mut self.planner;
        let found = py.detach(|| planner.path());
        found.map(|path| path_of(py, self.planner.grid(), &path.cells, path.cost, path.expanded)).transpose()
    }

    /// The cell from which the path leads, (row, column).
    #[getter]
    fn start(&self) -> (u32, u32) {
        cell_of(self.planner.grid(), self.planner.start())
    }

    /// Number of cells that were searched since the planner was made.
    #[getter]
    fn expanded(&self) -> usize {
        self.planner.expanded()
    }

    fn __repr__(&self) -> String {
        let (grid, (row, column)) = (self.planner.grid(), self.start());
        format!("GridPlanner({} rows, {} columns, start ({row}, {column}))", grid.height(), grid.width())
    }
}

/// Publishes better and better paths on a grid as long as it is asked for the next (ARA*).
///
/// blocked, start, goal: as for `GridPlanner`.
/// factor: the first path costs at most so many times the minimum, 1 to 100.
/// step: by so much the factor falls with each path, 0.001 to 100.
///
/// Each path is a dictionary as `GridPlanner.path` returns it, with the "factor" that it keeps. The last one is of
/// minimum cost; where there is no path, there is none at all.
///
/// >>> import numpy as np, raceline
/// >>> paths = list(raceline.AnytimeSearch(np.zeros((30, 40), bool), (0, 0), (29, 39)))
/// >>> paths[-1]["factor"], round(paths[-1]["cost"], 3)
/// (1.0, 51.006)
#[pyclass(module = "raceline._raceline")]
pub struct AnytimeSearch {
    search: Anytime,
}

#[pymethods]
impl AnytimeSearch {
    #[new]
    #[pyo3(signature = (blocked, start, goal, *, factor = 3.0, step = 0.5))]
    fn new(blocked: &Bound<'_, PyAny>, start: Cell, goal: Cell, factor: f64, step: f64) -> PyResult<Self> {
        let grid = grid_of(blocked)?;
        let (start, goal) = (index_of(&grid, "start", start)?, index_of(&grid, "goal", goal)?);
        let search = Anytime::new(grid, start, goal, factor, step).map_err(|error| match error {
            GridError::OutOfRange { .. } => OptionsError::new_err(error.to_string()),
            error => wrong(&error),
        })?;
        Ok(Self { search })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let search = &mut self.search;
        let Some(path) = py.detach(|| search.next()) else { return Ok(None) };
        let found = path_of(py, self.search.grid(), &path.cells, path.cost, path.expanded)?;
        found.set_item("factor", path.factor)?;
        Ok(Some(found))
    }

    fn __repr__(&self) -> String {
        format!("AnytimeSearch({} rows, {} columns)", self.search.grid().height(), self.search.grid().width())
    }
}
