//! Extracts the parts that run from a wheel (a zip file), and writes the small scripts that start them.
//!
//! The wheel does not decide where a file is written: entry names that leave the folder are refused, and only what the
//! release needs is extracted, up to a limit: a small file that unpacks to gigabytes is refused while it is unpacked.
//! Every file and folder is synced, because the rename that publishes the release must not reach the disk before its
//! contents do.

use crate::catalogue::{Entry, PackageKind};
use crate::error::{Error, Result};
use crate::home::{LIBRARIES, MODULE, RUNNER, python_command};
use crate::spec::quote;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path};

/// What unpacking needs to know.
pub(crate) struct Wheel<'a> {
    pub file: &'a Path,
    /// `package==version`, for messages.
    pub package: &'a str,
    pub solver: &'a str,
    pub entry: &'a Entry,
    pub kind: PackageKind,
    pub python: &'a Path,
    pub driver: Option<&'a Path>,
    /// The folder that `into` will be renamed to; the scripts refer to it.
    pub final_folder: &'a Path,
}

/// The common head of all runners: reading commands one by one, printing errors.
const PRELUDE: &str = include_str!("../runners/prelude.py");

const RUNNERS: [(&str, &str); 3] = [
    ("cvc5.py", include_str!("../runners/cvc5.py")),
    ("bitwuzla.py", include_str!("../runners/bitwuzla.py")),
    ("boolector.py", include_str!("../runners/boolector.py")),
];

/// Unpacks into `into` and returns the name of the file that runs.
pub(crate) fn unpack(wheel: &Wheel<'_>, into: &Path) -> Result<String> {
    let missing =
        |wanted: &str| Error::Contents { package: wheel.package.to_owned(), wanted: wanted.to_owned() };
    let program = match wheel.kind {
        PackageKind::Executable => {
            let suffix = wheel.entry.program.as_deref().ok_or_else(|| missing("a program"))?;
            let name = suffix.rsplit('/').next().unwrap_or(suffix);
            let wanted = |path: &str| path.ends_with(&format!("/{suffix}")).then(|| name.to_owned());
            let found = extract(wheel, into, wanted)?;
            if found == 0 {
                return Err(missing(suffix));
            }
            make_executable(&into.join(name))?;
            name.to_owned()
        }
        PackageKind::Cvc5Library => {
            let wanted = |path: &str| {
                let (folder, name) = path.rsplit_once('/')?;
                folder.ends_with(".libs").then(|| format!("{LIBRARIES}/{name}"))
            };
            if extract(wheel, into, wanted)? == 0 {
                return Err(missing("libcvc5"));
            }
            write_script(&into.join("cvc5"), &driver_wrapper(wheel))?;
            "cvc5".to_owned()
        }
        PackageKind::Python => {
            let wanted = |path: &str| (!path.contains(".dist-info/")).then(|| format!("{MODULE}/{path}"));
            if extract(wheel, into, wanted)? == 0 {
                return Err(missing("a Python module"));
            }
            let name = wheel.entry.runner.as_deref().unwrap_or_default();
            let runner = RUNNERS.iter().find(|(n, _)| *n == name).ok_or_else(|| missing("a runner"))?;
            write_synced(&into.join(RUNNER), format!("{PRELUDE}\n{}", runner.1).as_bytes())?;
            write_script(&into.join(wheel.solver), &python_wrapper(wheel))?;
            wheel.solver.to_owned()
        }
    };
    sync_folders(into)?;
    Ok(program)
}

/// Limits that no release of a solver exceeds: bytes, files, and the compression ratio of a file.
const MOST_BYTES: u64 = 1 << 30;
const MOST_FILES: usize = 20_000;
const MOST_GROWTH: u64 = 50;
/// The ratio is not checked below this size: small files of zeros are no danger.
const SMALL: u64 = 64 << 20;

/// What one wheel may still write. The size that an entry declares is not trusted: bytes are counted as they come.
struct Allowance {
    package: String,
    bytes: u64,
    files: usize,
}

impl Allowance {
    fn of(wheel: &Wheel<'_>) -> Result<Allowance> {
        let packed = fs::metadata(wheel.file).map_err(Error::io("cannot read", wheel.file))?.len();
        let bytes = MOST_BYTES.min(packed.saturating_mul(MOST_GROWTH).max(SMALL));
        Ok(Allowance { package: wheel.package.to_owned(), bytes, files: MOST_FILES })
    }

    fn too_large(&self, why: String) -> Error {
        Error::TooLarge { package: self.package.clone(), why }
    }

    /// Copies one entry into a new file.
    fn copy(&mut self, entry: impl Read, path: &Path) -> Result<()> {
        self.files = self
            .files
            .checked_sub(1)
            .ok_or_else(|| self.too_large(format!("it has more than {MOST_FILES} files")))?;
        let mut out = File::options()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(Error::io("cannot write", path))?;
        let copied = std::io::copy(&mut entry.take(self.bytes + 1), &mut out)
            .map_err(Error::io("cannot write", path))?;
        self.bytes = self
            .bytes
            .checked_sub(copied)
            .ok_or_else(|| self.too_large("it unpacks to more than any solver needs".to_owned()))?;
        out.sync_all().map_err(Error::io("cannot write", path))
    }
}

