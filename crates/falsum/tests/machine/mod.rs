//! Running the binary against real solvers: one folder of installed releases for all tests of a build.

#![allow(dead_code, reason = "each test file uses what it needs")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// `$FALSUM_HOME`, or `falsum-home` under the target folder.
pub fn home() -> PathBuf {
    let own = || Path::new(env!("CARGO_TARGET_TMPDIR")).join("../falsum-home");
    std::env::var_os("FALSUM_HOME").map_or_else(own, PathBuf::from)
}

/// Runs falsum in a folder.
pub fn falsum_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_falsum"));
    command.args(args).current_dir(folder).env("FALSUM_HOME", home()).output().unwrap()
}

/// Installs the solvers that the tests use, once.
pub fn solvers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let output = falsum_in(Path::new("."), &["solvers", "add", "z3@5.4.0", "cvc5@1.4.2"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    });
}

/// The path of an installed solver.
pub fn path_of(spec: &str) -> String {
    let output = falsum_in(Path::new("."), &["solvers", "path", spec]);
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The fake solver under the name of z3, so that falsum uses z3's profile for it, in sessions too.
pub fn fake_z3(folder: &Path) -> PathBuf {
    let link = folder.join("z3");
    if !link.exists() {
        std::os::unix::fs::symlink(testkit::fake_solver(), &link).unwrap();
    }
    link
}
