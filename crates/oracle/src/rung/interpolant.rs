//! An interpolant that is none.
//!
//! Where a script asks for an interpolant between what is asserted (A) and a formula (B) that follows from it, the
//! solver's answer I must follow from A, B must follow from I, and I may have only symbols that A and B share. The third
//! is a matter of reading. For the others the two formulas A ∧ ¬I and I ∧ ¬B are run on other solvers as scripts of their
//! own; a model that our evaluator confirms, without a choice at points that the standard leaves open, shows that one of
//! them is satisfiable, and then I is no interpolant. In: replies to scripts with `get-interpolant` directly after the
//! scope of a check-sat was closed, which is how `strategy::requests` asks. Out: two questions, and then the accusation.

use crate::hearing::{Ask, Hearing, Whom};
use crate::ladder::Step;
use crate::question::{in_force_before, push_line};
use crate::rung::unsat_core::satisfied;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use smtlib::Parsed;
use smtlib::script::{Command, Script};
use smtlib::sexp::{Forest, View};
use smtlib::term::{Kind, Role as DeclRole, TermId};
use solver::reading::is_own_request;
use std::collections::BTreeSet;
use strategy::{At, Question, Role};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    hearing.said_besides().into_iter().flat_map(|(n, at)| look(hearing, n, at)).collect()
}

/// Asks about the interpolant of one reply, or accuses.
fn look(hearing: &Hearing, n: usize, at: At) -> Vec<Step> {
    let heard = &hearing.heard()[n];
    let (script, said) = (hearing.script(0), heard.reply.checks.get(at.check));
    let Some(found) = said.and_then(|said| Interpolant::read(script, at.check, said)) else { return vec![] };
    let accuse = |evidence: Evidence| {
        vec![Step::Accuse(Accusation {
            kind: FindingKind::InvalidInterpolant,
            culprit: Some(heard.name().to_owned()),
            evidence: vec![evidence],
            at,
            truth: hearing.truth(at).map(|fact| fact.satisfiable),
        })]
    };
    if let Some(name) = found.foreign() {
        let detail = format!("`{name}` is in the interpolant {}, and not in both formulas", found.body);
        return accuse(Evidence::new(EvidenceKind::SelfContradiction, "falsum", detail));
    }
    let mut steps = vec![];
    for (text, what) in [
        (&found.follows, "does not follow from what is asserted"),
        (&found.suffices, "does not imply the conclusion"),
    ] {
        let role = Role::Interpolant(at.check);
        match hearing.find_question(&role, text) {
            None => {
                let Ok(script) = Parsed::read(text.clone()) else { return vec![] };
                let question = Question { role, script, expects: vec![] };
                let whom = Whom::AllBut(heard.name().to_owned());
                steps.push(Step::Ask(Ask { question, whom, relation: None }));
            }
            Some(asked) => {
                if let Some(evidence) = satisfied(hearing, asked) {
                    let detail = format!("the interpolant {} {what}: {}", found.body, evidence.detail);
                    return accuse(Evidence { detail, ..evidence });
                }
            }
        }
    }
    steps
}

/// Names of symbols.
type Names = BTreeSet<Vec<u8>>;

/// An interpolant and the two formulas that must be unsatisfiable.
struct Interpolant {
    body: String,
    /// What is asserted, without the interpolant.
    follows: Vec<u8>,
    /// The interpolant without the conclusion.
    suffices: Vec<u8>,
    own: Names,
    shared: Names,
}

impl Interpolant {
    /// What a solver said to the request after a check-sat; `None` if there is none, or if it cannot be read.
    fn read(script: &Script, check: usize, said: &solver::Check) -> Option<Interpolant> {
        let checks = script.commands.iter().enumerate().filter(|(_, command)| command.is_check());
        let (start, _) = checks.into_iter().nth(check)?;
        let mut number = 0;
        let mut request = None;
        for (n, command) in script.commands.iter().enumerate().skip(start + 1) {
            match command {
                Command::Pop(_) => {}
                Command::GetValue(_) => number += 1,
                Command::Other { name, rest } => {
                    let (name, rest) = (script.pool.bytes(*name), script.pool.bytes(*rest));
                    if name == b"get-interpolant" {
                        request = Some((n, rest));
                        break;
                    }
                    number += usize::from(is_own_request(name, None));
                }
                _ => return None,
            }
        }
        let (position, rest) = request?;
        let response = said.responses.iter().find(|response| response.number == number)?;
        let conclusion = conclusion(rest)?;
        let body = body(&response.text)?;
        let commands = in_force_before(script, position)?;
        let (mut follows, mut suffices) = (vec![], vec![]);
        for command in commands {
            push_line(&mut follows, script, command);
            if !matches!(command, Command::Assert(_)) {
                push_line(&mut suffices, script, command);
            }
        }
        follows.extend(format!("(assert (not {body}))\n(check-sat)\n").bytes());
        suffices.extend(format!("(assert {body})\n(assert (not {conclusion}))\n(check-sat)\n").bytes());
        let (before, own) = symbols(&Script::parse(&follows).ok()?)?;
        let (_, after) = symbols(&Script::parse(&suffices).ok()?)?;
        let shared = before.intersection(&after).cloned().collect();
        Some(Interpolant { body: shown(&body), follows, suffices, own, shared })
    }

    /// A symbol that the interpolant may not have.
    fn foreign(&self) -> Option<String> {
        self.own.difference(&self.shared).next().map(|name| String::from_utf8_lossy(name).into_owned())
    }
}

/// The formula after the name in a request.
fn conclusion(rest: &[u8]) -> Option<String> {
    let forest = Forest::read(rest).ok()?;
    let [_, formula] = forest.roots() else { return None };
    Some(String::from_utf8_lossy(forest.text(*formula)).into_owned())
}

/// The body of `(define-fun I () Bool …)`, which is how an interpolant is printed.
fn body(response: &[u8]) -> Option<String> {
    let forest = Forest::read(response).ok()?;
    let [root] = forest.roots() else { return None };
    let View::List([head, _, params, sort, body]) = forest.view(*root) else { return None };
    let plain = forest.atom(*head) == Some(b"define-fun") && forest.atom(*sort) == Some(b"Bool");
    let constant = matches!(forest.view(*params), View::List([]));
    (plain && constant).then(|| String::from_utf8_lossy(forest.text(*body)).into_owned())
}

/// The declared symbols of all assertions but the last, and those of the last. What a definition stands for counts too.
fn symbols(script: &Script) -> Option<(Names, Names)> {
    let all: Vec<TermId> = script.assertions().collect();
    let (last, others) = all.split_last()?;
    let of = |terms: &[TermId]| {
        let mut found = BTreeSet::new();
        let mut waiting = terms.to_vec();
        let mut seen = BTreeSet::new();
        while let Some(term) = waiting.pop() {
            for part in script.pool.subterms(term).into_iter().filter(|part| seen.insert(*part)) {
                let Kind::Fun { decl, .. } = script.pool.kind(part) else { continue };
                let decl = script.pool.decl(decl);
                match decl.role {
                    DeclRole::Declared => drop(found.insert(script.pool.bytes(decl.name).to_vec())),
                    DeclRole::Defined { body, .. } | DeclRole::Named(body) => waiting.push(body),
                    DeclRole::Constructor { .. } | DeclRole::Selector { .. } => {}
                }
            }
        }
        found
    };
    Some((of(others), of(std::slice::from_ref(last))))
}

fn shown(body: &str) -> String {
    match body.char_indices().nth(240) {
        Some((end, _)) => format!("{}…", &body[..end]),
        None => body.to_owned(),
    }
}
