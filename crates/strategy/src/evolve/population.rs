//! The population: what the search has learnt from finished generations.
//!
//! In: the outcomes of a generation, as the campaign measured and stored them. Out: the survivors with their scores,
//! ranks and crowding, from which the next generation is made. The same outcomes always give the same population, so
//! a resumed campaign, a replay and a report all see the same one.

use super::genome::{Genome, prepare};
use super::nsga::{self, Candidate};
use super::score::{self, Seen};
use super::trace::{Sketch, Trace};
use super::variant::Time;
use super::{Config, Similarity};
use crate::{Outcome, Rng};
use corpus::Status;

/// An individual that was measured.
#[derive(Clone, Debug)]
pub struct Member {
    pub genome: Genome,
    /// The case it was.
    pub unit: u64,
    pub step: u64,
    /// Processor seconds of the target, and of the fastest other solver that decides the formula, if there is one.
    pub target: f64,
    pub reference: Option<f64>,
    pub complexity: u64,
    /// What the target did, if it is instrumented.
    pub trace: Option<Trace>,
    /// The trace, or the formula's shape.
    likeness: Trace,
    sketch: Sketch,
    scores: Vec<f64>,
    pub rank: usize,
    pub crowding: f64,
}

impl Member {
    fn of(outcome: &Outcome) -> Option<Member> {
        let prepared = prepare(outcome.script.clone().into_bytes())?;
        let (name, target) = outcome.cpu.first()?;
        // A solver that says `unknown` at once has not shown that the formula is easy.
        let decides = |who: &String| {
            outcome
                .facts
                .answers
                .iter()
                .any(|fact| fact.by.as_ref() == Some(who) && fact.answer != Status::Unknown)
        };
        let others = outcome.cpu.iter().filter(|(other, _)| other != name && decides(other));
        let reference = others.map(|(_, seconds)| *seconds).min_by(f64::total_cmp);
        let likeness = match &outcome.trace {
            Some(trace) => trace.clone(),
            None => Trace::of_shape(&prepared),
        };
        Some(Member {
            genome: Genome::of(&prepared.script)?,
            unit: outcome.unit,
            step: outcome.step,
            target: *target,
            reference,
            complexity: score::complexity(&prepared),
            trace: outcome.trace.clone(),
            sketch: likeness.sketch(),
            likeness,
            scores: vec![],
            rank: 0,
            crowding: 0.0,
        })
    }

    /// Eq. 1. Without a reference that decides the formula there is nothing to be slower than.
    pub fn time_score(&self) -> f64 {
        self.reference.map_or(self.target, |reference| score::time(self.target, reference))
    }

    /// The objectives, in order.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate { scores: &self.scores, rank: self.rank, crowding: self.crowding }
    }
}

/// The individuals from which the next generation is made.
#[derive(Clone, Debug)]
pub struct Population {
    config: Config,
    members: Vec<Member>,
    seen: Seen,
    generations: u64,
}

