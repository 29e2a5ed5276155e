//! A hearing: all questions, replies and facts of one case.
//!
//! Made for a case, it receives (*hears*) replies one after the other; each model is evaluated once, when it arrives.
//! `truth` returns what is certain so far, so that a caller can stop running solvers as soon as nothing more can be
//! learnt. `climb` applies the rungs of the ladder and returns which further questions would help; `verdict` is the
//! result. Facts are stored per check-sat of each question, and relations between questions propagate them.
//!
//! One of our own arguments must never overrule another silently: two facts that contradict each other are a bug of
//! ours, and then no solver is accused.

use crate::ambiguous::{Ambiguity, ambiguities, readings};
use crate::certify::{Certificate, Given, ModelCheck, check_model_within, notation};
use crate::effort::{Effort, Searched};
use crate::ladder::{LADDER, Step};
use crate::rung::model;
use crate::verdict::{Accusation, EvidenceKind, FindingKind, Verdict, severity};
use corpus::Status;
use semantics::model::{Model, Notation};
use smtlib::{Parsed, Script};
use solver::{Answer, Ended, ProofVerdict, Reply, Target};
use std::sync::Arc;
use strategy::{At, Case, Expect, Fact, Facts, Question, Relation, Role};

/// A question whose answer would help, and which solvers should answer it.
pub struct Ask {
    pub question: Question,
    pub whom: Whom,
    /// The relation of its answer to the rest of the case, once its number is known.
    pub relation: Option<Box<dyn Fn(usize) -> Relation + Send>>,
}

impl std::fmt::Debug for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ask({:?}, {:?})", self.question.role, self.whom)
    }
}

/// Which solvers answer a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    All,
    /// The targets under test.
    Targets,
    /// The others, one after the other, until the answer is certain.
    AllBut(String),
    /// Every release of this solver.
    Solver(String),
}

/// A reply, its target, and the results of evaluating its models.
#[derive(Clone, Debug)]
pub struct Heard {
    pub reply: Reply,
    /// The target is under test, not a second opinion.
    pub under_test: bool,
    /// Per check-sat of the question.
    pub models: Vec<Option<ModelCheck>>,
    /// Whether the result is the same however string literals are read.
    models_hold_anyway: Vec<bool>,
    solver: String,
    version: Option<(u32, u32, u32)>,
    args: Vec<String>,
    supports: Arc<solver::Profile>,
    notation: Notation,
}

impl Heard {
    pub fn name(&self) -> &str {
        &self.reply.target
    }

    /// The solver's family, such as `z3`.
    pub fn solver(&self) -> &str {
        &self.solver
    }

    pub fn version(&self) -> Option<(u32, u32, u32)> {
        self.version
    }

    pub fn answer(&self, check: usize) -> Option<Answer> {
        self.reply.answer_to(check)
    }

    pub fn is_definite(&self, check: usize) -> bool {
        matches!(self.answer(check), Some(Answer::Sat | Answer::Unsat))
    }

    /// Whether it said `unknown` of its own accord, and not because of a limit.
    pub fn gave_up(&self, check: usize) -> bool {
        self.answer(check) == Some(Answer::Unknown) && self.reply.ended == Ended::ByItself
    }

    pub fn model(&self, check: usize) -> Option<&ModelCheck> {
        self.models.get(check).and_then(Option::as_ref)
    }

    /// How it prints values.
    pub(crate) fn notation(&self) -> Notation {
        self.notation
    }

    /// Whether it is an older release of the same solver with the same options.
    pub fn is_older_than(&self, other: &Heard) -> bool {
        let versions = self.version.zip(other.version);
        self.solver == other.solver && self.args == other.args && versions.is_some_and(|(a, b)| a < b)
    }

    /// Whether its profile says that it has every theory and operator of a script.
    pub fn claims_to_support(&self, script: &Script) -> bool {
        let supports = &self.supports.supports;
        let has = |theory: &str| supports.theories.iter().any(|own| own == theory);
        (0..script.pool.len() as u32).map(smtlib::TermId).all(|term| match script.pool.kind(term) {
            smtlib::term::Kind::Op { op, .. } => {
                has(op.row().theory) && !supports.not_operators.iter().any(|name| name == op.row().name)
            }
            _ => true,
        })
    }

