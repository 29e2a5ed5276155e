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
//! Cost: some microseconds a formula; nothing is parsed. The formulas of a unit share one model and its terms.
//! Parts (`--part`): `model`, `laws`, `pigeonholes`, `pinned`, `quantified`, `scripts`, the generators of Dewey's Table
//! 5.1 (`bv_few_sat`, … `fp_many_syntactic`), and the names of stages, which restrict all of them but pigeonholes and
//! laws; `nested` is all stages whose sorts are nested at random (`nest.rs`). Generators only run when they are named.
//! Differs from the papers: sorts and operators come from the tables, only the laws are written by hand.

pub mod claim;
pub mod generators;
pub mod grow;
pub mod identity;
pub mod nest;
pub mod pigeons;
pub mod pinned;
pub mod quantified;
pub mod script;
pub mod stage;
pub mod values;
pub mod world;

use crate::mutant::places::solvers;
use crate::{Draft, Expect, Expected, Ground, Plain, Propose, Rng, Settings, Skip, Strategy};
use generators::{GENERATORS, Generator};
use grow::Grove;
use identity::{Law, Ready};
use stage::Stage;
use std::sync::OnceLock;

pub const STRATEGY: Strategy = Strategy {
    name: "construct",
    about: "formulas made around a model, and denials of what always holds",
    source: include_str!("mod.rs"),
    begin: |_, settings| Ok(Box::new(Plain(Construct::new(settings)?))),
};

/// The stages as they are embedded: names, solvers and scripts.
const STAGES: &str = include_str!("stages.txt");
/// Number of formulas in a unit, all over one stage.
const PER_UNIT: u64 = 8;
/// Attempts to grow a term, for the first formula of a unit and for each further one.
const ATTEMPTS: [usize; 2] = [14, 5];

/// A way to make formulas.
#[derive(Clone, Copy, Debug)]
enum Part {
    Model,
    Laws,
    Pigeonholes,
    Pinned,
    Quantified,
    Scripts,
    Generator(&'static Generator),
}

/// The parts with their names and how often each has its turn.
const PARTS: &[(&str, Part, usize)] = &[
    ("model", Part::Model, 6),
    ("pinned", Part::Pinned, 2),
    ("laws", Part::Laws, 3),
    ("quantified", Part::Quantified, 2),
    ("scripts", Part::Scripts, 2),
    ("pigeonholes", Part::Pigeonholes, 1),
];

/// The strategy after `begin`.
pub struct Construct {
    /// Each stage is built when it is first used.
    stages: Vec<(Heading<'static>, OnceLock<Option<Stage>>)>,
    laws: Vec<(Law, OnceLock<Option<Ready>>)>,
    /// The parts in turn.
    parts: Vec<Part>,
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
    fn new(settings: &Settings) -> Result<Construct, Skip> {
        let mut stages: Vec<Heading<'static>> = headings(STAGES);
        stages.extend(headings(nest::stages()));
        let asked = settings.part.as_deref().unwrap_or("").split(',').map(str::trim);
        let asked: Vec<&str> = asked.filter(|part| !part.is_empty()).collect();
        let mut parts: Vec<Part> = vec![];
        let mut only: Vec<&str> = vec![];
        for &name in &asked {
            let part = PARTS.iter().find(|(own, _, _)| *own == name);
            let generator = GENERATORS.iter().find(|generator| generator.name == name);
            match (part, generator) {
                (Some((_, part, _)), _) => parts.push(*part),
                (_, Some(generator)) => parts.push(Part::Generator(generator)),
                _ if name == nest::NAME => {
                    only.extend(headings(nest::stages()).iter().map(|stage| stage.name));
                }
                _ if stages.iter().any(|stage| stage.name == name) => only.push(name),
                _ => return Err(unknown(name, &stages)),
            }
        }
        if !only.is_empty() {
            stages.retain(|stage| only.contains(&stage.name) || is_needed(stage.name, &parts));
        }
        if parts.is_empty() {
            let of_stages = |part: &Part| only.is_empty() || !matches!(part, Part::Laws | Part::Pigeonholes);
            let turns = PARTS.iter().flat_map(|&(_, part, turns)| std::iter::repeat_n(part, turns));
            parts = turns.filter(of_stages).collect();
        }
        Ok(Construct {
            stages: stages.into_iter().map(|heading| (heading, OnceLock::new())).collect(),
            laws: identity::laws(identity::LAWS).into_iter().map(|law| (law, OnceLock::new())).collect(),
            parts,
        })
    }

    fn stage(&self, number: usize) -> Result<&Stage, Skip> {
        let (heading, stage) = &self.stages[number];
        let stage = stage.get_or_init(|| Stage::read(heading.name, heading.solvers, heading.script)).as_ref();
        stage.ok_or(Skip::NoSeed("a stage cannot be read"))
    }

    fn named(&self, name: &str) -> Result<&Stage, Skip> {
        let number = self.stages.iter().position(|(heading, _)| heading.name == name);
        self.stage(number.ok_or(Skip::NoSeed("a stage is missing"))?)
    }
}

/// Whether a generator works on this stage.
fn is_needed(stage: &str, parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Generator(generator) if generator.stage == stage))
}

