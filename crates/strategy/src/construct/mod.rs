//! `construct`: formulas whose answer is known without any seed or solver.
//!
//! Idea. Choose a model first: a value for every symbol, from the edges of its sort. Then grow terms over the theory
//! tables, compute their values in that model, and assert what holds. The formula is satisfiable, and the model comes
//! with it. Unsatisfiable formulas deny a law that holds for all values, or ask for more different values than a finite
//! sort has, among other assertions that can be satisfied: so the core is known too.
//! From: Bugariu and Müller, "Automatically Testing String Solvers" (ICSE 2020), and Dewey's dissertation on generating
//! solver inputs (bit-vectors and floats); here for every theory and across theories, with tight formulas preferred.
//! Expectation: sat with its model, unsat with its core or its argument.
//! Sound because: our evaluator checks the model before any solver is accused; every law is checked exhaustively over
//! tiny domains and by evaluation over large ones; the pigeonhole principle needs no check.
//! Cost: some microseconds a formula; nothing is parsed.
//! Differs from the papers: sorts and operators come from the tables; only the laws are written by hand.

pub mod claim;
pub mod grow;
pub mod identity;
pub mod pigeons;
pub mod stage;
pub mod values;
pub mod world;

use crate::mutant::places::solvers;
use crate::{Draft, Expect, Expected, Ground, Plain, Propose, Rng, Skip, Strategy};
use grow::Grove;
use identity::{Law, Ready};
use stage::Stage;
use std::sync::OnceLock;

pub const STRATEGY: Strategy = Strategy {
    name: "construct",
    about: "formulas made around a model, and denials of what always holds",
    source: include_str!("mod.rs"),
    begin: |_, _| Ok(Box::new(Plain(Construct::new()))),
};

/// The stages as they are embedded: names, solvers and scripts.
const STAGES: &str = include_str!("stages.txt");
/// Number of formulas in a unit, all over one stage.
const PER_UNIT: u64 = 8;
/// Number of attempts to grow a term, per formula.
const ATTEMPTS: usize = 14;

/// The strategy after `begin`.
pub struct Construct {
    /// Each stage is built when it is first used.
    stages: Vec<(Heading<'static>, OnceLock<Option<Stage>>)>,
    laws: Vec<(Law, OnceLock<Option<Ready>>)>,
}

/// The heading of a stage.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'t> {
    pub name: &'t str,
    pub solvers: u8,
    pub script: &'t str,
}

/// The stages in a text, in order.
pub fn headings(text: &str) -> Vec<Heading<'_>> {
    let heading = |block| -> Option<Heading<'_>> {
        let (line, script) = str::split_once(block, '\n')?;
        let (name, by) = line.split_once(" by ")?;
        let by: Vec<&str> = by.split_whitespace().collect();
        Some(Heading { name: name.trim(), solvers: solvers::of(Some(&by)), script })
    };
    text.split("\n; stage ").skip(1).filter_map(heading).collect()
}

impl Construct {
    fn new() -> Construct {
        Construct {
            stages: headings(STAGES).into_iter().map(|heading| (heading, OnceLock::new())).collect(),
            laws: identity::laws(identity::LAWS).into_iter().map(|law| (law, OnceLock::new())).collect(),
        }
    }

    fn stage(&self, number: usize) -> Option<&Stage> {
        let (heading, stage) = &self.stages[number];
        stage.get_or_init(|| Stage::read(heading.name, heading.solvers, heading.script)).as_ref()
    }
}

impl Propose for Construct {
    fn unit_len(&self) -> u64 {
        PER_UNIT
    }

    /// Of eight units, five build formulas around a model, two deny laws, and one uses the pigeonhole principle.
    fn propose(&self, unit: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        match unit % 8 {
            7 => Ok((0..PER_UNIT).map(|_| pigeons::draft(rng)).collect()),
            3 | 6 => self.denials(rng),
            _ => self.satisfiable(rng),
        }
    }
}

impl Construct {
    fn satisfiable(&self, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let stage = self.stage(rng.below(self.stages.len())).ok_or(Skip::NoSeed("a stage cannot be read"))?;
        let mut evaluator = stage.evaluator();
        Ok((0..PER_UNIT).filter_map(|_| satisfiable(stage, &mut evaluator, rng)).collect())
    }

    fn denials(&self, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let (law, ready) = &self.laws[rng.below(self.laws.len())];
        let ready = ready.get_or_init(|| Ready::new(law)).as_ref();
        let ready = ready.ok_or(Skip::NoSeed("a law cannot be read"))?;
        let mut evaluator = ready.evaluator();
        Ok((0..PER_UNIT).map(|n| ready.deny(&mut evaluator, n == 0, rng)).collect())
    }
}

/// A formula around a model.
fn satisfiable(
    stage: &Stage,
    evaluator: &mut semantics::eval::Evaluator<'_>,
    rng: &mut Rng,
) -> Option<Draft> {
    let mut grove = Grove::plant(stage, rng);
    for _ in 0..ATTEMPTS {
        grove.grow(evaluator, rng);
    }
    let most = 1 + rng.below(4);
    let asserted = claim::assert(&grove, most, rng);
    if asserted.texts.is_empty() {
        return None;
    }
    let mut script = stage.preamble.clone().into_bytes();
    for text in &asserted.texts {
        script.extend_from_slice(b"(assert ");
        script.extend_from_slice(text);
        script.extend_from_slice(b")\n");
    }
    script.extend_from_slice(b"(check-sat)\n");
    let rule = format!(
        "stage `{}`: true in the chosen model and in {} of {} others",
        stage.name,
        asserted.others,
        grow::WORLDS - 1
    );
    let model = Ground::Model(grove.worlds[0].text(stage));
    let expect = Expect { answer: Expected::Sat, ground: model };
    Some(Draft::of(script).rules([rule]).expecting(vec![Some(expect)]))
}
