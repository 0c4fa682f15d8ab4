//! The tests of the vehicle simulation, as one program.

mod actuators;
mod bicycle;
mod cars;
mod parameters;
mod tyre;
