//! Signatures: when two findings are one bug.
//!
//! The signature of a crash is its place: the assertion's file and line, the innermost functions of the stack, or the
//! message without the parts that change from run to run. Corrupt memory is noticed at a place that says nothing (see
//! `site`): its signature is the core operator of the reduced formula. The signature of any other finding is its kind, its culprit,
//! the theories, the options, and the shape of the reduced formula up to its leaves. Releases are no part of it: they
//! are facts about a bug, and which of them are known depends on what is installed. The *coarse* signature needs no
//! reduction: it lets a flood of one bug cost one reduction. It is not an identity: two findings with one coarse
//! signature are only assumed to be the same until one is reduced.

use crate::mask::CoreOperator;
use crate::site::Site;
use crate::symptom::{Sign, Symptom};
use oracle::FindingKind;
use smtlib::script::Command;
use smtlib::term::{Kind as Node, TermId};
use smtlib::{Parsed, Pool, Script};
use std::collections::BTreeSet;

/// The signature of a bug.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature(String);

impl Signature {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A short, stable identifier.
    pub fn id(&self) -> String {
        format!("b-{}", &blake3::hash(self.0.as_bytes()).to_hex()[..8])
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Without reduction: the crash site if there is one, also that of corruption, otherwise the kind, the culprit and the
/// operators that occur. A signal alone is not a site: two releases that die of it need have nothing in common.
pub fn coarse(symptom: &Symptom, script: &Script) -> Signature {
    if let Some(signature) = of_place(symptom).or_else(|| of_slowness(symptom, script)) {
        return signature;
    }
    if let Sign::Dies(site) = &symptom.sign
        && symptom.is_corruption()
        && site.is_stack()
    {
        return Signature(format!("crash (memory corruption) {} {site}", solver_of(symptom)));
    }
    let operators: BTreeSet<String> =
        all_terms(script).filter_map(|term| operator(&script.pool, term)).collect();
    let operators = operators.into_iter().collect::<Vec<_>>().join(" ");
    let culprit = symptom.culprit.as_deref().unwrap_or_default();
    let who = match &symptom.sign {
        Sign::Dies(site) => format!("({}) {culprit}", shown(site)),
        _ => solver_of(symptom).to_owned(),
    };
    Signature(format!("{} {who} {operators}", symptom.kind.word()))
}

/// Of a reduced finding. A crash with a known place is identified by that place; a crash that left only a signal, by its
/// trigger.
/// `options` are those of the culprit's command line that it needs.
pub fn exact(symptom: &Symptom, reduced: &Parsed, options: &[String]) -> Signature {
    let (text, reduced) = (reduced.text(), reduced.script());
    if let Some(signature) = of_place(symptom).or_else(|| of_slowness(symptom, reduced)) {
        return signature;
    }
    let options = [triggering_options(reduced), options.to_vec()].concat();
    if let Some(operator) = CoreOperator::of(text).filter(|_| symptom.is_corruption()) {
        let (solver, operator) = (solver_of(symptom), operator.as_str());
        return Signature(format!("crash (memory corruption) {solver} {{{}}} {operator}", options.join(" ")));
    }
    if has_empty_core(symptom) {
        let (kind, solver) = (symptom.kind.word(), solver_of(symptom));
        return Signature(format!("{kind} {solver} {{{}}} empty", options.join(" ")));
    }
    let site = match &symptom.sign {
        Sign::Dies(site) => format!(" ({})", shown(site)),
        _ => String::new(),
    };
    let theories: BTreeSet<&str> = all_terms(reduced)
        .filter_map(|term| match reduced.pool.kind(term) {
            Node::Op { op, .. } => Some(op.row().theory),
            _ => None,
        })
        .collect();
    let theories: Vec<&str> = theories.into_iter().collect();
    let mut shapes: Vec<String> = reduced.assertions().map(|term| skeleton(&reduced.pool, term)).collect();
    shapes.sort();
    Signature(format!(
        "{}{site} {} [{}] {{{}}} {}",
        symptom.kind.word(),
        solver_of(symptom),
        theories.join(" "),
        options.join(" "),
        shapes.join(" "),
    ))
}

fn theories(script: &Script) -> String {
    oracle::rank::theories_of_operators(script).into_iter().collect::<Vec<_>>().join(" ")
}

/// The name of slowness: the theories, and where the time goes. One cause makes a thousand formulas slow.
fn of_slowness(symptom: &Symptom, script: &Script) -> Option<Signature> {
    let Sign::Slower { whereabouts: Some(place), .. } = &symptom.sign else { return None };
    let (kind, solver) = (symptom.kind.word(), solver_of(symptom));
    Some(Signature(format!("{kind} {solver} [{}] in {place}", theories(script))))
}

/// The signature of a crash with a known place, which is final without reduction.
fn of_place(symptom: &Symptom) -> Option<Signature> {
    match &symptom.sign {
        Sign::Refuses(message) => {
            Some(Signature(format!("{} {} {message}", symptom.kind.word(), solver_of(symptom))))
        }
        Sign::Dies(site)
            if symptom.kind == FindingKind::Crash && !site.is_placeless() && !site.corruption =>
        {
            Some(Signature(format!("crash {} {site}", solver_of(symptom))))
        }
        _ => None,
    }
}

/// What a signature says of a site that does not identify a crash.
fn shown(site: &Site) -> &str {
    if site.corruption { "memory corruption" } else { &site.name }
}

/// Whether the core that a solver printed has no name: then it says nothing about the formula, and one mistake shows in
/// formulas of every theory.
fn has_empty_core(symptom: &Symptom) -> bool {
    matches!(&symptom.sign, Sign::CoreHolds(names) if names.is_empty())
}

/// The accused solver, without its release: `bisect` finds which releases are bad.
fn solver_of(symptom: &Symptom) -> &str {
    let target = symptom.culprit.as_deref().unwrap_or_default();
    solver::solver_of(target)
}

/// Options that are still needed after reduction, without those that only request more output.
fn triggering_options(script: &Script) -> Vec<String> {
    const OUTPUT: [&[u8]; 4] =
        [b":produce-models", b":produce-unsat-cores", b":print-success", b":produce-proofs"];
    let mut options = vec![];
    for command in &script.commands {
        match command {
            Command::SetOption(key, value) if !OUTPUT.contains(&script.pool.bytes(*key)) => {
                options.push(format!("{} {}", script.pool.name(*key), script.pool.name(*value)));
            }
            Command::CheckSatUsing(tactic) => options.push(script.pool.name(*tactic).into_owned()),
            Command::Push(_) => options.push("push".into()),
            Command::CheckSatAssuming(_) => options.push("assuming".into()),
            _ => {}
        }
    }
    options.sort();
    options.dedup();
    options
}

fn all_terms(script: &Script) -> impl Iterator<Item = TermId> + '_ {
    (0..script.pool.len() as u32).map(TermId)
}

/// The name of a compound term's operator; `None` for leaves.
fn operator(pool: &Pool, term: TermId) -> Option<String> {
    if pool.args(term).is_empty() {
        return None;
    }
    Some(match pool.kind(term) {
        Node::Op { op, .. } => op.row().name.to_owned(),
        Node::Fun { .. } => "f".into(),
        Node::Tester { .. } => "is".into(),
        Node::Updater { .. } => "update".into(),
        Node::Let(_) => "let".into(),
        Node::Quant(quantifier, _) => quantifier.name().into(),
        Node::Match(_) => "match".into(),
        Node::Annot(_) => "!".into(),
        Node::Lit(..) | Node::Var(_) => return None,
    })
}

/// A term's operators with every leaf written `_`, repeated equal arguments written once and those of equality and the
/// connectives in order. Reduced terms are shallow; deeper levels than this are cut.
fn skeleton(pool: &Pool, term: TermId) -> String {
    skeleton_to(pool, term, 40)
}

fn skeleton_to(pool: &Pool, term: TermId, depth: usize) -> String {
    let Some(operator) = operator(pool, term) else { return "_".into() };
    if depth == 0 {
        return "…".into();
    }
    let mut args: Vec<String> =
        pool.args(term).iter().map(|&arg| skeleton_to(pool, arg, depth - 1)).collect();
    if matches!(operator.as_str(), "=" | "distinct" | "and" | "or" | "xor") {
        args.sort();
    }
    args.dedup();
    format!("({operator} {})", args.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symptom(kind: FindingKind, message: &str, signal: Option<i32>) -> Symptom {
        let ended = solver::Ended::Crash { signal, message: message.into(), wrapped: false };
        let sign = match kind {
            FindingKind::Crash => Sign::Dies(crate::site::Site::of(&ended).unwrap()),
            _ => Sign::ModelFails,
        };
        Symptom { kind, culprit: Some("z3@4.8.9".into()), role: strategy::Role::Formula, check: 0, sign }
    }

    #[test]
    fn formulas_of_one_shape_have_one_signature_and_others_do_not() {
        let sign = |text: &str| {
            let script = Parsed::read(text.as_bytes()).unwrap();
            exact(&symptom(FindingKind::RefutationUnsound, "", None), &script, &[])
        };
        let a = sign("(declare-const a Int)(assert (= (mod a 2) 0))(check-sat)");
        let b = sign("(declare-const x Int)(assert (= (mod 7 x) x))(check-sat)");
        let c = sign("(declare-const x Int)(assert (= (div 7 x) x))(check-sat)");
        let d = sign("(declare-const x Int)(assert (= x (mod x 7)))(check-sat)");
        assert_eq!(a, b);
        assert_eq!(a, d);
        assert_ne!(a, c);
        assert_eq!(a.id(), b.id());
    }

    #[test]
    fn an_empty_core_has_one_name_in_every_theory() {
        let sign = |names: &[&str], text: &str| {
            let script = Parsed::read(text.as_bytes()).unwrap();
            let sign = Sign::CoreHolds(names.iter().map(|&name| name.into()).collect());
            exact(&Symptom { sign, ..symptom(FindingKind::InvalidCore, "", None) }, &script, &[])
        };
        let a = "(assert (! (forall ((a Int)) (< a 0)) :named b))(check-sat)";
        let b = "(assert (! (forall ((a Bool)) a) :named b))(check-sat)";
        assert_eq!(sign(&[], a), sign(&[], b));
        assert_ne!(sign(&["b"], a), sign(&["b"], b));
    }

    #[test]
    fn the_signature_names_no_release_so_it_does_not_depend_on_what_is_installed() {
        let script = Parsed::read(&b"(assert (not true))(check-sat)"[..]).unwrap();
        let by = |culprit: &str| {
            let symptom =
                Symptom { culprit: Some(culprit.into()), ..symptom(FindingKind::InvalidModel, "", None) };
            exact(&symptom, &script, &[])
        };
        assert_eq!(by("z3@4.8.8"), by("z3@5.4.0"));
        assert_ne!(by("z3@4.8.8"), by("cvc5@1.4.2"));
        assert!(!by("z3@4.8.8").as_str().contains("4.8.8"));
    }

    #[test]
    fn a_crash_is_identified_by_its_place_or_else_by_its_trigger() {
        let sign = |message: &str, signal: Option<i32>, text: &str| {
            let script = Parsed::read(text.as_bytes()).unwrap();
            exact(&symptom(FindingKind::Crash, message, signal), &script, &[])
        };
        let (a, b) = ("(assert (not true))(check-sat)", "(assert (xor true false))(check-sat)");
        assert_eq!(sign("at x.cpp:3", None, a), sign("at x.cpp:3", None, b));
        assert_ne!(sign("", None, a), sign("", None, b));
        assert_ne!(sign("", Some(11), a), sign("", Some(11), b));
        assert_eq!(sign("bad index 4", Some(6), a), sign("bad index 5", Some(6), b));
    }

    #[test]
    fn memory_corruption_has_one_name_per_core_operator_wherever_it_was_noticed() {
        let sign = |message: &str, signal, text: &str| {
            let script = Parsed::read(text.as_bytes()).unwrap();
            exact(&symptom(FindingKind::Crash, message, Some(signal)), &script, &[])
        };
        let a = "(declare-const a Int)(push 1)(assert (= (div a 2) 0))(check-sat)(pop 1)(check-sat)";
        let b = "(declare-const x Int)(push 1)(assert (< x (div x 7)))(check-sat)(pop 1)(check-sat)";
        let names = [
            sign("malloc(): invalid size (unsorted)", 6, a),
            sign("free(): invalid pointer", 6, b),
            sign("double free or corruption (!prev)", 6, a),
            sign("inside f, from g (wild pointer)", 11, b),
            sign("inside h, from k (wild pointer)", 11, a),
        ];
        assert!(names.iter().all(|name| name == &names[0]), "{names:?}");
        assert_eq!(names[0].as_str(), "crash (memory corruption) z3 {push} div");
        let other = "(declare-const a Int)(push 1)(assert (= (mod a 2) 0))(check-sat)(pop 1)(check-sat)";
        assert_ne!(names[0], sign("free(): invalid pointer", 6, other), "another operator");
        assert_ne!(names[0], sign("inside f, from g", 11, a), "a null pointer has a place");
    }

    #[test]
    fn slowness_is_named_by_theories_and_by_where_the_time_goes() {
        let sign = |place: Option<&str>, text: &str| {
            let whereabouts = place.map(str::to_owned);
            let sign = Sign::Slower { pace: oracle::Pace::USUAL, whereabouts };
            let slow = Symptom { sign, ..symptom(FindingKind::Performance, "", None) };
            exact(&slow, &Parsed::read(text.as_bytes()).unwrap(), &[])
        };
        let (a, b) = (
            "(declare-const a Int)(assert (= (mod a 2) 0))(check-sat)",
            "(declare-const a Int)(assert (> (* a a) (div a 2)))(check-sat)",
        );
        let strings = "(declare-const s String)(assert (= s (str.++ s s)))(check-sat)";
        assert_eq!(sign(Some("f, from g"), a), sign(Some("f, from g"), b));
        assert_ne!(sign(Some("f, from g"), a), sign(Some("h, from g"), a));
        assert_ne!(sign(Some("f, from g"), a), sign(Some("f, from g"), strings));
        assert_ne!(sign(None, a), sign(None, b), "without a place, the shape");
    }

    #[test]
    fn releases_of_one_solver_share_a_signature() {
        let script = Script::parse(b"(assert false)(check-sat)").unwrap();
        let mut other = symptom(FindingKind::Crash, "x.cpp:1", None);
        other.culprit = Some("z3@4.8.5".into());
        assert_eq!(coarse(&other, &script), coarse(&symptom(FindingKind::Crash, "x.cpp:1", None), &script));
    }

    #[test]
    fn a_signal_alone_does_not_make_two_crashes_one() {
        let sign = |release: &str, text: &[u8]| {
            let crash =
                Symptom { culprit: Some(release.into()), ..symptom(FindingKind::Crash, "", Some(11)) };
            coarse(&crash, &Script::parse(text).unwrap())
        };
        let (a, b) = (b"(assert (not true))(check-sat)", b"(assert (or true))(check-sat)");
        assert_eq!(sign("z3@4.8.6", a), sign("z3@4.8.6", a));
        assert_ne!(sign("z3@4.8.6", a), sign("z3@5.4.0", a));
        assert_ne!(sign("z3@4.8.6", a), sign("z3@4.8.6", b));
    }
}
