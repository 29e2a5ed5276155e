//! Unsat assumptions that are satisfiable, or that were not assumed.
//!
//! After an `unsat` to a `check-sat-assuming` a solver may be asked which assumptions it needed. They must be among the
//! assumptions, and together with the assertions they must be unsatisfiable. The first is a matter of reading, and
//! claimed only where everything is a literal of a declared constant, so that no other spelling can be meant. The second
//! is decided as for a core: the assertions and these assumptions are run on other solvers as a script of their own, and
//! a model that our evaluator confirms shows that they are satisfiable. In: replies with unsat assumptions. Out: one
//! question for each, and then the accusation.

use crate::hearing::{Ask, Hearing, Whom};
use crate::ladder::Step;
use crate::question;
use crate::rung::unsat_core::satisfied;
use crate::values::is_followed_by;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use smtlib::Parsed;
use smtlib::printer::term_text;
use smtlib::script::{Command, Script};
use smtlib::sexp::{Forest, Sexp, View};
use smtlib::term::{Kind, Role as DeclRole, TermId};
use solver::Answer;
use strategy::{At, Question, Role};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    hearing.said_besides().into_iter().flat_map(|(n, at)| look(hearing, n, at)).collect()
}

/// Asks about the assumptions of one reply, or accuses.
fn look(hearing: &Hearing, n: usize, at @ At { check, .. }: At) -> Option<Step> {
    let heard = &hearing.heard()[n];
    let said = heard.reply.checks.get(check).filter(|said| said.answer == Some(Answer::Unsat))?;
    if hearing.is_accused(heard.name(), at, FindingKind::RefutationUnsound) {
        return None;
    }
    let script = hearing.script(0);
    let accuse = |evidence: Evidence| {
        Some(Step::Accuse(Accusation {
            kind: FindingKind::InvalidCore,
            culprit: Some(heard.name().to_owned()),
            evidence: vec![evidence],
            at,
            truth: hearing.truth(at).map(|fact| fact.satisfiable),
        }))
    };
    let members = match named(script, check, said.assumptions.as_deref()?)? {
        Named::Assumed(members) => members,
        Named::Stranger(member) => {
            let detail = format!("the unsat assumptions have `{member}`, which is not assumed");
            return accuse(Evidence::new(EvidenceKind::SelfContradiction, "falsum", detail));
        }
    };
    let text = question::assuming_only(script, check, &members)?;
    match hearing.find_question(&Role::CoreOnly(check), &text) {
        None => {
            let script = Parsed::read(text).ok()?;
            let question = Question { role: Role::CoreOnly(check), script, expects: vec![] };
            Some(Step::Ask(Ask { question, whom: Whom::AllBut(heard.name().to_owned()), relation: None }))
        }
        Some(asked) => {
            let found = satisfied(hearing, asked)?;
            let detail =
                format!("of the assumptions it needs only {} for `unsat`: {}", shown(said), found.detail);
            accuse(Evidence { detail, ..found })
        }
    }
}

fn shown(said: &solver::Check) -> String {
    String::from_utf8_lossy(said.assumptions.as_deref().unwrap_or_default()).into_owned()
}

/// What a response names.
enum Named {
    Assumed(Vec<TermId>),
    /// A literal that is not among the assumptions.
    Stranger(String),
}

/// The assumptions that a response names; `None` if it cannot be interpreted.
fn named(script: &Script, check: usize, response: &[u8]) -> Option<Named> {
    if !is_followed_by(script, check, b"get-unsat-assumptions") {
        return None;
    }
    let assumed = match script.commands.iter().filter(|command| command.is_check()).nth(check)? {
        Command::CheckSatAssuming(terms) => terms,
        _ => return None,
    };
    let forest = Forest::read(response).ok()?;
    let [root] = forest.roots() else { return None };
    let View::List(items) = forest.view(*root) else { return None };
    let known: Vec<(TermId, Vec<Vec<u8>>)> = assumed
        .iter()
        .map(|&term| Some((term, words(term_text(&script.pool, term).as_bytes())?)))
        .collect::<Option<_>>()?;
    let mut members = vec![];
    for &item in items {
        let own = words(forest.text(item))?;
        match known.iter().find(|(_, words)| *words == own) {
            Some((term, _)) => members.push(*term),
            None if is_literal(script, &forest, item)
                && assumed.iter().all(|&term| is_constant(script, term)) =>
            {
                return Some(Named::Stranger(String::from_utf8_lossy(forest.text(item)).into_owned()));
            }
            None => return None,
        }
    }
    Some(Named::Assumed(members))
}

/// The words of a term, so that blanks and bars make no difference.
fn words(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    fn push(forest: &Forest<'_>, item: Sexp, out: &mut Vec<Vec<u8>>) {
        match forest.view(item) {
            View::List(items) => {
                out.push(b"(".to_vec());
                items.iter().for_each(|&item| push(forest, item, out));
                out.push(b")".to_vec());
            }
            _ => {
                let text = forest.text(item);
                let bare = text.strip_prefix(b"|").and_then(|text| text.strip_suffix(b"|"));
                out.push(bare.unwrap_or(text).to_vec());
            }
        }
    }
    let forest = Forest::read(text).ok()?;
    let mut out = vec![];
    forest.roots().iter().for_each(|&root| push(&forest, root, &mut out));
    Some(out)
}

/// Whether an assumption is a declared constant or the negation of one.
fn is_constant(script: &Script, term: TermId) -> bool {
    let pool = &script.pool;
    match pool.kind(term) {
        Kind::Fun { decl, .. } => {
            matches!(pool.decl(decl).role, DeclRole::Declared) && pool.args(term).is_empty()
        }
        Kind::Op { op, .. } if op.row().name == "not" => {
            let inner = pool.args(term)[0];
            !matches!(pool.kind(inner), Kind::Op { .. }) && is_constant(script, inner)
        }
        _ => false,
    }
}

/// Whether a printed member is a declared constant or the negation of one.
fn is_literal(script: &Script, forest: &Forest<'_>, item: Sexp) -> bool {
    let atom = match forest.view(item) {
        View::List([not, atom]) if forest.atom(*not) == Some(b"not") => *atom,
        View::List(_) => return false,
        _ => item,
    };
    let Some(text) = forest.atom(atom) else { return false };
    let name = text.strip_prefix(b"|").and_then(|text| text.strip_suffix(b"|")).unwrap_or(text);
    script.pool.decls.iter().any(|decl| {
        script.pool.bytes(decl.name) == name
            && matches!(decl.role, DeclRole::Declared)
            && decl.params.is_empty()
    })
}
