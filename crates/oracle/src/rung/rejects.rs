//! A target that refuses a script which the standard allows.
//!
//! Claimed only where nothing excuses the refusal: the script type-checks; every operator, sort and command in it is
//! the standard's, in the standard's spelling; it sets no option and no logic but ALL; the target claims to support the
//! theories; the refusal is an error in a fresh process and not a message about a missing feature; a solver of another
//! project decides the script. A `define-const`, a language as a constant or a function of functions is left out:
//! solvers may differ about them. Looked for only where nothing worse was found.

use crate::hearing::{Heard, Hearing};
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use smtlib::script::{Command, DefineForm};
use smtlib::sort::Sort;
use smtlib::term::{Kind as Node, Quantifier, Spelling};
use smtlib::{Script, TermId};
use solver::Ended;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    if !hearing.effort.rejections || !hearing.accusations().is_empty() {
        return vec![];
    }
    let mut steps = vec![];
    for At { question, .. } in hearing.considered().into_iter().filter(|at| at.check == 0) {
        let refused = |heard: &&Heard| {
            heard.under_test
                && !heard.reply.session.is_live()
                && matches!(heard.reply.ended, Ended::Error(_))
                && heard.reply.left_out.is_empty()
                && hearing.ambiguity(question, heard).is_none()
        };
        for heard in hearing.heard_about(question).filter(refused) {
            let takes = |other: &&Heard| {
                other.solver() != heard.solver()
                    && other.reply.ended == Ended::ByItself
                    && !other.reply.checks.is_empty()
                    && (0..other.reply.checks.len()).all(|check| other.is_definite(check))
            };
            let Some(other) = hearing.heard_about(question).find(takes) else { continue };
            let script = hearing.script(question);
            if !(is_standard(script) && heard.claims_to_support(script)) {
                continue;
            }
            let message = heard.reply.ended.message().unwrap_or_default().lines().next().unwrap_or_default();
            let detail = format!("answers {}; {} says: {message}", other.reply.words(), heard.name());
            steps.push(Step::Accuse(Accusation {
                kind: FindingKind::RejectsValidInput,
                culprit: Some(heard.name().to_owned()),
                evidence: vec![Evidence::new(EvidenceKind::Accepted, other.name(), detail)],
                at: At { question, check: 0 },
                truth: None,
            }));
        }
    }
    steps
}

/// Whether there is nothing in a script that the standard does not have.
fn is_standard(script: &Script) -> bool {
    let pool = &script.pool;
    let all = |name: &[u8]| name == b"ALL";
    let commands = script.commands.iter().all(|command| match command {
        Command::SetLogic(logic) => all(pool.bytes(*logic)),
        Command::DefineFun { form, .. } => matches!(form, DefineForm::Fun),
        Command::DeclareFun { decl, .. } => {
            let decl = pool.decl(*decl);
            let is_language = |sort: smtlib::SortId| sort == smtlib::SortId::REGLAN;
            !decl.params.iter().any(|&sort| is_language(sort)) && !is_language(decl.result)
        }
        Command::SetInfo(..)
        | Command::DeclareSort(_)
        | Command::DefineSort { .. }
        | Command::DeclareDatatypes { .. }
        | Command::Assert(_)
        | Command::CheckSat
        | Command::CheckSatAssuming(_)
        | Command::Push(_)
        | Command::Pop(_)
        | Command::Exit => true,
        _ => false,
    });
    commands && (0..pool.len() as u32).map(TermId).all(|term| is_standard_term(script, term))
}

fn is_standard_term(script: &Script, term: TermId) -> bool {
    let pool = &script.pool;
    let plain_sort = matches!(
        pool.sort(pool.sort_of(term)),
        Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::String
            | Sort::RegLan
            | Sort::RoundingMode
            | Sort::BitVec(_)
            | Sort::Float { .. }
            | Sort::Array(..)
            | Sort::Declared(..)
    );
    let plain_head = match pool.kind(term) {
        Node::Op { op, spelling, .. } => {
            let row = op.row();
            row.since.is_some() && spelling == Spelling::Canonical && pool.args(term).len() >= row.min
        }
        Node::Quant(quantifier, _) => matches!(quantifier, Quantifier::Forall | Quantifier::Exists),
        Node::Lit(..) | Node::Var(_) | Node::Fun { .. } | Node::Tester { .. } | Node::Let(_) => true,
        Node::Annot(_) | Node::Match(_) | Node::Updater { .. } => false,
    };
    plain_sort && plain_head
}
