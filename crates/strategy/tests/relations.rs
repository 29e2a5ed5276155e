//! The relations of `weaken`, `skeleton` and `reseed` between pairs of formulas are true: checked by exhaustive
//! search.
//!
//! The seeds range over small domains, so that both formulas of a case can be decided with certainty and every
//! relation and every expectation can be compared with the true answer. There are seeds of all shapes that the
//! strategies treat specially: scopes, several check-sats, assumptions, names, definitions, `let`, quantifiers, every
//! connective.
//!
//! Real solvers are asked about mutants of real seeds in `crates/solver/tests/relations_of_mutants.rs`.
#![allow(clippy::unwrap_used, reason = "a test")]

use corpus::{Origin, Seed};
use semantics::brute::{BruteLimits, Verdict, decide};
use smtlib::Script;
use strategy::{Bank, CampaignKey, Draft, Relation, Rng, Settings, registry, unheard};

const SEEDS: &[&str] = &[
    "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)\
     (assert (=> p (and q (not r))))(assert (or p (xor q r)))(check-sat)(assert (= p r))(check-sat)",
    "(declare-const p Bool)(declare-const q Bool)(assert (ite p q (not q)))(push 1)(assert (distinct p q))\
     (check-sat)(pop 1)(assert (not p))(check-sat)",
    "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(declare-const z (_ BitVec 2))\
     (assert (and (bvult x y) (bvule y z)))(assert (or (= x z) (bvsgt z x) (not (= (bvadd x y) z))))(check-sat)",
    "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(declare-const p Bool)\
     (assert (= (bvmul x y) #b11))(assert (bvslt x y))(assert (=> p (= x #b01)))(check-sat-assuming (p))(check-sat)",
    "(declare-const x (_ BitVec 2))(declare-const p Bool)(define-fun f ((a (_ BitVec 2))) Bool (and p (bvuge a x)))\
     (assert (let ((y (bvnot x)) (s (f x))) (let ((t (and s (f y)))) (or t (= y (ite s x y))))))(check-sat)",
    // A definition that is used under `not`: its body must not become weaker, also after it was replaced by an equal one.
    "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(define-fun f () Bool (and p q))\
     (define-fun g () Bool (or f r))(assert (not f))(assert (=> g (not (xor p q))))(assert (or p q r))(check-sat)",
    "(declare-fun g ((_ BitVec 2)) Bool)(declare-const x (_ BitVec 2))\
     (assert (forall ((y (_ BitVec 2))) (=> (bvult y x) (g y))))(assert (exists ((y (_ BitVec 2))) (not (g y))))(check-sat)",
    "(declare-const p Bool)(declare-const q Bool)(assert (! (and p q) :named a))(assert (! (or (not p) q) :named b))\
     (check-sat)(assert (not b))(check-sat)",
    "(declare-datatypes ((D 0)) (((leaf) (node (left Bool) (right Bool)))))(declare-const d D)(declare-const e D)\
     (assert (= d (node true (left e))))(assert (distinct d e))(assert ((_ is node) e))(check-sat)",
    "(declare-const x (_ FloatingPoint 2 2))(declare-const y (_ FloatingPoint 2 2))\
     (assert (or (fp.lt x y) (fp.isNaN x)))(assert (not (fp.leq x y)))(assert (fp.eq y y))(check-sat)",
    "(declare-const a (Array Bool Bool))(declare-const b (Array Bool Bool))(declare-const i Bool)\
     (assert (= a (store b i true)))(assert (not (= (select a i) (select b i))))(check-sat)",
];

/// Whether a check-sat is satisfiable; `None` if there are too many assignments to try.
fn truth(script: &[u8], check: usize) -> Option<bool> {
    let mut script =
        Script::parse(script).unwrap_or_else(|error| panic!("{}", error.render("draft", script)));
    match decide(&mut script, check, BruteLimits { work: 1 << 24, ..BruteLimits::default() }) {
        Verdict::Sat(_) => Some(true),
        Verdict::Unsat => Some(false),
        Verdict::Unknown(_) => None,
    }
}

