//! Writing to stdout, stderr and files.

use std::{
    fmt::Display,
    io::{self, BufWriter, StdoutLock, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use anyhow::Context;
use serde_json::Value;
use tempfile::NamedTempFile;

use super::failure::Failure;

/// Headings and the numbers that matter.
pub const BOLD: Style = Style::new().bold();

/// Buffered stdout, which drops colours where they do not belong: off a terminal, and under
/// `NO_COLOR`.
pub fn stdout() -> BufWriter<AutoStream<StdoutLock<'static>>> {
    BufWriter::new(AutoStream::auto(io::stdout().lock()))
}

/// Says what went wrong. If stderr is gone there is nobody to tell.
pub fn complain(error: &anyhow::Error) {
    let red = AnsiColor::Red.on_default().bold();
    let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {error:#}");
}

/// Says something about the run that is not its result.
pub fn note(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// JSON for people and programs: indented, with a line's end.
pub fn json(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{value:#}")
}

/// Lines of a name and what belongs to it, all names as wide as the widest.
pub fn fields(out: &mut dyn Write, fields: &[(&str, String)]) -> io::Result<()> {
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in fields {
        writeln!(out, "{name:width$}  {value}")?;
    }
    Ok(())
}

/// A number with its thousands separated: 14,772,512.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A span of time as in the seeds' tables: days, hours, minutes, seconds and hundredths.
pub fn clock(time: Duration) -> String {
    let hundredths = time.as_millis() / 10;
    let (seconds, hundredths) = (hundredths / 100, hundredths % 100);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let (days, hours) = (hours / 24, hours % 24);
    format!("{days:02}:{hours:02}:{minutes:02}:{seconds:02}.{hundredths:02}")
}

/// A file that will be written once, complete or not at all.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
}

impl Target {
    /// Makes sure, before any work is done, that a file can be written there.
    ///
    /// # Errors
    /// A sentence that says why it cannot.
    pub fn new(path: &Path) -> Result<Target, Failure> {
        let target = Target { path: path.to_owned() };
        let refused =
            |why: String| Failure::Arguments(format!("cannot write {}: {why}", path.display()));
        if path.is_dir() {
            return Err(refused("it is a folder; give the name of a file".to_owned()));
        }
        target.draft().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                refused(format!("there is no folder {}", target.folder().display()))
            }
            // Without the temporary file's name, which nobody has asked for.
            kind => refused(kind.to_string()),
        })?;
        Ok(target)
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// A temporary file beside the target, so that it can take the target's name.
    fn draft(&self) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".queens-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::{fs::Permissions, os::unix::fs::PermissionsExt};
            // What any new file gets, less what the umask takes.
            builder.permissions(Permissions::from_mode(0o666));
        }
        builder.tempfile_in(self.folder())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the system does; the file is then as it was before.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        self.try_write(text).with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn try_write(&self, text: &str) -> io::Result<()> {
        let mut draft = self.draft()?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_all()?;
        draft.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(14_772_512), "14,772,512");
        assert_eq!(clock(Duration::from_millis(59_999)), "00:00:00:59.99");
        assert_eq!(clock(Duration::from_secs(93_784)), "01:02:03:04.00");
    }

    #[test]
    fn a_file_appears_with_the_usual_permissions_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        let target = Target::new(&path).unwrap();
        assert!(!path.exists());
        target.write("one").unwrap();
        target.write("two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        let permissions = |path| std::fs::metadata(path).unwrap().permissions();
        assert_eq!(permissions(&path), permissions(&plain));
    }

    #[test]
    fn what_cannot_be_written_is_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Target::new(folder.path()).unwrap_err().to_string().contains("it is a folder"));
        assert!(Target::new(&folder.path().join("no/such/place.json")).is_err());
    }
}
