//! Compiles `shim/copies.rs`, the small library that makes a program copy itself, for `host.rs` to carry.
//!
//! It must be a shared object of its own, without Rust's runtime, so cargo cannot build it as part of this crate. In: the
//! source. Out: `copies.so` in the output folder; an empty file where it cannot be built or would be of no use (another
//! system, a linker that refuses), and then no process is copied and every case gets one that is started.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=shim/copies.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var_os(name).ok_or(io::ErrorKind::NotFound);
    let library = PathBuf::from(variable("OUT_DIR")?).join("copies.so");
    let target = variable("TARGET")?.into_string().unwrap_or_default();
    let known = target.starts_with("x86_64-") || target.starts_with("aarch64-");
    let built = known
        && target.contains("linux")
        && Command::new(variable("RUSTC")?)
            .args(["--edition=2024", "--crate-type=cdylib", "--crate-name=copies", "-Cpanic=abort"])
            .args(["-Copt-level=s", "-Cdebuginfo=0", "-Cstrip=symbols", "-Clink-arg=-nostartfiles"])
            .arg(format!("--target={target}"))
            .arg("-o")
            .arg(&library)
            .arg("shim/copies.rs")
            .status()
            .is_ok_and(|status| status.success());
    if !built {
        println!("cargo::warning=shim/copies.rs was not built: solvers will be started for every case");
        fs::write(&library, [])?;
    }
    Ok(())
}