/// Compares all relations of a draft with the true answers; returns how many could be checked.
fn check(draft: &Draft) -> usize {
    let truth = |at: strategy::At| truth(&draft.questions[at.question].script, at.check);
    let shown = || {
        let [formula, before] = [0, 1].map(|n| String::from_utf8_lossy(&draft.questions[n].script));
        format!("{:?}\nformula:\n{formula}\nbefore:\n{before}", draft.rules.last())
    };
    let mut held = 0;
    for relation in &draft.relations {
        let (Relation::SameAnswer(a, b) | Relation::SatImplies(a, b) | Relation::ShouldDecide(a, b)) =
            *relation;
        let (Some(first), Some(second)) = (truth(a), truth(b)) else { continue };
        match relation {
            Relation::SameAnswer(..) => assert_eq!(first, second, "{}", shown()),
            Relation::SatImplies(..) => assert!(!first || second, "{}", shown()),
            Relation::ShouldDecide(..) => continue,
        }
        held += 1;
    }
    for (n, expect) in draft.questions[0].expects.iter().enumerate() {
        if let (Some(expect), Some(found)) = (expect, truth(strategy::At { question: 0, check: n })) {
            assert_eq!(expect.answer.is_sat(), found, "{}", shown());
        }
    }
    held
}

fn relations_hold(name: &str, units: u64) {
    let strategy = registry::find(name).unwrap();
    for (n, text) in SEEDS.iter().enumerate() {
        let claims: Vec<&str> = (0..text.matches("(check-sat").count())
            .map(|n| if truth(text.as_bytes(), n).unwrap() { "sat" } else { "unsat" })
            .collect();
        let claimed = format!("; EXPECT: {}\n{text}\n", claims.join("\n; EXPECT: "));
        let seed = Seed::new(format!("seed {n}"), Origin::Embedded, claimed.into_bytes().into()).unwrap();
        let (bank, rejected) = Bank::new([seed]);
        assert!(rejected.is_empty(), "{rejected:?}");
        let source = (strategy.begin)(&bank, &Settings::default()).unwrap();
        let mut held = 0;
        for unit in 0..units {
            let rng = Rng::of(&CampaignKey("relations".into()), name, unit);
            held += unheard(&*source, unit, rng).unwrap_or_default().iter().map(check).sum::<usize>();
        }
        // A script that mentions a named term has no normal form for `skeleton`.
        assert!(
            held > units as usize || (name == "skeleton" && text.contains("(not b)")),
            "{name}, seed {n}: {held}"
        );
    }
}

#[test]
fn weaker_and_stronger_formulas_are_weaker_and_stronger() {
    relations_hold("weaken", 25);
}

#[test]
fn approximated_skeletons_are_weaker_and_stronger() {
    relations_hold("skeleton", 25);
}

#[test]
fn rewritten_problems_have_the_same_answer() {
    relations_hold("reseed", 25);
}

#[test]
fn the_normal_form_has_the_answers_of_the_seed() {
    for text in SEEDS {
        let seed = Seed::new("seed".into(), Origin::Embedded, text.as_bytes().to_vec().into()).unwrap();
        let bank = Bank::new([seed]).0;
        let Some(normal) = strategy::skeleton::cnf::of(&bank.seeds()[0]) else {
            assert!(text.contains("(not b)"), "{text}");
            continue;
        };
        for check in 0..text.matches("(check-sat").count() {
            let shown = String::from_utf8_lossy(&normal);
            assert_eq!(truth(&normal, check), truth(text.as_bytes(), check), "{shown}");
        }
    }
}

#[test]
fn the_rules_of_the_skeleton_hold_and_the_misprinted_ones_are_refuted() {
    use strategy::weaken::rules::Rules;
    use strategy::weaken::verify::verify;
    for (name, trial) in verify(&strategy::skeleton::embedded().unwrap(), 200) {
        assert!(trial.is_fine(), "{name}: {trial:?}");
    }
    let misprinted = [
        "(section s (x String) (y String))(rule r (str.suffixof x y) => (str.<= x y))",
        "(section s (x String) (y String))(rule r (str.contains x y) => (str.<= y x))",
        "(section s (x String) (y String) (a String))(rule r (and (str.suffixof x a) (str.prefixof x a) (str.suffixof y a) (str.prefixof y a)) => (= x y))",
        "(section s (for B BitVec) (x B) (y B))(rule r (bvsgt x y) => (bvsle x y))",
    ];
    for text in misprinted {
        assert!(verify(&Rules::read(text).unwrap(), 400)[0].1.refuted.is_some(), "{text}");
    }
}
