//! Requests after every check-sat, so that a solver says more of its answer than the answer.
//!
//! In: a script. Out: the same script that also asks for values, for the truth of its labels, or for the assumptions
//! that an `unsat` needed (Winterer's thesis, section 7.4, asks for such output in all configurations). The oracle
//! compares what comes back with the model and with the truth (`oracle::values`, the rung `unsat-assumptions`).
//!
//! Values are requested of terms of the script: constants, and Boolean and other terms of the assertions, without
//! quantifiers. They change no answer. For assumptions, every assertion of a script with one plain check-sat becomes an
//! implication from a new constant, and these constants are assumed: under the assumptions the assertions are the same,
//! so every answer and every expectation stays. The opposite is a script that turns models off: that is how most people run
//! a solver, and a solver that need not make a model simplifies more. The result is a function of the script alone, so that a recipe only says
//! which requests there are.

use crate::mutant::donors::prefix;
use serde::{Deserialize, Serialize};
use smtlib::Script;
use smtlib::printer::{command_text, term_text};
use smtlib::script::Command;
use smtlib::term::{AttrValue, Kind, Role, TermId};

/// What a case asks of solvers besides answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Requests {
    #[default]
    Nothing,
    /// Values of terms, and the truth of labels where there are some.
    Values,
    /// Unsat assumptions.
    Assumptions,
    /// An interpolant between the first and the second half of the assertions.
    Interpolant,
    /// Nothing but the answer, not even a model.
    NoModels,
}

impl Requests {
    pub fn is_nothing(&self) -> bool {
        *self == Requests::Nothing
    }

    /// The script with these requests; `None` if it does not parse or has nothing to ask for.
    pub fn added_to(self, text: &[u8]) -> Option<Vec<u8>> {
        let script = Script::parse(text).ok()?;
        match self {
            Requests::Nothing => None,
            Requests::Values => with_values(&script),
            Requests::Assumptions => with_assumptions(&script),
            Requests::Interpolant => with_interpolant(&script),
            Requests::NoModels => without_models(&script),
        }
    }
}

/// The most terms whose value is requested after a check-sat, and the longest of them in characters.
const MOST_TERMS: usize = 8;
const LONGEST: usize = 300;

fn line(out: &mut Vec<u8>, text: impl AsRef<[u8]>) {
    out.extend_from_slice(text.as_ref());
    out.push(b'\n');
}

/// Options must come before everything else that a script says.
fn begin(options: &[&str]) -> Vec<u8> {
    let mut out = vec![];
    options.iter().for_each(|option| line(&mut out, format!("(set-option :{option} true)")));
    out
}

/// Whether a script may be asked more: no command that is not understood, nothing that ends the context.
fn is_plain(script: &Script) -> bool {
    script.commands.iter().all(|command| {
        !matches!(
            command,
            Command::Reset | Command::ResetAssertions | Command::Other { .. } | Command::GetValue(_)
        ) && !matches!(command, Command::Minimize(..) | Command::Maximize(..) | Command::AssertSoft(..))
    })
}

/// The script as people run it, who want only the answer.
fn without_models(script: &Script) -> Option<Vec<u8>> {
    let commands: Vec<_> = script.commands.iter().map(|c| command_text(&script.pool, c)).collect();
    if !is_plain(script) || commands.iter().any(|text| text.starts_with(b"(get-")) {
        return None;
    }
    let mut out = vec![];
    line(&mut out, "(set-option :produce-models false)");
    let kept = commands.iter().filter(|text| !text.starts_with(b"(set-option :produce-models"));
    kept.for_each(|text| line(&mut out, text));
    Some(out)
}

fn with_values(script: &Script) -> Option<Vec<u8>> {
    let checks = script.commands.iter().filter(|command| command.is_check()).count();
    if !is_plain(script) || checks == 0 {
        return None;
    }
    let labelled = script.assertions().any(|term| {
        script.pool.subterms(term).into_iter().any(|part| match script.pool.kind(part) {
            Kind::Annot(attrs) => {
                script.pool.attr_list(attrs).iter().any(|attr| matches!(attr.value, AttrValue::Name(_)))
            }
            _ => false,
        })
    });
    let options: &[&str] =
        if labelled { &["produce-models", "produce-assignments"] } else { &["produce-models"] };
    let mut out = begin(options);
    let mut asked = false;
    for (n, command) in script.commands.iter().enumerate() {
        if matches!(command, Command::Exit) {
            break;
        }
        line(&mut out, command_text(&script.pool, command));
        if !command.is_check() {
            continue;
        }
        let terms = terms_at(script, n);
        if !terms.is_empty() {
            asked = true;
            line(&mut out, format!("(get-value ({}))", terms.join(" ")));
        }
        if labelled {
            asked = true;
            line(&mut out, "(get-assignment)");
        }
    }
    asked.then_some(out)
}

