//! Certificates: what is certain without trusting a solver.
//!
//! A printed model is read in the script's own context and every assertion in force is evaluated. *Confirmed* means
//! that the formula is satisfiable, whatever solvers answer; *refuted* means that no interpretation of what the model
//! or the standard leaves open makes all assertions true. A small finite space is decided by enumeration.

use crate::verdict::{Evidence, EvidenceKind};
use semantics::brute;
use semantics::eval::{self, Verdict as Truth};
use semantics::model::{Escapes, Model, Notation};
use smtlib::Script;
use smtlib::printer::term_text;
use solver::Target;

/// A certain fact about one check-sat.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub satisfiable: bool,
    pub evidence: Evidence,
    /// The model behind it rests on a choice at points that the standard leaves open. The formula is satisfiable, but
    /// a solver that fixes such a point in its own way may say otherwise.
    pub chosen: bool,
}

impl Certificate {
    /// A fact that rests on no choice.
    pub fn new(satisfiable: bool, evidence: Evidence) -> Certificate {
        Certificate { satisfiable, evidence, chosen: false }
    }

    /// A model of our own that the evaluator has confirmed.
    pub fn of_witness(script: &Script, model: &Model, chosen: bool) -> Certificate {
        let detail = match chosen {
            false => shown_model(script, model),
            true => format!("{}, {CHOSEN}", shown_model(script, model)),
        };
        let evidence = Evidence::new(EvidenceKind::Model, "falsum", detail);
        Certificate { satisfiable: true, evidence, chosen }
    }
}

/// What is said of a model that rests on choices.
pub const CHOSEN: &str = "with a choice where the standard leaves an operator open";

/// What a confirmed model rests on besides its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    Nothing,
    /// One consistent choice at the open points that the formula reaches.
    Choices,
    /// That the functions exist which the script defines by themselves; only some of their points were looked at.
    Definitions,
}

/// The result of evaluating a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelCheck {
    /// Every assertion is true.
    Confirmed {
        given: Given,
        detail: String,
    },
    /// The assertions are false together, whatever is chosen where the standard leaves an operator open.
    Refuted {
        detail: String,
    },
    Undecided(String),
}

/// How a target prints values in its models.
pub fn notation(target: &Target) -> Notation {
    let models = &target.profile.models;
    let legacy = models.has_c_escapes(target.version.as_ref());
    let escapes = if legacy { Escapes::Legacy } else { Escapes::Standard };
    Notation { escapes, rounds: models.rounds }
}

/// Evaluates the assertions in force at a check-sat under a printed model.
pub fn check_model(script: &mut Script, check: usize, model: &[u8], notation: Notation) -> ModelCheck {
    check_model_within(script, check, model, notation, eval::EvalLimits::default())
}

/// The same, with a limit on the work.
pub fn check_model_within(
    script: &mut Script,
    check: usize,
    model: &[u8],
    notation: Notation,
    limits: eval::EvalLimits,
) -> ModelCheck {
    let at = script.commands.iter().enumerate().filter(|(_, command)| command.is_check()).nth(check);
    let Some((command, _)) = at else { return ModelCheck::Undecided("there is no such check-sat".into()) };
    let model = match Model::parse_at(script, command, model, notation) {
        Ok(model) => model,
        Err(error) => return ModelCheck::Undecided(format!("the model cannot be read: {error}")),
    };
    let report = eval::check::check_with(script, &model, check, limits);
    match report.overall.value {
        Truth::True => {
            let detail = format!("{}{}", shown_model(script, &model), chosen(&report));
            let given = match () {
                () if script.may_lack_functions() => Given::Definitions,
                () if report.overall.underspecified => Given::Choices,
                () => Given::Nothing,
            };
            ModelCheck::Confirmed { given, detail }
        }
        Truth::False => ModelCheck::Refuted { detail: refutation(script, &model, &report) },
        Truth::Unknown(reason) => ModelCheck::Undecided(reason.to_string()),
    }
}

/// The choices that make a model true, for a person.
fn chosen(report: &eval::Report) -> String {
    if !report.overall.underspecified {
        return String::new();
    }
    let each: Vec<String> =
        report.choices.iter().map(|(point, value)| format!("{point} = {value}")).collect();
    if each.is_empty() { format!(", {CHOSEN}") } else { cut(&format!(", {CHOSEN}: {}", each.join(", "))) }
}

/// A description of a model under which every assertion is true.
pub fn shown_model(script: &Script, model: &Model) -> String {
    format!("every assertion is true: {}", values(script, model))
}

/// The maximal length of a description.
const SHOWN_SYMBOLS: usize = 12;
const SHOWN_BYTES: usize = 400;

/// The model's values for the script's constants.
fn values(script: &Script, model: &Model) -> String {
    let pool = &script.pool;
    let mut shown: Vec<(u32, String)> = model
        .functions
        .iter()
        .filter(|(_, definition)| definition.vars.is_empty())
        .map(|(decl, definition)| {
            let text = format!("{} = {}", pool.name(pool.decl(*decl).name), term_text(pool, definition.body));
            (decl.0, cut(&text))
        })
        .collect();
    shown.sort();
    let more = shown.len().saturating_sub(SHOWN_SYMBOLS);
    let mut text = shown.into_iter().take(SHOWN_SYMBOLS).map(|(_, text)| text).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text += &format!(", and {more} more");
    }
    if text.is_empty() { "nothing needs a value".into() } else { text }
}

fn refutation(script: &Script, model: &Model, report: &eval::Report) -> String {
    let values = values(script, model);
    let text = match report.assertions.iter().find(|assertion| assertion.truth.value == Truth::False) {
        Some(assertion) => {
            let term = cut(&term_text(&script.pool, assertion.term));
            format!("the assertion {term} is false under {values}")
        }
        None => format!("the assertions cannot all be true under {values}"),
    };
    if report.open.is_empty() {
        return text;
    }
    cut(&format!("{text}, whatever is chosen for {}", report.open.join(", ")))
}

fn cut(text: &str) -> String {
    if text.len() <= SHOWN_BYTES {
        return text.to_owned();
    }
    let mut end = SHOWN_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}

/// Whether a check-sat without free symbols evaluates to this answer.
pub fn is_closed_and(script: &mut Script, check: usize, satisfiable: bool, limits: eval::EvalLimits) -> bool {
    if script.declares_something() {
        return false;
    }
    match check_model_within(script, check, b"()", Notation::default(), limits) {
        ModelCheck::Confirmed { given: Given::Nothing, .. } => satisfiable,
        ModelCheck::Refuted { .. } => !satisfiable,
        _ => false,
    }
}

/// Decides a small space exactly, within a limit on the work.
pub fn decide(script: &mut Script, check: usize, work: u64) -> Option<Certificate> {
    let limits = brute::BruteLimits { work, ..brute::BruteLimits::default() };
    let detail = match brute::decide(script, check, limits) {
        brute::Verdict::Sat(_) if script.may_lack_functions() => return None,
        brute::Verdict::Sat(witness) => {
            let found = Certificate::of_witness(script, &witness.model, witness.underspecified);
            let evidence = Evidence { kind: EvidenceKind::Enumeration, ..found.evidence };
            return Some(Certificate { evidence, ..found });
        }
        brute::Verdict::Unsat => "every assignment was tried, and none is a model",
        brute::Verdict::Unknown(_) => return None,
    };
    Some(Certificate::new(false, Evidence::new(EvidenceKind::Enumeration, "falsum", detail)))
}
