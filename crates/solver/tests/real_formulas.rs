//! The three kinds of session compared on real formulas: no two decided answers may differ, and no kind may reject
//! what a fresh process accepts. A crash that only a session shows is a bug of the solver if the same commands crash it
//! again; then it is printed, and does not fail the test. `FALSUM_TEST_SEEDS=FOLDER` uses other formulas,
//! `FALSUM_TEST_SOLVERS="a b"` other solvers; both print what they find.

#![allow(clippy::print_stdout, reason = "a test that prints what it saw")]

mod home;

use home::{show, target};
use solver::{Answer, Ended, Pool, Query, QueryLimits, Reply, SessionKind};
use std::time::{Duration, Instant};

/// Processor time, so that a busy machine does not turn answers into limits.
const CPU: Duration = Duration::from_millis(400);

#[test]
fn the_kinds_agree_on_real_formulas() {
    let seeds = seeds();
    let solvers = std::env::var("FALSUM_TEST_SOLVERS").unwrap_or_else(|_| "z3@5.4.0 cvc5@1.4.2".into());
    let mut differences = Vec::new();
    for solver in solvers.split_whitespace() {
        let pool = Pool::new(target(solver), 4);
        let mut tally = Tally::default();
        for seed in &seeds {
            let replies = [SessionKind::Fresh, SessionKind::Reset, SessionKind::Scoped]
                .map(|kind| tally.ask(&pool, &seed.1, kind));
            let found = compare(&pool, &seed.0, &replies);
            found.iter().for_each(|difference| println!("{difference}"));
            differences.extend(found);
        }
        println!("{solver}: {} formulas; {tally:?}", seeds.len());
    }
    assert!(differences.is_empty(), "{} differences", differences.len());
    assert!(seeds.len() > 50, "where are the formulas?");
}

/// Name and text; every sixth of the embedded ones, to keep the test short.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let text = |seed: &corpus::Seed| (seed.name.clone(), seed.text.to_vec());
    match std::env::var_os("FALSUM_TEST_SEEDS") {
        Some(folder) => {
            let scan =
                corpus::scan(&[folder], &corpus::ScanLimits::default(), &corpus::Quarantine::default());
            scan.seeds.iter().filter(|s| s.text.len() < 20_000).map(text).collect()
        }
        None => corpus::embedded().step_by(6).map(|s| text(&s)).collect(),
    }
}

/// The work done in each kind, and how long it took.
#[derive(Debug, Default)]
struct Tally {
    fresh: (u32, Duration),
    reset: (u32, Duration),
    scoped: (u32, Duration),
    routed: u32,
    limits: u32,
}

impl Tally {
    fn ask(&mut self, pool: &Pool, script: &[u8], kind: SessionKind) -> Reply {
        let began = Instant::now();
        let limits = QueryLimits { cpu: Some(CPU), ..QueryLimits::wall(CPU * 20) };
        let reply = pool.ask(&Query::new(script).limits(limits), kind);
        let slot = match kind {
            SessionKind::Fresh | SessionKind::Forked => &mut self.fresh,
            SessionKind::Reset => &mut self.reset,
            SessionKind::Scoped => &mut self.scoped,
        };
        *slot = (slot.0 + 1, slot.1 + began.elapsed());
        self.routed += u32::from(reply.routed.is_some());
        self.limits += u32::from(reply.ended.is_limit());
        reply
    }
}

/// Relevant differences: contradicting answers, and rejections by a session only.
fn compare(pool: &Pool, name: &str, replies: &[Reply; 3]) -> Vec<String> {
    let solver = &pool.target().name;
    let [fresh, others @ ..] = replies;
    let mut found = Vec::new();
    for other in others {
        let told = || format!("{solver} {name}\nfresh: {}\nother: {}\n", brief(fresh), show(other));
        let pairs = fresh.checks.iter().zip(&other.checks).map(|(a, b)| (a.answer, b.answer));
        let contradict = |(a, b): (Option<Answer>, Option<Answer>)| {
            matches!(
                (a, b),
                (Some(Answer::Sat), Some(Answer::Unsat)) | (Some(Answer::Unsat), Some(Answer::Sat))
            )
        };
        if matches!(other.ended, Ended::Crash { .. }) && crashes_again(pool, other) {
            println!("{solver} crashes in a {} session at {name}", other.session.name());
            continue;
        }
        let refused =
            fresh.ended == Ended::ByItself && other.ended != Ended::ByItself && !other.ended.is_limit();
        if pairs.into_iter().any(contradict) || refused || fresh.checks.len() != other.checks.len() {
            found.push(told());
        }
    }
    found
}

/// Whether a fresh process crashes on the input of the session.
fn crashes_again(pool: &Pool, reply: &Reply) -> bool {
    let target = pool.target();
    let input = reply.history.bytes().unwrap_or_default();
    let spec =
        run::Spec::new(&target.command[0]).args(&target.command[1..]).args(&target.profile.session.args);
    run::once(&spec, run::Input::Bytes(&input)).is_ok_and(|o| o.crash_signal().is_some())
}

fn brief(reply: &Reply) -> String {
    let answers: Vec<_> = reply.checks.iter().map(|c| c.answer.map_or("-", Answer::word)).collect();
    format!("{} {:?}", answers.join(" "), reply.ended)
}