    fn how_it_ended(&self) -> String {
        match (&self.reply.ended, self.reply.checks.iter().find_map(|check| check.answer)) {
            (Ended::ByItself, Some(answer)) => answer.word().to_owned(),
            (ended, _) => match ended.message() {
                Some(message) => format!("{}: {}", ended.word(), message.lines().next().unwrap_or_default()),
                None => ended.word().to_owned(),
            },
        }
    }
}

/// A question and its facts.
struct Asked {
    role: Role,
    parsed: Parsed,
    /// A copy whose pool grows by the models that are read.
    script: Script,
    expects: Vec<Option<Expect>>,
    ambiguities: Vec<Ambiguity>,
    /// Other interpretations of the script, if there are any.
    readings: Vec<Script>,
    /// Check-sats of which the fact holds in every interpretation.
    holds_anyway: Vec<bool>,
    facts: Vec<Option<Certificate>>,
    /// How many check-sats come before the first command that we do not know.
    understood: usize,
    /// Costly procedures that were tried, by check-sat.
    tried: Vec<(usize, &'static str)>,
}

impl Asked {
    fn new(question: &Question) -> Asked {
        let script = question.script.to_script();
        let checks = script.checks();
        let ambiguities = ambiguities(&script);
        let is_read_differently = ambiguities.iter().any(|ambiguity| ambiguity.literal);
        Asked {
            role: question.role.clone(),
            parsed: question.script.clone(),
            readings: if is_read_differently { readings(&script) } else { vec![] },
            understood: script.understood_checks(),
            script,
            expects: question.expects.clone(),
            ambiguities,
            holds_anyway: vec![false; checks],
            facts: vec![None; checks],
            tried: vec![],
        }
    }

    /// The check-sats that are judged: not those after an unknown command, and of a session only the last, since the
    /// others only lead to it.
    fn considered(&self) -> std::ops::Range<usize> {
        let end = self.facts.len().min(self.understood);
        match self.role {
            Role::Session { .. } => self.facts.len().saturating_sub(1).min(end)..end,
            _ => 0..end,
        }
    }
}

/// Models of neighbours that a search begins with, at most.
const MOST_NEIGHBOURS: usize = 4;

/// Judges one case.
pub struct Hearing {
    asked: Vec<Asked>,
    relations: Vec<Relation>,
    /// Models of the seeds, as text.
    hints: Vec<Arc<str>>,
    heard: Vec<Heard>,
    complaints: Vec<Complaint>,
    proofs: Vec<ProofChecked>,
    accusations: Vec<Accusation>,
    unconfirmed: Vec<Accusation>,
    doubts: Vec<String>,
    contradiction: Option<String>,
    pub(crate) searched: Searched,
    pub effort: Effort,
}

/// What a target that checked its own answer complained about.
#[derive(Clone, Debug)]
pub struct Complaint {
    pub target: String,
    /// The kind of finding that it would be.
    pub kind: FindingKind,
    pub check: usize,
    pub message: String,
    /// What our evaluator says about the model that was printed with it.
    pub model: Option<ModelCheck>,
}

/// What a checker said about a proof.
#[derive(Clone, Debug)]
pub struct ProofChecked {
    pub target: String,
    pub at: At,
    pub checker: String,
    pub format: String,
    pub verdict: ProofVerdict,
}

impl Hearing {
    pub fn new(case: &Case, effort: Effort) -> Hearing {
        Hearing {
            asked: case.questions.iter().map(Asked::new).collect(),
            relations: case.relations.clone(),
            hints: case.hints.clone(),
            heard: vec![],
            complaints: vec![],
            proofs: vec![],
            accusations: vec![],
            unconfirmed: vec![],
            doubts: vec![],
            contradiction: None,
            searched: Searched::default(),
            effort,
        }
    }

    // Questions.

    /// Adds a question to the case; returns its number.
    pub fn add(&mut self, ask: &Ask) -> usize {
        let number = self.asked.len();
        self.asked.push(Asked::new(&ask.question));
        self.relations.extend(ask.relation.as_ref().map(|relation| relation(number)));
        number
    }

