//! `regrow`: replace a term by a freshly grown one of its sort.
//!
//! Idea. Swapping operators never changes a formula's shape. Regrowing does: a term is replaced by an operator applied
//! to terms of the script, by another term of the script, by a boundary value of its sort, or by a term of another
//! seed.
//! From: Park, Winterer, Zhang, Su, "Generative Type-Aware Mutation for Testing SMT Solvers" (OOPSLA 2021), with the
//! data-driven variant of Winterer's thesis (2024, section 5.6) and FuzzChick's pure exchange of subterms.
//! Expectation: none (any answer may be right), so verdicts rest on models, references and certificates.
//! Sound because: the new term has the sort of the old one by the theory tables, and is locally compatible: a term
//! with bound variables is written only where those are in scope with the same sorts, a declared symbol only where it
//! is declared, and never where a binder shadows it. The changes of a wide chain concern disjoint ranges of the seed, so
//! every step of a chain is well-typed.
//! Two shapes. A wide chain changes the seed's own terms in many places; a deep one (Algorithm 5 of the thesis) makes
//! every change to the last mutant, up to a cap on its size (`deep.rs`).
//! Cost: a search over the tables per seed, once; then per mutant a few random choices and one copy of the bytes.
//! Differs from the paper: every theory and sort, indexed operators, fresh values and constants, several changes.

pub mod deep;
pub mod ground;
pub mod grow;
pub mod harvest;
pub mod productions;
pub mod signatures;

use crate::mutant::fit::Admission;
use crate::mutant::logic::{Reach, Widening};
use crate::mutant::splice::{Edit, splice};
use crate::mutant::{Chain, PerSeed};
use crate::{Bank, Draft, Plain, Prepared, Propose, Rng, Settings, Skip, Strategy};
use deep::Deep;
use ground::Ground;
use grow::{Grower, GrowthWay, Planted, Spec};
use harvest::Harvest;
use signatures::Signatures;
use std::sync::OnceLock;

/// The weight of each way of growing.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// An operator over terms of the script.
    pub apply: u32,
    /// Another term of the script.
    pub swap: u32,
    /// A boundary value.
    pub value: u32,
    /// A term of another seed.
    pub harvest: u32,
    /// An operator over terms of other seeds.
    pub driven: u32,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { apply: 55, swap: 15, value: 10, harvest: 13, driven: 7 }
    }
}

impl Weights {
    /// Only these ways, each as often as before; `None` if a word is no way.
    fn only(self, words: &[String]) -> Option<Weights> {
        let known = |word: &String| GrowthWay::ALL.iter().find(|(name, _)| name == word).map(|&(_, way)| way);
        let ways: Vec<GrowthWay> = words.iter().map(known).collect::<Option<_>>()?;
        let keep =
            |way: GrowthWay, weight: u32| if ways.is_empty() || ways.contains(&way) { weight } else { 0 };
        Some(Weights {
            apply: keep(GrowthWay::Apply, self.apply),
            swap: keep(GrowthWay::Swap, self.swap),
            value: keep(GrowthWay::Value, self.value),
            harvest: keep(GrowthWay::Harvest, self.harvest),
            driven: keep(GrowthWay::Driven, self.driven),
        })
    }
}

/// Where later changes of a chain fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChainShape {
    /// On the seed's own terms.
    Wide,
    /// Anywhere in the last mutant (Algorithm 5).
    Deep,
}

impl ChainShape {
    pub const ALL: [(&'static str, ChainShape); 2] = [("wide", ChainShape::Wide), ("deep", ChainShape::Deep)];
}

/// Without a setting, one unit in this many has the deep shape.
const DEEP: usize = 4;

/// The settings of `regrow`.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many changes a chain has.
    pub steps: u32,
    /// A case is made after this many changes.
    pub every: u32,
    pub weights: Weights,
    pub policy: Admission,
    pub widening: Widening,
    /// Operators to grow instead of all that the tables have.
    pub signatures: Option<Signatures>,
    /// `None`: both.
    pub shape: Option<ChainShape>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            steps: 10,
            every: 1,
            weights: Weights::default(),
            policy: Admission::default(),
            widening: Widening::default(),
            signatures: None,
            shape: None,
        }
    }
}

pub const STRATEGY: Strategy = Strategy {
    name: "regrow",
    about: "replace terms by freshly grown ones of their sort",
    source: include_str!("mod.rs"),
    begin: |bank, settings| Ok(Box::new(Plain(Regrow::new(bank, Config::of(settings)?)))),
};