impl Population {
    pub fn new(config: Config) -> Population {
        Population { config, members: vec![], seen: Seen::default(), generations: 0 }
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// How many generations it has learnt from.
    pub fn generations(&self) -> u64 {
        self.generations
    }

    /// How many rows of the target's code were ever executed.
    pub fn rows(&self) -> usize {
        self.seen.rows()
    }

    /// Takes in a generation: it competes with its parents, and the best survive.
    pub fn learn(&mut self, generation: &[Outcome]) {
        let mut all = std::mem::take(&mut self.members);
        for member in generation.iter().filter_map(Member::of) {
            // Two equal individuals would only breed more of the same.
            if !all.iter().any(|other| other.genome == member.genome) {
                all.push(member);
            }
        }
        let traced = all.iter().any(|member| member.trace.is_some());
        for member in &mut all {
            member.scores = objectives(&self.config, &self.seen, member, traced);
            if let Some(trace) = &member.trace {
                self.seen.add(trace);
            }
        }
        let size = if self.generations == 0 { all.len() } else { self.config.population };
        let scores: Vec<Vec<f64>> = all.iter().map(|member| member.scores.clone()).collect();
        let chosen = nsga::survivors(&scores, size, |front| self.crowding(&all, &scores, front));
        self.members = chosen
            .into_iter()
            .map(|survivor| Member {
                rank: survivor.rank,
                crowding: survivor.crowding,
                ..all[survivor.number].clone()
            })
            .collect();
        self.generations += 1;
    }

    fn crowding(&self, all: &[Member], scores: &[Vec<f64>], front: &[usize]) -> Vec<f64> {
        if !self.config.variant.by_trace {
            return nsga::crowding(scores, front);
        }
        let member = |n: usize| &all[front[n]];
        score::crowding(front.len(), |a, b| match self.config.similarity {
            Similarity::Sketch => member(a).sketch.similarity(&member(b).sketch),
            Similarity::Full => member(a).likeness.similarity(&member(b).likeness),
        })
    }

    /// A parent, by a tournament of two.
    pub fn select(&self, rng: &mut Rng) -> Option<&Member> {
        let (first, second) = (rng.pick(&self.members)?, rng.pick(&self.members)?);
        let by_rank = self.generations == 1;
        let second_wins = nsga::second_wins(first.candidate(), second.candidate(), by_rank, rng);
        Some(if second_wins { second } else { first })
    }
}

/// The scores of an individual, every one to be maximised.
fn objectives(config: &Config, seen: &Seen, member: &Member, traced: bool) -> Vec<f64> {
    let variant = config.variant;
    let time = match variant.time {
        Time::Score => member.time_score(),
        Time::Target => member.target,
        Time::Difference => member.reference.map_or(0.0, |reference| member.target - reference),
    };
    let mut scores = vec![time];
    if variant.coverage && traced {
        scores.push(member.trace.as_ref().map_or(0.0, |trace| seen.score(trace)));
    }
    if variant.complexity {
        scores.push(-(member.complexity as f64));
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::variant::Variant;
    use crate::{At, Fact, Facts};

    fn outcome(unit: u64, script: &str, target: f64, rows: &[u32]) -> Outcome {
        Outcome {
            unit,
            script: format!("(set-logic QF_LIA)(declare-fun x () Int){script}(check-sat)"),
            cpu: vec![("slow".into(), target), ("fast".into(), 0.01)],
            facts: decided_by("fast"),
            trace: (!rows.is_empty()).then(|| Trace::of(rows.iter().map(|&row| (0, row, 1)))),
            ..Outcome::default()
        }
    }

    fn decided_by(who: &str) -> Facts {
        let fact = Fact { at: At { question: 0, check: 0 }, by: Some(who.into()), answer: Status::Sat };
        Facts { answers: vec![fact] }
    }

    #[test]
    fn a_solver_that_gives_up_at_once_is_no_reference() {
        let decided = outcome(0, SHORT, 2.0, &[]);
        let given_up = Outcome { facts: decided_by("slow"), ..decided.clone() };
        let score = |outcome: &Outcome| Member::of(outcome).unwrap().time_score();
        assert!((score(&decided) - 3.99).abs() < 1e-9 && (score(&given_up) - 2.0).abs() < 1e-9);
        let mut search = population("stringfuzz-difference", 2);
        search.learn(&[outcome(0, LONG, 1.0, &[]), Outcome { unit: 1, ..given_up }]);
        let scores: Vec<f64> = search.members().iter().map(|member| member.scores()[0]).collect();
        assert!(scores.contains(&0.0) && scores.contains(&0.99), "{scores:?}");
    }

    fn population(variant: &str, size: usize) -> Population {
        let variant = Variant::find(variant).unwrap();
        Population::new(Config { variant, population: size, ..Config::default() })
    }

    const SHORT: &str = "(assert (< x 1))";
    const LONG: &str = "(assert (< (+ x (* 2 x)) (- 7 (+ x x))))";

    #[test]
    fn the_first_generation_is_kept_whole_and_later_ones_compete_with_their_parents() {
        let mut search = population("stringfuzz", 2);
        search.learn(&[outcome(0, SHORT, 0.1, &[]), outcome(1, LONG, 0.2, &[]), outcome(1, SHORT, 0.3, &[])]);
        assert_eq!(search.members().len(), 2, "equal individuals are one");
        search.learn(&[outcome(2, "(assert (> x 4))", 5.0, &[]), outcome(3, "(assert (> x 5))", 0.15, &[])]);
        let units: Vec<u64> = search.members().iter().map(|member| member.unit).collect();
        assert_eq!((units, search.generations()), (vec![2, 1], 2));
    }

    #[test]
    fn complexity_lets_a_short_formula_survive_beside_a_slow_one() {
        let mut search = population("default", 2);
        search.learn(&[outcome(0, SHORT, 0.02, &[])]);
        search.learn(&[outcome(1, LONG, 5.0, &[]), outcome(2, &format!("{LONG}{SHORT}"), 4.0, &[])]);
        let mut units: Vec<u64> = search.members().iter().map(|member| member.unit).collect();
        units.sort_unstable();
        assert_eq!(units, [0, 1], "the third is slower than neither and longer than both");
        assert!(search.members().iter().any(|member| (member.time_score() - 9.99).abs() < 1e-9));
    }

    #[test]
    fn coverage_counts_where_the_target_is_instrumented_and_the_variant_wants_it() {
        for (variant, objectives) in
            [("default", 3), ("no-coverage", 2), ("no-complexity", 2), ("stringfuzz", 1)]
        {
            let mut search = population(variant, 9);
            search.learn(&[outcome(0, SHORT, 0.1, &[1, 2, 3]), outcome(1, LONG, 0.1, &[1])]);
            assert_eq!(search.members()[0].scores().len(), objectives, "{variant}");
            assert_eq!(search.rows(), 3);
        }
        let mut blind = population("default", 9);
        blind.learn(&[outcome(0, SHORT, 0.1, &[])]);
        assert_eq!(blind.members()[0].scores().len(), 2);
    }

    #[test]
    fn the_same_outcomes_give_the_same_population() {
        let generation: Vec<Outcome> = (0..12)
            .map(|n| outcome(n, &format!("(assert (< x {n}))"), f64::from(n as u32 % 5), &[n as u32 % 3 + 1]))
            .collect();
        let members = |search: &Population| {
            search.members().iter().map(|m| (m.unit, m.rank, m.crowding.to_bits())).collect::<Vec<_>>()
        };
        let (mut a, mut b) = (population("default", 4), population("default", 4));
        for half in [&generation[..6], &generation[6..]] {
            a.learn(half);
            b.learn(half);
        }
        assert_eq!(members(&a), members(&b));
        assert_eq!(a.members().len(), 4);
    }
}
