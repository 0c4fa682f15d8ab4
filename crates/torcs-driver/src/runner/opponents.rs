//! TORCS's own robots: their index and set-up for a car.

use std::path::PathBuf;

use anyhow::{Context, bail};

use super::installation::Installation;
use super::params::Params;

/// A robot of the installation.
#[derive(Clone, Debug, PartialEq)]
pub struct Opponent {
    /// Module.
    pub module: String,
    /// Index, which decides its car.
    pub index: i32,
}

impl Opponent {
    /// By `NAME` for the car, or `NAME:INDEX`.
    pub fn find(installation: &Installation, name: &str, car: &str) -> anyhow::Result<Self> {
        if let Some((module, index)) = name.split_once(':') {
            let index = index.parse().with_context(|| format!("{name}: the index is no whole number"))?;
            return Ok(Self { module: module.to_owned(), index });
        }
        let path = installation.data.join(format!("drivers/{name}/{name}.xml"));
        let params = Params::read(&path)?;
        match index_for(&params, car) {
            Some(index) => Ok(Self { module: name.to_owned(), index }),
            None => bail!("{}: no entry has the car {car}", path.display()),
        }
    }

    /// Set-up, where it has one.
    pub fn setup(&self, installation: &Installation) -> Option<PathBuf> {
        let path = installation.data.join(format!("drivers/{}/{}/default.xml", self.module, self.index));
        path.is_file().then_some(path)
    }
}

/// The first entry with the car.
fn index_for(params: &Params, car: &str) -> Option<i32> {
    let entries = params
        .all()
        .filter(|(section, key, value)| section.starts_with("Robots/index/") && *key == "car name" && *value == car);
    entries.filter_map(|(section, ..)| section.rsplit('/').next()?.parse().ok()).min()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Params, index_for};

    #[test]
    fn the_index_is_that_of_the_car() {
        let entry = |index: i32, car: &str| {
            format!(r#"<section name="{index}"><attstr name="car name" val="{car}"/></section>"#)
        };
        let entries = entry(1, "a") + &entry(3, "b") + &entry(10, "b");
        let text =
            format!(r#"<params><section name="Robots"><section name="index">{entries}</section></section></params>"#);
        let params = Params::parse(&text).unwrap();
        assert_eq!((index_for(&params, "b"), index_for(&params, "c")), (Some(3), None));
    }
}
