//! Incremental scripts by construction: every answer on the way is known.
//!
//! A script asserts claims that the chosen model satisfies, and now and then something that contradicts them: the
//! denial of a claim that stands, in a scope of its own, behind a switch that only `check-sat-assuming` turns on, or, in
//! one script of six, before `reset-assertions` wipes it out. So each check-sat is satisfiable, with the chosen model, or unsatisfiable,
//! with the claim and its denial as the reason.
//!
//! After a satisfiable check the value of a pinned constant is requested. It has only one value, so the right response is
//! known: any other contradicts the pin, which is asserted, and the oracle compares responses with the model and with the
//! assertions in force (`oracle/src/values.rs`).

use super::claim::{self, Claim};
use super::grow::Grove;
use super::pinned;
use super::stage::Stage;
use crate::{Draft, Expect, Expected, Ground, Rng};
use semantics::eval::Evaluator;

/// Attempts to grow a term.
const ATTEMPTS: usize = 20;
/// Check-sats of a script.
const CHECKS: usize = 6;
/// One script in this many may wipe out its assertions. Then its declarations must be global, and solvers get a process of
/// its own for it.
const RESETTING: usize = 6;
/// Deepest nesting of scopes.
const SCOPES: usize = 3;

/// Why a check-sat is unsatisfiable.
const BECAUSE: &str = "an assertion in scope and its denial contradict each other";

/// A script that is being written.
struct Writing<'g, 's> {
    grove: &'g Grove<'s>,
    text: Vec<u8>,
    expects: Vec<Option<Expect>>,
    model: String,
    /// Per scope: what is asserted there, and whether a denial is among it.
    scopes: Vec<Scope>,
    /// Constants behind which a denial stands, by scope.
    switches: usize,
    resets: bool,
}

#[derive(Default)]
struct Scope {
    claims: Vec<Claim>,
    /// Constants with only one value left.
    pinned: Vec<usize>,
    is_denied: bool,
    /// The switches whose denials stand here, each with whether its claim stands too.
    switches: Vec<usize>,
}

pub fn draft(stage: &Stage, evaluator: &mut Evaluator<'_>, rng: &mut Rng) -> Option<Draft> {
    let mut grove = Grove::plant(stage, rng);
    for _ in 0..ATTEMPTS {
        grove.grow(evaluator, rng);
    }
    let resets = rng.chance(1, RESETTING);
    let mut text = if resets { b"(set-option :global-declarations true)\n".to_vec() } else { vec![] };
    text.extend_from_slice(stage.preamble.as_bytes());
    for n in 0..CHECKS {
        text.extend_from_slice(format!("(declare-const switch{n} Bool)\n").as_bytes());
    }
    let mut model = grove.worlds[0].text(stage);
    model.truncate(model.len() - 1);
    for n in 0..CHECKS {
        model += &format!("(define-fun switch{n} () Bool false)\n");
    }
    model.push(')');
    let scopes = vec![Scope::default()];
    let mut writing = Writing { grove: &grove, text, expects: vec![], model, scopes, switches: 0, resets };
    for _ in 0..64 {
        if writing.expects.len() == CHECKS {
            break;
        }
        writing.step(evaluator, rng);
    }
    let rule = format!("stage `{}`: a script of {} check-sats", stage.name, writing.expects.len());
    (writing.expects.len() > 1).then(|| Draft::of(writing.text).rules([rule]).expecting(writing.expects))
}

impl Writing<'_, '_> {
    fn step(&mut self, evaluator: &mut Evaluator<'_>, rng: &mut Rng) {
        match rng.below(16) {
            0..4 => self.claim(rng),
            4 => self.pin(evaluator, rng),
            5..7 if self.scopes.len() <= SCOPES => self.push(),
            7..9 if self.scopes.len() > 1 => self.pop(),
            9 if self.scopes.len() > 1 => self.deny(rng),
            10 => self.hide(rng),
            11 if self.resets && rng.chance(1, 3) => self.reset(),
            12 => self.assume(rng),
            13..16 => self.check(),
            _ => {}
        }
    }

