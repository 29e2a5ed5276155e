//! Drafts, which strategies make, and cases, which the campaign makes of them.
//!
//! A [`Draft`] is one or more questions, the relations between their answers, and a list of the changes that led to
//! it. The campaign stamps it with the key, the unit and the step and type-checks its scripts. The result is a
//! [`Case`], which can be asked, judged, kept and made again from its [`Recipe`].
//!
//! A plain mutant is one question and no relation. Weakening is two questions and `SatImplies`. A formula by
//! construction brings its model or its core. Confirmation later adds further questions to the same case: one
//! check-sat alone, the core alone, the session that led here. Each question has a typed role, so no code has to parse
//! prose to know what a script is.

use crate::key::{CampaignKey, Rng};
use crate::requests::Requests;
use crate::settings::Settings;
use corpus::{SeedId, Status};
use serde::{Deserialize, Serialize};
use smtlib::Parsed;
use std::sync::Arc;

/// A script to ask about; `S` is plain text in a draft and a [`Parsed`] script in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question<S = Parsed> {
    pub role: Role,
    pub script: S,
    /// What is expected of each check-sat. Nothing is expected of check-sats beyond the end of the list.
    pub expects: Vec<Option<Expect>>,
}

/// The role of a script in its case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The formula itself.
    Formula,
    /// The previous step of the chain.
    Before,
    /// One check-sat of the formula, counted from 0, asked as a script of its own.
    OneCheck(usize),
    /// One check-sat of the formula with only the assertions of an unsat core.
    CoreOnly(usize),
    /// What must be unsatisfiable about an interpolant that was printed after one check-sat.
    Interpolant(usize),
    /// The formula after everything that a session had been sent: this many earlier cases.
    Session { before: usize },
    /// The formula in the words of this solver.
    Translated(String),
    /// The formula with the `get-model` that we add after each check-sat.
    WithModels,
}

/// One check-sat of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct At {
    pub question: usize,
    pub check: usize,
}

/// What the answer to one check-sat says about another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Both have the same answer.
    SameAnswer(At, At),
    /// If the first is satisfiable, so is the second.
    SatImplies(At, At),
    /// A solver that decides the first should decide the second.
    ShouldDecide(At, At),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    Sat,
    Unsat,
}

impl Expected {
    pub fn is_sat(self) -> bool {
        self == Expected::Sat
    }

    pub fn of(status: Status) -> Option<Expected> {
        match status {
            Status::Sat => Some(Expected::Sat),
            Status::Unsat => Some(Expected::Unsat),
            Status::Unknown => None,
        }
    }
}

/// What the answer to one check-sat must be, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expect {
    pub answer: Expected,
    pub ground: Ground,
}

/// How an expected answer is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// Another party says so, for example a benchmark's status. A claim alone is not enough to accuse a solver.
    Claim(String),
    /// It follows from how the formula was made, by this argument.
    Argument(String),
    /// It has this model, in SMT-LIB text. The evaluator checks the model before any solver is asked.
    Model(String),
    /// The assertions with these names contradict each other, and no smaller set of them does, by this argument.
    Core { names: Vec<String>, because: String },
}

impl Ground {
    /// Whether it relies on another party's claim.
    pub fn is_claim(&self) -> bool {
        matches!(self, Ground::Claim(_))
    }

    /// The reason in words.
    pub fn because(&self) -> &str {
        match self {
            Ground::Claim(why) | Ground::Argument(why) | Ground::Core { because: why, .. } => why,
            Ground::Model(_) => "the formula was made around a model",
        }
    }
}

/// The rule that led from the step before to the formula, where it was one rule of a rule file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleUse {
    /// Section and name, such as `core/table-and-or`.
    pub rule: String,
    /// From left to right.
    pub forward: bool,
}

/// A case as a strategy makes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub questions: Vec<Question<Vec<u8>>>,
    pub relations: Vec<Relation>,
    pub seeds: Vec<SeedId>,
    /// What was changed, as text for people.
    pub rules: Vec<String>,
    /// The last rule, for code that applies it again.
    pub last: Option<RuleUse>,
    /// Its number in the unit, if that is not simply the next one.
    pub step: Option<u64>,
}

impl Draft {
    /// A formula about which nothing is expected.
    pub fn of(script: Vec<u8>) -> Draft {
        let formula = Question { role: Role::Formula, script, expects: vec![] };
        Draft { questions: vec![formula], ..Draft::default() }
    }

    pub fn seeds(mut self, seeds: impl IntoIterator<Item = SeedId>) -> Draft {
        self.seeds.extend(seeds);
        self
    }

    pub fn rules(mut self, rules: impl IntoIterator<Item = String>) -> Draft {
        self.rules.extend(rules);
        self
    }

    /// What is expected of the formula's check-sats, in order.
    pub fn expecting(mut self, expects: Vec<Option<Expect>>) -> Draft {
        self.questions[0].expects = expects;
        self
    }

