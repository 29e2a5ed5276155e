//! Packs `profiles/` into the crate at build time, so that a new solver is one file.
//!
//! In: every `.toml` file under `profiles/`, in sorted order. Out: one generated table of (name, text) pairs that
//! `profile.rs` includes. A file that is not `.toml` stops the build.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let folder = root.join("profiles");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    let mut table = String::from("static EMBEDDED: &[(&str, &str)] = &[\n");
    for file in &files {
        let name = file.file_stem().filter(|_| file.extension().is_some_and(|end| end == "toml"));
        let name = name.ok_or_else(|| io::Error::other(format!("{} is not a profile", file.display())))?;
        let text = file.display().to_string();
        writeln!(table, "    ({:?}, include_str!({text:?})),", name.to_string_lossy())
            .map_err(io::Error::other)?;
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("embedded_profiles.rs"), table)
}