impl Config {
    /// With the user's signatures, only operators that they name are grown: no values, and no terms of other seeds.
    fn of(settings: &Settings) -> Result<Config, Skip> {
        let usual = Config::default();
        let signatures = settings.signatures.as_deref().map(Signatures::read).transpose();
        Ok(Config {
            steps: settings.steps.unwrap_or(usual.steps),
            every: settings.every.unwrap_or(usual.every),
            signatures: signatures.map_err(|error| Skip::Setting(error.to_string()))?,
            weights: usual.weights.only(&settings.ways).ok_or_else(|| Skip::Setting(ways_are()))?,
            shape: settings.shape,
            ..usual
        })
    }
}

/// What `ways` may say.
pub fn ways_are() -> String {
    let words: Vec<&str> = GrowthWay::ALL.iter().map(|(word, _)| *word).collect();
    format!("the ways to grow a term are {}", words.join(", "))
}

/// The strategy after `begin`.
pub struct Regrow {
    config: Config,
    known: PerSeed<Ground>,
    harvest: OnceLock<Harvest>,
}

impl Regrow {
    pub fn new(bank: &Bank, mut config: Config) -> Regrow {
        if let Some(signatures) = &config.signatures {
            let swap = if signatures.exchange { config.weights.swap } else { 0 };
            config.weights = Weights { swap, value: 0, harvest: 0, driven: 0, ..config.weights };
        }
        Regrow { config, known: PerSeed::new(bank), harvest: OnceLock::new() }
    }

    /// The material of a seed.
    pub fn ground(&self, prepared: &Prepared) -> Ground {
        let Config { policy, widening, signatures, .. } = &self.config;
        Ground::of(prepared, *policy, *widening, signatures.as_ref())
    }