    fn line(&mut self, parts: &[&[u8]]) {
        parts.iter().for_each(|part| self.text.extend_from_slice(part));
        self.text.push(b'\n');
    }

    fn top(&mut self) -> Option<&mut Scope> {
        self.scopes.last_mut()
    }

    fn claim(&mut self, rng: &mut Rng) {
        let Some(claim) = claim::draw(self.grove, rng) else { return };
        let Some(text) = claim::text(self.grove, claim) else { return };
        self.line(&[b"(assert ", &text, b")"]);
        self.top().into_iter().for_each(|scope| scope.claims.push(claim));
    }

    fn pin(&mut self, evaluator: &mut Evaluator<'_>, rng: &mut Rng) {
        let constant = rng.below(self.grove.stage.constants.len().clamp(1, 62));
        let Some(pins) = pinned::pins(self.grove, evaluator, 1 << constant, rng) else { return };
        for text in pins {
            self.line(&[b"(assert ", &text, b")"]);
        }
        self.top().into_iter().for_each(|scope| scope.pinned.push(constant));
    }

    fn push(&mut self) {
        self.line(&[b"(push 1)"]);
        self.scopes.push(Scope::default());
    }

    fn pop(&mut self) {
        self.line(&[b"(pop 1)"]);
        self.scopes.pop();
    }

    /// Some claim that stands in any scope.
    fn standing(&self, rng: &mut Rng) -> Option<Claim> {
        let all: Vec<Claim> = self.scopes.iter().flat_map(|scope| scope.claims.iter().copied()).collect();
        rng.pick(&all).copied()
    }

    fn deny(&mut self, rng: &mut Rng) {
        let Some(text) = self.standing(rng).and_then(|claim| claim::denial(self.grove, claim)) else {
            return;
        };
        self.line(&[b"(assert ", &text, b")"]);
        self.top().into_iter().for_each(|scope| scope.is_denied = true);
    }

    /// A denial behind a switch that the model has off.
    fn hide(&mut self, rng: &mut Rng) {
        if self.switches == CHECKS {
            return;
        }
        // The claim may be asserted in an outer scope only: it must stand as long as the switch does.
        let Some(text) = self.standing(rng).and_then(|claim| claim::denial(self.grove, claim)) else {
            return;
        };
        let switch = self.switches;
        self.switches += 1;
        self.line(&[format!("(assert (=> switch{switch} ").as_bytes(), &text, b"))"]);
        self.top().into_iter().for_each(|scope| scope.switches.push(switch));
    }

    fn reset(&mut self) {
        self.line(&[b"(reset-assertions)"]);
        self.scopes = vec![Scope::default()];
    }

    fn is_denied(&self) -> bool {
        self.scopes.iter().any(|scope| scope.is_denied)
    }

    fn expect(&mut self, unsat: bool) {
        let expect = match unsat {
            true => Expect { answer: Expected::Unsat, ground: Ground::Argument(BECAUSE.to_owned()) },
            false => Expect { answer: Expected::Sat, ground: Ground::Model(self.model.clone()) },
        };
        self.expects.push(Some(expect));
    }

    fn check(&mut self) {
        self.line(&[b"(check-sat)"]);
        let denied = self.is_denied();
        self.expect(denied);
        let pinned = self.scopes.iter().find_map(|scope| scope.pinned.first().copied());
        if let (false, Some(constant)) = (denied, pinned) {
            let name = self.grove.stage.constants[constant].name.clone();
            self.line(&[b"(get-value (", name.as_bytes(), b"))"]);
        }
    }

    fn assume(&mut self, rng: &mut Rng) {
        let standing: Vec<usize> =
            self.scopes.iter().flat_map(|scope| scope.switches.iter().copied()).collect();
        match rng.pick(&standing) {
            Some(switch) if rng.chance(2, 3) => {
                self.line(&[format!("(check-sat-assuming (switch{switch}))").as_bytes()]);
                self.expect(true);
            }
            Some(switch) => {
                self.line(&[format!("(check-sat-assuming ((not switch{switch})))").as_bytes()]);
                let denied = self.is_denied();
                self.expect(denied);
            }
            None => {}
        }
    }
}
