//! What `weaken`, `skeleton` and `reseed` say about their mutants is what two real solvers say.
//!
//! A mutant comes with the formula before it, a relation between their answers, and often an expected answer. Both
//! solvers are run on both formulas. Every answer is compared with every other one through the relation, also across the
//! two solvers, and with what is expected; a contradiction must be there again in fresh processes. What a solver rejects
//! is counted where it accepts the seed.
//!
//! Ignored, because it runs solvers for an hour:
//! `cargo test --profile quick -p solver --test relations_of_mutants -- --ignored --nocapture`.
//! `FALSUM_TEST_CASES` sets how many mutants per strategy (20,000), `FALSUM_TEST_KEY` which, `FALSUM_TEST_SEEDS` a folder
//! of seeds beside the embedded ones, `FALSUM_TEST_MENTION` a word that a seed must have, `FALSUM_TEST_STRATEGY` a single
//! strategy, `FALSUM_TEST_CPU_MS` the processor time per query, `FALSUM_TEST_OUT` a folder for the pairs that contradict.
//! A solver is asked about mutants of seeds that it decides within the limit; a seed that neither decides is left out,
//! since its mutants could contradict nothing.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test that prints what it saw")]

mod home;

use corpus::SeedId;
use home::target;
use solver::{Answer, Ended, Pool, Query, QueryLimits, SessionKind};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use strategy::{At, Bank, CampaignKey, Draft, Relation, Rng, Settings, registry, unheard};

const STRATEGIES: [&str; 3] = ["weaken", "skeleton", "reseed"];
const SOLVERS: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

/// How many mutants of one unit are used: neighbours in a chain share a formula, and many seeds should be used.
const WINDOW: usize = 8;

/// Seeds are at most this long.
const SEED_BYTES: u64 = 20_000;

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

fn bank() -> Bank {
    let mut seeds: Vec<corpus::Seed> = corpus::embedded().collect();
    if let Some(folder) = std::env::var_os("FALSUM_TEST_SEEDS") {
        let limits = corpus::ScanLimits { file_bytes: SEED_BYTES, ..corpus::ScanLimits::default() };
        seeds.extend(corpus::scan(&[folder], &limits, &corpus::Quarantine::default()).seeds);
    }
    if let Ok(word) = std::env::var("FALSUM_TEST_MENTION") {
        seeds.retain(|seed| String::from_utf8_lossy(&seed.text).contains(&word));
    }
    Bank::new(seeds).0
}

/// A solver's answers to the check-sats of a script, or the message of its rejection.
type Said = Result<Vec<Option<Answer>>, String>;

fn ask(pool: &Pool, script: &[u8], limits: &QueryLimits, kind: SessionKind) -> Said {
    let reply = pool.ask(&Query::new(script).limits(limits.clone()), kind);
    match reply.ended {
        Ended::Error(message) | Ended::Unsupported(message) => Err(message),
        _ => Ok(reply.checks.iter().map(|check| check.answer).collect()),
    }
}

/// The two solvers, and what they have said so far.
struct Court {
    pools: Vec<Pool>,
    limits: QueryLimits,
    /// Of every seed and solver: whether it accepts the seed, and whether it decides it.
    seeds: HashMap<SeedId, Vec<(bool, bool)>>,
}

impl Court {
    /// Runs in a session, which is fast; what is rejected there must be rejected by a fresh process.
    fn answers(&self, solver: usize, script: &[u8]) -> Said {
        let pool = &self.pools[solver];
        ask(pool, script, &self.limits, SessionKind::Scoped)
            .or_else(|_| ask(pool, script, &self.limits, SessionKind::Fresh))
    }

    fn seed(&mut self, bank: &Bank, id: SeedId) -> Vec<(bool, bool)> {
        if let Some(known) = self.seeds.get(&id) {
            return known.clone();
        }
        let text = bank.find(&id).map(|prepared| prepared.seed.text.to_vec()).unwrap_or_default();
        let of = |solver| match self.answers(solver, &text) {
            Ok(answers) => (true, answers.iter().any(|answer| is_decided(*answer))),
            Err(_) => (false, false),
        };
        let said: Vec<_> = (0..self.pools.len()).map(of).collect();
        self.seeds.insert(id, said.clone());
        said
    }
}

fn is_decided(answer: Option<Answer>) -> bool {
    matches!(answer, Some(Answer::Sat | Answer::Unsat))
}

/// An answer to one check-sat of a draft.
struct Spoken {
    by: String,
    at: At,
    answer: Answer,
}

