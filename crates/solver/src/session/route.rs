//! Which kind of session a script can use.
//!
//! A live process has state, so a script that changes more than assertions and declarations could leave traces
//! or be affected by some. Such scripts go to a kind that is more isolated (scoped → reset → forked), with a
//! reason that reports can show. The rules prefer isolation; an unnecessary one costs milliseconds, a missing one a
//! false suspicion.

use super::Query;
use crate::outline::Outline;
use crate::profile::{Profile, SessionKind};
use crate::version::Version;

/// Where a script goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routed {
    pub kind: SessionKind,
    /// Why it is not the requested kind.
    pub why: Option<&'static str>,
}

/// Chooses the kind: the requested one, or the next more isolated one that works.
pub fn route(
    outline: &Outline<'_>,
    profile: &Profile,
    version: Option<&Version>,
    query: &Query<'_>,
    asked: SessionKind,
) -> Routed {
    let mut routed = Routed { kind: asked, why: None };
    if routed.kind == SessionKind::Scoped
        && let Some(why) = not_scoped(outline, profile, version, query)
    {
        routed = Routed { kind: SessionKind::Reset, why: Some(why) };
    }
    if routed.kind == SessionKind::Reset
        && let Some(why) = not_live(outline, profile, version, query)
    {
        routed = Routed { kind: SessionKind::Forked, why: routed.why.or(Some(why)) };
    }
    routed
}

/// Options that a live process has enabled anyway, or that only affect what is printed.
const TAME: [&[u8]; 5] = [
    b"produce-models",
    b"print-success",
    b"produce-unsat-cores",
    b"produce-assignments",
    b"produce-unsat-assumptions",
];

/// Commands that act on more than the current scope.
const WIDE: [&[u8]; 16] = [
    b"reset",
    b"reset-assertions",
    b"include",
    b"minimize",
    b"maximize",
    b"assert-soft",
    b"rule",
    b"query",
    b"declare-rel",
    b"declare-var",
    b"get-proof",
    b"get-objectives",
    b"set-info-global",
    b"declare-heap",
    b"synth-fun",
    b"check-synth",
];

fn not_scoped(
    outline: &Outline<'_>,
    profile: &Profile,
    version: Option<&Version>,
    query: &Query<'_>,
) -> Option<&'static str> {
    if !profile.has(SessionKind::Scoped) {
        return Some("the solver has no scoped session");
    }
    if let Some(why) = not_live(outline, profile, version, query) {
        return Some(why);
    }
    let early: [&[u8]; 4] =
        [b"get-unsat-core", b"get-assignment", b"get-unsat-assumptions", b"get-interpolant"];
    if early.iter().any(|name| outline.has(name)) {
        return Some("the script requests something that must be enabled at the start");
    }
    if outline.logic.is_some_and(|l| l == b"HORN" || l.starts_with(b"HO_")) {
        return Some("the logic is more than a restriction of ALL");
    }
    let mut quirks = profile.session.not_scoped.iter().filter(|q| q.affects(version));
    if quirks.any(|q| q.commands.iter().any(|c| outline.has(c.as_bytes()))) {
        return Some("this release does not undo such commands at a pop");
    }
    let late =
        outline.commands.iter().skip_while(|c| matches!(c.name, b"set-option" | b"set-info" | b"set-logic"));
    late.clone().any(|c| matches!(c.name, b"set-option" | b"set-logic")).then_some("an option is set late")
}

