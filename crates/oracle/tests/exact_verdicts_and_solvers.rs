//! Exact verdicts on small domains compared with z3 and cvc5.
//!
//! The newest releases run on random formulas over Booleans, words, small floats, rounding modes, arrays, functions,
//! datatypes, bounded integers and quantifiers. If a solver contradicts an exact verdict, and does so again in a
//! separate process, either the solver or falsum is wrong; in both cases the test fails and shows the formula, unless
//! the case has been settled in [`settled`]. `docs/guarantees/brute.md` has the results of the long run:
//!
//! ```text
//! cargo test --profile quick -p oracle --test exact_verdicts_and_solvers -- --ignored --nocapture
//! ```
//!
//! `FALSUM_BRUTE_WORLD` restricts it to one world, `FALSUM_BRUTE_MOST` to so many formulas of each; `FALSUM_BRUTE_KEEP` names a folder for sessions that went wrong.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::print_stdout, reason = "the long run reports what it counted")]

mod asked;
mod installed;
#[path = "../../semantics/tests/random_formulas/mod.rs"]
mod random_formulas;

use asked::Asked;
use installed::{number, program};
use random_formulas::{WORLDS, World, script as random_script};
use run::Limits as RunLimits;
use semantics::brute::{BruteLimits, Verdict, decide};
use smtlib::Script;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

fn solvers() -> Vec<Asked> {
    let limits = RunLimits {
        wall: Some(Duration::from_secs(900)),
        cpu: Some(Duration::from_secs(60)),
        memory: Some(3 << 30),
        head: 64 << 20,
        ..RunLimits::default()
    };
    let z3 = program("z3@5.4.0", &["-in", "-t:2000"]).limits(limits.clone());
    let cvc5 = program("cvc5@1.4.2", &["-q", "--lang=smt2", "--incremental", "--tlimit-per=2000"]);
    let options = "(set-option :fp-exp true)\n(set-option :arrays-exp true)\n";
    vec![
        Asked { name: "z3", program: z3, preamble: "" },
        Asked { name: "cvc5", program: cvc5.limits(limits), preamble: options },
    ]
}

/// Operations whose results are rounded: every wrong answer about tiny floats that was examined has one.
const ROUNDED: [&str; 7] =
    ["fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fma", "fp.sqrt", "fp.roundToIntegral"];

/// Contradictions that are known bugs of a release, described in `docs/guarantees/brute.md`; the solver must be wrong in the known
/// way, also in a separate process, on a formula that uses the operators of the bug.
fn settled(solver: &str, theirs: &str, alone: bool, script: &str) -> Option<&'static str> {
    if solver != "cvc5" || !alone {
        return None;
    }
    let asserted: String = script.lines().filter(|line| line.starts_with("(assert ")).collect();
    let uses = |word: &str| asserted.split([' ', '(', ')']).any(|other| other == word);
    let by_mode = |line: &str| -> Option<String> {
        let (name, _) = line.strip_prefix("(declare-const ")?.split_once(" (Array RoundingMode ")?;
        Some(name.to_owned())
    };
    let modes = script.lines().filter_map(by_mode).any(|name| uses(&name))
        || asserted.contains("(as const (Array RoundingMode ");
    let floats = script.contains("(_ FloatingPoint 2 3)") && ROUNDED.iter().any(|operation| uses(operation));
    match () {
        () if theirs == "sat" && modes => Some("arrays indexed by rounding modes"),
        () if floats => Some("the experimental solver for formats that are not supported by default"),
        () => None,
    }
}

/// A reset costs milliseconds; but between push and pop, floats are far slower.
fn is_scoped(world: World) -> bool {
    !matches!(world, World::Floats | World::Arrays | World::Functions)
}

#[derive(Default, Debug)]
struct Counts {
    sat: usize,
    unsat: usize,
    unknown: usize,
    agreed: usize,
    undecided: usize,
    refused: usize,
    settled: usize,
}

