//! Outputs that are no plain files: stdout, devices and pipes; and the system's limit on the size
//! of files.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::Result;

/// Fails if stdout is closed, so that a result on it would be lost without a word.
///
/// The standard library opens `/dev/null` for reading and writing in place of a closed stream. A
/// caller that did the same cannot be distinguished; shells open it for writing alone.
pub fn check_stdout() -> Result<()> {
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
        let stdout = std::io::stdout();
        if let (Ok(here), Ok(null), Ok(flags)) = (fstat(&stdout), stat("/dev/null"), fcntl_getfl(&stdout)) {
            let is_null = here.st_rdev == null.st_rdev && here.st_mode == null.st_mode && here.st_dev == null.st_dev;
            if is_null && flags & OFlags::ACCMODE == OFlags::RDWR {
                anyhow::bail!(
                    "standard output is closed, so the result would be lost: redirect it, or specify an output file, as \
                     -o /dev/null to discard the result"
                );
            }
        }
    }
    Ok(())
}

/// Fails if the device at `path` cannot be written. A pipe is not opened, because its reader would
/// take the closing for the end.
pub fn check(path: &Path) -> Result<()> {
    if is_pipe(path) {
        return Ok(());
    }
    Ok(OpenOptions::new().write(true).open(path).map(drop)?)
}

/// Writes to a device or a pipe.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    #[cfg(unix)]
    if is_pipe(path) {
        return Ok(pipe::open(path)?.write_all(bytes)?);
    }
    Ok(OpenOptions::new().write(true).open(path)?.write_all(bytes)?)
}

/// Fails if the system's limit on the size of a file (`ulimit -f`) is less than `bytes`: writing
/// more would end the process without a message. `path` is `None` for stdout.
pub fn check_size(path: Option<&Path>, bytes: usize) -> Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let is_file = match path {
            Some(_) => true,
            None => rustix::fs::fstat(std::io::stdout())
                .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file()),
        };
        if is_file
            && let Some(max) = getrlimit(Resource::Fsize).current
            && bytes as u64 > max
        {
            anyhow::bail!(
                "it would have {bytes} bytes, but the limit on the size of files is {max} bytes: raise it with ulimit -f"
            );
        }
    }
    #[cfg(not(unix))]
    let _ = (path, bytes);
    Ok(())
}

/// Whether `path` is a pipe with a name; not one that this process has open already.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let is_open_already = path.starts_with("/dev") || path.starts_with("/proc");
        !is_open_already && std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

#[cfg(unix)]
mod pipe {
    use std::fs::{File, OpenOptions};
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use anyhow::{Result, bail};
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::io::Errno;

    /// Time in which a reader must have opened the pipe.
    const PATIENCE: Duration = Duration::from_secs(10);
    const POLL: Duration = Duration::from_millis(20);

    /// Opens a pipe for writing as soon as it has a reader.
    pub fn open(path: &Path) -> Result<File> {
        let begun = Instant::now();
        let mut options = OpenOptions::new();
        options.write(true).custom_flags(OFlags::NONBLOCK.bits() as i32);
        loop {
            match options.open(path) {
                Ok(file) => {
                    // A slow reader is waited for.
                    let flags = fcntl_getfl(&file)?;
                    fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
                    return Ok(file);
                }
                Err(error) if Errno::from_io_error(&error) != Some(Errno::NXIO) => return Err(error.into()),
                Err(_) if begun.elapsed() > PATIENCE => {
                    bail!("no program has opened this pipe for reading within {} s", PATIENCE.as_secs());
                }
                Err(_) => sleep(POLL),
            }
        }
    }
}