/// Writes every entry for which `place` returns a destination, and counts them.
fn extract(wheel: &Wheel<'_>, into: &Path, place: impl Fn(&str) -> Option<String>) -> Result<usize> {
    let bad = |detail: String| Error::Malformed { path: wheel.file.to_owned(), detail };
    let file = File::open(wheel.file).map_err(Error::io("cannot read", wheel.file))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|e| bad(e.to_string()))?;
    let mut count = 0;
    let mut allowance = Allowance::of(wheel)?;
    if archive.len() > MOST_FILES {
        return Err(allowance.too_large(format!("it has {} entries", archive.len())));
    }
    for i in 0..archive.len() {
        let entry = archive.by_index(i).map_err(|e| bad(e.to_string()))?;
        let name = entry.name().map_err(|e| bad(e.to_string()))?.into_owned();
        let Some(place) = (!entry.is_dir()).then(|| place(&name)).flatten() else { continue };
        let inside = Path::new(&place).components().all(|c| matches!(c, Component::Normal(_)));
        if !inside {
            return Err(bad(format!("the entry {place:?} leads outside the folder")));
        }
        let path = into.join(&place);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io("cannot create", parent))?;
        }
        allowance.copy(entry, &path)?;
        count += 1;
    }
    Ok(count)
}

/// For users and other tools: starts falsum as the host of cvc5's library.
fn driver_wrapper(wheel: &Wheel<'_>) -> String {
    let lib = quote(&wheel.final_folder.join(LIBRARIES).to_string_lossy());
    let driver = wheel.driver.map_or_else(|| "falsum".into(), |p| p.to_string_lossy());
    let driver = quote(&driver);
    format!(
        "#!/bin/sh\n\
         # cvc5's wheel has a library and no program; falsum hosts the library.\n\
         for host in {driver} falsum; do\n\
         \x20 if command -v \"$host\" >/dev/null 2>&1; then exec \"$host\" cvc5-driver --lib {lib} -- \"$@\"; fi\n\
         done\n\
         echo 'cvc5: the falsum that installed this release is gone; run: falsum solvers add {solver}' >&2\n\
         exit 127\n",
        solver = wheel.solver
    )
}

fn python_wrapper(wheel: &Wheel<'_>) -> String {
    let command = python_command(wheel.python, wheel.final_folder);
    let words: Vec<String> = command.iter().map(|w| quote(&w.to_string_lossy())).collect();
    format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" "))
}

fn write_script(path: &Path, text: &str) -> Result<()> {
    write_synced(path, text.as_bytes())?;
    make_executable(path)
}

pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path).map_err(Error::io("cannot write", path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(Error::io("cannot write", path))
}

fn make_executable(path: &Path) -> Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .map_err(Error::io("cannot make executable", path))
}

/// Syncs a folder and the folders in it.
pub(crate) fn sync_folders(root: &Path) -> Result<()> {
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        File::open(&folder).and_then(|f| f.sync_all()).map_err(Error::io("cannot sync", &folder))?;
        let entries = fs::read_dir(&folder).map_err(Error::io("cannot read", &folder))?;
        open.extend(entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A wheel with these entries, each so many zeros long.
    fn wheel(entries: &[(&str, usize)]) -> tempfile::NamedTempFile {
        let mut archive = zip::ZipWriter::new(Cursor::new(vec![]));
        let zeros = vec![0; 1 << 20];
        for (name, size) in entries {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            let mut left = *size;
            while left > 0 {
                let part = left.min(zeros.len());
                archive.write_all(&zeros[..part]).unwrap();
                left -= part;
            }
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), archive.finish().unwrap().into_inner()).unwrap();
        file
    }

    fn unpacked(file: &Path, into: &Path) -> Result<String> {
        let entry = crate::catalogue::get("z3").unwrap();
        let python = Path::new("python3");
        let (kind, solver, package) = (PackageKind::Executable, "z3", "z3-solver==1");
        unpack(&Wheel { file, package, solver, entry, kind, python, driver: None, final_folder: into }, into)
    }

    #[test]
    fn a_wheel_that_unpacks_to_far_more_than_its_size_is_refused_while_unpacking() {
        let (bomb, into) = (wheel(&[("z3/bin/z3", 100 << 20)]), tempfile::tempdir().unwrap());
        assert!(bomb.path().metadata().unwrap().len() < 1 << 20);
        let error = unpacked(bomb.path(), into.path()).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        let written = into.path().join("z3").metadata().unwrap().len();
        assert!(written <= SMALL + 1, "{written} bytes were written");
    }

    #[test]
    fn a_wheel_with_a_file_twice_or_with_too_many_is_refused() {
        let into = tempfile::tempdir().unwrap();
        let twice = wheel(&[("a/bin/z3", 10), ("b/bin/z3", 10)]);
        assert!(matches!(unpacked(twice.path(), into.path()), Err(Error::Io { .. })));
        let names: Vec<String> = (0..=MOST_FILES).map(|n| n.to_string()).collect();
        let many: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 0)).collect();
        let (many, into) = (wheel(&many), tempfile::tempdir().unwrap());
        assert!(matches!(unpacked(many.path(), into.path()), Err(Error::TooLarge { .. })));
        let (fine, into) = (wheel(&[("a/bin/z3", 1000)]), tempfile::tempdir().unwrap());
        assert_eq!(unpacked(fine.path(), into.path()).unwrap(), "z3");
    }
}
