//! The speed of parsing scripts: parsing and type-checking here, plain parsing (no names, no sorts) by the fastest
//! parser on crates.io, over the same files in one run.
//!
//!     cargo bench -p smtlib --bench parse [-- ROUNDS]
//!
//! The corpus is beside the repository or in `$FALSUM_CORPUS`; without one, the seeds of the repository are used.
//! Rounds of the two parsers alternate and the best of each counts, so a busy machine affects both equally. With
//! `only-ours` or `only-theirs` as argument one parser runs alone, for counting instructions.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints its results")]

use smtlib::Script;
use std::path::Path;
use std::time::{Duration, Instant};

fn corpus() -> Vec<String> {
    let seeds = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds");
    let folder = testkit::corpus_folder().unwrap_or_else(seeds);
    let paths = testkit::scripts_below(&folder);
    println!("{} files of {}", paths.len(), folder.display());
    paths.iter().filter_map(|path| String::from_utf8(std::fs::read(path).unwrap()).ok()).collect()
}

fn ours(scripts: &[String]) -> usize {
    scripts.iter().filter(|script| Script::parse(script.as_bytes()).is_ok()).count()
}

fn theirs(scripts: &[String]) -> usize {
    let parse = |script: &&String| {
        let storage = smtlib_lowlevel::Storage::new();
        smtlib_lowlevel::ast::Script::parse(&storage, script).is_ok()
    };
    scripts.iter().filter(parse).count()
}

fn timed(parse: fn(&[String]) -> usize, scripts: &[String]) -> (Duration, usize) {
    let begun = Instant::now();
    let accepted = parse(scripts);
    (begun.elapsed(), accepted)
}

fn main() {
    let scripts = corpus();
    let bytes: usize = scripts.iter().map(String::len).sum();
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.first().map(String::as_str) {
        Some("only-ours") => return println!("{} accepted", ours(&scripts)),
        Some("only-theirs") => return println!("{} accepted", theirs(&scripts)),
        _ => {}
    }
    let rounds: usize = words.first().and_then(|word| word.parse().ok()).unwrap_or(20);
    smtlib::theory::rows();
    let mut best = [(Duration::MAX, 0); 2];
    for _ in 0..rounds {
        for (slot, parse) in [ours as fn(&[String]) -> usize, theirs].into_iter().enumerate() {
            best[slot] = best[slot].min(timed(parse, &scripts));
        }
    }
    let names = ["smtlib, parse and type-check", "smtlib-lowlevel, parse only"];
    for (name, (time, accepted)) in names.into_iter().zip(best) {
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!("{name:<30} {speed:>7.1} MB/s  {:>8.2} ms  {accepted} accepted", time.as_secs_f64() * 1e3);
    }
    println!("time ratio {:.2}", best[0].0.as_secs_f64() / best[1].0.as_secs_f64());
}