    pub fn script(&self, question: usize) -> &Script {
        &self.asked[question].script
    }

    pub(crate) fn script_mut(&mut self, question: usize) -> &mut Script {
        &mut self.asked[question].script
    }

    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// The text of a question.
    pub(crate) fn text(&self, question: usize) -> &[u8] {
        self.asked[question].parsed.text()
    }

    /// The models that were printed for translated scripts: the solver, the target, the model.
    pub(crate) fn translated_models(&self) -> Vec<(String, String, Vec<u8>)> {
        let mut found = vec![];
        for heard in &self.heard {
            let Role::Translated(solver) = &self.asked[heard.reply.question].role else { continue };
            let said = heard.reply.checks.first().filter(|said| said.answer == Some(Answer::Sat));
            let model = said.and_then(|said| said.model.clone());
            found.extend(model.map(|model| (solver.clone(), heard.name().to_owned(), model)));
        }
        found
    }

    pub(crate) fn expect(&self, at: At) -> Option<&Expect> {
        self.asked[at.question].expects.get(at.check).and_then(Option::as_ref)
    }

    pub(crate) fn has_role(&self, role: &Role) -> bool {
        self.asked.iter().any(|asked| asked.role == *role)
    }

    /// The number of a question with this role and text.
    pub(crate) fn find_question(&self, role: &Role, text: &[u8]) -> Option<usize> {
        self.asked.iter().position(|asked| asked.role == *role && asked.parsed.text() == text)
    }

    /// All questions, including added ones.
    pub fn questions(&self) -> Vec<Question> {
        let question = |asked: &Asked| Question {
            role: asked.role.clone(),
            script: asked.parsed.clone(),
            expects: asked.expects.clone(),
        };
        self.asked.iter().map(question).collect()
    }

    /// Every check-sat that is judged.
    pub fn considered(&self) -> Vec<At> {
        let checks = |(question, asked): (usize, &Asked)| {
            asked.considered().map(move |check| At { question, check }).collect::<Vec<_>>()
        };
        self.asked.iter().enumerate().flat_map(checks).collect()
    }

    /// What may be said of more than answers (cores, assumptions, interpolants): which reply, to which check-sat of the
    /// formula. None if such things are not examined.
    pub(crate) fn said_besides(&self) -> Vec<(usize, At)> {
        let examined = |&n: &usize| {
            let heard = &self.heard[n];
            heard.reply.question == 0 && heard.under_test && self.ambiguity(0, heard).is_none()
        };
        let replies: Vec<usize> =
            (0..self.heard.len()).filter(|_| self.effort.cores).filter(examined).collect();
        let of_formula = |at: &At| at.question == 0;
        let checks: Vec<At> = self.considered().into_iter().filter(of_formula).collect();
        replies.into_iter().flat_map(|n| checks.iter().map(move |&at| (n, at))).collect()
    }

    /// The first of the check-sats that have the same answer as this one.
    pub(crate) fn class_of(&self, at: At) -> At {
        let mut class = vec![at];
        let mut next = 0;
        while let Some(&member) = class.get(next) {
            for relation in &self.relations {
                let Relation::SameAnswer(a, b) = *relation else { continue };
                for (from, to) in [(a, b), (b, a)] {
                    if from == member && !class.contains(&to) {
                        class.push(to);
                    }
                }
            }
            next += 1;
        }
        class.into_iter().min().unwrap_or(at)
    }

    /// How evidence refers to one question beside another.
    pub(crate) fn name_of(&self, at: At, beside: At) -> String {
        match &self.asked[at.question].role {
            Role::Before => "the step before it".into(),
            Role::OneCheck(check) => format!("check-sat number {} run alone", check + 1),
            Role::CoreOnly(_) => "the core alone".into(),
            Role::Interpolant(_) => "the interpolant".into(),
            Role::Translated(solver) => format!("the script in the words of {solver}"),
            Role::Formula if self.asked[beside.question].role == Role::Before => "the step after it".into(),
            Role::Formula | Role::Session { .. } | Role::WithModels => {
                format!("check-sat number {} of the whole script", at.check + 1)
            }
        }
    }

