//! `testkit`: for tests only. Finds the fake solver and the corpus, detects what a run left behind, and runs
//! fuzz targets.
//!
//! The fake solver (`src/bin/fake-solver`) is a program that understands enough SMT-LIB to be used as a solver, and
//! misbehaves on command in every way that has been seen in a real solver. Nothing of this crate ships.

mod corpus;
mod fuzz;
mod numbers;
mod skip;

pub use corpus::{corpus, corpus_folder, scripts_below};
pub use fuzz::{Fuzz, processor_time};
pub use numbers::SplitMix;
pub use skip::{mounted, skip, tell};

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The fake solver, built once per test process so that it is never out of date.
///
/// # Panics
/// If it can be neither built nor found: no test can run without it.
pub fn fake_solver() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let folder = profile_folder();
        if let Some(cargo) = std::env::var_os("CARGO") {
            build(Path::new(&cargo), &folder);
        }
        let program = folder.join("fake-solver");
        assert!(program.is_file(), "{}: not there; run `cargo build -p testkit`", program.display());
        program
    })
    .clone()
}

/// `target/debug`, or the folder that the running test was built into.
fn profile_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let folder = test.parent().unwrap_or(Path::new("."));
    let inside_deps = folder.file_name().is_some_and(|n| n == "deps" || n == "examples");
    if inside_deps { folder.parent().unwrap_or(folder).to_path_buf() } else { folder.to_path_buf() }
}

/// Builds the program into the folder of the running test. A failure is reported when the program is looked up.
fn build(cargo: &Path, folder: &Path) {
    let profile = match folder.file_name().and_then(|n| n.to_str()) {
        Some("debug") | None => "dev",
        Some(other) => other,
    };
    let target = folder.parent().unwrap_or(folder);
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let _ = Command::new(cargo)
        .args(["build", "--quiet", "--bin", "fake-solver", "--profile", profile, "--manifest-path", manifest])
        .arg("--target-dir")
        .arg(target)
        .status();
}

/// Every living process whose environment has `variable` set to something that begins with `value`.
pub fn processes_marked(variable: &str, value: &str) -> Vec<i32> {
    let entry = format!("{variable}={value}").into_bytes();
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = all.flatten().filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&b| b == 0).any(|e| e.starts_with(&entry))
    })
    .collect()
}

/// Our children that have ended and were not reaped.
pub fn zombie_children() -> Vec<i32> {
    let own = std::process::id().to_string();
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = all.flatten().filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or("");
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        fields.first() == Some(&"Z") && fields.get(1) == Some(&own.as_str())
    })
    .collect()
}

/// The number of open descriptors of this process.
pub fn open_descriptors() -> usize {
    // The listing itself has one open.
    std::fs::read_dir("/proc/self/fd").map_or(0, |fds| fds.count().saturating_sub(1))
}
