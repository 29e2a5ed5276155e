//! An unsat core that is satisfiable.
//!
//! The assertions that a core names are run on other solvers as a script of their own. A model of it that our evaluator
//! confirms shows that the core is invalid. In: replies with cores. Out: one question per core, and then the
//! accusation.

use crate::hearing::{Ask, Hearing, Whom};
use crate::ladder::Step;
use crate::question;
use crate::verdict::{Accusation, Evidence, EvidenceKind, Kind};
use smtlib::Parsed;
use smtlib::sexp::{Forest, View};
use solver::Answer;
use strategy::{At, Question, Role};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    if !hearing.effort.cores {
        return vec![];
    }
    let mut steps = vec![];
    for n in 0..hearing.heard().len() {
        let heard = &hearing.heard()[n];
        if heard.reply.question != 0 || !heard.under_test || hearing.ambiguity(0, heard).is_some() {
            continue;
        }
        for check in 0..heard.reply.checks.len() {
            steps.extend(look(hearing, n, check));
        }
    }
    steps
}

/// Asks about the core of one reply, or accuses by the answers.
fn look(hearing: &Hearing, n: usize, check: usize) -> Option<Step> {
    let heard = &hearing.heard()[n];
    let said = heard.reply.checks.get(check).filter(|said| said.answer == Some(Answer::Unsat))?;
    let text = question::core_only(hearing.script(0), check, &core_names(said.core.as_deref()?)?)?;
    match hearing.find_question(&Role::CoreOnly(check), &text) {
        None => {
            let script = Parsed::read(text).ok()?;
            let question = Question { role: Role::CoreOnly(check), script, expects: vec![] };
            let whom = Whom::AllBut(heard.name().to_owned());
            Some(Step::Ask(Ask { question, whom, relation: None }))
        }
        Some(asked) => {
            let fact = hearing.truth(At { question: asked, check: 0 }).filter(|fact| fact.satisfiable)?;
            let detail = format!("the core alone is satisfiable: {}", fact.evidence.detail);
            let at = At { question: 0, check };
            Some(Step::Accuse(Accusation {
                kind: Kind::InvalidCore,
                culprit: Some(heard.name().to_owned()),
                evidence: vec![Evidence::new(EvidenceKind::Core, &fact.evidence.by, detail)],
                at,
                truth: hearing.truth(at).map(|fact| fact.satisfiable),
            }))
        }
    }
}

/// The names in a printed core, without bars; `None` if it is not a list.
pub fn core_names(core: &[u8]) -> Option<Vec<Vec<u8>>> {
    let forest = Forest::read(core).ok()?;
    let View::List(names) = forest.view(*forest.roots().first()?) else { return None };
    let name = |&name: &_| {
        let text = forest.text(name);
        text.strip_prefix(b"|").and_then(|t| t.strip_suffix(b"|")).unwrap_or(text).to_vec()
    };
    Some(names.iter().map(name).collect())
}
