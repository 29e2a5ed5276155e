//! The ladder from answers to a verdict.
//!
//! A judge is made for one case and *hears* opinions one after the other; each model is evaluated once, when it is
//! heard. `truth` tells what is certain so far, so that a caller can stop asking as soon as nothing more is to be
//! learnt. `verdict` climbs the ladder for every check-sat and collects the accusations, worst first.
//! Where nothing is certain, `judge/vote.rs` compares the answers with each other.

mod vote;

use crate::ambiguous::{Ambiguity, OUTSIDE_ASCII, ambiguities, readings};
use crate::certify::{Certificate, ModelCheck, WORK, check_model, check_model_within, decide, notation};
use crate::verdict::{Evidence, EvidenceKind, Finding, Kind, Verdict, severity};
use semantics::eval;
use smtlib::Script;
use solver::{Answer, Ended, Reply, Target};
use strategy::{Expectation, Expected};

/// How a verdict begins when our own parts disagree: nobody is accused, and we have a bug to fix.
pub const OWN_CONTRADICTION: &str = "falsum contradicts itself";

/// What the judge may spend and what it looks for.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Decide small spaces by enumeration even if nobody disagrees.
    pub enumerate_always: bool,
    /// Look for answers that a newer release no longer gives.
    pub regressions: bool,
    /// Look at this check-sat only: the others lead up to it.
    pub only: Option<usize>,
}

impl Default for Config {
    fn default() -> Config {
        Config { enumerate_always: false, regressions: true, only: None }
    }
}

/// What one target said, in one way of asking.
pub struct Opinion<'a> {
    pub target: &'a Target,
    pub reply: &'a Reply,
    /// Which check-sat of the case the first check of the reply answers; the reply to a flattened script answers
    /// just that one.
    pub first_check: usize,
    /// The script was flattened: the same assertions without incremental commands.
    pub flattened: bool,
    /// The target is under test, not a second opinion.
    pub under_test: bool,
}

struct Heard {
    name: String,
    solver: String,
    version: Option<(u32, u32, u32)>,
    args: Vec<String>,
    /// For a flattened question, which check-sat it was.
    flattened: Option<usize>,
    under_test: bool,
    ended: Ended,
    seconds: f64,
    answers: Vec<Option<Answer>>,
    models: Vec<Option<ModelCheck>>,
}

/// Judges one case.
pub struct Judge {
    script: Script,
    expectation: Expectation,
    config: Config,
    ambiguities: Vec<Ambiguity>,
    /// Other readings of the script, where it has some.
    readings: Vec<Script>,
    /// Check-sats of which some model holds in every reading.
    holds_anyway: Vec<bool>,
    heard: Vec<Heard>,
    facts: Vec<Option<Certificate>>,
    /// How many check-sats come before the first command that we do not know.
    understood: usize,
    enumerated: bool,
    effort: eval::Limits,
    /// What an enumeration may cost where nothing is suspicious.
    work: u64,
}

/// What a model may cost where thousands of cases wait: about as much as asking a solver once.
const HURRIED: eval::Limits =
    eval::Limits { steps: 20_000, instances: 256, trials: 20, regex_steps: 20_000, ..eval::Limits::DEFAULT };

/// The same for an enumeration: some two milliseconds.
const HURRIED_WORK: u64 = 1 << 20;

impl Judge {
    /// A judge for a script that has been parsed already.
    pub fn new(script: Script, expectation: Expectation, config: Config) -> Judge {
        let (checks, understood) = (script.checks(), script.understood_checks());
        let ambiguities = ambiguities(&script);
        let is_raw = ambiguities.iter().any(|ambiguity| ambiguity.why == OUTSIDE_ASCII);
        let readings = if is_raw { readings(&script) } else { vec![] };
        let mut judge = Judge {
            script,
            expectation,
            config,
            ambiguities,
            readings,
            holds_anyway: vec![false; checks],
            heard: vec![],
            facts: vec![None; checks],
            understood,
            enumerated: false,
            effort: eval::Limits::default(),
            work: WORK,
        };
        judge.expect();
        judge
    }