/// Formulas of each world in the long run: 20,000 in all, fewer where each costs more.
fn many(world: World) -> u64 {
    match world {
        World::Tiny => 5_000,
        World::Words => 4_000,
        World::Quantifiers => 3_000,
        World::Datatypes | World::Integers => 2_500,
        World::Arrays => 1_200,
        World::Functions => 1_000,
        World::Floats => 800,
    }
}

/// Runs the solvers on formulas of every world; returns the contradictions that are not settled.
fn compare(count: fn(World) -> u64, first: u64, depth: usize) -> Vec<String> {
    let solvers = solvers();
    let mut contradictions = vec![];
    let mut table: BTreeMap<(String, &str), Counts> = BTreeMap::new();
    let only = std::env::var("FALSUM_BRUTE_WORLD").unwrap_or_default();
    let most = number("FALSUM_BRUTE_MOST", usize::MAX) as u64;
    for world in WORLDS.into_iter().filter(|world| format!("{world:?}").contains(&only)) {
        for chunk in (first..first + count(world).min(most)).collect::<Vec<u64>>().chunks(100) {
            let scripts: Vec<String> = chunk.iter().map(|&seed| random_script(world, seed, depth)).collect();
            let begun = Instant::now();
            let ours: Vec<Verdict> = scripts.iter().map(|script| verdict(script)).collect();
            println!("{world:?}: {} formulas decided in {:?}", scripts.len(), begun.elapsed());
            for solver in &solvers {
                let counts = table.entry((format!("{world:?}"), solver.name)).or_default();
                let begun = Instant::now();
                let theirs = solver.answers(is_scoped(world), &scripts);
                println!("{world:?}: asked of {} in {:?}", solver.name, begun.elapsed());
                for (n, ((script, ours), theirs)) in scripts.iter().zip(&ours).zip(&theirs).enumerate() {
                    let Some(problem) = judge(counts, ours, theirs) else { continue };
                    let again = solver.answers(is_scoped(world), std::slice::from_ref(script));
                    let alone = again[0] == *theirs;
                    if let Some(folder) = std::env::var_os("FALSUM_BRUTE_KEEP") {
                        let name = format!("{world:?}-{}-{}.smt2", solver.name, chunk[n]);
                        let session = solver.session(&scripts[..=n], is_scoped(world));
                        std::fs::write(Path::new(&folder).join(name), session).unwrap();
                    }
                    let when = if alone { "so too alone" } else { "only after others" };
                    let told = format!("{} {problem} ({when})\n{script}", solver.name);
                    match settled(solver.name, theirs, alone, script) {
                        Some(_) => counts.settled += 1,
                        None => contradictions.push(told),
                    }
                }
            }
        }
        println!("{world:?} done, {} contradictions so far", contradictions.len());
    }
    println!(
        "| world | solver | ours sat | ours unsat | ours unknown | agreed | solver undecided | solver refused | solver wrong, settled |\n|---|---|--:|--:|--:|--:|--:|--:|--:|"
    );
    for ((world, name), c) in &table {
        let Counts { sat, unsat, unknown, agreed, undecided, refused, settled } = c;
        println!(
            "| {world} | {name} | {sat} | {unsat} | {unknown} | {agreed} | {undecided} | {refused} | {settled} |"
        );
    }
    contradictions
}

fn verdict(text: &str) -> Verdict {
    let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    decide(&mut script, 0, BruteLimits::default())
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
    let contradictions = compare(|_| 20, 1_000_000, 3);
    assert!(contradictions.is_empty(), "{}", contradictions.join("\n\n"));
}

#[test]
#[ignore = "minutes; results are in docs/guarantees/brute.md"]
fn solvers_agree_with_exact_verdicts_on_many_random_formulas() {
    let contradictions = compare(many, 0, 3);
    assert!(contradictions.is_empty(), "{}", contradictions.join("\n\n"));
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
