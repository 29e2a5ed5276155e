//! Packs `seeds/` into the crate at build time.
//!
//! In: every `.smt2` file under `seeds/`, in sorted order. Out: one generated Rust table of (name, text) pairs that
//! `embedded.rs` includes, so that the program has seeds without files and without a network. It must never depend on
//! the order in which the file system lists a folder, and never omit a seed silently: a file that is not `.smt2` stops
//! the build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?).join("seeds");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files)?;

    let mut named = Vec::new();
    for file in &files {
        let relative = file.strip_prefix(&root).map_err(io::Error::other)?;
        named.push((relative.with_extension("").to_string_lossy().replace('\\', "/"), file));
    }
    named.sort();
    let mut table = String::from("static FILES: &[(&str, &str)] = &[\n");
    for (name, file) in named {
        writeln!(table, "    ({name:?}, include_str!({:?})),", file.display().to_string())
            .map_err(io::Error::other)?;
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("embedded_files.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "smt2") {
            files.push(path);
        } else {
            return Err(io::Error::other(format!("{} is not a seed", path.display())));
        }
    }
    Ok(())
}
