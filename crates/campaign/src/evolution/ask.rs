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
        let mut runs = vec![];
        for _ in 0..setup.repetitions.max(1) {
            let reply = pool.ask(&query, kind);
            if cancel.is_raised() {
                return Ok(cells);
            }
            if let Ended::Unavailable(why) = &reply.ended {
                return Err(why.clone());
            }
            runs.push(cell(number, target, text, &reply));
        }
        cells.extend(mean(runs));
    }
    Ok(cells)
}

/// One cell for several runs: the mean of the times, and the first answer; a later one if it looks worse, so that it is
/// examined.
fn mean(runs: Vec<Cell>) -> Option<Cell> {
    let count = runs.len() as u64;
    let (cpu, wall) = runs.iter().fold((0, 0), |(cpu, wall), run| (cpu + run.cpu, wall + run.wall));
    let mut runs = runs.into_iter();
    let mut kept = runs.next()?;
    for run in runs {
        let contradicts = kept.is_definite() && run.is_definite() && kept.answer != run.answer;
        if contradicts || (run.model == "refuted" && kept.model != "refuted") || run.ended == "crash" {
            kept = run;
        }
    }
    Some(Cell { cpu: cpu / count, wall: wall / count, ..kept })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(answer: &str, ended: &str, cpu: u64) -> Cell {
        Cell {
            number: 7,
            answer: answer.into(),
            ended: ended.into(),
            model: String::new(),
            cpu,
            wall: cpu + 2,
        }
    }

    #[test]
    fn several_runs_are_one_cell_with_the_mean_of_their_times_and_the_worst_answer() {
        let one =
            mean(vec![cell("sat", "ended", 10), cell("unknown", "ended", 20), cell("sat", "ended", 60)]);
        let one = one.unwrap();
        assert_eq!((one.number, one.answer.as_str(), one.cpu, one.wall), (7, "sat", 30, 32));
        let flips = mean(vec![cell("sat", "ended", 1), cell("unsat", "ended", 1)]).unwrap();
        assert_eq!(flips.answer, "unsat", "it is looked at");
        assert_eq!(mean(vec![cell("sat", "ended", 1), cell("", "crash", 1)]).unwrap().ended, "crash");
        assert!(mean(vec![]).is_none());
    }
}
