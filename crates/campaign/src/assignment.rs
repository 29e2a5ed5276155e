//! The task of a campaign: its seeds, strategies and solvers, how cases are run, and when to stop.
//!
//! All workers share one assignment. It never changes, except that a source may learn between epochs. How a case is
//! run is a pure function of the campaign key and the case (`Policy::plan`), so that results do not depend on the
//! worker.

use crate::course::Sharing;
use crate::error::{Error, Result};
use crate::focus::Focus;
use crate::learned::{Tilt, Tilts};
use crate::ration::Ration;
use crate::schedule::Schedule;
use crate::spending::Spending;
use crate::turns::Turns;
use oracle::{Effort, Pace};
use serde::{Deserialize, Serialize};
use solver::coverage::Instrumented;
use solver::{QueryLimits, SessionKind};
use std::sync::RwLock;
use std::time::Duration;
use strategy::requests::Requests;
use strategy::{Bank, CampaignKey, Draft, Recipe, Rng, Settings, Source, Stamp, Strategy};
use triage::{Panel, Plan};

/// A strategy that was begun.
pub struct Begun {
    pub strategy: &'static Strategy,
    pub settings: Settings,
    pub source: RwLock<Box<dyn Source>>,
}

impl Begun {
    pub fn new(strategy: &'static Strategy, bank: &Bank, settings: &Settings) -> Result<Begun> {
        let source = (strategy.begin)(bank, settings);
        let source = source.map_err(|why| Error::Strategy { strategy: strategy.name, why })?;
        Ok(Begun { strategy, settings: settings.clone(), source: RwLock::new(source) })
    }

    pub fn name(&self) -> &'static str {
        self.strategy.name
    }

    pub fn unit_len(&self) -> u64 {
        self.source.read().map_or(1, |source| source.unit_len())
    }

    pub fn learns(&self) -> bool {
        self.source.read().is_ok_and(|source| source.learns())
    }

    /// Units of an epoch, if it learns.
    pub fn epoch_len(&self) -> u64 {
        self.source.read().map_or(1, |source| source.epoch_len().max(1))
    }

    /// Whether its cases measure solvers.
    pub fn measures(&self) -> bool {
        self.source.read().is_ok_and(|source| source.measures())
    }

    pub fn stamp<'a>(&'a self, key: &'a CampaignKey, unit: u64) -> Stamp<'a> {
        Stamp { strategy: self.strategy.name, settings: &self.settings, key, unit }
    }
}

/// Everything a worker needs.
pub struct Assignment {
    pub bank: Bank,
    pub strategies: Vec<Begun>,
    pub key: CampaignKey,
    pub panel: Panel,
    /// The limits of one query.
    pub limits: QueryLimits,
    pub policy: Policy,
    /// Which seeds are due, in campaigns that end by the clock.
    pub turns: Option<Turns>,
    /// Which cases and findings the campaign is about.
    pub focus: Focus,
    /// How epochs are asked, where the schedule learns.
    pub tilts: Tilts,
    /// The first target, if it counts the blocks that run and that is wanted.
    pub covered: Option<Instrumented>,
    /// How much time goes to measuring what looks slow.
    pub ration: Ration,
    /// What the threads did with their time.
    pub spending: Spending,
    pub cancel: run::Cancel,
}

/// When to stop, and how to divide the work.
#[derive(Clone, Debug)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Cases of the whole campaign, earlier runs included; a shard does its part of them.
    pub cases: Option<u64>,
    /// Bugs.
    pub stop_after: Option<u64>,
    pub workers: usize,
    pub schedule: Schedule,
    /// This shard and how many there are.
    pub shard: (u64, u64),
    /// Reduce and deduplicate bugs during the hunt.
    pub reduce: bool,
    /// What is stored about single cases.
    pub record: store::Record,
    /// How much time that may take beside the hunt, as a share of the workers' time.
    pub triage_share: f64,
    pub sharing: Sharing,
}

/// The share of triage where the user names none.
pub const TRIAGE_SHARE: f64 = 0.5;

/// Which sessions are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mix {
    Fresh,
    Forked,
    Reset,
    Scoped,
    /// Most cases scoped, a fixed share reset and forked.
    Mixed,
}

impl Mix {
    pub const ALL: [(&'static str, Mix); 5] = [
        ("fresh", Mix::Fresh),
        ("forked", Mix::Forked),
        ("reset", Mix::Reset),
        ("scoped", Mix::Scoped),
        ("mixed", Mix::Mixed),
    ];

    pub fn word(self) -> &'static str {
        Mix::ALL.iter().find(|(_, mix)| *mix == self).map_or("", |(word, _)| word)
    }
}

