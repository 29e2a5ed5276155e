//! The loop of the drop-in tools: seeds in random order, mutants of each, solvers run on each mutant.
//!
//! As in yinyang, a bug, a known bug or too many timeouts end the work on a seed. Unlike there, no solver is assumed
//! to be right: `triage` runs all of them and judges by evidence, three quarters of the mutants are run in scoped
//! sessions, and a suspicion must be reproduced in fresh processes before it is written to `bugs/`.

use super::bugs::{self, Bug, Trigger};
use super::log::{Log, Statistic};
use super::settings::Lists;
use super::{Common, Maker, Stop, janus};
use campaign::interrupt::Interrupts;
use corpus::{Origin, Seed};
use oracle::Effort;
use oracle::FindingKind as Wrong;
use solver::{Ended, QueryLimits, Reply, SessionKind};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use strategy::fusion::{Fusion, Mode, Part};
use strategy::{Bank, CampaignKey, Case, Draft, Expect, Facts, Ground, Recipe, Rng, Role};
use triage::{Inquiry, Panel, Plan, inquire};

/// After this many timeouts the work on a seed ends.
const MAX_TIMEOUTS: u32 = 32;

/// What a command line asks for, once it is checked.
pub struct Job {
    pub common: Common,
    pub tool: &'static str,
    pub iterations: u32,
    pub maker: Maker,
    pub panel: Panel,
    pub lists: Lists,
    /// How many solvers were named.
    pub solvers: usize,
    pub seeds: Vec<PathBuf>,
}

pub struct Fuzzer {
    job: Job,
    statistic: Statistic,
    log: Log,
    /// A word that identifies this run in its files.
    name: String,
    key: CampaignKey,
    rng: Rng,
    unit: u64,
    timeouts: u32,
    current: String,
    interrupts: Interrupts,
}

/// What looks wrong about one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Suspicion {
    /// `None`: the user's list marks it as known.
    trigger: Option<Trigger>,
    culprit: String,
    reference: Option<String>,
    why: String,
}

impl Fuzzer {
    pub fn new(job: Job) -> Result<Fuzzer, Stop> {
        let (common, tool) = (&job.common, job.tool);
        let key = CampaignKey(common.seed.clone().unwrap_or_else(new_key));
        let mut rng = Rng::of(&key, tool, u64::MAX);
        let name = bugs::random_word(&mut rng);
        let folder = (!common.no_log).then_some(common.logs.as_path());
        let log = Log::new(folder, tool, &name, common.quiet);
        let interrupts = Interrupts::listen().map_err(|error| Stop {
            said: format!("error: {error}"),
            exit: crate::exit::Exit::PeerInternal,
        })?;
        Ok(Fuzzer {
            job,
            statistic: Statistic::new(),
            log,
            name,
            key,
            rng,
            unit: 0,
            timeouts: 0,
            current: String::new(),
            interrupts,
        })
    }

    /// Works through all seeds; returns whether there are bugs.
    #[allow(clippy::print_stdout, reason = "the last lines go to stdout, as yinyang's do")]
    pub fn run(&mut self) -> Result<bool, Stop> {
        let pairs = matches!(self.job.maker, Maker::Fuse(..)) && self.job.seeds.len() > 2;
        let single = matches!(self.job.maker, Maker::Mutate(..));
        let count = match (single, pairs) {
            (true, _) => self.job.seeds.len() as u64,
            (false, true) => (self.job.seeds.len() as u64).pow(2),
            (false, false) => 1,
        };
        let (tool, solvers) = (self.job.tool, self.job.solvers);
        self.log.info(&format!("Strategy: {tool}, {solvers} testing targets, {count} seeds"));
        self.log.debug(&format!("Random choices derive from --seed {}", self.key.0));
        let order = Order::new(count, &mut self.rng);
        for n in 0..count {
            if self.interrupted() {
                break;
            }
            let n = order.at(n);
            self.timeouts = 0;
            if single {
                self.one(n as usize)?;
            } else if pairs {
                let all = self.job.seeds.len() as u64;
                self.two((n / all) as usize, (n % all) as usize)?;
            } else {
                self.two(0, 1)?;
            }
        }
        println!("{}", if self.interrupted() { "\x08\x08\rUser interrupt" } else { "All seeds processed" });
        if !self.job.common.quiet {
            println!("{}", self.statistic.summary());
        }
        Ok(self.statistic.bugs > 0)
    }

    fn interrupted(&self) -> bool {
        self.interrupts.stop()
    }