    /// Spends little on a model; what is left undecided is nobody's fault. For first looks: whatever is suspicious is
    /// judged again with all there is.
    pub fn hurried(mut self) -> Judge {
        self.effort = HURRIED;
        self.work = HURRIED_WORK;
        self
    }

    pub fn script(&self) -> &Script {
        &self.script
    }

    /// A by-construction expectation is a fact until a model says otherwise.
    fn expect(&mut self) {
        if self.expectation.by_status {
            return;
        }
        for check in 0..self.facts.len() {
            let satisfiable = match self.expectation.of(check) {
                Expected::Sat => true,
                Expected::Unsat => false,
                Expected::Any => continue,
            };
            let detail = self.expectation.because.clone();
            let evidence = Evidence::new(EvidenceKind::Construction, "falsum", detail);
            self.facts[check] = Some(Certificate { satisfiable, evidence });
        }
    }

    /// The check-sats that are judged: not those behind a command of which nobody knows what it does.
    pub fn considered(&self) -> std::ops::Range<usize> {
        let end = self.facts.len().min(self.understood);
        match self.config.only {
            Some(check) => check.min(end)..(check + 1).min(end),
            None => 0..end,
        }
    }

    /// Takes an opinion into account; tells what became of its models, per check-sat.
    pub fn hear(&mut self, opinion: &Opinion<'_>) -> Vec<Option<ModelCheck>> {
        let mut answers = vec![None; self.facts.len()];
        let mut models = vec![None; self.facts.len()];
        for (n, reply) in opinion.reply.checks.iter().enumerate() {
            let check = opinion.first_check + n;
            if check >= self.facts.len() {
                break;
            }
            answers[check] = reply.answer;
            if !self.considered().contains(&check) {
                continue;
            }
            if let (Some(Answer::Sat), Some(model)) = (reply.answer, &reply.model) {
                let notation = notation(opinion.target);
                let result = check_model_within(&mut self.script, check, model, notation, self.effort);
                self.learn(check, &opinion.target.name, &result);
                let effort = self.effort;
                let mut readings = self.readings.iter_mut();
                self.holds_anyway[check] |= readings.len() > 0
                    && is_certain(&result)
                    && readings.all(|s| is_certain(&check_model_within(s, check, model, notation, effort)));
                models[check] = Some(result);
            }
        }
        self.heard.push(Heard {
            name: opinion.target.name.clone(),
            solver: opinion.target.profile.name.clone(),
            version: opinion.target.version.as_ref().and_then(|version| version_triple(&version.to_string())),
            args: opinion.target.args.clone(),
            flattened: opinion.flattened.then_some(opinion.first_check),
            under_test: opinion.under_test,
            ended: opinion.reply.ended.clone(),
            seconds: opinion.reply.wall.as_secs_f64(),
            answers,
            models: models.clone(),
        });
        models
    }

    fn learn(&mut self, check: usize, by: &str, result: &ModelCheck) {
        if let ModelCheck::Refuted { underspecified: false, detail } = result
            && !self.script.declares_something()
        {
            // There is nothing that another model could choose.
            let evidence = Evidence::new(EvidenceKind::RefutedModel, "falsum", detail.clone());
            self.facts[check] = Some(Certificate { satisfiable: false, evidence });
        }
        let ModelCheck::Confirmed { underspecified: false, detail } = result else { return };
        let evidence = Evidence::new(EvidenceKind::Model, by, detail.clone());
        let known = self.facts[check].as_ref().map(|fact| fact.evidence.kind);
        if known != Some(EvidenceKind::Model) {
            self.facts[check] = Some(Certificate { satisfiable: true, evidence });
        }
    }

    /// What is certain about a check-sat.
    pub fn truth(&self, check: usize) -> Option<&Certificate> {
        self.facts.get(check).and_then(Option::as_ref)
    }

    /// Whether every answer so far is backed by a certificate, so that nobody else need be asked.
    pub fn is_settled(&self) -> bool {
        !self.heard.is_empty() && self.considered().all(|check| self.facts[check].is_some())
    }

