//! A copy of a warm process answers like a process of its own: the same endings, answers, models, cores and messages.
//!
//! In CI every eighth embedded formula, with models, and some scripts that crash or are refused. With
//! `FALSUM_TEST_SEEDS=FOLDER` the ignored test takes the formulas of a folder, each under half a second of processor time, and prints
//! every difference; `FALSUM_TEST_SOLVERS="a b"` takes other solvers. What ran into a limit is counted and not compared.

#![allow(clippy::print_stdout, reason = "a test that tells what it saw")]

mod home;

use home::{show, target};
use solver::{Ended, Extras, Pool, Query, QueryLimits, Reply, SessionKind};
use std::time::Duration;

const CPU: Duration = Duration::from_millis(500);
const MODEL: Extras = Extras { model: true, core: false, proof: false, reason: false };

/// What was compared, and the processor time of both kinds on it.
#[derive(Debug, Default)]
struct Tally {
    same: u32,
    limits: u32,
    not_copied: u32,
    fresh: Duration,
    forked: Duration,
    differences: Vec<String>,
}

fn ask(pool: &Pool, script: &[u8], kind: SessionKind) -> Reply {
    let limits = QueryLimits { cpu: Some(CPU), ..QueryLimits::wall(CPU * 20) };
    let mut query = Query::new(script).limits(limits).want(MODEL);
    query.locate = true;
    pool.ask(&query, kind)
}

/// Everything of a reply that may not depend on how its process came to be.
fn essence(reply: &Reply) -> String {
    let Reply { ended, checks, errors, stray, .. } = reply;
    let columns = |text: String| without_columns_of_the_first_line(&text);
    columns(format!("{ended:?}\n{checks:?}\n{errors:?}\n{}", String::from_utf8_lossy(stray)))
}

