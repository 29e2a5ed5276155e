//! One block: formulas run on one release in one session, with every model evaluated.
//!
//! A worker keeps the live process of the release it used last and drops it when it changes to another, so that memory
//! grows with the workers and not with the releases. It records the answers and the times; nothing is judged here.

use super::{Block, Measurement, Theory};
use crate::caught::caught;
use crate::clock::Clock;
use oracle::{Given, ModelCheck, check_model, notation};
use smtlib::Script;
use solver::{Answer, Ended, Extras, Pool, Query, Reply, SessionKind, Target};
use store::Cell;

/// The state of a worker: the release it used last.
#[derive(Default)]
pub struct Hand(Option<(usize, Pool)>);

impl Hand {
    fn pool(&mut self, release: usize, target: &Target) -> &Pool {
        if self.0.as_ref().is_some_and(|(held, _)| *held != release) {
            self.0 = None;
        }
        let (_, pool) = self.0.get_or_insert_with(|| (release, Pool::new(target.clone(), 1)));
        pool
    }
}

/// Runs a block as far as there is time; an error means that the release cannot be run at all.
pub fn block(
    hand: &mut Hand,
    setup: &Measurement,
    theory: &Theory,
    block: &Block,
    (clock, cancel): (&Clock, &run::Cancel),
) -> Result<Vec<Cell>, String> {
    let target = &setup.releases[block.release];
    let pool = hand.pool(block.release, target);
    let kind = if block.fresh { SessionKind::Fresh } else { setup.session };
    let mut cells = Vec::with_capacity(block.numbers.len());
    for &number in &block.numbers {
        if clock.is_closing() {
            break;
        }
        let text = theory.formulas[number as usize].as_bytes();
        let mut query =
            Query::new(text).limits(setup.limits()).want(Extras { model: true, ..Extras::default() });
        query.cancel = Some(cancel.clone());
        let reply = pool.ask(&query, kind);
        if cancel.is_raised() {
            break;
        }
        if let Ended::Unavailable(why) = &reply.ended {
            return Err(why.clone());
        }
        cells.push(cell(number, target, text, &reply));
    }
    Ok(cells)
}

fn cell(number: u64, target: &Target, text: &[u8], reply: &Reply) -> Cell {
    let check = reply.checks.first();
    let answer = check.and_then(|check| check.answer);
    let model = match (answer, check.and_then(|check| check.model.as_deref())) {
        (Some(Answer::Sat), Some(model)) => model_word(target, text, model),
        _ => "",
    };
    Cell {
        number,
        answer: answer.map_or("", Answer::word).into(),
        ended: reply.ended.word().into(),
        model: model.into(),
        cpu: reply.cpu.as_micros() as u64,
        wall: reply.wall.as_micros() as u64,
    }
}

fn model_word(target: &Target, text: &[u8], model: &[u8]) -> &'static str {
    let Ok(mut script) = Script::parse(text) else { return "undecided" };
    // If we panic, the result is unknown; the grid must not stop at this formula forever.
    let Ok(checked) = caught(|| check_model(&mut script, 0, model, notation(target))) else {
        return "undecided";
    };
    match checked {
        ModelCheck::Confirmed { given: Given::Nothing, .. } => "confirmed",
        ModelCheck::Refuted { .. } => "refuted",
        ModelCheck::Confirmed { .. } => "open",
        ModelCheck::Undecided(_) => "undecided",
    }
}