    /// Whether answers contradict each other, a certificate or the seed's label.
    pub fn is_suspicious(&self) -> bool {
        self.considered().any(|check| {
            let said = |answer| self.heard.iter().any(|heard| heard.answers[check] == Some(answer));
            let (sat, unsat) = (said(Answer::Sat), said(Answer::Unsat));
            let refuted =
                self.heard.iter().any(|h| matches!(h.models[check], Some(ModelCheck::Refuted { .. })));
            let label = self.expectation.of(check);
            (sat && unsat)
                || refuted
                || (sat && label == Expected::Unsat)
                || (unsat && label == Expected::Sat)
        }) || self.heard.iter().any(|heard| matches!(heard.ended, Ended::Crash { .. }))
            || self.considered().any(|check| {
                self.facts[check].as_ref().is_some_and(|fact| {
                    let wrong = if fact.satisfiable { Answer::Unsat } else { Answer::Sat };
                    self.heard.iter().any(|heard| heard.answers[check] == Some(wrong))
                })
            })
    }

    /// Whether somebody decided a check-sat of which nothing is certain: it may be small enough to know better.
    fn is_uncertified(&self) -> bool {
        self.considered().any(|check| {
            self.facts[check].is_none() && self.heard.iter().any(|heard| is_definite(&heard.answers[check]))
        })
    }

    /// Decides small spaces exactly, once.
    fn enumerate(&mut self, work: u64) {
        if std::mem::replace(&mut self.enumerated, true) {
            return;
        }
        for check in self.considered() {
            let by_model = self.facts[check].as_ref().is_some_and(|fact| {
                matches!(fact.evidence.kind, EvidenceKind::Model | EvidenceKind::RefutedModel)
            });
            if !by_model && let Some(certificate) = decide(&mut self.script, check, work) {
                self.facts[check] = Some(certificate);
            }
        }
    }

    /// What to say about the case.
    pub fn verdict(&mut self) -> Verdict {
        if self.config.enumerate_always || self.is_suspicious() {
            self.enumerate(WORK);
        } else if self.is_uncertified() {
            self.enumerate(self.work);
        }
        let mut findings = self.crashes();
        let mut doubts = vec![];
        for check in self.considered() {
            self.judge_check(check, &mut findings, &mut doubts);
        }
        if self.config.regressions && findings.is_empty() {
            self.regressions(&mut findings);
        }
        if !findings.is_empty() {
            findings.sort_by_key(|finding| severity(finding.kind));
            return Verdict::Findings(findings);
        }
        if self.understood < self.facts.len() {
            doubts.push("falsum does not know what a command before a check-sat does".into());
        }
        if let Some(doubt) = doubts.into_iter().next() {
            return Verdict::Inconclusive(doubt);
        }
        if !self.heard.iter().any(|heard| heard.answers.iter().any(is_definite)) {
            return Verdict::Inconclusive(self.why_no_answer());
        }
        Verdict::Fine { certified: self.considered().all(|check| self.facts[check].is_some()) }
    }

    fn why_no_answer(&self) -> String {
        match self.heard.first() {
            None => "nobody was asked".into(),
            Some(_) if self.facts.is_empty() => "the script has no check-sat".into(),
            Some(_) => {
                let each: Vec<String> =
                    self.heard.iter().map(|h| format!("{}: {}", h.name, h.how_it_ended())).collect();
                format!("no definite answer ({})", each.join(", "))
            }
        }
    }

    fn crashes(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = vec![];
        for heard in &self.heard {
            let Ended::Crash { signal, message, wrapped: false } = &heard.ended else { continue };
            if findings.iter().any(|finding| finding.culprits.contains(&heard.name)) {
                continue;
            }
            let signal = signal.map_or_else(String::new, |signal| format!("signal {signal} "));
            let detail = format!("{signal}{message}").trim().to_owned();
            let unanswered = || heard.answers.iter().position(Option::is_none);
            findings.push(Finding {
                kind: Kind::Crash,
                culprits: vec![heard.name.clone()],
                evidence: vec![Evidence::new(EvidenceKind::Exit, &heard.name, detail)],
                check: heard.flattened.or_else(unanswered).unwrap_or(0),
                truth: None,
            });
        }
        findings
    }