    /// Adds a question about which nothing is expected, and returns its number.
    pub fn ask(&mut self, role: Role, script: Vec<u8>) -> usize {
        self.questions.push(Question { role, script, expects: vec![] });
        self.questions.len() - 1
    }

    /// The formula's text.
    pub fn script(&self) -> &[u8] {
        &self.questions[0].script
    }
}

/// A case that can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The first is the formula itself.
    pub questions: Vec<Question>,
    pub relations: Vec<Relation>,
    pub recipe: Recipe,
    /// Models of the seeds, as text: where a search for a model may begin. No evidence, and not part of the recipe.
    pub hints: Vec<Arc<str>>,
}

/// A draft has a script that does not type-check. This is a mistake of its strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Invalid {
    pub script: Vec<u8>,
    /// The rendered error.
    pub why: String,
    pub recipe: Recipe,
}

impl Case {
    /// Type-checks every script of a draft.
    pub fn new(draft: Draft, recipe: Recipe) -> Result<Case, Box<Invalid>> {
        let mut questions = Vec::with_capacity(draft.questions.len());
        for Question { role, script, expects } in draft.questions {
            let script = if questions.is_empty() { recipe.finish(script) } else { script };
            match Parsed::read(script.as_slice()) {
                Ok(script) => questions.push(Question { role, script, expects }),
                Err(error) => {
                    let why = error.render("case", &script);
                    return Err(Box::new(Invalid { script, why, recipe }));
                }
            }
        }
        Ok(Case { questions, relations: draft.relations, recipe, hints: vec![] })
    }

    /// A case of one script that no strategy made, such as a user's file.
    pub fn of_script(script: Parsed) -> Case {
        let formula = Question { role: Role::Formula, script, expects: vec![] };
        Case { questions: vec![formula], relations: vec![], recipe: Recipe::default(), hints: vec![] }
    }

    pub fn expecting(mut self, expects: Vec<Option<Expect>>) -> Case {
        self.questions[0].expects = expects;
        self
    }

    /// The formula itself.
    pub fn formula(&self) -> &Question {
        &self.questions[0]
    }
}

impl<S> Question<S> {
    pub fn expect(&self, check: usize) -> Option<&Expect> {
        self.expects.get(check).and_then(Option::as_ref)
    }
}

/// What the campaign knows about a unit but its strategy does not.
#[derive(Clone, Copy)]
pub struct Stamp<'a> {
    pub strategy: &'a str,
    pub settings: &'a Settings,
    pub key: &'a CampaignKey,
    pub unit: u64,
}

impl Stamp<'_> {
    /// The recipe of a draft. Its step is `next` unless the draft has its own.
    pub fn recipe(&self, draft: &Draft, next: u64) -> Recipe {
        Recipe {
            strategy: self.strategy.to_owned(),
            settings: self.settings.clone(),
            seeds: draft.seeds.clone(),
            key: self.key.0.clone(),
            unit: self.unit,
            step: draft.step.unwrap_or(next),
            rules: draft.rules.clone(),
            last: draft.last.clone(),
            told: vec![],
            named: false,
            requests: Requests::Nothing,
        }
    }

    /// The random numbers of the unit.
    pub fn rng(&self) -> Rng {
        Rng::of(self.key, self.strategy, self.unit)
    }
}

/// Enough to rebuild the case byte for byte, given the seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    pub strategy: String,
    #[serde(default, skip_serializing_if = "Settings::is_usual")]
    pub settings: Settings,
    pub seeds: Vec<SeedId>,
    pub key: String,
    pub unit: u64,
    /// Which case of the unit.
    pub step: u64,
    /// The rules applied, for people.
    pub rules: Vec<String>,
    /// The last rule, for code that applies it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<RuleUse>,
    /// The facts that the strategy had been given when it made this case, step by step. Replay gives it the same
    /// facts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Facts>,
    /// Every assertion of the formula was given a name, to ask for unsat cores.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
    /// What the formula was made to ask of solvers besides answers.
    #[serde(default, skip_serializing_if = "Requests::is_nothing")]
    pub requests: Requests,
}

impl Recipe {
    /// The formula as it is run, from the script of its draft.
    pub fn finish(&self, script: Vec<u8>) -> Vec<u8> {
        let named = self.named.then(|| crate::naming::with_names(&script)).flatten();
        let script = named.unwrap_or(script);
        self.requests.added_to(&script).unwrap_or(script)
    }
}

/// The outcome of a case as far as a strategy may use it: answers and certificates, but no times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub answers: Vec<Fact>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    pub at: At,
    /// A target's name; `None` if a certificate proves the answer without any solver.
    pub by: Option<String>,
    pub answer: Status,
}

impl Facts {
    /// The answer that a certificate proves for a check-sat.
    pub fn truth(&self, at: At) -> Option<Status> {
        self.answers.iter().find(|fact| fact.at == at && fact.by.is_none()).map(|fact| fact.answer)
    }

    /// Whether any solver gave a definite answer to a check-sat.
    pub fn is_decided(&self, at: At) -> bool {
        self.answers.iter().any(|fact| fact.at == at && fact.answer != Status::Unknown)
    }
}