fn unknown(name: &str, stages: &[Heading<'_>]) -> Skip {
    let parts = PARTS.iter().map(|(name, _, _)| *name);
    let stages = stages.iter().map(|stage| stage.name).filter(|stage| !stage.starts_with(nest::NAME));
    let generators = GENERATORS.iter().map(|generator| generator.name);
    let names: Vec<&str> = parts.chain(generators).chain(stages).chain([nest::NAME]).collect();
    Skip::Setting(format!("`construct` has no part `{name}`\nhint: {}", names.join(", ")))
}

impl Propose for Construct {
    fn unit_len(&self) -> u64 {
        PER_UNIT
    }

    fn propose(&self, unit: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let part = self.parts[(unit % self.parts.len() as u64) as usize];
        if let Part::Generator(generator) = part {
            return self.generated(generator, rng);
        }
        match part {
            Part::Pigeonholes => Ok((0..PER_UNIT).map(|_| pigeons::draft(rng)).collect()),
            Part::Laws => self.denials(rng),
            _ => {
                let stage = self.stage(rng.below(self.stages.len()))?;
                Ok(self.on_stage(part, stage, rng))
            }
        }
    }
}

impl Construct {
    fn on_stage(&self, part: Part, stage: &Stage, rng: &mut Rng) -> Vec<Draft> {
        let mut evaluator = stage.evaluator();
        match part {
            Part::Quantified => {
                (0..PER_UNIT).filter_map(|_| quantified::draft(stage, &mut evaluator, rng)).collect()
            }
            Part::Scripts => {
                (0..PER_UNIT / 2).filter_map(|_| script::draft(stage, &mut evaluator, rng)).collect()
            }
            Part::Pinned => self.grown(stage, rng, pinned::draft),
            _ => self.grown(stage, rng, |grove, _, rng| satisfiable(grove, rng)),
        }
    }

    fn generated(&self, generator: &Generator, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let stage = self.named(generator.stage)?;
        Ok(self.grown(stage, rng, |grove, evaluator, rng| {
            generators::draft(generator.way, grove, evaluator, rng)
        }))
    }

    /// The formulas of a unit over terms that go on growing.
    fn grown(
        &self,
        stage: &Stage,
        rng: &mut Rng,
        make: impl Fn(&Grove<'_>, &mut semantics::eval::Evaluator<'_>, &mut Rng) -> Option<Draft>,
    ) -> Vec<Draft> {
        let mut evaluator = stage.evaluator();
        let mut grove = Grove::plant(stage, rng);
        let mut drafts = vec![];
        for n in 0..PER_UNIT {
            for _ in 0..ATTEMPTS[usize::from(n > 0)] {
                grove.grow(&mut evaluator, rng);
            }
            drafts.extend(make(&grove, &mut evaluator, rng));
        }
        drafts
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
fn satisfiable(grove: &Grove<'_>, rng: &mut Rng) -> Option<Draft> {
    let stage = grove.stage;
    let most = 1 + rng.below(4);
    let asserted = claim::assert(grove, most, rng);
    if asserted.texts.is_empty() {
        return None;
    }
    let length = stage.preamble.len() + 16 + asserted.texts.iter().map(|text| text.len() + 10).sum::<usize>();
    let mut script = Vec::with_capacity(length);
    script.extend_from_slice(stage.preamble.as_bytes());
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