    /// The script with the given expressions grown in the given holes; `None` if one does not fit.
    pub fn told(&self, prepared: &Prepared, ground: &Ground, specs: &[(u32, Spec<'_>)]) -> Option<Vec<u8>> {
        let harvest = Harvest::default();
        let mut grower = Grower::new(prepared, ground, &harvest);
        let mut planted = vec![];
        for (hole, spec) in specs {
            let plant = grower.plant_spec(*hole, spec)?;
            insert(ground, &mut planted, plant);
        }
        Some(write(prepared, ground, &planted))
    }

    /// The terms of all seeds, collected at first use.
    fn harvest(&self) -> &Harvest {
        self.harvest.get_or_init(|| match self.config.weights.harvest + self.config.weights.driven {
            0 => Harvest::default(),
            _ => Harvest::of(self.known.bank()),
        })
    }
}

impl Propose for Regrow {
    fn unit_len(&self) -> u64 {
        self.chain().cases()
    }

    fn propose(&self, _: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let (prepared, ground) = self.known.draw(rng, |prepared| self.ground(prepared))?;
        if ground.holes.is_empty() {
            return Err(Skip::NothingToDo { seed: prepared.seed.id, why: "no term may be replaced" });
        }
        let is_deep = match self.config.shape {
            Some(shape) => shape == ChainShape::Deep,
            None => rng.chance(1, DEEP),
        };
        if is_deep {
            return Ok(self.deep(prepared, ground, rng));
        }
        let mut grower = Grower::new(prepared, ground, self.harvest());
        let chain = self.chain();
        let mut planted: Vec<Planted> = vec![];
        let mut rules: Vec<String> = vec![];
        let mut seeds = vec![prepared.seed.id];
        let mut drafts = Vec::with_capacity(chain.cases() as usize);
        for step in chain.steps() {
            let Some(plant) = self.step(&mut grower, &planted, rng) else { break };
            rules.push(rule(prepared, ground, &plant));
            if let Some(from) = plant.from.map(|from| self.known.bank().seeds()[from as usize].seed.id)
                && !seeds.contains(&from)
            {
                seeds.push(from);
            }
            insert(ground, &mut planted, plant);
            if chain.has_case_after(step) {
                let draft = Draft::of(write(prepared, ground, &planted));
                drafts.push(draft.seeds(seeds.iter().copied()).rules(rules.iter().cloned()));
            }
        }
        Ok(drafts)
    }
}

impl Regrow {
    /// A chain in which every change is made to the last mutant.
    fn deep(&self, prepared: &Prepared, ground: &Ground, rng: &mut Rng) -> Vec<Draft> {
        let chain = self.chain();
        let mut deep = Deep::new(prepared, ground, self.harvest());
        let mut rules: Vec<String> = vec![];
        let mut seeds = vec![prepared.seed.id];
        let mut drafts = Vec::with_capacity(chain.cases() as usize);
        for step in chain.steps() {
            let change = deep.step(&self.config.weights, |reach| self.allows(ground, reach), rng);
            let Some(change) = change else { break };
            rules.push(change.rule);
            let from = change.from.map(|from| self.known.bank().seeds()[from as usize].seed.id);
            seeds.extend(from.filter(|from| !seeds.contains(from)));
            if chain.has_case_after(step) {
                let draft = Draft::of(deep.write());
                drafts.push(draft.seeds(seeds.iter().copied()).rules(rules.iter().cloned()));
            }
        }
        drafts
    }

    fn chain(&self) -> Chain {
        Chain::new(self.config.steps, self.config.every)
    }

    /// Grows a term at a hole that is not inside an earlier change.
    fn step(&self, grower: &mut Grower<'_>, planted: &[Planted], rng: &mut Rng) -> Option<Planted> {
        let ground = grower.ground;
        for _ in 0..16 {
            let number = rng.below(ground.holes.len()) as u32;
            let hole = &ground.holes[number as usize];
            let inside = planted.iter().any(|plant| {
                let outer = &ground.holes[plant.hole as usize];
                outer.start <= hole.start && hole.end <= outer.end && plant.hole != number
            });
            if inside {
                continue;
            }
            let plant = grower.plant(number, &self.config.weights, rng);
            if let Some(plant) = plant.filter(|plant| self.allows(ground, plant.reach)) {
                return Some(plant);
            }
        }
        None
    }

    fn allows(&self, ground: &Ground, reach: Reach) -> bool {
        match reach {
            Reach::Inside => true,
            _ if self.config.widening == Widening::Never => false,
            Reach::Nonlinear => true,
            Reach::All => ground.places.logic.allows_all(),
        }
    }
}

/// Adds a change. It replaces earlier changes inside its hole.
fn insert(ground: &Ground, planted: &mut Vec<Planted>, plant: Planted) {
    let hole = ground.holes[plant.hole as usize];
    planted.retain(|other| {
        let inner = &ground.holes[other.hole as usize];
        !(hole.start <= inner.start && inner.end <= hole.end)
    });
    planted.push(plant);
}

/// The bytes of the mutant.
pub fn write(prepared: &Prepared, ground: &Ground, planted: &[Planted]) -> Vec<u8> {
    let mut reach = Reach::Inside;
    let mut edits: Vec<Edit<'_>> = Vec::with_capacity(2 * planted.len() + 1);
    for plant in planted {
        let hole = ground.holes[plant.hole as usize];
        reach = reach.max(plant.reach);
        if !plant.declares.is_empty() {
            let at = prepared.printed.commands[hole.command as usize];
            edits.push(Edit { start: at, end: at, text: &plant.declares });
        }
        edits.push(Edit { start: hole.start, end: hole.end, text: &plant.text });
    }
    if let Some(logic) = &ground.widened[reach as usize] {
        let renamed = |&(start, end): &(u32, u32)| Edit { start, end, text: logic.as_bytes() };
        edits.extend(ground.places.logic_names.iter().map(renamed));
    }
    splice(&prepared.printed.bytes, &mut edits)
}

/// What was changed, as text for people.
fn rule(prepared: &Prepared, ground: &Ground, plant: &Planted) -> String {
    let hole = ground.holes[plant.hole as usize];
    let old = &prepared.printed.bytes[hole.start as usize..hole.end as usize];
    let mut text = format!("command {}: `", hole.command + 1);
    push_short(&mut text, old);
    text.push_str("` becomes `");
    push_short(&mut text, &plant.text);
    text.push_str("` (");
    text.push_str(plant.how);
    text.push(')');
    text
}

/// The beginning of a text.
fn short(text: &[u8]) -> String {
    let mut out = String::new();
    push_short(&mut out, text);
    out
}

/// Appends the beginning of a text, enough to recognise it.
fn push_short(out: &mut String, text: &[u8]) {
    const SHOWN: usize = 60;
    if text.len() <= SHOWN {
        out.push_str(&String::from_utf8_lossy(text));
    } else {
        out.push_str(&String::from_utf8_lossy(&text[..SHOWN]));
        out.push('…');
    }
}
