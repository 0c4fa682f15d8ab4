//! The tests of the vehicle simulation, as one program.

mod actuators;
mod bicycle;
mod cars;
mod leaning;
mod parameters;
mod tyre;