/// The pairs of answers that cannot both be right, in words.
fn contradictions(draft: &Draft, spoken: &[Spoken]) -> Vec<String> {
    let mut found = vec![];
    let mut clash = |a: At, b: At, first: Answer, second: Answer, why: &str| {
        for x in spoken.iter().filter(|x| x.at == a && x.answer == first) {
            for y in spoken.iter().filter(|y| y.at == b && y.answer == second) {
                let words = [x.answer.word(), y.answer.word()];
                found.push(format!("{why}: {} {} at {a:?}, {} {} at {b:?}", x.by, words[0], y.by, words[1]));
            }
        }
    };
    for relation in &draft.relations {
        match *relation {
            Relation::SameAnswer(a, b) => {
                clash(a, b, Answer::Sat, Answer::Unsat, "same answer");
                clash(a, b, Answer::Unsat, Answer::Sat, "same answer");
            }
            Relation::SatImplies(a, b) => clash(a, b, Answer::Sat, Answer::Unsat, "sat implies sat"),
            Relation::ShouldDecide(..) => {}
        }
    }
    for at in spoken.iter().map(|x| x.at).collect::<std::collections::BTreeSet<_>>() {
        clash(at, at, Answer::Sat, Answer::Unsat, "one formula");
    }
    for (check, expect) in draft.questions[0].expects.iter().enumerate() {
        let Some(expect) = expect else { continue };
        let wrong = if expect.answer.is_sat() { Answer::Unsat } else { Answer::Sat };
        let at = At { question: 0, check };
        for x in spoken.iter().filter(|x| x.at == at && x.answer == wrong) {
            found.push(format!(
                "expected otherwise ({}): {} {}",
                expect.ground.because(),
                x.by,
                wrong.word()
            ));
        }
    }
    found
}

#[derive(Default)]
struct Tally {
    mutants: usize,
    left_out: usize,
    contradicted: usize,
    seeds: std::collections::HashSet<SeedId>,
    relations: usize,
    /// Per solver: asked, rejected, decided, of seeds that it rejects, of seeds that it does not decide.
    solvers: BTreeMap<&'static str, [usize; 5]>,
    causes: BTreeMap<String, (usize, String)>,
}

/// Messages that differ only in names and numbers are one cause.
fn cause(message: &str) -> String {
    let words = message.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.take(14).collect::<Vec<_>>().join(" ")
}

/// All answers to the questions of a draft; the answers of the last draft of the chain are used again.
fn hear(
    court: &Court,
    draft: &Draft,
    accepts: &[(bool, bool)],
    memory: &mut HashMap<(usize, Vec<u8>), Said>,
    tally: &mut Tally,
) -> Vec<Spoken> {
    let mut spoken = vec![];
    for (solver, name) in SOLVERS.iter().enumerate() {
        let row = tally.solvers.entry(name).or_default();
        if !accepts[solver].1 {
            row[3] += usize::from(!accepts[solver].0);
            row[4] += usize::from(accepts[solver].0);
            continue;
        }
        for (question, asked) in draft.questions.iter().enumerate() {
            let said = memory
                .entry((solver, asked.script.clone()))
                .or_insert_with(|| court.answers(solver, &asked.script))
                .clone();
            if question == 0 {
                row[0] += 1;
                row[1] += usize::from(said.is_err());
                row[2] += usize::from(said.as_ref().is_ok_and(|all| all.iter().any(|one| is_decided(*one))));
                if let Err(message) = &said {
                    let example = format!("{name}: {message}\n{}", draft.rules.join("\n"));
                    tally.causes.entry(cause(message)).or_insert((0, example)).0 += 1;
                }
            }
            for (check, answer) in said.unwrap_or_default().into_iter().enumerate() {
                let Some(answer) = answer.filter(|answer| is_decided(Some(*answer))) else { continue };
                spoken.push(Spoken { by: (*name).to_owned(), at: At { question, check }, answer });
            }
        }
    }
    spoken
}

/// What contradicts in fresh processes with a long limit.
fn again(court: &Court, draft: &Draft) -> Vec<String> {
    let limits =
        QueryLimits { wall: Duration::from_secs(120), cpu: Some(Duration::from_secs(5)), memory: None };
    let mut spoken = vec![];
    for pool in &court.pools {
        for (question, asked) in draft.questions.iter().enumerate() {
            let said = ask(pool, &asked.script, &limits, SessionKind::Fresh).unwrap_or_default();
            for (check, answer) in said.into_iter().enumerate() {
                let Some(answer) = answer.filter(|answer| is_decided(Some(*answer))) else { continue };
                spoken.push(Spoken { by: pool.target().name.clone(), at: At { question, check }, answer });
            }
        }
    }
    contradictions(draft, &spoken)
}