/// Terms whose value may be requested at a command: spread over what is asserted there.
fn terms_at(script: &Script, command: usize) -> Vec<String> {
    let check = script.commands[..command].iter().filter(|command| command.is_check()).count();
    let pool = &script.pool;
    let mut all: Vec<TermId> = vec![];
    for (_, asserted) in script.in_force(check) {
        all.extend(pool.subterms(asserted).into_iter().filter(|&term| may_be_asked(script, term)));
    }
    all.sort_unstable();
    all.dedup();
    let step = all.len().div_ceil(MOST_TERMS).max(1);
    // The last terms contain the others, so the list is taken from the end.
    let chosen = all.iter().rev().step_by(step).map(|&term| term_text(pool, term));
    chosen.filter(|text| text.len() <= LONGEST).collect()
}

/// Whether a term has a value that can be requested: closed, without quantifiers and labels, and not a literal.
fn may_be_asked(script: &Script, term: TermId) -> bool {
    let pool = &script.pool;
    let closed = pool.subterms(term).into_iter().all(|part| match pool.kind(part) {
        Kind::Quant(..) | Kind::Var(_) | Kind::Let(_) | Kind::Match(_) | Kind::Annot(_) => false,
        Kind::Fun { decl, .. } => !matches!(pool.decl(decl).role, Role::Named(_)),
        _ => true,
    });
    let plain = match pool.kind(term) {
        Kind::Lit(..) => false,
        Kind::Op { .. } | Kind::Fun { .. } => true,
        _ => false,
    };
    let first_order = !matches!(
        pool.sort(pool.sort_of(term)),
        smtlib::sort::Sort::RegLan | smtlib::sort::Sort::Fun(_) | smtlib::sort::Sort::Param(_)
    );
    closed
        && plain
        && first_order
        && !(pool.args(term).is_empty() && matches!(pool.kind(term), Kind::Op { .. }))
}

fn with_assumptions(script: &Script) -> Option<Vec<u8>> {
    let assumes = |command: &&Command| matches!(command, Command::CheckSatAssuming(_));
    if !is_plain(script) {
        return None;
    }
    if script.commands.iter().any(|command| assumes(&command)) {
        let mut out = begin(&["produce-unsat-assumptions"]);
        for command in script.commands.iter().take_while(|command| !matches!(command, Command::Exit)) {
            line(&mut out, command_text(&script.pool, command));
            if assumes(&command) {
                line(&mut out, "(get-unsat-assumptions)");
            }
        }
        return Some(out);
    }
    let checks = script.commands.iter().filter(|command| command.is_check()).count();
    let scoped = script.commands.iter().any(|command| matches!(command, Command::Push(_) | Command::Pop(_)));
    let annotated = |term| matches!(script.pool.kind(term), Kind::Annot(_));
    if checks != 1 || scoped || script.assertions().next().is_none() || script.assertions().any(annotated) {
        return None;
    }
    let (prefix, mut out) = (prefix(&script.pool), begin(&["produce-unsat-assumptions"]));
    let mut count = 0;
    for command in script.commands.iter().take_while(|command| !matches!(command, Command::Exit)) {
        match command {
            Command::Assert(term) => {
                count += 1;
                let text = term_text(&script.pool, *term);
                line(&mut out, format!("(declare-const {prefix}!{count} Bool)"));
                line(&mut out, format!("(assert (=> {prefix}!{count} {text}))"));
            }
            Command::CheckSat => {
                let assumed: Vec<String> = (1..=count).map(|n| format!("{prefix}!{n}")).collect();
                line(&mut out, format!("(check-sat-assuming ({}))", assumed.join(" ")));
                line(&mut out, "(get-unsat-assumptions)");
            }
            Command::CheckSatUsing(_) => return None,
            other => line(&mut out, command_text(&script.pool, other)),
        }
    }
    Some(out)
}

