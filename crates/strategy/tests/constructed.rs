//! The expectations of `construct` are right: models satisfy their formulas, and denied laws have no model at tiny
//! sizes.
#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stderr, reason = "a failure shows its script")]

use semantics::brute;
use semantics::eval::{self, Verdict};
use semantics::model::Model;
use smtlib::Script;
use std::collections::BTreeMap;
use strategy::construct::identity;
use strategy::{
    Bank, CampaignKey, Draft, Expect, Expected, Ground, Rng, Settings, Source, registry, unheard,
};

fn source() -> Box<dyn Source> {
    (registry::find("construct").unwrap().begin)(&Bank::default(), &Settings::default()).unwrap()
}

/// The drafts of this many units.
fn drafts(units: u64) -> Vec<Draft> {
    let source = source();
    let unit =
        |unit| unheard(&*source, unit, Rng::of(&CampaignKey("test".into()), "construct", unit)).unwrap();
    (0..units).flat_map(unit).collect()
}

fn expect(draft: &Draft) -> &Expect {
    draft.questions[0].expect(0).unwrap()
}

fn text(draft: &Draft) -> String {
    String::from_utf8_lossy(draft.script()).into_owned()
}

#[test]
fn the_evaluator_confirms_the_model_of_every_satisfiable_formula() {
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    for draft in drafts(480) {
        let Ground::Model(model) = &expect(&draft).ground else { continue };
        let mut script = Script::parse(draft.script()).unwrap_or_else(|error| {
            panic!("{}", error.render("constructed", draft.script()));
        });
        let read = Model::parse(&mut script, model.as_bytes()).unwrap();
        assert!(read.opaque.is_empty() && read.notes.is_empty(), "{:?}\n{model}", read.opaque);
        let report = eval::check(&script, &read, 0);
        let sure = report.overall.value == Verdict::True && !report.overall.underspecified;
        assert!(sure && !report.overall.completed, "{:?}\n{}{model}", report.overall, text(&draft));
        *made.entry(draft.rules[0].split('`').nth(1).unwrap_or("").to_owned()).or_default() += 1;
    }
    let total: usize = made.values().sum();
    eprintln!("{total}: {made:?}");
    assert!(total >= 2_000, "{made:?}");
    assert!(made.len() >= 25, "{made:?}");
}

#[test]
fn no_denial_at_tiny_sizes_has_a_model() {
    let limits = brute::Limits { work: 1 << 22, ..brute::Limits::default() };
    let (mut asked, mut refuted) = (0, 0);
    for draft in drafts(400).iter().filter(|draft| expect(draft).answer == Expected::Unsat) {
        let mut script = Script::parse(draft.script()).unwrap_or_else(|error| {
            panic!("{}", error.render("constructed", draft.script()));
        });
        asked += 1;
        match brute::decide(&mut script, 0, limits) {
            brute::Verdict::Sat(witness) => panic!("{}{}", text(draft), witness.text),
            brute::Verdict::Unsat => refuted += 1,
            brute::Verdict::Unknown(_) => {}
        }
    }
    eprintln!("{refuted} of {asked} refuted by enumeration");
    assert!(asked >= 500 && refuted >= 150, "{refuted} of {asked}");
}

/// Every law with every choice of sorts: neither enumeration nor evaluation at chosen values finds a counterexample.
#[test]
fn every_law_holds_wherever_it_is_looked_at() {
    let limits = brute::Limits { work: 1 << 20, ..brute::Limits::default() };
    let laws = identity::laws(identity::LAWS);
    let (mut proved, mut evaluated) = (0, 0);
    for law in &laws {
        let ready = identity::Ready::new(law).unwrap_or_else(|| panic!("{law:?} cannot be read"));
        let mut rng = Rng::of(&CampaignKey("laws".into()), "construct", 0);
        let plain = ready.deny(&mut ready.evaluator(), true, &mut rng);
        let mut script = Script::parse(plain.script()).unwrap_or_else(|error| {
            panic!("{}", error.render("law", plain.script()));
        });
        match brute::decide(&mut script, 0, limits) {
            brute::Verdict::Sat(witness) => panic!("{}{}", text(&plain), witness.text),
            brute::Verdict::Unsat => proved += 1,
            brute::Verdict::Unknown(_) => {}
        }
        for _ in 0..12 {
            let model = ready.some_model(&mut rng);
            let mut script = Script::parse(plain.script()).unwrap();
            let read = Model::parse(&mut script, model.as_bytes()).unwrap();
            let truth = eval::check(&script, &read, 0).overall.value;
            assert_ne!(truth, Verdict::True, "{}{model}", text(&plain));
            evaluated += usize::from(truth == Verdict::False);
        }
    }
    eprintln!("{} laws: {proved} by enumeration, {evaluated} instances evaluated", laws.len());
    assert!(laws.len() >= 200 && proved >= 60 && evaluated >= 10 * laws.len(), "{proved}, {evaluated}");
}

/// Asks solvers about constructed formulas: `FALSUM_Z3` and `FALSUM_CVC5` name the programs.
#[test]
#[ignore = "asks solvers; run by hand"]
fn no_solver_contradicts_what_is_expected() {
    let limits = ["-T:2", "--tlimit=2000"];
    let every = std::env::var("FALSUM_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut said: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut against = vec![];
    let path = std::env::temp_dir().join(format!("constructed-{}.smt2", std::process::id()));
    for draft in drafts(250).iter().step_by(every) {
        std::fs::write(&path, draft.script()).unwrap();
        for (variable, limit) in ["FALSUM_Z3", "FALSUM_CVC5"].into_iter().zip(limits) {
            let Ok(program) = std::env::var(variable) else { continue };
            let run = std::process::Command::new(program).arg(limit).arg(&path).output().unwrap();
            let output = String::from_utf8_lossy(&run.stdout).into_owned();
            let first = output.lines().next().unwrap_or("nothing").to_owned();
            let wrong = matches!(
                (first.as_str(), expect(draft).answer),
                ("sat", Expected::Unsat) | ("unsat", Expected::Sat)
            );
            if wrong {
                against.push(format!("{variable} says {first}:\n{}{:?}", text(draft), expect(draft).ground));
            }
            let kind = if first.starts_with("(error") { "error".to_owned() } else { first };
            if kind == "error" && std::env::var("FALSUM_SHOW").is_ok() {
                eprintln!("{variable}: {output}{}", text(draft));
            }
            *said.entry((variable.to_owned(), kind)).or_default() += 1;
        }
    }
    let _ = std::fs::remove_file(&path);
    eprintln!("{said:?}");
    assert!(against.is_empty(), "{}", against.join("\n\n"));
}