fn keep(name: &str, number: usize, draft: &Draft, found: &[String]) {
    println!("contradiction {name}-{number}: {found:?}\n  {:?}", draft.rules);
    let Some(folder) = std::env::var_os("FALSUM_TEST_OUT") else { return };
    std::fs::create_dir_all(&folder).unwrap();
    for (question, asked) in draft.questions.iter().enumerate() {
        let file = std::path::Path::new(&folder).join(format!("{name}-{number}-{question}.smt2"));
        let why: String = found.iter().map(|line| format!("; {line}\n")).collect();
        std::fs::write(file, [why.as_bytes(), &asked.script].concat()).unwrap();
    }
}

fn measure(name: &str, bank: &Bank, count: usize, court: &mut Court) -> Tally {
    let key = CampaignKey(setting("FALSUM_TEST_KEY", "relations"));
    let strategy = registry::find(name).unwrap();
    let source = (strategy.begin)(bank, &Settings::default()).expect("the strategy begins");
    let mut tally = Tally::default();
    for unit in 0..50 * count as u64 {
        let drafts = unheard(&*source, unit, Rng::of(&key, name, unit)).unwrap_or_default();
        // Sometimes early in the chain, sometimes late.
        let from = (unit as usize * 7) % (drafts.len().max(WINDOW) - WINDOW + 1);
        let mut memory = HashMap::new();
        for draft in drafts.iter().skip(from).take(WINDOW) {
            if tally.mutants == count {
                return tally;
            }
            let seeds: Vec<_> = draft.seeds.iter().map(|id| court.seed(bank, *id)).collect();
            let all = |solver: usize| {
                let of = |part: fn(&(bool, bool)) -> bool| seeds.iter().all(|seed| part(&seed[solver]));
                (of(|seed| seed.0), of(|seed| seed.1))
            };
            let accepts: Vec<(bool, bool)> = (0..SOLVERS.len()).map(all).collect();
            if !accepts.iter().any(|solver| solver.1) {
                tally.left_out += 1;
                continue;
            }
            tally.mutants += 1;
            tally.seeds.extend(draft.seeds.iter().copied());
            let spoken = hear(court, draft, &accepts, &mut memory, &mut tally);
            tally.relations += draft.relations.iter().filter(|relation| is_tested(relation, &spoken)).count();
            if !contradictions(draft, &spoken).is_empty() {
                let found = again(court, draft);
                if !found.is_empty() {
                    tally.contradicted += 1;
                    keep(name, tally.mutants, draft, &found);
                }
            }
            if tally.mutants % 1000 == 0 {
                show(name, &tally);
            }
        }
    }
    tally
}

/// Whether both sides of a relation are decided.
fn is_tested(relation: &Relation, spoken: &[Spoken]) -> bool {
    let (Relation::SameAnswer(a, b) | Relation::SatImplies(a, b)) = relation else { return false };
    let decided = |at: &At| spoken.iter().any(|x| x.at == *at);
    decided(a) && decided(b)
}

fn show(name: &str, tally: &Tally) {
    let Tally { mutants, left_out, contradicted, seeds, relations, .. } = tally;
    println!(
        "{name}: {mutants} mutants of {} seeds, {left_out} left out, {relations} relations with both sides decided, {contradicted} contradictions",
        seeds.len()
    );
    for (solver, [asked, rejected, decided, foreign, slow]) in &tally.solvers {
        println!(
            "  {solver}: {asked} asked, {rejected} rejected, {decided} decided; not asked about {foreign} of seeds that it rejects and {slow} of seeds that it does not decide"
        );
    }
}

#[test]
#[ignore = "runs two solvers for an hour"]
fn no_solver_contradicts_a_relation_or_an_expectation_and_few_mutants_are_rejected() {
    let count = setting("FALSUM_TEST_CASES", "20000").parse().unwrap();
    let cpu = Duration::from_millis(setting("FALSUM_TEST_CPU_MS", "30").parse().unwrap());
    let bank = bank();
    let limits = QueryLimits { wall: Duration::from_secs(30), cpu: Some(cpu), ..QueryLimits::default() };
    let pools = SOLVERS.iter().map(|solver| Pool::new(target(solver), 1)).collect();
    let mut court = Court { pools, limits, seeds: HashMap::new() };
    let only = std::env::var("FALSUM_TEST_STRATEGY").ok();
    let mut wrong = vec![];
    for name in STRATEGIES.iter().filter(|name| only.as_deref().is_none_or(|only| only == **name)) {
        let tally = measure(name, &bank, count, &mut court);
        show(name, &tally);
        for (count, example) in tally.causes.values() {
            println!("  {count} × {}", example.replace('\n', "\n      "));
        }
        if tally.contradicted > 0 {
            wrong.push(format!("{name}: {} contradictions", tally.contradicted));
        }
        for (solver, [asked, rejected, ..]) in &tally.solvers {
            if *rejected * 100 >= *asked {
                wrong.push(format!("{name}: {solver} rejects {rejected} of {asked}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
