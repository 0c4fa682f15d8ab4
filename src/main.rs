//! The `raceline` command line.

fn main() {}