    fn judge_check(&self, check: usize, findings: &mut Vec<Finding>, doubts: &mut Vec<String>) {
        if let Some(doubt) = self.own_contradiction(check) {
            doubts.push(doubt);
            return;
        }
        if let Some(fact) = &self.facts[check] {
            self.against_fact(check, fact, findings, doubts);
        } else {
            self.against_each_other(check, findings, doubts);
        }
        self.refuted_models(check, findings, doubts);
    }

    /// A certified model against our own construction argument: one of *our* parts is wrong, nobody is accused.
    fn own_contradiction(&self, check: usize) -> Option<String> {
        let fact = self.facts[check].as_ref()?;
        let expected = self.expectation.of(check);
        let contradicts =
            matches!((expected, fact.satisfiable), (Expected::Sat, false) | (Expected::Unsat, true));
        (contradicts && !self.expectation.by_status).then(|| {
            format!(
                "{OWN_CONTRADICTION}: expected {} because {}, but {} ({}) shows the opposite",
                if fact.satisfiable { "unsat" } else { "sat" },
                self.expectation.because,
                fact.evidence.kind.word(),
                fact.evidence.detail,
            )
        })
    }

    fn ambiguity(&self, heard: &Heard) -> Option<&'static str> {
        self.ambiguities_of(heard).next()
    }

    fn ambiguities_of(&self, heard: &Heard) -> impl Iterator<Item = &'static str> {
        self.ambiguities.iter().filter(|a| a.concerns(&heard.solver, heard.version)).map(|a| a.why)
    }

    /// Why an answer cannot be held against somebody, though a fact contradicts it.
    fn excuse(&self, check: usize, heard: &Heard) -> Option<&'static str> {
        self.ambiguities_of(heard).find(|&why| why != OUTSIDE_ASCII || !self.holds_anyway[check])
    }

    fn against_fact(
        &self,
        check: usize,
        fact: &Certificate,
        findings: &mut Vec<Finding>,
        doubts: &mut Vec<String>,
    ) {
        let (wrong, kind) = match fact.satisfiable {
            true => (Answer::Unsat, Kind::RefutationUnsound),
            false => (Answer::Sat, Kind::SolutionUnsound),
        };
        let mut culprits: Vec<String> = vec![];
        for heard in self.heard.iter().filter(|heard| heard.answers[check] == Some(wrong)) {
            match self.excuse(check, heard) {
                Some(why) => doubts.push(format!("{} differs, but {why}", heard.name)),
                None if !culprits.contains(&heard.name) => culprits.push(heard.name.clone()),
                None => {}
            }
        }
        if culprits.is_empty() {
            return;
        }
        let mut evidence = vec![fact.evidence.clone()];
        evidence.extend(self.votes(check, fact.satisfiable));
        findings.push(Finding { kind, culprits, evidence, check, truth: Some(fact.satisfiable) });
    }

    fn refuted_models(&self, check: usize, findings: &mut Vec<Finding>, doubts: &mut Vec<String>) {
        for heard in &self.heard {
            let Some(ModelCheck::Refuted { underspecified, detail }) = &heard.models[check] else { continue };
            let accused = |finding: &Finding| {
                finding.check == check
                    && matches!(finding.kind, Kind::SolutionUnsound | Kind::InvalidModel)
                    && finding.culprits.contains(&heard.name)
            };
            if findings.iter().any(accused) {
                continue;
            }
            if *underspecified {
                doubts.push(format!(
                    "the model of {} fails only where an operator is under-specified",
                    heard.name
                ));
            } else if let Some(why) = self.ambiguity(heard) {
                doubts.push(format!("the model of {} fails, but {why}", heard.name));
            } else {
                let mut evidence = vec![Evidence::new(EvidenceKind::RefutedModel, "falsum", detail.clone())];
                let unsat = self.names(check, Answer::Unsat);
                if !unsat.is_empty() {
                    evidence.push(Evidence::new(EvidenceKind::Majority, unsat.join(", "), "say unsat"));
                }
                let culprits = vec![heard.name.clone()];
                let truth = self.facts[check].as_ref().map(|fact| fact.satisfiable);
                findings.push(Finding { kind: Kind::InvalidModel, culprits, evidence, check, truth });
            }
        }
    }

    /// A newer release that gives up, or runs out of time, where an older one of the same solver decides.
    fn regressions(&self, findings: &mut Vec<Finding>) {
        for check in self.considered() {
            for newer in self.heard.iter().filter(|heard| heard.under_test) {
                let gave_up =
                    newer.answers[check] == Some(Answer::Unknown) && matches!(newer.ended, Ended::ByItself);
                let too_slow =
                    newer.answers[check].is_none() && matches!(newer.ended, Ended::Wall | Ended::Cpu);
                if !(gave_up || too_slow) {
                    continue;
                }
                let older = self.heard.iter().find(|older| {
                    let versions = older.version.zip(newer.version);
                    older.solver == newer.solver
                        && older.args == newer.args
                        && older.flattened == newer.flattened
                        && versions.is_some_and(|(older, newer)| older < newer)
                        && is_definite(&older.answers[check])
                        && (gave_up || older.seconds * 20.0 < newer.seconds)
                });
                if let Some(older) = older {
                    let answer = older.answers[check].map_or("", Answer::word);
                    let detail = format!("{answer} in {:.3} s", older.seconds);
                    findings.push(Finding {
                        kind: if gave_up {
                            Kind::IncompletenessRegression
                        } else {
                            Kind::PerformanceRegression
                        },
                        culprits: vec![newer.name.clone()],
                        evidence: vec![Evidence::new(EvidenceKind::Release, &older.name, detail)],
                        check,
                        truth: self.facts[check].as_ref().map(|fact| fact.satisfiable),
                    });
                    return;
                }
            }
        }
    }

    /// The accusation of an unsat core that has a model: `core_text` is `question::core_only`. None where the culprit
    /// may read the script differently.
    pub fn core_finding(
        &self,
        check: usize,
        culprit: &str,
        by: &Target,
        model: &[u8],
        core_text: &[u8],
    ) -> Option<Finding> {
        if self.heard.iter().any(|heard| heard.name == culprit && self.ambiguity(heard).is_some()) {
            return None;
        }
        let mut cut = Script::parse(core_text).ok()?;
        let ModelCheck::Confirmed { underspecified: false, detail } =
            check_model(&mut cut, 0, model, notation(by))
        else {
            return None;
        };
        let detail = format!("the core alone is satisfiable: {detail}");
        Some(Finding {
            kind: Kind::InvalidCore,
            culprits: vec![culprit.to_owned()],
            evidence: vec![Evidence::new(EvidenceKind::Core, &by.name, detail)],
            check,
            truth: self.facts.get(check).and_then(|fact| fact.as_ref().map(|fact| fact.satisfiable)),
        })
    }
}

impl Heard {
    fn how_it_ended(&self) -> String {
        let how = match (&self.ended, self.answers.iter().flatten().next()) {
            (Ended::ByItself, Some(answer)) => answer.word().to_owned(),
            (ended, _) => match ended.message() {
                Some(message) => format!("{}: {}", ended.word(), message.lines().next().unwrap_or_default()),
                None => ended.word().to_owned(),
            },
        };
        if self.flattened.is_some() { format!("{how} (flattened)") } else { how }
    }
}

/// Whether a model holds whatever the standard leaves open.
fn is_certain(result: &ModelCheck) -> bool {
    matches!(result, ModelCheck::Confirmed { underspecified: false, .. })
}

fn is_definite(answer: &Option<Answer>) -> bool {
    matches!(answer, Some(Answer::Sat | Answer::Unsat))
}

/// `4.8.9` as numbers, whatever follows.
fn version_triple(version: &str) -> Option<(u32, u32, u32)> {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse().ok());
    Some((parts.next()??, parts.next().flatten().unwrap_or(0), parts.next().flatten().unwrap_or(0)))
}
