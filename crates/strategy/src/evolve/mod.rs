//! `evolve`: breed formulas that make a solver slow.
//!
//! Idea. A formula that takes a solver five seconds and another one a hundredth is worth a report, and it is rarely
//! found by chance: slowness grows out of structures that have to come together. A population of formulas is measured,
//! the best are kept, and their offspring (assertions exchanged, then perhaps one small change) are measured again.
//! From: Ren, Fan, Li, Zhou, Jiang, "Multi-Objective Evolutionary Algorithm for String SMT Solver Testing" (2021).
//! Objectives: the target's processor time and its lead over the fastest other solver (`score.rs`, Eq. 1), new code of
//! the target if it is instrumented (Algorithm 2), and short formulas (Eq. 2). Selection is NSGA-II (`nsga.rs`), with
//! crowding by the similarity of traces (Eq. 3 and 4), or of formulas where the target gives no trace (`trace.rs`).
//! The first solver of `-s` is the target; every case runs on all solvers, in fresh processes, with the whole limit.
//! Expectation: none. The oracle judges answers as usual, and what looks slow is measured before it is reported.
//! Deterministic: a generation is an epoch. Its outcomes (times too) are stored before the next begins, and offspring
//! are a function of them and of the key, so any number of workers, a resumed campaign and a replay make the same
//! cases. Shards are islands: each breeds from its own cases, and a merged campaign goes on with all of them.
//! Cost: the solvers' time; making an individual takes about a millisecond.
//! Differs from the paper: every theory; the first individuals are slices of seeds, not random strings; equal
//! individuals are kept once.

pub mod cross;
pub mod genome;
pub mod mutate;
pub mod nsga;
pub mod population;
pub mod score;
pub mod trace;
pub mod variant;

use crate::notation;
use crate::regrow::harvest::Harvest;
use crate::{Bank, Dialogue, Draft, Facts, Outcome, Rng, Settings, Skip, Source, Strategy};
use genome::Genome;
use population::Population;
use std::sync::OnceLock;
use variant::{VARIANTS, Variant};

pub const STRATEGY: Strategy = Strategy {
    name: "evolve",
    about: "breed formulas that make a solver slow",
    source: include_str!("mod.rs"),
    begin: |bank, settings| Ok(Box::new(Evolve::new(bank, Config::of(settings)?)?)),
};

/// How traces are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Similarity {
    /// By their sketches.
    Sketch,
    /// Row by row.
    Full,
}

impl Similarity {
    pub const ALL: [(&'static str, Similarity); 2] =
        [("sketch", Similarity::Sketch), ("full", Similarity::Full)];
}

/// Individuals of a generation, unless the user says otherwise; as in the paper.
pub const POPULATION: u32 = 40;

/// The settings of `evolve`; the defaults are the paper's.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub variant: Variant,
    pub population: usize,
    /// Probabilities in percent.
    pub crossover: usize,
    pub mutation: usize,
    pub similarity: Similarity,
    /// Write the names that string operators had before SMT-LIB 2.6.
    pub old: bool,
}

impl Default for Config {
    fn default() -> Config {
        let (similarity, population) = (Similarity::Sketch, POPULATION as usize);
        Config { variant: VARIANTS[0], population, crossover: 75, mutation: 25, similarity, old: false }
    }
}

impl Config {
    pub fn of(settings: &Settings) -> Result<Config, Skip> {
        let usual = Config::default();
        let none = |what: &str, word: &str, all: Vec<&str>| {
            Skip::Setting(format!("`{word}` is no {what}\nhint: one of {}", all.join(", ")))
        };
        let variant = match settings.variant.as_deref() {
            None => usual.variant,
            Some(word) => Variant::find(word)
                .ok_or_else(|| none("variant", word, VARIANTS.map(|variant| variant.name).to_vec()))?,
        };
        let similarity = match settings.similarity.as_deref() {
            None => usual.similarity,
            Some(word) => {
                let found = Similarity::ALL.iter().find(|(name, _)| *name == word);
                let all = Similarity::ALL.map(|(name, _)| name).to_vec();
                found.ok_or_else(|| none("way to compare traces", word, all))?.1
            }
        };
        let or = |given: Option<u32>, usual: usize| given.map_or(usual, |given| given as usize);
        Ok(Config {
            variant,
            population: or(settings.population, usual.population).max(2),
            crossover: or(settings.crossover, usual.crossover).min(100),
            mutation: or(settings.mutation, usual.mutation).min(100),
            similarity,
            old: settings.notation.as_deref() == Some(notation::OLD),
        })
    }
}

/// A longer seed is not used: its slices would be as long.
const LONGEST: usize = 64_000;

/// The strategy after `begin`.
pub struct Evolve {
    config: Config,
    bank: Bank,
    /// The seeds that have the form of an individual.
    usable: Vec<u32>,
    harvest: OnceLock<Harvest>,
    population: Population,
}

/// An individual and how it came about.
struct Made {
    genome: Genome,
    rules: Vec<String>,
}

impl Evolve {
    pub fn new(bank: &Bank, config: Config) -> Result<Evolve, Skip> {
        let is_usable = |n: &u32| {
            let seed = &bank.seeds()[*n as usize];
            seed.printed.bytes.len() <= LONGEST && Genome::fits(&seed.script)
        };
        let usable: Vec<u32> = (0..bank.len() as u32).filter(is_usable).collect();
        if usable.is_empty() {
            return Err(Skip::NoSeed("no short seed has assertions and exactly one check-sat"));
        }
        let (bank, harvest, population) = (bank.clone(), OnceLock::new(), Population::new(config));
        Ok(Evolve { config, bank, usable, harvest, population })
    }