    /// Reads a seed; counts it, valid or not.
    fn seed(&mut self, path: &Path) -> Option<Bank> {
        self.statistic.seeds += 1;
        let bank = self.prepare(path);
        if let Err(why) = &bank {
            self.statistic.invalid_seeds += 1;
            self.log.debug(&format!("Skip invalid seed {}: {why}", smtlib::shown::path(path)));
        }
        bank.ok()
    }

    fn prepare(&self, path: &Path) -> Result<Bank, String> {
        let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
        if size >= self.job.common.limit {
            return Err("exceeds max file size".into());
        }
        let text = std::fs::read(path).map_err(|error| error.to_string())?;
        let origin = Origin::File(path.to_owned());
        let seed = Seed::new(path.display().to_string(), origin, Cow::Owned(text));
        let mut seed = seed.map_err(|error| error.to_string())?;
        if let Some(status) = self.job.common.claim {
            janus::claim(&mut seed, status);
        }
        let (bank, rejected) = Bank::new([seed]);
        match rejected.into_iter().next() {
            Some(rejected) => Err(rejected.why),
            None => Ok(bank),
        }
    }

    /// All mutants of one seed.
    fn one(&mut self, n: usize) -> Result<(), Stop> {
        let path = self.job.seeds[n].clone();
        self.log.debug(&format!("Processing seed {}", smtlib::shown::path(&path)));
        let Some(bank) = self.seed(&path) else { return Ok(()) };
        self.current = stem(&path);
        let mut made = 0;
        // A seed may give no mutants at first; a few more units may.
        let Maker::Mutate(strategy, settings) = &self.job.maker else { return Ok(()) };
        let Ok(source) = (strategy.begin)(&bank, settings) else { return Ok(()) };
        let name = strategy.name;
        for _ in 0..self.job.iterations.max(4) {
            let rng = Rng::of(&self.key, name, self.unit);
            let dialogue = source.unit(self.unit, rng);
            self.unit += 1;
            let Ok(mut dialogue) = dialogue else { return Ok(()) };
            let (mut told, before) = (None, made);
            while let Some(draft) = dialogue.next(told.as_ref()) {
                if made >= self.job.iterations || self.interrupted() {
                    return Ok(());
                }
                let Some(facts) = self.test(draft)? else { return Ok(()) };
                told = Some(facts);
                made += 1;
            }
            if made == before {
                return Ok(());
            }
        }
        Ok(())
    }