    // Replies.

    /// Adds a reply.
    pub fn hear(&mut self, target: &Target, reply: Reply, under_test: bool) {
        let (models, models_hold_anyway) = self.evaluate(target, &reply);
        let version = target.version.as_ref().and_then(|version| version_triple(&version.to_string()));
        let (solver, args) = (target.profile.name.clone(), target.args.clone());
        let supports = Arc::clone(&target.profile);
        let notation = notation(target);
        let heard = Heard {
            reply,
            under_test,
            models,
            models_hold_anyway,
            solver,
            version,
            args,
            supports,
            notation,
        };
        let facts = model::facts(&heard);
        self.heard.push(heard);
        facts.into_iter().for_each(|step| self.take(step, &mut vec![]));
    }

    /// Takes into account what a target said about the formula when it checked its own answers.
    pub fn hear_self_check(&mut self, target: &Target, reply: &Reply) {
        let Some((kind, message)) = complaint(target, reply) else { return };
        let (models, _) = self.evaluate(target, reply);
        let check = reply.checks.iter().position(|check| check.complaint.is_some());
        let check = check.unwrap_or(reply.checks.len().saturating_sub(1));
        let model = models.get(check).cloned().flatten();
        self.complaints.push(Complaint { target: target.name.clone(), kind, check, message, model });
    }

    /// Takes into account what a checker said about a proof.
    pub fn hear_proof(&mut self, checked: ProofChecked) {
        self.proofs.push(checked);
    }

    pub(crate) fn complaints(&self) -> &[Complaint] {
        &self.complaints
    }

    pub(crate) fn proofs(&self) -> &[ProofChecked] {
        &self.proofs
    }

    /// Whether the target of a complaint reads the formula as the other solvers do.
    pub(crate) fn is_plain(&self, complaint: &Complaint) -> bool {
        let own = self.heard_about(0).find(|heard| heard.name() == complaint.target);
        own.is_some_and(|heard| self.ambiguity(0, heard).is_none())
    }

    /// Whether our own searches found something.
    pub fn searched(&self) -> Searched {
        self.searched
    }

    /// Suspicions that nothing of ours confirms.
    pub fn unconfirmed(&self) -> &[Accusation] {
        &self.unconfirmed
    }

    /// The results for the models of a reply, and whether they are the same in every reading of the literals.
    fn evaluate(&mut self, target: &Target, reply: &Reply) -> (Vec<Option<ModelCheck>>, Vec<bool>) {
        let (notation, limits) = (notation(target), self.effort.eval);
        let asked = &mut self.asked[reply.question];
        let mut models = vec![None; asked.facts.len()];
        let mut anyway = vec![false; asked.facts.len()];
        for check in asked.considered() {
            let Some(said) = reply.checks.get(check) else { break };
            let (Some(Answer::Sat), Some(model)) = (said.answer, &said.model) else { continue };
            let result = check_model_within(&mut asked.script, check, model, notation, limits);
            let mut readings = asked.readings.iter_mut();
            let (holds, fails) = (is_certain(&result), matches!(result, ModelCheck::Refuted { .. }));
            let same = |other: ModelCheck| match other {
                ModelCheck::Refuted { .. } => fails,
                other => holds && is_certain(&other),
            };
            anyway[check] = readings.len() > 0
                && (holds || fails)
                && readings.all(|s| same(check_model_within(s, check, model, notation, limits)));
            asked.holds_anyway[check] |= holds && anyway[check];
            models[check] = Some(result);
        }
        (models, anyway)
    }

    /// Evaluates a model of our own.
    pub(crate) fn check_model(&mut self, at: At, model: &[u8]) -> ModelCheck {
        let (notation, limits) = (Notation::default(), self.effort.eval);
        check_model_within(&mut self.asked[at.question].script, at.check, model, notation, limits)
    }

