//! Our own refutations checked by z3 and cvc5.
//!
//! A refutation is a list of lemmas; a lemma can be checked by giving its negation to a solver. That is what these
//! tests do: with instances of every schema of the table, and with the lemmas of refutations of small scripts from
//! every theory. No solver may find a model of a negated lemma, and each schema must be proved by at least one; the few
//! that are too hard for both within the time are listed with the reason why they are true.

#![allow(clippy::unwrap_used, reason = "tests")]

mod installed;

use installed::program;
use run::{Input, Limits as RunLimits};
use semantics::Budget;
use semantics::refute::{self, Lemma, Status};
use smtlib::Script;
use smtlib::printer::{command_text, sort_text, term_text};
use smtlib::term::DeclId;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const BOTH: &str = include_str!("refutations/both.smt2");
const Z3: &str = include_str!("refutations/z3.smt2");
const CVC5: &str = include_str!("refutations/cvc5.smt2");

/// Time limits in milliseconds for a first attempt, and for what no solver proved in it.
const SOON: u32 = 100;
const LATE: u32 = 20_000;

/// How many instances of one schema are checked, how many of those about single bits, which are many and small, and the
/// first time limit. Most of the time goes into lemmas that one solver proves at once and the other never does.
struct Pains {
    usual: usize,
    bits: usize,
    soon: u32,
}

const EVERY_TIME: Pains = Pains { usual: 1, bits: 12, soon: SOON };
const ON_REQUEST: Pains = Pains { usual: 2, bits: 40, soon: 1_000 };

/// Wrong answers of these releases that were settled: the solver's own model makes the lemma true.
const SETTLED: [(&str, &str, &str); 3] = [
    ("z3", "set.size", "the model says that the set is empty, whose size is 0"),
    ("cvc5", "int.div-total", "the model says i = j = 0, where both sides are 0"),
    ("cvc5", "real.division-total", "the model says x = 0, where both sides are 0"),
];

/// Schemas that neither solver proves within the time, and why they are true.
const BY_HAND: [(&str, &str); 15] = [
    ("bag.count-size", "a size is the sum of all counts"),
    ("bag.extensional", "a bag is its counts"),
    ("bag.not-subbag", "a part has no more of anything"),
    ("bag.one-size", "the only count is the number, if it is positive"),
    ("bag.size", "a sum of counts is zero exactly if all are"),
    ("bag.union-size", "counts add up, so their sums do"),
    ("int.div-total", "settled above: the solver is wrong"),
    ("real.division-total", "settled above: the solver is wrong"),
    ("seq.replace-all-length", "each replacement keeps the length; the empty is not replaced"),
    ("seq.replace-all-none", "what does not occur is not replaced, nor the empty; by itself changes nothing"),
    ("seq.replace-cut", "the first occurrence begins at the index"),
    ("seq.update-nth", "an update from inside writes its one element there, from outside nothing"),
    ("set.map-size", "each image has a preimage"),
    ("set.size-one", "the one element"),
    ("str.from-int-length", "a number n has at most n + 1 digits, from ten on at least two, below ten one"),
];

/// A solver with a time limit per query in milliseconds.
fn solver(name: &str, patience: u32) -> run::Spec {
    let limits = RunLimits {
        wall: Some(Duration::from_secs(900)),
        cpu: Some(Duration::from_secs(600)),
        memory: Some(3 << 30),
        head: 64 << 20,
        ..RunLimits::default()
    };
    match name {
        "z3" => program("z3@5.4.0", &["-in", &format!("-t:{patience}")]).limits(limits),
        _ => program(
            "cvc5@1.4.2",
            &[
                "-q",
                "--lang=smt2",
                "--incremental",
                "--arrays-exp",
                "--sets-exp",
                "--strings-exp",
                &format!("--tlimit-per={patience}"),
            ],
        )
        .limits(limits),
    }
}

/// The declarations of a script and of fresh symbols.
fn declarations(script: &Script, symbols: &[DeclId]) -> String {
    let mut text = String::new();
    if let Some(logic) = script.logic_name() {
        // Lemmas need more than the script does.
        let logic = if logic.starts_with("HO_") { "HO_ALL" } else { "ALL" };
        text += &format!("(set-logic {logic})\n");
    }
    for command in script.commands.iter().filter(|command| command.is_declaration()) {
        text += &String::from_utf8_lossy(&command_text(&script.pool, command));
        text.push('\n');
    }
    for &symbol in symbols {
        let decl = script.pool.decl(symbol);
        let sort = sort_text(&script.pool, decl.result);
        text += &format!("(declare-const {} {sort})\n", script.pool.name(decl.name));
    }
    text
}

/// A solver's answer to each formula, checked separately; an error ends a process, and the next one continues.
fn answers(name: &str, patience: u32, preamble: &str, formulas: &[String]) -> Vec<String> {
    let program = solver(name, patience);
    let mut all: Vec<String> = vec![];
    while all.len() < formulas.len() {
        let mut input = preamble.to_owned();
        for formula in &formulas[all.len()..] {
            input += &format!("(push 1)\n(assert {formula})\n(check-sat)\n(pop 1)\n(echo \"end\")\n");
        }
        let outcome = run::once(&program, Input::Bytes(input.as_bytes())).unwrap();
        let text = outcome.stdout.text();
        let mut current = "silence".to_owned();
        let before = all.len();
        for line in text.lines() {
            if line.trim_matches('"') == "end" {
                all.push(std::mem::replace(&mut current, "silence".to_owned()));
            } else if !current.starts_with("(error") {
                current = line.to_owned();
            }
        }
        if all.len() < formulas.len() && (all.len() == before || current != "silence") {
            all.push(current);
        }
    }
    all
}