    /// A slice of a seed.
    fn first(&self, rng: &mut Rng) -> Option<Made> {
        let seed = &self.bank.seeds()[*rng.pick(&self.usable)? as usize];
        let slice = Genome::of(&seed.script)?.slice(rng);
        let (genome, _) = slice.read()?;
        Some(Made { genome, rules: vec![format!("a slice of seed {}", seed.seed.id.short())] })
    }

    /// A parent; before anything was measured, a slice of a seed.
    fn parent(&self, rng: &mut Rng) -> Option<Made> {
        match self.population.select(rng) {
            Some(member) => {
                let rules = vec![format!("from unit {}, case {}", member.unit, member.step)];
                Some(Made { genome: member.genome.clone(), rules })
            }
            None => self.first(rng),
        }
    }

    /// Two offspring of two parents.
    fn pair(&self, rng: &mut Rng) -> Vec<Made> {
        let (Some(mut one), Some(mut two)) = (self.parent(rng), self.parent(rng)) else { return vec![] };
        if rng.chance(self.config.crossover, 100)
            && let Some((first, second)) = cross::cross(&one.genome, &two.genome, rng)
        {
            let partner = one.rules.clone();
            for (child, genome, other) in [(&mut one, first, two.rules.clone()), (&mut two, second, partner)]
            {
                child.genome = genome;
                child.rules.push(format!("exchanges assertions with one {}", other.join(", ")));
            }
        }
        [one, two].into_iter().map(|child| self.mutated(child, rng)).collect()
    }

    fn mutated(&self, mut child: Made, rng: &mut Rng) -> Made {
        if rng.chance(self.config.mutation, 100) {
            let harvest = self.harvest.get_or_init(|| Harvest::of(&self.bank));
            if let Some((genome, name)) = mutate::mutate(&child.genome, harvest, rng) {
                child.genome = genome;
                child.rules.push(name.to_owned());
            }
        }
        child
    }
}

impl Source for Evolve {
    fn unit_len(&self) -> u64 {
        2
    }

    fn unit(&self, unit: u64, mut rng: Rng) -> Result<Box<dyn Dialogue + '_>, Skip> {
        let made = if unit < self.epoch_len() {
            (0..2).filter_map(|_| self.first(&mut rng)).collect()
        } else {
            self.pair(&mut rng)
        };
        let text = |genome: &Genome| match self.config.old {
            true => notation::old(&genome.text()),
            false => genome.text(),
        };
        let draft = |made: Made| Draft::of(text(&made.genome)).rules(made.rules);
        Ok(Box::new(Pair(made.into_iter().map(draft).collect::<Vec<_>>().into_iter())))
    }

    fn epoch_len(&self) -> u64 {
        self.config.population.div_ceil(2) as u64
    }

    fn measures(&self) -> bool {
        true
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&mut self, epoch: &[Outcome]) {
        self.population.learn(epoch);
    }
}

/// The two individuals of a unit.
struct Pair(std::vec::IntoIter<Draft>);

