//! libFuzzer's program: the target that the variable `RACELINE_FUZZ_TARGET` names. With
//! `RACELINE_FUZZ_WRITE_SEEDS`, it writes the seeds of all targets to that folder and ends.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use raceline_fuzz::Target;

static TARGET: OnceLock<Target> = OnceLock::new();

fuzz_target!(
    init: {
        if let Ok(folder) = std::env::var("RACELINE_FUZZ_WRITE_SEEDS") {
            if let Err(error) = raceline_fuzz::write_seeds(folder.as_ref()) {
                eprintln!("{folder}: {error}");
                std::process::exit(1);
            }
            std::process::exit(0);
        }
        let name = std::env::var("RACELINE_FUZZ_TARGET").unwrap_or_default();
        let Some(target) = raceline_fuzz::target(&name) else {
            eprintln!("RACELINE_FUZZ_TARGET: no target is called `{name}`");
            std::process::exit(2);
        };
        let _ = TARGET.set(target);
    },
    |bytes: &[u8]| {
        if let Some(run) = TARGET.get() {
            run(bytes);
        }
    }
);