/// How cases are run.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub mix: Mix,
    /// For mixed sessions: of `of` cases, this many run in copies of fresh processes and this many in reset sessions.
    pub fresh: usize,
    pub reset: usize,
    pub of: usize,
    /// Short limits first, the full limit only for a share of the cases.
    pub tiered: bool,
    /// Run every solver, even if the answer is settled.
    pub ask_all: bool,
    /// One unit in this many runs with other options, if there are any.
    pub varied: usize,
    pub effort: Effort,
}

/// How many units with other options there are where the user asks for them, and otherwise: few bugs need an option, and
/// every set of options needs processes of its own.
pub const VARIED_ON_REQUEST: usize = 3;
const VARIED_USUALLY: usize = 8;

/// The first, short limit, which solvers observe themselves: wrong answers come fast, and timeouts cost the most time.
const FIRST_LIMIT: Duration = Duration::from_millis(6);

/// Processor time after which we end a solver that ignores its limit: about the cost of a new process more.
const STUBBORN_LIMIT: Duration = Duration::from_millis(15);

/// The second limit, of processor time too, for a share of the cases.
const SECOND_LIMIT: Duration = Duration::from_millis(150);

/// What showed within a limit gets so many times that limit when it is run again, and at least this much: a fresh process
/// on a busy machine needs more than a live one.
const AGAIN: u32 = 40;
const AGAIN_LEAST: Duration = Duration::from_secs(1);

/// On a busy machine processor time passes slowly; no query takes longer than this in wall time.
const BUSY: u32 = 16;

/// One case in this many gets the second limit.
const PATIENT_SHARE: usize = 64;

/// The same for seeds whose mutants all end at the first limit.
const STARVED_SHARE: usize = 4;

/// The third limit, for cases that run on every solver.
const THIRD_LIMIT: Duration = Duration::from_secs(1);

/// One case in this many runs on every solver under the third limit, and one in so many of these under the full one: a
/// solver that runs into a limit of seconds costs as much as a thousand answers.
const THOROUGH_SHARE: usize = 1024;
const FULL_SHARE: usize = 4;

/// In one case in this many every assertion has a name.
const NAMED_SHARE: usize = 16;

/// One case in this many asks for values, and one in this many for unsat assumptions.
const VALUES_SHARE: usize = 16;
const ASSUMPTIONS_SHARE: usize = 32;

/// One case in this many asks for an interpolant: few solvers have any, and they take long.
const INTERPOLANT_SHARE: usize = 256;

/// One case in this many is run without models: fewer answers can be certified there, but the solver runs other code.
const NO_MODELS_SHARE: usize = 12;

/// Of these, one in this many runs in a process of its own, where most people run a solver without models.
const ALONE_SHARE: usize = 4;

/// So many units in a row run with the same options: a process of each shape has to be started for them.
const TOGETHER: u64 = 32;

impl Policy {
    /// A hunt: most cases get a short limit.
    pub fn hunt(mix: Mix) -> Policy {
        let effort = Effort::patient();
        let varied = VARIED_USUALLY;
        Policy { mix, fresh: 1, reset: 2, of: 64, tiered: true, ask_all: false, varied, effort }
    }

    /// An enumeration: every formula is put to every solver, because the guarantee says how many all of them answer;
    /// what no model certifies is decided by falsum itself, within a fraction of a second.
    pub fn enumerate(mix: Mix) -> Policy {
        let (cores, enumerate_always, regressions, rejections) = (true, true, true, true);
        let effort = Effort {
            cores,
            enumerate_always,
            regressions,
            rejections,
            pace: Some(Pace::USUAL),
            ..Effort::certifying()
        };
        let varied = VARIED_USUALLY;
        Policy { mix, fresh: 1, reset: 1, of: 40, tiered: false, ask_all: true, varied, effort }
    }

