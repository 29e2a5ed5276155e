//! The four kinds of session, on real solvers: same answers, nothing lost, nothing mixed up.

mod home;

use home::{show, target};
use solver::{Answer, Ended, Extras, Pool, Query, QueryLimits, SessionKind};
use std::time::{Duration, Instant};

const KINDS: [SessionKind; 4] =
    [SessionKind::Fresh, SessionKind::Forked, SessionKind::Reset, SessionKind::Scoped];
const SAT: Option<Answer> = Some(Answer::Sat);
const UNSAT: Option<Answer> = Some(Answer::Unsat);
const MODEL: Extras = Extras { model: true, core: false, proof: false, reason: false };

/// Scripts with commands that could disturb a live process, and the answers they must get.
const SCRIPTS: [(&str, &[Option<Answer>]); 15] = [
    ("(declare-fun x () Int)(assert (> x 1))(check-sat)", &[SAT]),
    ("(set-logic QF_LIA)(declare-fun x () Int)(assert (and (> x 1) (< x 2)))(check-sat)(exit)", &[UNSAT]),
    (
        "(set-logic QF_BV)(set-info :status sat)(declare-fun x () (_ BitVec 4))(assert (= x #x3))(check-sat)(exit)(check-sat)",
        &[SAT],
    ),
    (
        "(set-option :produce-models true)(set-logic QF_LRA)(declare-const x Real)(assert (< x 0.5))(check-sat)(get-value (x))",
        &[SAT],
    ),
    (
        "(declare-const p Bool)(push 1)(assert p)(check-sat)(push 1)(assert (not p))(check-sat)(pop 1)(check-sat)",
        &[SAT, UNSAT, SAT],
    ),
    (
        "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-sat-assuming (p))(check-sat-assuming ((not p) (not q)))",
        &[SAT, UNSAT],
    ),
    (
        "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const x L)(assert ((_ is cons) x))(check-sat)",
        &[SAT],
    ),
    (
        "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (not (= (f a) (f a))))(check-sat)",
        &[UNSAT],
    ),
    ("(define-fun x () Int 3)(assert (= x 3))(check-sat)", &[SAT]),
    ("(declare-fun x () Bool)(assert x)(echo \"unsat\")(check-sat)", &[SAT]),
    ("(set-option :print-success true)(declare-const x Bool)(assert (and x (not x)))(check-sat)", &[UNSAT]),
    ("(declare-const x Float32)(assert (fp.isNaN x))(check-sat)", &[SAT]),
    (
        "(declare-const x Int)(assert (= (* x x) 9))(check-sat)(reset)(declare-const x Bool)(assert (and x (not x)))(check-sat)",
        &[SAT, UNSAT],
    ),
    ("(declare-const i Int)(push 1)(assert (= i 1))(check-sat)(push 2)(check-sat)(pop 3)", &[SAT, SAT]),
    (
        "(set-logic QF_DT)(declare-datatype List ((nil) (cons (head Bool) (tail List))))(declare-const i List)(assert (= i nil))(check-sat)",
        &[SAT],
    ),
];

#[test]
fn a_script_that_turns_models_off_runs_in_a_live_process_without_models_and_its_neighbours_keep_theirs() {
    let plain = "(declare-const x Int)(assert (> x 1))(check-sat)";
    let off = format!("(set-option :produce-models false){plain}");
    for solver in ["z3@5.4.0", "cvc5@1.4.2"] {
        let pool = Pool::new(target(solver), 4);
        for kind in KINDS {
            for (script, has_model) in [(plain, true), (&off, false), (plain, true)] {
                let reply = pool.ask(&Query::new(script.as_bytes()).want(MODEL), kind);
                assert_eq!(reply.answer(), SAT, "{solver} {kind:?} {}", show(&reply));
                // The first copy of a beginning is a process that was started.
                let started = kind == SessionKind::Forked && reply.session == SessionKind::Fresh;
                assert!(reply.session == kind || started, "{solver} {kind:?} {}", show(&reply));
                assert_eq!(reply.checks[0].model.is_some(), has_model, "{solver} {kind:?} {}", show(&reply));
            }
        }
        let sent =
            pool.ask(&Query::new(off.as_bytes()), SessionKind::Scoped).history.bytes().expect("its input");
        assert!(String::from_utf8_lossy(&sent).starts_with("(set-option :produce-models false)"));
    }
}

#[test]
fn the_kinds_agree_on_scripts_with_unusual_commands() {
    for solver in ["z3@5.4.0", "z3@4.8.9", "cvc5@1.4.2"] {
        let pool = Pool::new(target(solver), 4);
        // Twice, so that each case also follows every other one in the same process.
        for (script, expected) in SCRIPTS.iter().chain(SCRIPTS.iter().rev()) {
            for kind in KINDS {
                let reply = pool.ask(&Query::new(script.as_bytes()), kind);
                let answers: Vec<_> = reply.checks.iter().map(|c| c.answer).collect();
                let told = format!("{solver} {kind:?}→{:?} {script}\n{}", reply.session, show(&reply));
                assert_eq!(answers, *expected, "{told}");
                assert_eq!(reply.ended, Ended::ByItself, "{told}");
            }
        }
    }
}