/// Lemmas that a solver finds a model against, and the schemas of those that it proves.
fn ask(
    name: &str,
    patience: u32,
    script: &Script,
    symbols: &[DeclId],
    lemmas: &[&Lemma],
) -> (Vec<String>, BTreeSet<&'static str>) {
    let preamble = declarations(script, symbols);
    let negated: Vec<String> =
        lemmas.iter().map(|lemma| format!("(not {})", term_text(&script.pool, lemma.term))).collect();
    let (mut wrong, mut proved) = (vec![], BTreeSet::new());
    for (lemma, answer) in lemmas.iter().zip(answers(name, patience, &preamble, &negated)) {
        match answer.as_str() {
            "unsat" => {
                proved.insert(lemma.schema);
            }
            "sat" if SETTLED.iter().any(|(who, schema, _)| *who == name && *schema == lemma.schema) => {}
            "sat" => wrong.push(format!("{name}: {}: {}", lemma.schema, term_text(&script.pool, lemma.term))),
            _ => {}
        }
    }
    (wrong, proved)
}

#[test]
fn every_schema_of_the_table_is_valid() {
    schemas_are_valid(&EVERY_TIME);
}

#[test]
#[ignore = "minutes: more instances of every schema, with more time for each"]
fn more_instances_of_every_schema_are_valid() {
    schemas_are_valid(&ON_REQUEST);
}

fn schemas_are_valid(pains: &Pains) {
    let mut proved = BTreeSet::new();
    let mut wrong = vec![];
    let mut met = BTreeSet::new();
    let tables =
        [(BOTH, &["z3", "cvc5"] as &[&str]), (Z3, &["z3"]), (CVC5, &["cvc5"])].map(|(text, names)| {
            let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
            let mut lemmas = refute::lemmas(&mut script, 0, &Budget::new(u64::MAX, u64::MAX)).unwrap();
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            lemmas.retain(|lemma| {
                let count = counts.entry(lemma.schema).or_default();
                *count += 1;
                *count <= if lemma.schema.starts_with("bits") { pains.bits } else { pains.usual }
            });
            (script, lemmas, names)
        });
    // With more time, only what no solver has proved yet in any of the tables.
    for patience in [pains.soon, LATE] {
        for (script, lemmas, names) in &tables {
            met.extend(lemmas.iter().map(|lemma| lemma.schema));
            let is_open = |lemma: &&Lemma| {
                patience == pains.soon || !(proved.contains(lemma.schema) || is_by_hand(lemma.schema))
            };
            let asked: Vec<&Lemma> = lemmas.iter().filter(is_open).collect();
            let ask = |name| ask(name, patience, script, &[], &asked);
            let replies = std::thread::scope(|scope| {
                let threads: Vec<_> = names.iter().map(|name| scope.spawn(|| ask(name))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
            });
            for (theirs, done) in replies {
                wrong.extend(theirs);
                proved.extend(done);
            }
        }
    }
    let table = refute::schema::schemas().iter().map(|schema| schema.name);
    wrong.extend(table.filter(|name| !met.contains(name)).map(|name| format!("no instance of {name}")));
    let unproved = met.iter().filter(|name| !proved.contains(**name) && !is_by_hand(name));
    wrong.extend(unproved.map(|name| format!("no solver proves {name}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn is_by_hand(schema: &str) -> bool {
    BY_HAND.iter().any(|(name, _)| *name == schema)
}

/// Small scripts without a model, and which solvers accept them.
const SCRIPTS: &str = include_str!("refutations/refuted.txt");

#[test]
fn lemmas_of_refutations_are_valid_and_assertions_keep_their_meaning() {
    let mut wrong = vec![];
    for (n, block) in SCRIPTS.split("\n\n").filter(|block| block.contains("(assert")).enumerate() {
        let names: &[&str] = match block.lines().next() {
            Some("; z3") => &["z3"],
            Some("; cvc5") => &["cvc5"],
            _ => &["z3", "cvc5"],
        };
        let text = format!("{block}\n(check-sat)");
        let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{block}: {error}"));
        let refutation = refute::refute(&mut script, 0, &Budget::new(5_000_000, 1 << 28))
            .unwrap_or_else(|reason| panic!("block {n} is not refuted: {reason}\n{block}"));
        let valid: Vec<&Lemma> = refutation.lemmas.iter().filter(|l| l.status == Status::Valid).collect();
        let preamble = declarations(&script, &refutation.symbols);
        for name in names {
            wrong.extend(ask(name, SOON, &script, &refutation.symbols, &valid).0);
            let same: Vec<String> = refutation
                .assertions
                .iter()
                .map(|p| {
                    format!(
                        "(not (= {} {}))",
                        term_text(&script.pool, p.term),
                        term_text(&script.pool, p.plain)
                    )
                })
                .collect();
            for (formula, answer) in same.iter().zip(answers(name, SOON, &preamble, &same)) {
                if answer == "sat" {
                    wrong.push(format!("{name}: not the same: {formula}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