impl Dialogue for Pair {
    fn next(&mut self, _: Option<&Facts>) -> Option<Draft> {
        self.0.next()
    }

    fn listens(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignKey;

    fn evolve(settings: Settings) -> Evolve {
        let (bank, _) = Bank::new(corpus::embedded());
        Evolve::new(&bank, Config::of(&settings).unwrap()).unwrap()
    }

    fn drafts(source: &Evolve, unit: u64) -> Vec<Draft> {
        let rng = Rng::of(&CampaignKey("k".into()), "evolve", unit);
        crate::unheard(source, unit, rng).unwrap()
    }

    /// Every longer formula is slower.
    fn outcomes(source: &Evolve, units: std::ops::Range<u64>) -> Vec<Outcome> {
        let mut all = vec![];
        for unit in units {
            for (step, draft) in drafts(source, unit).into_iter().enumerate() {
                let script = String::from_utf8(draft.script().to_vec()).unwrap();
                let cpu = vec![("t".to_owned(), script.len() as f64 / 1000.0), ("r".to_owned(), 0.01)];
                all.push(Outcome { unit, step: step as u64, script, cpu, ..Outcome::default() });
            }
        }
        all
    }

    #[test]
    fn generations_breed_from_what_was_measured_and_get_better() {
        let settings =
            Settings { variant: Some("stringfuzz".into()), population: Some(12), ..Settings::default() };
        let mut source = evolve(settings);
        let mut means = vec![];
        for generation in 0..8 {
            let epoch = outcomes(&source, generation * 6..generation * 6 + 6);
            assert!(epoch.len() >= 10, "{}", epoch.len());
            source.learn(&epoch);
            let members = source.population.members();
            means.push(members.iter().map(|member| member.target).sum::<f64>() / members.len() as f64);
        }
        assert!(means[7] > means[0] * 1.2, "{means:?}");
        let rules: Vec<String> =
            (48..54).flat_map(|unit| drafts(&source, unit)).flat_map(|d| d.rules).collect();
        assert!(rules.iter().any(|rule| rule.starts_with("exchanges")), "{rules:?}");
    }

    #[test]
    fn a_source_that_learns_again_makes_the_same_cases() {
        let (mut first, mut second) = (evolve(Settings::default()), evolve(Settings::default()));
        let epochs: Vec<Vec<Outcome>> = (0..2)
            .map(|n| {
                let epoch = outcomes(&first, n * 20..n * 20 + 20);
                first.learn(&epoch);
                epoch
            })
            .collect();
        epochs.iter().for_each(|epoch| second.learn(epoch));
        for unit in (40..60).rev() {
            assert_eq!(drafts(&first, unit), drafts(&second, unit));
        }
    }

    #[test]
    fn islands_breed_from_their_own_and_after_a_merge_from_all() {
        let settings = || Settings { population: Some(8), ..Settings::default() };
        let island = |n: u64| -> Vec<Outcome> {
            outcomes(&evolve(settings()), 0..4).into_iter().filter(|outcome| outcome.unit % 2 == n).collect()
        };
        let of = |source: &Evolve, n: u64| {
            source.population.members().iter().filter(|member| member.unit % 2 == n).count()
        };
        let (mut first, mut merged) = (evolve(settings()), evolve(settings()));
        let both: Vec<Outcome> = [island(0), island(1)].concat();
        first.learn(&island(0));
        merged.learn(&both);
        assert!(of(&first, 0) > 0 && of(&first, 1) == 0);
        assert!(of(&merged, 0) > 0 && of(&merged, 1) > 0, "migrants of both");
        let children: Vec<Draft> = (4..8).flat_map(|unit| drafts(&merged, unit)).collect();
        let alone: Vec<Draft> = (4..8).flat_map(|unit| drafts(&first, unit)).collect();
        assert_ne!(children, alone, "the next generation is of both");
    }

    #[test]
    fn settings_are_checked() {
        let wrong = |settings: &Settings| Config::of(settings).is_err();
        assert!(wrong(&Settings { variant: Some("x".into()), ..Settings::default() }));
        assert!(wrong(&Settings { similarity: Some("x".into()), ..Settings::default() }));
        for variant in VARIANTS {
            let settings = Settings { variant: Some(variant.name.into()), ..Settings::default() };
            assert_eq!(Config::of(&settings).unwrap().variant, variant);
        }
    }
}