    /// Models near a check-sat, read with its script: those of related questions and of other check-sats, those of its
    /// own that are no models, and those of the seeds. A search may begin there.
    pub(crate) fn neighbours(&mut self, at: At) -> Vec<Model> {
        let asked = &mut self.asked[at.question];
        let command = asked.script.commands.iter().enumerate().filter(|(_, c)| c.is_check()).nth(at.check);
        let Some((command, _)) = command else { return vec![] };
        let mut found = vec![];
        for heard in self.heard.iter().rev() {
            for said in heard.reply.checks.iter().filter(|said| said.answer == Some(Answer::Sat)) {
                if found.len() >= MOST_NEIGHBOURS {
                    break;
                }
                let Some(text) = &said.model else { continue };
                found.extend(Model::parse_at(&mut asked.script, command, text, heard.notation));
            }
        }
        for hint in &self.hints {
            let model = Model::parse_at(&mut asked.script, command, hint.as_bytes(), Notation::default());
            found.extend(model);
        }
        found.truncate(MOST_NEIGHBOURS);
        found
    }

    pub fn heard(&self) -> &[Heard] {
        &self.heard
    }

    pub(crate) fn heard_about(&self, question: usize) -> impl Iterator<Item = &Heard> {
        self.heard.iter().filter(move |heard| heard.reply.question == question)
    }

    /// All replies about the same assertions, each with the check-sat that it answers.
    pub(crate) fn heard_in_class(&self, at: At) -> impl Iterator<Item = (At, &Heard)> {
        let class = self.class_of(at);
        let members = self.considered().into_iter().filter(move |&member| self.class_of(member) == class);
        let members: Vec<At> = members.collect();
        self.heard.iter().flat_map(move |heard| {
            let own = members.iter().copied().filter(|member| member.question == heard.reply.question);
            own.map(move |member| (member, heard)).collect::<Vec<_>>()
        })
    }

    pub(crate) fn has_answer(&self, at: At, answer: Answer) -> bool {
        self.heard_about(at.question).any(|heard| heard.answer(at.check) == Some(answer))
    }

    pub(crate) fn ambiguity(&self, question: usize, heard: &Heard) -> Option<&'static str> {
        self.ambiguities_of(question, heard).next().map(|ambiguity| ambiguity.why)
    }

    fn ambiguities_of(&self, question: usize, heard: &Heard) -> impl Iterator<Item = &Ambiguity> {
        let all = self.asked[question].ambiguities.iter();
        all.filter(|a| a.concerns(&heard.solver, heard.version))
    }

