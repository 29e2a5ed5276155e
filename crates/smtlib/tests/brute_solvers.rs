//! Exact verdicts on small domains against real solvers, where they are installed.
//!
//! Random formulas over Booleans, words, small floats, rounding modes, arrays, functions, datatypes, bounded
//! integers and quantifiers are put to z3 and cvc5. A solver that contradicts an exact verdict is wrong, or we
//! are; either way the test fails and shows the formula. `docs/brute.md` keeps the results of the long run:
//!
//! ```text
//! FALSUM_HOME=… cargo test --release -p smtlib --test brute_solvers -- --ignored --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::print_stdout, reason = "the long run reports what it counted")]

mod random_formulas;

use random_formulas::{WORLDS, World, script as random_script};
use smtlib::Script;
use smtlib::brute::{Limits, Verdict, decide};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The newest installed release of a solver.
fn installed(name: &str) -> Option<PathBuf> {
    let home = std::env::var_os("FALSUM_HOME")?;
    let mut found: Vec<(Vec<u32>, PathBuf)> = vec![];
    for entry in std::fs::read_dir(PathBuf::from(home).join("releases")).ok()? {
        let entry = entry.ok()?;
        let folder = entry.file_name().into_string().ok()?;
        if let Some(version) = folder.strip_prefix(&format!("{name}-")) {
            let version = version.split('.').filter_map(|part| part.parse().ok()).collect();
            found.push((version, entry.path().join(name)));
        }
    }
    found.sort();
    found.pop().map(|(_, path)| path)
}

fn arguments(name: &str) -> &'static [&'static str] {
    match name {
        "z3" => &["-in", "-t:2000"],
        _ => &["-q", "--lang=smt2", "--incremental", "--tlimit-per=2000"],
    }
}

/// What a script must begin with; options do not survive a reset.
fn preamble(name: &str) -> &'static str {
    match name {
        "cvc5" => "(set-option :fp-exp true)\n(set-option :arrays-exp true)\n",
        _ => "",
    }
}

/// The answers to many scripts, one process.
fn answers(name: &str, path: &PathBuf, scripts: &[String]) -> Vec<String> {
    let mut input = String::new();
    for (n, script) in scripts.iter().enumerate() {
        input.push_str(preamble(name));
        input.push_str(script);
        input.push_str(&format!("(reset)\n(echo \"end {n}\")\n"));
    }
    let mut child = Command::new(path)
        .args(arguments(name))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut answers = vec!["silence".to_owned(); scripts.len()];
    let mut current = "silence".to_owned();
    for line in text.lines() {
        let plain = line.trim_matches('"');
        if let Some(n) = plain.strip_prefix("end ").and_then(|n| n.parse::<usize>().ok()) {
            answers[n] = std::mem::replace(&mut current, "silence".to_owned());
        } else if line.starts_with("(error") || current == "silence" {
            current = line.to_owned();
        }
    }
    answers
}

#[derive(Default, Debug)]
struct Counts {
    sat: usize,
    unsat: usize,
    unknown: usize,
    agreed: usize,
    undecided: usize,
    refused: usize,
}

/// Puts `count` formulas of every world to the solvers; gives the contradictions.
fn compare(count: u64, first: u64, depth: usize) -> Option<Vec<String>> {
    let solvers: Vec<(&str, PathBuf)> =
        ["z3", "cvc5"].into_iter().filter_map(|name| Some((name, installed(name)?))).collect();
    if solvers.is_empty() {
        println!("no solver is installed: set FALSUM_HOME");
        return None;
    }
    let mut contradictions = vec![];
    let mut table: BTreeMap<(String, &str), Counts> = BTreeMap::new();
    for world in WORLDS {
        for chunk in (first..first + count).collect::<Vec<u64>>().chunks(250) {
            let scripts: Vec<String> = chunk.iter().map(|&seed| random_script(world, seed, depth)).collect();
            let ours: Vec<Verdict> = scripts.iter().map(|script| verdict(script)).collect();
            for (name, path) in &solvers {
                let counts = table.entry((format!("{world:?}"), name)).or_default();
                let theirs = answers(name, path, &scripts);
                for ((script, ours), theirs) in scripts.iter().zip(&ours).zip(&theirs) {
                    if let Some(problem) = judge(counts, ours, theirs) {
                        contradictions.push(format!("{name}: {problem}\n{script}"));
                    }
                }
            }
        }
    }
    println!(
        "| world | solver | ours sat | ours unsat | ours unknown | agreed | solver undecided | solver refused |"
    );
    for ((world, name), c) in &table {
        let Counts { sat, unsat, unknown, agreed, undecided, refused } = c;
        println!("| {world} | {name} | {sat} | {unsat} | {unknown} | {agreed} | {undecided} | {refused} |");
    }
    Some(contradictions)
}

fn verdict(text: &str) -> Verdict {
    let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    decide(&mut script, 0, Limits::default())
}

fn judge(counts: &mut Counts, ours: &Verdict, theirs: &str) -> Option<String> {
    let expected = match ours {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat => "unsat",
        Verdict::Unknown(_) => "unknown",
    };
    match expected {
        "sat" => counts.sat += 1,
        "unsat" => counts.unsat += 1,
        _ => counts.unknown += 1,
    }
    match theirs {
        "sat" | "unsat" if expected == "unknown" => None,
        "sat" | "unsat" if theirs == expected => {
            counts.agreed += 1;
            None
        }
        "sat" | "unsat" => {
            let evidence = match ours {
                Verdict::Sat(witness) => witness.text.clone(),
                _ => String::new(),
            };
            Some(format!("said {theirs}, exact verdict is {expected}\n{evidence}"))
        }
        "unknown" | "timeout" => {
            counts.undecided += 1;
            None
        }
        _ => {
            counts.refused += 1;
            if counts.refused == 1 {
                println!("refused: {theirs}");
            }
            None
        }
    }
}

#[test]
fn solvers_agree_with_exact_verdicts_on_random_formulas() {
    if let Some(contradictions) = compare(40, 1_000_000, 3) {
        assert!(contradictions.is_empty(), "{}", contradictions.join("\n\n"));
    }
}

#[test]
#[ignore = "minutes; results are in docs/brute.md"]
fn solvers_agree_with_exact_verdicts_on_many_random_formulas() {
    let count = std::env::var("FALSUM_BRUTE_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(2_500);
    let contradictions = compare(count, 0, 3).unwrap();
    println!("{} contradictions", contradictions.len());
    for contradiction in &contradictions {
        println!("----\n{contradiction}");
    }
}

#[test]
fn every_world_makes_formulas_that_parse() {
    for world in [World::Arrays, World::Functions, World::Datatypes] {
        for seed in 0..50 {
            let text = random_script(world, seed, 4);
            assert!(Script::parse(text.as_bytes()).is_ok(), "{text}");
        }
    }
}