#[test]
fn bitwuzla_and_yices_keep_sessions_too() {
    let script =
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (= (bvmul x #x03) #x09))(check-sat)";
    let refuted =
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (= (bvmul x #x02) #x09))(check-sat)";
    let broken = "(set-logic QF_BV)(assert (= nowhere #x09))(check-sat)";
    for solver in ["bitwuzla@0.9.1", "yices@2.6.5"] {
        let pool = Pool::new(target(solver), 4);
        for _ in 0..3 {
            for kind in KINDS {
                let reply = pool.ask(&Query::new(script.as_bytes()).want(MODEL), kind);
                // A copy needs a program that is linked dynamically, and a beginning that was used before.
                let started = kind == SessionKind::Forked && reply.session == SessionKind::Fresh;
                assert!(reply.session == kind || started, "{solver} {}", show(&reply));
                assert_eq!(reply.answer(), SAT, "{solver} {}", show(&reply));
                let model =
                    reply.checks[0].model.clone().unwrap_or_else(|| panic!("{solver} {}", show(&reply)));
                let model = String::from_utf8(model).unwrap();
                assert!(model.contains("00000011"), "{solver} {kind:?}: {model}");
                let reply = pool.ask(&Query::new(refuted.as_bytes()).want(MODEL), kind);
                assert_eq!(reply.answer(), UNSAT, "{solver} {kind:?} {}", show(&reply));
                let reply = pool.ask(&Query::new(broken.as_bytes()), kind);
                assert_eq!(reply.answer(), None, "{solver} {kind:?} {}", show(&reply));
                assert!(
                    matches!(reply.ended, Ended::Error(_) | Ended::Unsupported(_)),
                    "{solver} {}",
                    show(&reply)
                );
            }
        }
    }
}

#[test]
fn models_come_after_every_sat_and_only_then() {
    let script = "(declare-const x Int)(assert (= x 41))(check-sat)(push 1)(assert (= x 1))(check-sat)(pop 1)(check-sat)";
    for solver in ["z3@5.4.0", "z3@4.8.9", "cvc5@1.4.2"] {
        let pool = Pool::new(target(solver), 4);
        for kind in KINDS {
            let reply = pool.ask(&Query::new(script.as_bytes()).want(MODEL), kind);
            let answers: Vec<_> = reply.checks.iter().map(|c| (c.answer, c.model.is_some())).collect();
            assert_eq!(
                answers,
                [(SAT, true), (UNSAT, false), (SAT, true)],
                "{solver} {kind:?} {}",
                show(&reply)
            );
            let model = reply.checks[2].model.as_deref().unwrap();
            assert!(String::from_utf8_lossy(model).contains("41"), "{solver} {kind:?}");
            assert_eq!(reply.ended, Ended::ByItself, "{solver} {kind:?} {}", show(&reply));
            assert!(reply.errors.is_empty(), "{solver} {kind:?} {}", show(&reply));
        }
    }
}

#[test]
fn cores_come_after_unsat_in_every_kind() {
    let script = "(declare-const x Int)(assert (! (> x 1) :named a))(assert (! (< x 1) :named b))(assert (! (< x 9) :named c))(check-sat)";
    let want = Extras { core: true, ..Extras::default() };
    for solver in ["z3@5.4.0", "cvc5@1.4.2"] {
        let pool = Pool::new(target(solver), 4);
        for kind in KINDS {
            let reply = pool.ask(&Query::new(script.as_bytes()).want(want), kind);
            let core = reply.checks[0].core.as_deref().map(String::from_utf8_lossy);
            let core = core.unwrap_or_else(|| panic!("{solver} {kind:?} {}", show(&reply)));
            assert!(core.contains('a') && core.contains('b'), "{solver} {kind:?} {core}");
        }
    }
}

#[test]
fn settings_that_no_live_process_takes_are_given_up_after_three_attempts_and_the_case_gets_a_copy() {
    let script =
        b"(declare-const x Int)(assert (! (> x 1) :named a))(assert (! (< x 1) :named b))(check-sat)";
    let pool = Pool::new(target("cvc5@1.4.2").with_args(&["--learned-rewrite".to_owned()]), 4);
    let ask = |core| {
        let query = Query::new(script).want(Extras { core, ..Extras::default() });
        pool.ask(&query, SessionKind::Scoped)
    };
    for _ in 0..3 {
        let reply = ask(true);
        assert!(matches!(reply.ended, Ended::Unavailable(_)), "{}", show(&reply));
    }
    let reply = ask(true);
    assert_eq!(reply.routed, Some("live processes do not take the settings"), "{}", show(&reply));
    assert_ne!(reply.session, SessionKind::Scoped);
    assert_eq!(
        (ask(false).session, ask(false).answer()),
        (SessionKind::Scoped, UNSAT),
        "the others are served"
    );
}

#[test]
fn errors_void_the_answer_in_every_kind_and_do_not_affect_later_cases() {
    let bad = "(declare-const x Int)(assert (= x nowhere))(check-sat)";
    let good = SCRIPTS[0].0;
    for solver in ["z3@5.4.0", "cvc5@1.4.2"] {
        let pool = Pool::new(target(solver), 4);
        for kind in KINDS {
            let reply = pool.ask(&Query::new(bad.as_bytes()), kind);
            assert_eq!(reply.answer(), None, "{solver} {kind:?} {}", show(&reply));
            assert!(
                matches!(reply.ended, Ended::Error(_) | Ended::Unsupported(_)),
                "{solver} {kind:?} {}",
                show(&reply)
            );
            assert_eq!(pool.ask(&Query::new(good.as_bytes()), kind).answer(), SAT, "{solver} {kind:?}");
        }
    }
}

/// Pigeons: hard for any solver at this size.
fn pigeons(n: usize) -> String {
    let mut script = String::from("(set-logic QF_UF)\n");
    for p in 0..=n {
        for h in 0..n {
            script += &format!("(declare-const p{p}h{h} Bool)\n");
        }
        let holes: Vec<String> = (0..n).map(|h| format!("p{p}h{h}")).collect();
        script += &format!("(assert (or {}))\n", holes.join(" "));
    }
    for h in 0..n {
        for p in 0..=n {
            for q in 0..p {
                script += &format!("(assert (not (and p{p}h{h} p{q}h{h})))\n");
            }
        }
    }
    script + "(check-sat)\n"
}

#[test]
fn a_slow_case_ends_at_its_own_limit_and_the_next_one_gets_a_new_process() {
    let slow = pigeons(12);
    for solver in ["z3@5.4.0", "cvc5@1.4.2"] {
        let pool = Pool::new(target(solver), 4);
        for kind in KINDS {
            assert_eq!(pool.ask(&Query::new(SCRIPTS[0].0.as_bytes()), kind).answer(), SAT);
            let began = Instant::now();
            let limits = QueryLimits::wall(Duration::from_millis(300));
            let reply = pool.ask(&Query::new(slow.as_bytes()).limits(limits), kind);
            assert_eq!(
                (reply.answer(), &reply.ended),
                (None, &Ended::Wall),
                "{solver} {kind:?} {}",
                show(&reply)
            );
            assert!(began.elapsed() < Duration::from_secs(5), "{solver} {kind:?}");
            assert_eq!(
                pool.ask(&Query::new(SCRIPTS[0].0.as_bytes()), kind).answer(),
                SAT,
                "{solver} {kind:?}"
            );
        }
    }
}

#[test]
fn a_history_replays_a_session_in_a_fresh_process() {
    let pool = Pool::new(target("z3@5.4.0"), 1);
    let ask = |script: &str| pool.ask(&Query::new(script.as_bytes()), SessionKind::Scoped);
    let first = ask(SCRIPTS[0].0);
    let second = ask("(declare-const y Int)(assert (and (< y 0) (> y 0)))(check-sat)");
    assert_eq!(second.session, SessionKind::Scoped);
    let replayed = pool.ask(&Query::new(&second.history.bytes().unwrap()), SessionKind::Fresh);
    let answers: Vec<_> = replayed.checks.iter().map(|c| c.answer).collect();
    assert_eq!(answers, [SAT, UNSAT], "{}", show(&replayed));
    assert!(first.history.bytes().unwrap().len() < second.history.bytes().unwrap().len());
}

#[test]
fn a_rejected_check_ends_its_session() {
    // cvc5 1.4.2 says sat to the second, which is unsatisfiable, if it has refused the first in the same process.
    let array = "((as const (Array (_ BitVec 1) Bool))";
    let declare = "(declare-const u (_ BitVec 1))(declare-const v (_ BitVec 1))(declare-const p Bool)(declare-const q Bool)";
    let first = format!(
        "{declare}(assert (= (store {array} false) (bvnot u) p) (store (store {array} true) v false) u q)))(check-sat)"
    );
    let second = format!(
        "{declare}(assert (= (store {array} false) v false) (store (store {array} true) #b0 q) u true)))(check-sat)"
    );
    let mut target = target("cvc5@1.4.2");
    target.args = vec!["--arrays-exp".into()];
    let pool = Pool::new(target, 1);
    for script in [&first, &second] {
        let reply = pool.ask(&Query::new(script.as_bytes()), SessionKind::Scoped);
        assert_ne!(reply.answer(), SAT, "{}", show(&reply));
    }
}
