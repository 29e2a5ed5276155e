//! An unsat core that is satisfiable.
//!
//! The assertions that a core names are run on other solvers as a script of their own. A model of it that our evaluator
//! confirms shows that the core is invalid. Where the case promises the only minimal core, a core that lacks one of its
//! members is satisfiable by construction; it is enough then that another solver says `sat` of it. In: replies with
//! cores. Out: one question per core, and then the accusation.

use crate::certify::Certificate;
use crate::hearing::{Ask, Hearing, Whom};
use crate::ladder::Step;
use crate::question;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use smtlib::Parsed;
use smtlib::sexp::{Forest, View};
use solver::Answer;
use strategy::{At, Ground, Question, Role};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    hearing.said_besides().into_iter().flat_map(|(n, at)| look(hearing, n, at)).collect()
}

/// Asks about the core of one reply, or accuses by the answers.
fn look(hearing: &Hearing, n: usize, at @ At { check, .. }: At) -> Option<Step> {
    let heard = &hearing.heard()[n];
    let said = heard.reply.checks.get(check).filter(|said| said.answer == Some(Answer::Unsat))?;
    let core = core_names(said.core.as_deref()?)?;
    let text = question::core_only(hearing.script(0), check, &core)?;
    match hearing.find_question(&Role::CoreOnly(check), &text) {
        None => {
            let script = Parsed::read(text).ok()?;
            let question = Question { role: Role::CoreOnly(check), script, expects: vec![] };
            let whom = Whom::AllBut(heard.name().to_owned());
            Some(Step::Ask(Ask { question, whom, relation: None }))
        }
        Some(asked) => {
            let evidence = satisfied(hearing, asked).or_else(|| incomplete(hearing, at, asked, &core))?;
            Some(Step::Accuse(Accusation {
                kind: FindingKind::InvalidCore,
                culprit: Some(heard.name().to_owned()),
                evidence: vec![evidence],
                at,
                truth: hearing.truth(at).map(|fact| fact.satisfiable),
            }))
        }
    }
}

/// It is certain that the core alone is satisfiable, also for a solver that fills in open points in its own way.
pub fn satisfied(hearing: &Hearing, asked: usize) -> Option<Evidence> {
    let certain = |fact: &&Certificate| fact.satisfiable && !fact.chosen;
    let fact = hearing.truth(At { question: asked, check: 0 }).filter(certain)?;
    let detail = format!("the core alone is satisfiable: {}", fact.evidence.detail);
    Some(Evidence::new(EvidenceKind::Core, &fact.evidence.by, detail))
}

/// The core lacks a member of the one that the case promises, and another solver satisfies it.
fn incomplete(hearing: &Hearing, at: At, asked: usize, core: &[Vec<u8>]) -> Option<Evidence> {
    let Ground::Core { names, because } = &hearing.expect(at)?.ground else { return None };
    let missing = names.iter().find(|name| !core.iter().any(|own| own == name.as_bytes()))?;
    let says_sat = |said: &solver::Check| said.answer == Some(Answer::Sat);
    let mut about = hearing.heard().iter().filter(|heard| heard.reply.question == asked);
    let other = about.find(|heard| heard.reply.checks.first().is_some_and(says_sat))?;
    let by = other.name();
    let detail = format!("every core has `{missing}`, since {because}; {by} says `sat` of the core alone");
    Some(Evidence::new(EvidenceKind::Construction, "falsum", detail))
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