    /// All fusions of two seeds.
    fn two(&mut self, first: usize, second: usize) -> Result<(), Stop> {
        let paths = [self.job.seeds[first].clone(), self.job.seeds[second].clone()];
        self.log.debug(&format!(
            "Processing seeds {} {}",
            smtlib::shown::path(&paths[0]),
            smtlib::shown::path(&paths[1])
        ));
        let [Some(one), Some(two)] = [self.seed(&paths[0]), self.seed(&paths[1])] else { return Ok(()) };
        self.current = stem(&paths[1]);
        let Maker::Fuse(fusion, mode) = &self.job.maker else { return Ok(()) };
        let mode = *mode;
        let parts = [&one, &two].map(|bank| fusion.part(&bank.seeds()[0]));
        let [one, two] = match parts {
            [Ok(one), Ok(two)] => [Arc::new(one), Arc::new(two)],
            [Err(why), _] | [_, Err(why)] => {
                self.log.debug(&format!("Skip: a seed cannot be fused: {why}"));
                return Ok(());
            }
        };
        for _ in 0..self.job.iterations {
            let Maker::Fuse(fusion, _) = &self.job.maker else { return Ok(()) };
            let mut rng = Rng::of(&self.key, "fusion", self.unit);
            self.unit += 1;
            let Some(draft) = fused(fusion, [&one, &two], mode, &mut rng) else {
                let why = fusion.why_nothing_fits([&one, &two], mode);
                self.log.info(&format!("Skip {} and {}: {why}", stem(&paths[0]), stem(&paths[1])));
                return Ok(());
            };
            if self.interrupted() || self.test(draft)?.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Asks the solvers about a mutant and tells what is known then; `None` ends the work on the seed.
    fn test(&mut self, draft: Draft) -> Result<Option<Facts>, Stop> {
        if let Some(bar) = self.statistic.bar_if_due() {
            self.log.info(&bar);
        }
        self.keep(draft.script())?;
        let Ok(case) = Case::new(draft, Recipe::default()) else { return Ok(Some(Facts::default())) };
        let fresh = self.statistic.mutants.is_multiple_of(4);
        let session = if fresh { SessionKind::Forked } else { SessionKind::Scoped };
        let inquiry = inquire(&self.job.panel, &case, &self.plan(session));
        self.count(&inquiry);
        let Some(suspicion) = self.suspicion(&inquiry) else {
            self.statistic.mutants += 1;
            return Ok((self.timeouts < MAX_TIMEOUTS).then_some(inquiry.facts));
        };
        let again = inquire(&self.job.panel, &case, &self.plan(SessionKind::Fresh));
        self.count(&again);
        match self.suspicion(&again) {
            Some(confirmed) if confirmed.same(&suspicion) && !self.lacks_a_feature(&confirmed, &case) => {
                self.report(&case, &confirmed)?;
            }
            _ => {
                self.log.debug("It did not show again in a fresh process. Not reported.");
                self.statistic.mutants += 1;
                return Ok(Some(again.facts));
            }
        }
        Ok(None)
    }

    /// Whether the solver says `unknown` to an operator of the mutant alone.
    fn lacks_a_feature(&mut self, suspicion: &Suspicion, case: &Case) -> bool {
        if !suspicion.trigger.is_some_and(Trigger::is_incompleteness) {
            return false;
        }
        let panel = &self.job.panel;
        let pool = panel.find(&suspicion.culprit);
        let lacking = pool.and_then(|pool| panel.features.lacking(pool, case.formula().script.text()));
        if let Some(operator) = &lacking {
            self.log.debug(&format!("{} hardly supports {operator}.", suspicion.culprit));
        }
        lacking.is_some()
    }

    fn plan(&self, session: SessionKind) -> Plan {
        let limits = QueryLimits { wall: self.timeout(), ..QueryLimits::default() };
        let regressions = self.job.common.baseline.is_some();
        let thorough = Effort::thorough().as_asked();
        let effort =
            Effort { enumerate_always: false, regressions, pace: None, rejections: false, ..thorough };
        Plan { session, effort, ..Plan::thorough(limits) }
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.job.common.seconds(self.job.tool).unsigned_abs())
    }

    fn keep(&mut self, mutant: &[u8]) -> Result<(), Stop> {
        if !self.job.common.keep_mutants {
            return Ok(());
        }
        let (seed, word) = (bugs::escape(&self.current), bugs::random_word(&mut self.rng));
        let path = self.job.common.scratch.join(format!("{seed}-{}-{word}.smt2", self.name));
        std::fs::write(path, mutant).map_err(|_| Stop::disk("error: the scratch folder cannot be written to"))
    }

    fn count(&mut self, inquiry: &Inquiry) {
        for reply in inquiry.heard.iter().map(|heard| &heard.reply) {
            self.statistic.calls += 1;
            if reply.ended.is_limit() {
                self.timeouts += 1;
                self.log.debug(&format!("Solver timeout occurred. sol={}", reply.target));
            } else if reply.checks.iter().any(|check| check.answer.is_some()) {
                self.statistic.effective += 1;
            } else if contains(&output(reply), &self.job.lists.ignore) {
                self.log.debug(&format!("Invalid mutant:ignore_list. solver={}", reply.target));
            } else {
                self.log.debug("Invalid mutant:no '^sat$' or '^unsat$' in output.");
            }
        }
    }

    /// What looks wrong, if anything does: crashes first, as in yinyang.
    fn suspicion(&self, inquiry: &Inquiry) -> Option<Suspicion> {
        for reply in inquiry.heard.iter().map(|heard| &heard.reply) {
            let text = output(reply);
            let signal = match reply.ended {
                Ended::Crash { signal, .. } => Some(signal),
                _ => None,
            };
            if signal.is_none() && !contains(&text, &self.job.lists.crash) {
                continue;
            }
            let known = contains(&text, &self.job.lists.duplicate);
            let trigger = if signal == Some(Some(11)) { Trigger::Segfault } else { Trigger::Crash };
            return Some(Suspicion {
                trigger: (!known).then_some(trigger),
                culprit: reply.target.clone(),
                reference: None,
                why: String::new(),
            });
        }
        inquiry.verdict.findings().iter().find_map(|finding| {
            let trigger = match finding.kind {
                Wrong::RefutationUnsound | Wrong::SolutionUnsound | Wrong::Inconsistent => Trigger::Incorrect,
                Wrong::InvalidModel => Trigger::InvalidModel,
                Wrong::IncompletenessRegression if self.job.tool == "janus" => Trigger::Regression,
                Wrong::IncompletenessImplication if self.job.tool == "janus" => Trigger::Implication,
                _ => return None,
            };
            let said = |name: &str| {
                let heard = inquiry.heard.iter().find(|heard| heard.name() == name);
                heard.and_then(|heard| heard.answer(finding.at.check))
            };
            let names: Vec<&str> = inquiry.heard.iter().map(|heard| heard.name()).collect();
            // Where the evidence does not decide which solver is wrong, yinyang blames the one that differs from the
            // first one.
            let first = names.iter().copied().find(|name| said(name).is_some());
            let differs =
                |other: &str| names.iter().copied().find(|n| said(n).is_some() && said(n) != said(other));
            let culprit = match &finding.culprit {
                Some(culprit) => culprit.clone(),
                None => differs(first?)?.to_owned(),
            };
            let reference = differs(&culprit).map(str::to_owned);
            let why: Vec<String> = finding
                .evidence
                .iter()
                .map(|evidence| format!("{} by {}: {}", evidence.kind.word(), evidence.by, evidence.brief()))
                .collect();
            Some(Suspicion { trigger: Some(trigger), culprit, reference, why: why.join("\n") })
        })
    }

    fn report(&mut self, case: &Case, suspicion: &Suspicion) -> Result<(), Stop> {
        let Some(trigger) = suspicion.trigger else {
            self.log.debug("Duplicate. Stop testing on this seed.");
            return Ok(());
        };
        let Some(culprit) = self.job.panel.find(&suspicion.culprit) else { return Ok(()) };
        let reference = suspicion.reference.as_ref().and_then(|name| self.job.panel.find(name));
        let before = case.questions.iter().find(|question| question.role == Role::Before);
        let before = before.filter(|_| trigger == Trigger::Implication);
        let bug = Bug {
            trigger,
            mutant: case.formula().script.text(),
            before: before.map(|question| question.script.text()),
            seed: &self.current,
            culprit: culprit.target(),
            reference: reference.map(|pool| pool.target()),
            why: &suspicion.why,
        };
        let path = bug.write(&self.job.common.bugs, self.timeout(), &mut self.rng)?;
        self.statistic.bugs += 1;
        self.log.debug("Stop testing on this seed.");
        self.log.bug(&trigger.line(&path));
        Ok(())
    }
}

impl Suspicion {
    fn same(&self, other: &Suspicion) -> bool {
        self.trigger == other.trigger && self.culprit == other.culprit
    }
}

/// A fusion whose status the user guarantees.
fn fused(fusion: &Fusion, parts: [&Arc<Part>; 2], mode: Mode, rng: &mut Rng) -> Option<Draft> {
    // A draw may choose variables that no function fits; two formulas side by side are no fusion.
    const DRAWS: usize = 8;
    let mut plans = (0..DRAWS).filter_map(|_| fusion.plan(parts, mode, rng));
    let plan = plans.find(|plan| !plan.triplets.is_empty())?;
    let Expect { answer, ground } = plan.expect(mode);
    let ground = Ground::Argument(ground.because().to_owned());
    Some(Draft::of(plan.write()?).expecting(vec![Some(Expect { answer, ground })]))
}

/// Everything that a solver printed besides answers.
fn output(reply: &Reply) -> String {
    let mut text = String::from_utf8_lossy(&reply.stray).into_owned();
    text.push(' ');
    text += &String::from_utf8_lossy(&reply.stderr);
    for error in &reply.errors {
        text += " (error ";
        text += error;
    }
    text
}

fn contains(text: &str, words: &[String]) -> bool {
    words.iter().any(|word| text.contains(word.as_str()))
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A key for a user who gives none: different each time, and written to the log.
fn new_key() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}", since.as_nanos(), std::process::id())
}

/// Numbers below a bound, each once, in pseudo-random order.
struct Order {
    count: u64,
    step: u64,
    first: u64,
}

impl Order {
    fn new(count: u64, rng: &mut Rng) -> Order {
        let count = count.max(1);
        let below = |rng: &mut Rng| rng.below(usize::try_from(count).unwrap_or(usize::MAX)) as u64;
        let mut step = below(rng).max(1);
        while gcd(step, count) != 1 {
            step += 1;
        }
        Order { count, step, first: below(rng) }
    }

    fn at(&self, n: u64) -> u64 {
        let product = u128::from(n) * u128::from(self.step) + u128::from(self.first);
        (product % u128::from(self.count)) as u64
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once_in_an_order_that_the_key_decides() {
        for count in [1, 2, 9, 100, 289] {
            let mut rng = Rng::of(&CampaignKey("k".into()), "order", count);
            let order = Order::new(count, &mut rng);
            let mut all: Vec<u64> = (0..count).map(|n| order.at(n)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
