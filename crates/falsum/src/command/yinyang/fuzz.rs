//! The loop of the drop-in tools: seeds in random order, mutants of each, solvers asked about each mutant.
//!
//! As in yinyang, a bug, a known bug or too many timeouts end the work on a seed. Otherwise than there, no solver is
//! the truth: `triage` asks all of them and judges by evidence, three quarters of the mutants are asked in scoped
//! sessions, and what looks wrong must look wrong again in fresh processes before it is written down.

use super::bugs::{self, Bug, Trigger};
use super::log::{Log, Statistic};
use super::settings::Lists;
use super::{Common, Maker, Stop};
use corpus::{Origin, Seed};
use oracle::Kind as Wrong;
use smtlib::Script;
use solver::{Ended, Kind, Limits, Reply};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use strategy::fusion::{Fusion, Mode, Part};
use strategy::{Bank, CampaignKey, Case, Expectation, Recipe, Rng};
use triage::{Inquiry, Panel, Plan, inquire};

/// After so many timeouts a seed is given up.
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
    /// A word that names this run in its files.
    name: String,
    key: CampaignKey,
    rng: Rng,
    unit: u64,
    timeouts: u32,
    current: String,
    interrupts: Arc<AtomicUsize>,
}

/// What looks wrong about one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Suspicion {
    /// `None`: the user's list says that it is known.
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
        let interrupts = crate::hunt::interrupts().map_err(|error| Stop {
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

    /// Works through all seeds; tells whether there are bugs.
    #[allow(clippy::print_stdout, reason = "the last lines go to stdout, as yinyang's do")]
    pub fn run(&mut self) -> Result<bool, Stop> {
        let pairs = matches!(self.job.maker, Maker::Fuse(..)) && self.job.seeds.len() > 2;
        let single = matches!(self.job.maker, Maker::Mutate(_));
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
        self.interrupts.load(Ordering::SeqCst) > 0
    }

    /// Reads a seed; counts it, valid or not.
    fn seed(&mut self, path: &Path) -> Option<Bank> {
        self.statistic.seeds += 1;
        let bank = self.prepare(path);
        if let Err(why) = &bank {
            self.statistic.invalid_seeds += 1;
            self.log.debug(&format!("Skip invalid seed {}: {why}", path.display()));
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
        let (bank, rejected) = Bank::new([seed.map_err(|error| error.to_string())?]);
        match rejected.into_iter().next() {
            Some(rejected) => Err(rejected.why),
            None => Ok(bank),
        }
    }

    /// All mutants of one seed.
    fn one(&mut self, n: usize) -> Result<(), Stop> {
        let path = self.job.seeds[n].clone();
        self.log.debug(&format!("Processing seed {}", path.display()));
        let Some(bank) = self.seed(&path) else { return Ok(()) };
        self.current = stem(&path);
        let mut made = 0;
        // A seed with nothing to change gives no mutants; a few more units may.
        for _ in 0..self.job.iterations.max(4) {
            let Maker::Mutate(strategy) = &self.job.maker else { return Ok(()) };
            let cases = strategy.propose(&bank, &self.key, self.unit).unwrap_or_default();
            self.unit += 1;
            if cases.is_empty() && made == 0 {
                return Ok(());
            }
            for case in cases {
                if made >= self.job.iterations || self.interrupted() || !self.test(&case)? {
                    return Ok(());
                }
                made += 1;
            }
        }
        Ok(())
    }

    /// All fusions of two seeds.
    fn two(&mut self, first: usize, second: usize) -> Result<(), Stop> {
        let paths = [self.job.seeds[first].clone(), self.job.seeds[second].clone()];
        self.log.debug(&format!("Processing seeds {} {}", paths[0].display(), paths[1].display()));
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
            let Some(case) = fused(fusion, [&one, &two], mode, &mut rng) else { return Ok(()) };
            if self.interrupted() || !self.test(&case)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Asks the solvers about a mutant; false ends the work on the seed.
    fn test(&mut self, case: &Case) -> Result<bool, Stop> {
        if let Some(bar) = self.statistic.bar_if_due() {
            self.log.info(&bar);
        }
        self.keep(case)?;
        let Ok(script) = Script::parse(&case.script) else { return Ok(true) };
        let kind = if self.statistic.mutants.is_multiple_of(4) { Kind::Fresh } else { Kind::Scoped };
        let inquiry = inquire(
            &self.job.panel,
            &case.script,
            script.clone(),
            case.expectation.clone(),
            &self.plan(kind),
        );
        self.count(&inquiry);
        let Some(suspicion) = self.suspicion(&inquiry) else {
            self.statistic.mutants += 1;
            return Ok(self.timeouts < MAX_TIMEOUTS);
        };
        let again =
            inquire(&self.job.panel, &case.script, script, case.expectation.clone(), &self.plan(Kind::Fresh));
        self.count(&again);
        match self.suspicion(&again) {
            Some(confirmed) if confirmed.same(&suspicion) => self.report(case, &confirmed)?,
            _ => {
                self.log.debug("It did not show again in a fresh process. Not reported.");
                self.statistic.mutants += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn plan(&self, kind: Kind) -> Plan {
        let wall = self.timeout();
        Plan {
            kind,
            flatten: false,
            cores: false,
            judge: oracle::Config { enumerate_always: false, regressions: false, only: None },
            ..Plan::thorough(Limits { wall, ..Limits::default() })
        }
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.job.common.timeout.unsigned_abs())
    }

    fn keep(&mut self, case: &Case) -> Result<(), Stop> {
        if !self.job.common.keep_mutants {
            return Ok(());
        }
        let (seed, word) = (bugs::escape(&self.current), bugs::random_word(&mut self.rng));
        let path = self.job.common.scratch.join(format!("{seed}-{}-{word}.smt2", self.name));
        std::fs::write(path, &case.script)
            .map_err(|_| Stop::disk("error: the scratch folder cannot be written to"))
    }

    fn count(&mut self, inquiry: &Inquiry) {
        for statement in &inquiry.statements {
            self.statistic.calls += 1;
            let reply = &statement.reply;
            if reply.ended.is_limit() {
                self.timeouts += 1;
                self.log.debug(&format!("Solver timeout occurred. sol={}", statement.target));
            } else if reply.checks.iter().any(|check| check.answer.is_some()) {
                self.statistic.effective += 1;
            } else if contains(&output(reply), &self.job.lists.ignore) {
                self.log.debug(&format!("Invalid mutant:ignore_list. solver={}", statement.target));
            } else {
                self.log.debug("Invalid mutant:no '^sat$' or '^unsat$' in output.");
            }
        }
    }

    /// What looks wrong, if anything does: crashes first, as yinyang has it.
    fn suspicion(&self, inquiry: &Inquiry) -> Option<Suspicion> {
        for statement in &inquiry.statements {
            let text = output(&statement.reply);
            let signal = match statement.reply.ended {
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
                culprit: statement.target.clone(),
                reference: None,
                why: String::new(),
            });
        }
        inquiry.verdict.findings().iter().find_map(|finding| {
            let trigger = match finding.kind {
                Wrong::RefutationUnsound | Wrong::SolutionUnsound | Wrong::Inconsistent => Trigger::Incorrect,
                Wrong::InvalidModel => Trigger::InvalidModel,
                _ => return None,
            };
            let said = |name: &str| {
                let statement = inquiry.statements.iter().find(|statement| statement.target == name);
                statement
                    .and_then(|statement| statement.reply.checks.get(finding.check))
                    .and_then(|c| c.answer)
            };
            let names: Vec<&str> =
                inquiry.statements.iter().map(|statement| statement.target.as_str()).collect();
            // Where the evidence does not say who is wrong, yinyang blames who differs from the first.
            let first = names.iter().copied().find(|name| said(name).is_some());
            let differs =
                |other: &str| names.iter().copied().find(|n| said(n).is_some() && said(n) != said(other));
            let culprit = match finding.culprits.first() {
                Some(culprit) => culprit.clone(),
                None => differs(first?)?.to_owned(),
            };
            let reference = differs(&culprit).map(str::to_owned);
            let why: Vec<String> = finding
                .evidence
                .iter()
                .map(|evidence| format!("{} by {}: {}", evidence.kind.word(), evidence.by, evidence.detail))
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
        let bug = Bug {
            trigger,
            mutant: &case.script,
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

/// A fusion whose status the user vouches for.
fn fused(fusion: &Fusion, parts: [&Arc<Part>; 2], mode: Mode, rng: &mut Rng) -> Option<Case> {
    let plan = fusion.plan(parts, mode, rng)?;
    let script = plan.write()?;
    let expectation = Expectation { by_status: false, ..plan.expectation(mode) };
    Some(Case { script, expectation, recipe: Recipe::default() })
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

/// A key for a user who gives none: another one each time, and in the log.
fn new_key() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}", since.as_nanos(), std::process::id())
}

/// Numbers below a bound, each once, in an order that looks random.
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