/// The second half of the assertions in a scope of its own, and after it the request for what is between the halves. The
/// check-sat is about the same assertions as before.
fn with_interpolant(script: &Script) -> Option<Vec<u8>> {
    let annotated = |term: TermId| {
        script.pool.subterms(term).into_iter().any(|part| matches!(script.pool.kind(part), Kind::Annot(_)))
    };
    let asserted: Vec<TermId> = script.assertions().collect();
    let plain = script.commands.iter().all(|command| {
        command.is_declaration()
            || matches!(
                command,
                Command::SetLogic(_)
                    | Command::SetInfo(..)
                    | Command::Assert(_)
                    | Command::CheckSat
                    | Command::Exit
            )
    });
    let checks = script.commands.iter().filter(|command| command.is_check()).count();
    let first = script.commands.iter().position(Command::is_check)?;
    let late =
        script.commands[first..].iter().any(|command| !matches!(command, Command::CheckSat | Command::Exit));
    if !plain || checks != 1 || late || asserted.len() < 2 || asserted.iter().any(|&term| annotated(term)) {
        return None;
    }
    let mut out = begin(&["produce-interpolants"]);
    let (mut kept, mut apart) = (0, vec![]);
    for command in &script.commands[..first] {
        match command {
            Command::Assert(term) if kept >= asserted.len() / 2 => apart.push(term_text(&script.pool, *term)),
            other => {
                kept += usize::from(matches!(other, Command::Assert(_)));
                line(&mut out, command_text(&script.pool, other));
            }
        }
    }
    line(&mut out, "(push 1)");
    apart.iter().for_each(|term| line(&mut out, format!("(assert {term})")));
    line(&mut out, "(check-sat)\n(pop 1)");
    let joined = if let [one] = &apart[..] { one.clone() } else { format!("(and {})", apart.join(" ")) };
    line(&mut out, format!("(get-interpolant {} (not {joined}))", prefix(&script.pool)));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(requests: Requests, text: &str) -> Option<String> {
        let text = String::from_utf8(requests.added_to(text.as_bytes())?).unwrap();
        Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error:?}: {text}"));
        Some(text)
    }

    #[test]
    fn values_of_closed_terms_are_requested_after_every_check() {
        let text = asked(
            Requests::Values,
            "(set-logic ALL)(declare-const x Int)(assert (forall ((y Int)) (> (* y y) (- x 1))))(check-sat)\
             (push 1)(assert (! (< x 5) :named n))(check-sat)(exit)(check-sat)",
        )
        .unwrap();
        assert!(
            text.starts_with("(set-option :produce-models true)\n(set-option :produce-assignments true)\n"),
            "{text}"
        );
        assert_eq!(text.matches("(get-value (").count(), 2, "{text}");
        assert_eq!(text.matches("(get-assignment)").count(), 2, "{text}");
        assert!(text.contains("(get-value ((- x 1) x))"), "{text}");
        assert!(text.contains("(get-value ((< x 5) ") && !text.contains("* y y)) "), "{text}");
    }

    #[test]
    fn models_are_turned_off_where_nothing_asks_for_one() {
        let text = "(set-option :produce-models true)(set-logic ALL)(declare-const x Int)(check-sat)";
        let off = asked(Requests::NoModels, text).unwrap();
        assert_eq!(
            off,
            "(set-option :produce-models false)\n(set-logic ALL)\n(declare-const x Int)\n(check-sat)\n"
        );
        assert_eq!(asked(Requests::NoModels, &format!("{text}(get-model)")), None);
    }

    #[test]
    fn few_terms_are_requested_of_a_large_script() {
        let sum = (0..40).map(|n| format!("(assert (> (+ x {n}) {n}))")).collect::<String>();
        let text = asked(Requests::Values, &format!("(declare-const x Int){sum}(check-sat)")).unwrap();
        let line = text.lines().find(|line| line.starts_with("(get-value")).unwrap();
        let Command::GetValue(terms) =
            Script::parse(text.as_bytes()).unwrap().commands.into_iter().next_back().unwrap()
        else {
            panic!("{line}")
        };
        assert!((4..=MOST_TERMS).contains(&terms.len()), "{line}");
    }

    #[test]
    fn every_assertion_becomes_an_assumption() {
        let text =
            asked(Requests::Assumptions, "(declare-const x Int)(assert (> x 0))(assert (< x 0))(check-sat)")
                .unwrap();
        let expected = "(set-option :produce-unsat-assumptions true)\n(declare-const x Int)\n\
            (declare-const fresh!1 Bool)\n(assert (=> fresh!1 (> x 0)))\n\
            (declare-const fresh!2 Bool)\n(assert (=> fresh!2 (< x 0)))\n\
            (check-sat-assuming (fresh!1 fresh!2))\n(get-unsat-assumptions)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_interpolant_is_requested_between_the_halves() {
        let text = "(declare-const x Int)(assert (> x 2))(declare-const y Int)(assert (< x 1))(assert (= y x))(check-sat)";
        let asked = asked(Requests::Interpolant, text).unwrap();
        let expected = "(set-option :produce-interpolants true)\n(declare-const x Int)\n(assert (> x 2))\n\
            (declare-const y Int)\n(push 1)\n(assert (< x 1))\n(assert (= y x))\n(check-sat)\n(pop 1)\n\
            (get-interpolant fresh (not (and (< x 1) (= y x))))\n";
        assert_eq!(asked, expected);
        for other in [
            "(declare-const p Bool)(assert p)(check-sat)",
            "(declare-const p Bool)(assert p)(push 1)(assert p)(check-sat)",
        ] {
            assert_eq!(Requests::Interpolant.added_to(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn a_script_that_assumes_is_only_asked_and_others_are_left_alone() {
        let own = "(declare-const p Bool)(push 1)(check-sat-assuming (p))(pop 1)(check-sat)";
        let text = asked(Requests::Assumptions, own).unwrap();
        assert_eq!(text.matches("(get-unsat-assumptions)").count(), 1);
        for other in [
            "(declare-const p Bool)(assert p)(check-sat)(check-sat)",
            "(declare-const p Bool)(push 1)(assert p)(check-sat)",
            "(declare-const p Bool)(assert (! p :named n))(check-sat)",
            "(check-sat)",
            "(declare-const p Bool)(assert p)(check-sat)(reset)(check-sat)",
        ] {
            assert_eq!(asked(Requests::Assumptions, other), None, "{other}");
        }
    }
}
