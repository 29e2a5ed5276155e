//! How much of an enumeration falsum decides with no solver at all, procedure by procedure.
//!
//! A measurement, not a test (ignored): every n-th of the first formulas of the embedded grammars goes through the
//! procedures in the order of the ladder, with the budgets of an enumeration. Printed are the shares and what each
//! procedure cost in processor time; `FALSUM_UNDECIDED` names a folder for what is left, one script per line.
//!
//!     FALSUM_GRAMMARS=Ints,Reals FALSUM_FORMULAS=1000 cargo test --profile quick -p oracle --test own_strength -- --ignored --nocapture

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use oracle::Effort;
use semantics::{Budget, arithmetic, finder, refute};
use smtlib::Script;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use strategy::Settings;
use strategy::enumerate::cases::{BLOCK, Enumerate};

/// What an enumeration of the documentation covers.
const RANGE: u64 = 20_000;

const PROCEDURES: [&str; 4] = ["enumeration", "arithmetic", "finder", "refutation"];

#[derive(Default)]
struct Tally {
    formulas: usize,
    decided: [usize; PROCEDURES.len()],
    spent: [Duration; PROCEDURES.len()],
    undecided: Vec<String>,
}

/// Whether one procedure decides the script.
fn decides(procedure: usize, script: &mut Script, effort: &Effort) -> bool {
    let budget = |steps| Budget::new(steps, 64 << 20);
    match PROCEDURES[procedure] {
        "enumeration" => oracle::decide(script, 0, effort.enumeration).is_some(),
        "arithmetic" => {
            let decision = arithmetic::decide(script, 0, &budget(effort.arithmetic));
            !matches!(decision, arithmetic::Decision::Unknown(_))
        }
        "finder" => match finder::find(script, 0, &[], &budget(effort.finder)) {
            finder::Found::Model(_) => true,
            finder::Found::Unknown(_) => false,
        },
        _ => refute::refute(script, 0, &budget(effort.refutation)).is_ok(),
    }
}

fn measure(grammar: &str, formulas: u64, effort: &Effort) -> Tally {
    let settings = Settings { grammar: Some(grammar.to_owned()), ..Settings::default() };
    let range = Enumerate::of(&settings).unwrap();
    let mut tally = Tally::default();
    let stride = (RANGE / formulas).max(1);
    let block = |number| range.block(number).unwrap().drafts.into_iter();
    let all = (0..RANGE / BLOCK).flat_map(block).step_by(stride as usize);
    for draft in all {
        let text = &draft.questions[0].script;
        let text = String::from_utf8(text.clone()).unwrap();
        if !transcendental(&text) {
            let script = Script::parse(text.as_bytes()).unwrap();
            tally.take(&text, &script, effort);
        }
    }
    tally
}

/// Functions that the table of the documentation leaves out.
fn transcendental(text: &str) -> bool {
    ["(sin ", "(cos ", "(tan "].iter().any(|name| text.contains(name))
}

impl Tally {
    fn take(&mut self, text: &str, script: &Script, effort: &Effort) {
        self.formulas += 1;
        for procedure in 0..PROCEDURES.len() {
            let mut script = script.clone();
            let began = Instant::now();
            let decided = decides(procedure, &mut script, effort);
            self.spent[procedure] += began.elapsed();
            if decided {
                self.decided[procedure] += 1;
                return;
            }
        }
        self.undecided.push(text.replace('\n', " "));
    }
}

#[test]
#[ignore = "a measurement of minutes"]
fn how_much_of_an_enumeration_is_decided_with_no_solver() {
    let all = "Core,Ints,RealInts,Reals,Strings,Bitvectors,Arrays,FP".to_owned();
    let grammars = std::env::var("FALSUM_GRAMMARS").unwrap_or(all);
    let formulas = std::env::var("FALSUM_FORMULAS").map_or(1000, |n| n.parse().unwrap());
    let effort =
        if std::env::var("FALSUM_THOROUGH").is_ok() { Effort::thorough() } else { Effort::certifying() };
    for grammar in grammars.split(',') {
        let tally = measure(grammar, formulas, &effort);
        let mut line = format!("{grammar:12}{:6}", tally.formulas);
        for (n, name) in PROCEDURES.iter().enumerate() {
            write!(line, "  {name} {} ({:.2} s)", tally.decided[n], tally.spent[n].as_secs_f64()).unwrap();
        }
        let left = tally.undecided.len() as f64 / tally.formulas as f64;
        println!("{line}  decided {:.1} %", 100.0 * (1.0 - left));
        if let Ok(folder) = std::env::var("FALSUM_UNDECIDED") {
            std::fs::write(format!("{folder}/{grammar}"), tally.undecided.join("\n")).unwrap();
        }
    }
}