    /// How this case is run: a pure function of the campaign key, the case and what the schedule has learnt.
    pub fn plan(&self, assignment: &Assignment, recipe: &Recipe, tilt: Option<&Tilt>) -> Plan {
        let measures = |begun: &Begun| begun.name() == recipe.strategy && begun.measures();
        if assignment.focus.is_slowness_alone() || assignment.strategies.iter().any(measures) {
            return self.measure(assignment);
        }
        let number = recipe.unit.wrapping_mul(1 << 16).wrapping_add(recipe.step);
        let mut rng = Rng::of(&assignment.key, &format!("asking {}", recipe.strategy), number);
        let session = self.session(tilt, &mut rng);
        let session = match recipe.requests {
            Requests::NoModels if self.mix == Mix::Mixed && rng.chance(1, ALONE_SHARE) => SessionKind::Forked,
            _ => session,
        };
        let thorough = !self.tiered || rng.chance(1, THOROUGH_SHARE);
        let starved = tilt.is_some_and(|tilt| tilt.is_patient(&recipe.seeds));
        let patient = rng.chance(1, if starved { STARVED_SHARE } else { PATIENT_SHARE });
        let limits = match (thorough, patient) {
            (true, _) if self.tiered && !rng.chance(1, FULL_SHARE) => assignment.within(THIRD_LIMIT),
            (true, _) => assignment.limits.clone(),
            (_, true) => assignment.within(SECOND_LIMIT),
            _ => assignment.within(STUBBORN_LIMIT),
        };
        let soft = (!thorough && !patient).then_some(FIRST_LIMIT);
        let options = self.options(assignment, recipe, tilt);
        let Effort { cores, alone, regressions, .. } = self.effort;
        let hurried = Effort { cores, alone, regressions, ..Effort::hurried() };
        let pace = self.effort.pace.map(|_| Pace::within(limits.cpu.unwrap_or(limits.wall)));
        Plan {
            session,
            limits,
            soft,
            primary: if self.ask_all { 0 } else { primary(assignment, tilt, &mut rng) },
            resting: vec![],
            ask_all: self.ask_all || (self.tiered && thorough),
            effort: match soft {
                Some(_) => hurried,
                None => Effort { pace, self_checks: self.tiered && thorough, ..self.effort },
            }
            .with_options(options.is_some()),
            options,
            cancel: Some(assignment.cancel.clone()),
        }
    }

    /// Whether the assertions of this case get names, so that a core can be asked for.
    fn names(&self, assignment: &Assignment, recipe: &Recipe) -> bool {
        let number = recipe.unit.wrapping_mul(1 << 16).wrapping_add(recipe.step);
        let mut rng = Rng::of(&assignment.key, &format!("names {}", recipe.strategy), number);
        self.effort.cores && rng.chance(1, NAMED_SHARE)
    }

    /// The recipe of a draft with what this case asks of solvers besides answers. A case that compares two formulas
    /// keeps them as they are.
    pub fn asking(&self, assignment: &Assignment, draft: &Draft, recipe: Recipe) -> Recipe {
        let named = self.names(assignment, &recipe);
        let number = recipe.unit.wrapping_mul(1 << 16).wrapping_add(recipe.step);
        let mut rng = Rng::of(&assignment.key, &format!("requests {}", recipe.strategy), number);
        let requests = match () {
            () if !self.effort.cores || draft.questions.len() != 1 => Requests::Nothing,
            () if rng.chance(1, VALUES_SHARE) => Requests::Values,
            () if !named && rng.chance(1, ASSUMPTIONS_SHARE) => Requests::Assumptions,
            () if !named && rng.chance(1, INTERPOLANT_SHARE) => Requests::Interpolant,
            () if !named && rng.chance(1, NO_MODELS_SHARE) => Requests::NoModels,
            () => Requests::Nothing,
        };
        Recipe { named, requests, ..recipe }
    }

    /// Which variant of the panel a case runs on: neighbouring units the same one, so that its processes are used again.
    /// The first units of every strategy run as a user would run the solver.
    fn options(&self, assignment: &Assignment, recipe: &Recipe, tilt: Option<&Tilt>) -> Option<usize> {
        let variants = &assignment.panel.variants;
        let block = recipe.unit / TOGETHER;
        let purpose = format!("options {}", recipe.strategy);
        let mut rng = Rng::of(&assignment.key, &purpose, block);
        if variants.is_empty() || block == 0 {
            return None;
        }
        let Some(tilt) = tilt else {
            // One block of every so many, at random; blocks are long, and a short hunt has few of them.
            let of = self.varied.max(1) as u64;
            let varied = Rng::of(&assignment.key, &purpose, u64::MAX - block / of).below(self.varied.max(1));
            return (block % of == varied as u64).then(|| rng.below(variants.len()));
        };
        let earned = |panel: &Panel| {
            let all = panel.targets.iter().map(|pool| tilt.solver(&pool.target().name));
            all.sum::<f64>() / panel.targets.len().max(1) as f64
        };
        let each: Vec<f64> = variants.iter().map(earned).collect();
        variant(self.varied, earned(&assignment.panel), &each, &mut rng)
    }