    /// Why a target is not accused although a fact contradicts its answer.
    pub(crate) fn excuse(&self, at: At, heard: &Heard) -> Option<&'static str> {
        let holds_anyway = self.asked[at.question].holds_anyway[at.check];
        let mut all = self.ambiguities_of(at.question, heard);
        all.find(|a| !(a.literal && holds_anyway)).map(|a| a.why)
    }

    /// Why a target is not accused although its model fails.
    pub(crate) fn excuse_for_model(&self, at: At, heard: &Heard) -> Option<&'static str> {
        let fails_anyway = heard.models_hold_anyway.get(at.check) == Some(&true);
        let mut all = self.ambiguities_of(at.question, heard);
        all.find(|a| !(a.literal && fails_anyway)).map(|a| a.why)
    }

    /// The other readings of a question's literals, if nothing yet says that its fact holds in all of them.
    pub(crate) fn unsettled_readings(&mut self, at: At) -> &mut [Script] {
        let asked = &mut self.asked[at.question];
        if asked.holds_anyway[at.check] { &mut [] } else { &mut asked.readings }
    }

    /// The fact of a check-sat holds however literals are read.
    pub(crate) fn settle_readings(&mut self, at: At) {
        self.asked[at.question].holds_anyway[at.check] = true;
    }

    // Facts.

    /// What is certain about a check-sat.
    pub fn truth(&self, at: At) -> Option<&Certificate> {
        self.asked.get(at.question)?.facts.get(at.check)?.as_ref()
    }

    /// The check-sats without a fact although a target decided them (or without any answer, if the effort says so).
    pub(crate) fn uncertified(&self) -> Vec<At> {
        let decided = |at: &At| {
            self.truth(*at).is_none()
                && (self.effort.enumerate_always
                    || self.heard_about(at.question).any(|heard| heard.is_definite(at.check)))
        };
        self.considered().into_iter().filter(decided).collect()
    }

    /// Whether an expensive procedure may be tried on a check-sat: once.
    pub(crate) fn tries(&mut self, at: At, procedure: &'static str) -> bool {
        let tried = &mut self.asked[at.question].tried;
        let first = !tried.contains(&(at.check, procedure));
        if first {
            tried.push((at.check, procedure));
        }
        first
    }

    /// Whether every answer so far has a certificate, so that no other solver need be run.
    pub fn is_settled(&self) -> bool {
        !self.heard.is_empty() && self.considered().into_iter().all(|at| self.truth(at).is_some())
    }

    /// Whether a target gave up where this release of its solver, being older, may decide.
    pub fn may_be_outdone_by(&self, target: &Target) -> bool {
        let version = target.version.as_ref().and_then(|version| version_triple(&version.to_string()));
        let older = |heard: &Heard| {
            heard.solver == target.profile.name
                && heard.args == target.args
                && version.zip(heard.version).is_some_and(|(old, new)| old < new)
        };
        self.effort.regressions
            && self.considered().into_iter().any(|at| {
                self.heard_about(at.question).any(|h| h.under_test && h.gave_up(at.check) && older(h))
            })
    }

    /// Whether a solver crashed, or answers contradict each other, a certificate or an expectation.
    pub fn is_suspicious(&self) -> bool {
        self.heard.iter().any(|heard| matches!(heard.reply.ended, Ended::Crash { .. }))
            || self.considered().into_iter().any(|at| {
                let (sat, unsat) = (self.has_answer(at, Answer::Sat), self.has_answer(at, Answer::Unsat));
                let refuted =
                    |heard: &Heard| matches!(heard.model(at.check), Some(ModelCheck::Refuted { .. }));
                let against = |satisfiable: bool| if satisfiable { unsat } else { sat };
                (sat && unsat)
                    || self.heard_about(at.question).any(refuted)
                    || self.expect(at).is_some_and(|expect| against(expect.answer.is_sat()))
                    || self.truth(at).is_some_and(|fact| against(fact.satisfiable))
            })
    }

    /// The facts about the case that a strategy receives.
    pub fn facts(&self) -> Facts {
        let mut answers = vec![];
        for at in self.considered() {
            if let Some(fact) = self.truth(at) {
                let answer = if fact.satisfiable { Status::Sat } else { Status::Unsat };
                answers.push(Fact { at, by: None, answer });
            }
            for heard in self.heard_about(at.question) {
                let answer = match heard.answer(at.check) {
                    Some(Answer::Sat) => Status::Sat,
                    Some(Answer::Unsat) => Status::Unsat,
                    Some(Answer::Unknown) => Status::Unknown,
                    None => continue,
                };
                answers.push(Fact { at, by: Some(heard.name().to_owned()), answer });
            }
        }
        Facts { answers }
    }

    // The ladder.

    pub fn accusations(&self) -> &[Accusation] {
        &self.accusations
    }

    pub(crate) fn is_accused(&self, name: &str, at: At, kind: FindingKind) -> bool {
        let class = self.class_of(at);
        let same = |a: &Accusation| a.kind == kind && a.culprit.as_deref() == Some(name);
        self.accusations.iter().any(|a| same(a) && self.class_of(a.at) == class)
    }

    /// Applies all rungs; returns which further questions would help.
    pub fn climb(&mut self) -> Vec<Ask> {
        self.accusations.clear();
        self.unconfirmed.clear();
        self.doubts.clear();
        let mut asks = vec![];
        for rung in LADDER {
            let steps = (rung.climb)(self);
            steps.into_iter().for_each(|step| self.take(step, &mut asks));
        }
        asks
    }

    fn take(&mut self, step: Step, asks: &mut Vec<Ask>) {
        match step {
            Step::Fact(at, certificate) => self.learn(at, certificate),
            Step::Accuse(accusation) => self.accusations.push(accusation),
            Step::Unconfirmed(suspicion) => self.unconfirmed.push(suspicion),
            Step::Ask(ask) => asks.push(ask),
            Step::Doubt(why) => self.doubts.push(why),
            Step::OurBug(why) => self.contradiction = Some(why),
        }
    }

    fn learn(&mut self, at: At, new: Certificate) {
        let Some(slot) = self.asked[at.question].facts.get_mut(at.check) else { return };
        match slot {
            Some(known) if known.satisfiable != new.satisfiable => {
                let word = |satisfiable: bool| if satisfiable { "sat" } else { "unsat" };
                let side = |c: &Certificate| {
                    format!("{} by {} ({})", word(c.satisfiable), c.evidence.kind.word(), c.evidence.detail)
                };
                let why = format!("falsum contradicts itself: {}, but {}", side(known), side(&new));
                self.contradiction = Some(why);
            }
            Some(known) if known.chosen && !new.chosen => *known = new,
            Some(known) if new.chosen && !known.chosen => {}
            // A model needs no argument, so it is preferred as evidence where there is one.
            Some(known) if known.evidence.kind == EvidenceKind::Model => {}
            Some(known) if new.evidence.kind == EvidenceKind::Model => *known = new,
            Some(_) => {}
            None => *slot = Some(new),
        }
    }

    /// The verdict, after the last climb.
    pub fn verdict(&self) -> Verdict {
        if let Some(why) = &self.contradiction {
            return Verdict::OurBug(why.clone());
        }
        if !self.accusations.is_empty() {
            let mut all = self.accusations.clone();
            all.sort_by_key(|accusation| severity(accusation.kind));
            return Verdict::Findings(all);
        }
        if let Some(doubt) = self.doubts.first() {
            return Verdict::Inconclusive(doubt.clone());
        }
        if self.asked.iter().any(|asked| asked.understood < asked.facts.len()) {
            return Verdict::Inconclusive(
                "falsum does not know what a command before a check-sat does".into(),
            );
        }
        let definite = |heard: &Heard| (0..heard.reply.checks.len()).any(|check| heard.is_definite(check));
        if !self.heard.iter().any(definite) {
            return Verdict::Inconclusive(self.why_no_answer());
        }
        Verdict::Fine { certified: self.considered().into_iter().all(|at| self.truth(at).is_some()) }
    }

    fn why_no_answer(&self) -> String {
        if self.heard.is_empty() {
            return "no solver was run".into();
        }
        if self.asked.iter().all(|asked| asked.facts.is_empty()) {
            return "the script has no check-sat".into();
        }
        let each = self.heard.iter().map(|h| format!("{}: {}", h.name(), h.how_it_ended()));
        format!("no definite answer ({})", each.collect::<Vec<_>>().join(", "))
    }

    /// All questions and replies.
    pub fn into_parts(self) -> (Vec<Question>, Vec<Relation>, Vec<Heard>) {
        (self.questions(), self.relations, self.heard)
    }
}

/// What a solver that checks itself complains about, and in which words.
fn complaint(target: &Target, reply: &Reply) -> Option<(FindingKind, String)> {
    let own = &target.profile.self_check;
    let said =
        reply.checks.iter().filter_map(|check| check.complaint.as_deref()).chain(reply.ended.message());
    let known = [
        (&own.model, FindingKind::InvalidModel),
        (&own.core, FindingKind::InvalidCore),
        (&own.proof, FindingKind::InvalidProof),
    ];
    for message in said {
        for (parts, kind) in known {
            if parts.iter().any(|part| message.contains(part.as_str())) {
                return Some((kind, message.to_owned()));
            }
        }
    }
    None
}

/// Whether a model holds for every interpretation of what the standard leaves open.
fn is_certain(result: &ModelCheck) -> bool {
    matches!(result, ModelCheck::Confirmed { given: Given::Nothing, .. })
}

/// `4.8.9` as numbers, ignoring any suffix.
fn version_triple(version: &str) -> Option<(u32, u32, u32)> {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse().ok());
    Some((parts.next()??, parts.next().flatten().unwrap_or(0), parts.next().flatten().unwrap_or(0)))
}
