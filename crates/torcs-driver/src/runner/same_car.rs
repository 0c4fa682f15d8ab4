//! Races in which all drive one car: the entries of TORCS's own robots, changed in the private folder.

use std::fs;
use std::os::unix::fs::symlink;

use anyhow::Context;

use super::installation::{Installation, PrivateFolder, link_entries};
use super::opponents::Opponent;

/// Gives an opponent `car`, with the set-up that the robot's first entry with it has.
pub fn give_car(
    folder: &PrivateFolder,
    installation: &Installation,
    opponent: &Opponent,
    car: &str,
) -> anyhow::Result<()> {
    let Opponent { module, index } = opponent;
    let with_car = Opponent::find(installation, module, car)?.index;
    if with_car == *index {
        return Ok(());
    }
    let original = installation.data.join("drivers").join(module);
    let own = folder.data().join("drivers").join(module);
    if own.is_symlink() {
        fs::remove_file(&own)?;
        fs::create_dir(&own)?;
        link_entries(&original, &own)?;
    }
    let file = own.join(format!("{module}.xml"));
    let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
    let bytes = with_car_name(&bytes, *index, car)
        .with_context(|| format!("{}: no entry {index} with a car", file.display()))?;
    fs::remove_file(&file)?;
    fs::write(&file, bytes)?;
    let setup = own.join(index.to_string());
    if setup.is_symlink() {
        fs::remove_file(&setup)?;
    }
    Ok(symlink(original.join(with_car.to_string()), setup)?)
}

/// The file of a robot with another car for the entry of an index. Robots' files have several
/// encodings, so that their bytes are copied.
fn with_car_name(file: &[u8], index: i32, car: &str) -> Option<Vec<u8>> {
    let after = |from: usize, text: &str| {
        let found = file.get(from..)?.windows(text.len()).position(|window| window == text.as_bytes())?;
        Some(from + found + text.len())
    };
    let entries = after(0, r#"<section name="index""#)?;
    let entry = after(entries, &format!(r#"<section name="{index}""#))?;
    let value = after(after(entry, r#"name="car name""#)?, r#"val=""#)?;
    let end = after(value, "\"")? - 1;
    Some([&file[..value], car.as_bytes(), &file[end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::with_car_name;

    #[test]
    fn one_entry_has_another_car() {
        let file = |second: &str| {
            let entry = |index: i32, car: &str| {
                format!(r#"<section name="{index}"><attstr name="car name" val="{car}"/></section>"#)
            };
            let entries = entry(1, "a") + &entry(2, second) + &entry(10, "c");
            format!(r#"<section name="Robots"><section name="index">{entries}</section></section>"#).into_bytes()
        };
        assert_eq!(with_car_name(&file("b"), 2, "car1"), Some(file("car1")));
        assert_eq!(with_car_name(&file("b"), 3, "car1"), None);
    }
}