fn not_live(
    outline: &Outline<'_>,
    profile: &Profile,
    version: Option<&Version>,
    query: &Query<'_>,
) -> Option<&'static str> {
    let session = &profile.session;
    if session.kinds.is_empty() {
        return Some("the solver has no session");
    }
    if profile.file.when.iter().any(|when| when.applies(outline.script, version)) {
        return Some("the script needs an option that the live processes have not");
    }
    if !profile.has(SessionKind::Reset) && !profile.has(SessionKind::Scoped) {
        return Some("the solver has no session");
    }
    if outline.malformed {
        return Some("the script is malformed");
    }
    if outline.underflow || outline.depth > 100_000 {
        return Some("the script pops more than it pushes");
    }
    if outline.commands.iter().any(|c| WIDE.contains(&c.name)) {
        return Some("a command acts on more than the script");
    }
    if outline.options().any(|o| !TAME.contains(&o)) {
        return Some("an option may outlive the script");
    }
    if query.want.proof {
        return Some("proofs are requested from fresh processes");
    }
    if session.needs_logic && outline.logic.is_none() {
        return Some("the solver needs a logic");
    }
    // Twice the time of a query with a short limit is still less than starting a process.
    let long = query.soft_for(profile).is_none();
    let avoid = |theory: &str| long && session.fresh_theories.iter().any(|t| t == theory);
    if avoid("FloatingPoint") && outline.mentions_floating_point() {
        return Some("the solver's live processes are slow at floating point");
    }
    if avoid("NIA") && outline.is_nonlinear_integer() {
        return Some("the solver's live processes are slow at nonlinear integers");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(solver: &str, script: &str) -> SessionKind {
        route(
            &Outline::of(script.as_bytes()),
            &Profile::named(solver),
            None,
            &Query::new(b""),
            SessionKind::Scoped,
        )
        .kind
    }

    #[test]
    fn a_script_that_needs_an_option_of_the_command_line_gets_a_process_of_its_own() {
        let script = "(set-logic ALL)(declare-const a (Array Int Int))(assert (= a ((as const (Array Int Int)) 0)))(check-sat)";
        let version = crate::version::Version::parse("1.4.2");
        let asked = |solver: &str| {
            let outline = Outline::of(script.as_bytes());
            route(&outline, &Profile::named(solver), version.as_ref(), &Query::new(b""), SessionKind::Scoped)
                .kind
        };
        assert_eq!(asked("cvc5"), SessionKind::Forked);
        assert_eq!(asked("z3"), SessionKind::Scoped);
    }

    #[test]
    fn plain_scripts_stay_scoped_and_stateful_ones_do_not() {
        let plain =
            "(set-logic QF_LIA)(declare-fun x () Int)(push 1)(assert (> x 0))(check-sat)(pop 1)(check-sat)";
        assert_eq!(kind("z3", plain), SessionKind::Scoped);
        assert_eq!(kind("cvc5", plain), SessionKind::Scoped);
        assert_eq!(kind("boolector", plain), SessionKind::Forked);
        assert_eq!(kind("unheard-of", plain), SessionKind::Forked);
        for (script, expected) in [
            ("(set-option :smt.arith.solver 2)(check-sat)", SessionKind::Forked),
            ("(set-option :produce-models true)(check-sat)", SessionKind::Scoped),
            ("(declare-const x Int)(set-option :produce-models true)(check-sat)", SessionKind::Reset),
            ("(set-option :produce-unsat-cores true)(check-sat)(get-unsat-core)", SessionKind::Reset),
            (
                "(set-option :produce-unsat-assumptions true)(check-sat)(get-unsat-assumptions)",
                SessionKind::Reset,
            ),
            ("(check-sat)(reset)(check-sat)", SessionKind::Forked),
            ("(pop 1)(check-sat)", SessionKind::Forked),
            ("(assert-soft a)(check-sat)", SessionKind::Forked),
            ("(check-sat", SessionKind::Forked),
            ("(set-logic HORN)(check-sat)", SessionKind::Reset),
            ("(set-logic HO_ALL)(check-sat)", SessionKind::Reset),
        ] {
            assert_eq!(kind("z3", script), expected, "{script}");
        }
    }

    #[test]
    fn what_live_processes_are_slow_at_runs_in_a_fresh_one() {
        assert_eq!(kind("cvc5", "(declare-const x Float32)(check-sat)"), SessionKind::Forked);
        assert_eq!(kind("z3", "(declare-const x Float32)(check-sat)"), SessionKind::Scoped);
        assert_eq!(kind("cvc5", "(set-logic QF_NIA)(check-sat)"), SessionKind::Forked);
        assert_eq!(kind("yices", "(check-sat)"), SessionKind::Forked, "it has no logic");
        let brief = Query { soft: Some(std::time::Duration::from_millis(10)), ..Query::new(b"") };
        let outline = Outline::of(b"(declare-const x Float32)(check-sat)");
        let routed = route(&outline, &Profile::named("cvc5"), None, &brief, SessionKind::Scoped);
        assert_eq!(routed.kind, SessionKind::Scoped, "it will not be slow for long");
    }

    #[test]
    fn a_limitation_of_one_release_affects_only_that_release() {
        let outline = Outline::of(b"(define-fun x () Int 3)(check-sat)");
        let kind = |version: &str| {
            let version = Version::parse(version);
            route(&outline, &Profile::named("z3"), version.as_ref(), &Query::new(b""), SessionKind::Scoped)
                .kind
        };
        assert_eq!(
            (kind("4.8.9"), kind("4.8.8"), kind("4.8.10")),
            (SessionKind::Reset, SessionKind::Scoped, SessionKind::Scoped)
        );
    }

    #[test]
    fn a_reason_is_given_exactly_when_the_kind_changes() {
        let z3 = Profile::named("z3");
        let stays = route(&Outline::of(b"(check-sat)"), &z3, None, &Query::new(b""), SessionKind::Scoped);
        assert_eq!(stays, Routed { kind: SessionKind::Scoped, why: None });
        let asked_fresh = route(&Outline::of(b"(reset)"), &z3, None, &Query::new(b""), SessionKind::Fresh);
        assert_eq!(asked_fresh.why, None);
        assert!(
            route(&Outline::of(b"(reset)"), &z3, None, &Query::new(b""), SessionKind::Scoped).why.is_some()
        );
    }
}