/// The beginning of a script is on the first line of a copy's input, with blanks behind it.
fn without_columns_of_the_first_line(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("line 1 column ") {
        let (before, after) = rest.split_at(at + "line 1 column ".len());
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

fn compare(solver: &str, seeds: &[(String, Vec<u8>)]) -> Tally {
    let pool = Pool::new(target(solver), 1);
    let mut tally = Tally::default();
    for (name, script) in seeds {
        let fresh = ask(&pool, script, SessionKind::Fresh);
        let mut forked = ask(&pool, script, SessionKind::Forked);
        if forked.session == SessionKind::Fresh {
            forked = ask(&pool, script, SessionKind::Forked);
        }
        if fresh.ended.is_limit() || forked.ended.is_limit() {
            tally.limits += 1;
        } else if forked.session != SessionKind::Forked {
            tally.not_copied += 1;
        } else if essence(&fresh) == essence(&forked) {
            tally.same += 1;
            tally.fresh += fresh.cpu;
            tally.forked += forked.cpu;
        } else {
            let difference = format!("{solver} {name}\n{}\n{}\n", show(&fresh), show(&forked));
            println!("{difference}");
            tally.differences.push(difference);
        }
    }
    println!(
        "{solver}: {} formulas; {} the same ({:?} fresh, {:?} forked), {} limits, {} not copied, {} differ",
        seeds.len(),
        tally.same,
        tally.fresh,
        tally.forked,
        tally.limits,
        tally.not_copied,
        tally.differences.len()
    );
    tally
}

#[test]
fn copies_answer_like_processes_of_their_own() {
    let seeds: Vec<_> = corpus::embedded().step_by(8).map(|s| (s.name.clone(), s.text.to_vec())).collect();
    for solver in ["z3@5.4.0", "cvc5@1.4.2"] {
        let tally = compare(solver, &seeds);
        assert!(tally.differences.is_empty(), "{} differences", tally.differences.len());
        assert!(tally.same as usize > seeds.len() / 2, "{solver}: {} of {}", tally.same, seeds.len());
    }
}

#[test]
#[ignore = "takes a folder of formulas and minutes"]
fn copies_answer_like_processes_of_their_own_on_a_folder() {
    let folder = std::env::var_os("FALSUM_TEST_SEEDS").expect("FALSUM_TEST_SEEDS");
    let scan = corpus::scan(&[folder], &corpus::ScanLimits::default(), &corpus::Quarantine::default());
    let seeds: Vec<_> = scan.seeds.iter().map(|s| (s.name.clone(), s.text.to_vec())).collect();
    let solvers = std::env::var("FALSUM_TEST_SOLVERS").unwrap_or_else(|_| "z3@5.4.0 cvc5@1.4.2".into());
    let differences: usize =
        solvers.split_whitespace().map(|solver| compare(solver, &seeds).differences.len()).sum();
    assert_eq!(differences, 0);
}

/// Scripts that are refused, crash, push, reset or ask for cores.
const AWKWARD: [&str; 8] = [
    "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x y))\n(check-sat)",
    "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 1)\n(check-sat)",
    "(set-logic NO_SUCH)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)",
    "(set-option :no-such-option 3)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)",
    "(set-logic QF_LIA)\n(declare-const x Int)\n(push 1)\n(assert (> x 1))\n(check-sat)\n(pop 1)\n(check-sat)",
    "(set-logic QF_LIA)\n(check-sat)\n(reset)\n(set-logic QF_LRA)\n(check-sat)",
    "(set-option :print-success true)\n(set-logic QF_LIA)\n(declare-const x Int)\n(check-sat)",
    "(set-option :produce-unsat-cores true)\n(set-logic QF_LIA)\n(declare-const x Int)\n\
     (assert (! (> x 1) :named a))\n(assert (! (< x 1) :named b))\n(check-sat)\n(get-unsat-core)",
];

#[test]
fn awkward_scripts_get_the_same_treatment() {
    let seeds: Vec<_> = AWKWARD.iter().map(|s| ((*s).to_owned(), s.as_bytes().to_vec())).collect();
    for solver in ["z3@5.4.0", "cvc5@1.4.2", "z3@4.8.9"] {
        let tally = compare(solver, &seeds);
        assert!(tally.differences.is_empty(), "{} differences", tally.differences.len());
    }
}

#[test]
fn a_crash_of_a_copy_is_the_cases_and_the_host_serves_on() {
    let pool = Pool::new(target("z3@4.8.9"), 1);
    let good = b"(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)";
    for script in [&good[..], b"(set-logic QF_NIA)(check-sat)"] {
        ask(&pool, script, SessionKind::Forked);
        ask(&pool, script, SessionKind::Forked);
    }
    let endless = b"(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)\
        (assert (= (* x x x) (+ (* y y) 17 (* 3 x y))))(assert (> x 1000))(assert (> y 1000000))(check-sat)";
    let mut query = Query::new(endless).want(MODEL);
    query.limits = QueryLimits { cpu: Some(Duration::from_millis(50)), ..QueryLimits::default() };
    let limited = pool.ask(&query, SessionKind::Forked);
    assert_eq!(limited.session, SessionKind::Forked);
    assert!(limited.ended.is_limit() || limited.ended == Ended::ByItself, "{}", show(&limited));
    assert_eq!(ask(&pool, good, SessionKind::Forked).session, SessionKind::Forked);
}

#[test]
fn a_copy_that_misbehaves_ends_like_a_started_process() {
    let script = b"(declare-const x Bool)(assert x)(check-sat)";
    let wall = QueryLimits { wall: Duration::from_millis(600), cpu: None, memory: None };
    let patient = QueryLimits { wall: Duration::from_secs(20), ..wall.clone() };
    let rows = [
        ("abort", &patient),
        ("answer-then-crash", &patient),
        ("exit139", &patient),
        ("garbage", &patient),
        ("leak-grandchild", &patient),
        ("double-fork", &patient),
        ("flood-stderr:20", &patient),
        ("partial,sleep", &wall),
    ];
    for (behaviour, limits) in rows {
        let pool = Pool::new(home::fake(&["--behave", behaviour, "--at-check", "1"]), 0);
        let ask = |kind| pool.ask(&Query::new(script).limits(limits.clone()), kind);
        let fresh = ask(SessionKind::Fresh);
        // The second use of a beginning makes a host.
        let [_, _, forked] = [(); 3].map(|()| ask(SessionKind::Forked));
        assert_eq!(forked.session, SessionKind::Forked, "{behaviour} {}", show(&forked));
        assert_eq!(essence(&fresh), essence(&forked), "{behaviour}");
    }
    let spin = QueryLimits { cpu: Some(Duration::from_millis(200)), ..patient.clone() };
    let memory = QueryLimits { memory: Some(200 << 20), ..patient };
    for (behaviour, limits, ended) in [("spin:2", spin, Ended::Cpu), ("allocate:3000", memory, Ended::Memory)]
    {
        let pool = Pool::new(home::fake(&["--behave", behaviour, "--at-check", "1"]), 0);
        let ask = || pool.ask(&Query::new(script).limits(limits.clone()), SessionKind::Forked);
        let [_, _, forked] = [(); 3].map(|()| ask());
        assert_eq!((forked.session, forked.ended), (SessionKind::Forked, ended), "{behaviour}");
    }
}