    /// A measurement: every solver in a fresh process, with the whole limit as processor time.
    fn measure(&self, assignment: &Assignment) -> Plan {
        let limits = assignment.limits.clone();
        let cpu = limits.cpu.unwrap_or(limits.wall);
        let pace = self.effort.pace.map(|_| Pace::within(cpu));
        let limits = QueryLimits { wall: limits.wall * BUSY, cpu: Some(cpu), ..limits };
        Plan {
            session: SessionKind::Fresh,
            limits,
            soft: None,
            primary: 0,
            resting: vec![],
            ask_all: true,
            options: None,
            effort: Effort { pace, ..self.effort },
            cancel: Some(assignment.cancel.clone()),
        }
    }

    fn session(&self, tilt: Option<&Tilt>, rng: &mut Rng) -> SessionKind {
        match self.mix {
            Mix::Fresh => SessionKind::Fresh,
            Mix::Forked => SessionKind::Forked,
            Mix::Reset => SessionKind::Reset,
            Mix::Scoped => SessionKind::Scoped,
            Mix::Mixed => {
                let scoped = self.of.saturating_sub(self.fresh + self.reset);
                let kinds = [
                    (SessionKind::Forked, self.fresh),
                    (SessionKind::Reset, self.reset),
                    (SessionKind::Scoped, scoped),
                ];
                let weights = kinds.map(|(kind, usual)| match tilt {
                    Some(tilt) => (usual as f64 * FINE * tilt.session(kind)) as usize,
                    None => usual,
                });
                kinds[draw(&weights, rng)].0
            }
        }
    }

    /// How a suspicion is looked at: with much more time than it took to show, and with everything there is but slowness,
    /// which is measured apart.
    pub fn suspicion(&self, assignment: &Assignment, plan: &Plan) -> Plan {
        let self_checks = plan.effort.self_checks;
        let regressions = self.effort.regressions;
        let effort = Effort { regressions, pace: None, self_checks, ..Effort::confirming() };
        let shown = plan.limits.cpu.unwrap_or(plan.limits.wall) * AGAIN;
        let limits = assignment.within(shown.max(AGAIN_LEAST));
        Plan { limits, soft: None, resting: vec![], effort, ..plan.clone() }
    }
}

/// How fine weights are.
const FINE: f64 = 64.0;

/// A number below the length of the list, as often as its weight says.
fn draw(weights: &[usize], rng: &mut Rng) -> usize {
    let mut at = rng.below(weights.iter().sum::<usize>().max(1));
    for (n, &weight) in weights.iter().enumerate() {
        if at < weight {
            return n;
        }
        at -= weight;
    }
    weights.len().saturating_sub(1)
}

/// The variant of a case, or none: in the usual shares, each as many times as it has earned.
fn variant(varied: usize, usual: f64, variants: &[f64], rng: &mut Rng) -> Option<usize> {
    let usual = (varied - 1) as f64 * variants.len() as f64 * usual;
    let weights = std::iter::once(usual).chain(variants.iter().copied());
    let weights: Vec<usize> = weights.map(|weight| (FINE * weight) as usize).collect();
    draw(&weights, rng).checked_sub(1)
}

/// The target that is asked first.
fn primary(assignment: &Assignment, tilt: Option<&Tilt>, rng: &mut Rng) -> usize {
    let targets = &assignment.panel.targets;
    match tilt {
        None => rng.below(targets.len()),
        Some(tilt) => {
            let weight = |name: &str| (FINE * tilt.solver(name)) as usize;
            let weights: Vec<usize> = targets.iter().map(|pool| weight(&pool.target().name)).collect();
            draw(&weights, rng)
        }
    }
}

impl Assignment {
    /// The limits with less processor time.
    fn within(&self, cpu: Duration) -> QueryLimits {
        let wall = self.limits.wall.min(cpu * BUSY);
        QueryLimits {
            wall,
            cpu: Some(self.limits.cpu.map_or(cpu, |most| most.min(cpu))),
            ..self.limits.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_options_are_used_as_often_as_usual_until_some_earn_more() {
        let key = CampaignKey("k".into());
        let count = |usual: f64, variants: &[f64]| {
            let mut counts = vec![0; variants.len() + 1];
            for n in 0..3000 {
                let chosen = variant(VARIED_ON_REQUEST, usual, variants, &mut Rng::of(&key, "options", n));
                counts[chosen.map_or(0, |chosen| chosen + 1)] += 1;
            }
            counts
        };
        let even = count(1.0, &[1.0; 4]);
        assert!(
            (1900..2100).contains(&even[0]) && even[1..].iter().all(|n| (180..320).contains(n)),
            "{even:?}"
        );
        let learnt = count(0.5, &[4.0, 0.25, 1.0, 1.0]);
        assert!(learnt[1] > 2 * even[1] && learnt[2] > 0 && learnt[2] < learnt[3], "{learnt:?}");
    }
}
