//! A formula with one free constant is an existential statement about it, and the evaluator decides some of those.
//!
//! If the only declared symbol is a number, the formula is satisfiable exactly if the statement that such a number
//! exists is true. The evaluator decides statements about one real number in polynomials by the values at, between and
//! beyond the roots, and about one integer with remainders by one period in each interval (`semantics::arithmetic`). In: a
//! check-sat without a certificate. Out: a fact by evaluation. A choice at an open point decides nothing here, because
//! the point may depend on the constant.

use crate::certify::{Certificate, Given, ModelCheck, check_model_within};
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use semantics::model::Notation;
use smtlib::printer::{sort_text, term_text};
use smtlib::script::{Command, Script};
use smtlib::sort::SortId;
use smtlib::symbol::write_name;
use smtlib::term::Role;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.uncertified() {
        if !hearing.tries(at, "single") {
            continue;
        }
        let Some(mut closed) = closed(hearing.script(at.question), at.check) else { continue };
        let limits = hearing.effort.eval;
        let said = check_model_within(&mut closed, 0, b"()", Notation::default(), limits);
        let (satisfiable, detail) = match said {
            ModelCheck::Confirmed { given: Given::Nothing, .. } => {
                (true, "a number with these properties exists")
            }
            ModelCheck::Refuted { .. } => (false, "no number has these properties"),
            _ => continue,
        };
        let evidence = Evidence::new(EvidenceKind::Evaluation, "falsum", detail);
        steps.push(Step::Fact(at, Certificate::new(satisfiable, evidence)));
    }
    steps
}

/// The statement that the only constant exists, as a script; `None` if there are other symbols.
fn closed(script: &Script, check: usize) -> Option<Script> {
    let plain = |command: &Command| {
        matches!(
            command,
            Command::SetLogic(_)
                | Command::SetInfo(..)
                | Command::Assert(_)
                | Command::CheckSat
                | Command::Exit
        ) || command.is_declaration()
    };
    if script.checks() != 1 || !script.commands.iter().all(plain) || !script.pool.sort_decls.is_empty() {
        return None;
    }
    let mut own = script.pool.decls.iter().filter(|decl| !decl.of_model);
    let only = own.next().filter(|decl| matches!(decl.role, Role::Declared))?;
    if own.next().is_some() || !only.params.is_empty() || ![SortId::INT, SortId::REAL].contains(&only.result)
    {
        return None;
    }
    let mut name = vec![];
    write_name(&mut name, script.pool.bytes(only.name));
    let terms = script.in_force(check).into_iter().map(|(_, term)| term_text(&script.pool, term));
    let text = format!(
        "(assert (exists (({} {})) (and true {})))\n(check-sat)\n",
        String::from_utf8(name).ok()?,
        sort_text(&script.pool, only.result),
        terms.collect::<Vec<_>>().join(" ")
    );
    Script::parse(text.as_bytes()).ok()
}
