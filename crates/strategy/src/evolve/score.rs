//! What an individual is worth: time, coverage, complexity, and how similar two traces are.
//!
//! The equations of Ren, Fan, Li, Zhou, Jiang (2021), each a function of plain numbers, so that the worked values of
//! the paper are tests. Where the paper's text and its pseudo-code differ, the function says which one it follows.

use super::trace::Trace;
use crate::Prepared;
use std::collections::BTreeMap;

/// Eq. 1: the target's time, and on top of it how much longer it took than the reference.
pub fn time(target: f64, reference: f64) -> f64 {
    target + (target - reference).max(0.0)
}

/// Eq. 2 without its sign: every node of every assertion counts as much as its level. The paper's examples count the
/// root and its arguments as level 1, so a node at depth d counts max(d, 1).
pub fn complexity(prepared: &Prepared) -> u64 {
    let occurrences = &prepared.printed.occurrences;
    let is_assertion =
        |command: u32| matches!(prepared.script.commands[command as usize], smtlib::Command::Assert(_));
    let mut depth: Vec<u64> = Vec::with_capacity(occurrences.len());
    let mut sum = 0;
    for occurrence in occurrences {
        let own = depth.get(occurrence.parent as usize).map_or(0, |parent| parent + 1);
        depth.push(own);
        if is_assertion(occurrence.command) {
            sum += own.max(1);
        }
    }
    sum
}

/// What a search has seen of the target's code so far: per file, the most often that each row was executed in a run.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    rows: BTreeMap<u32, BTreeMap<u32, u32>>,
}

impl Seen {
    /// Algorithm 2, by its text. A new file earns 1000; a new row 100 times its count; a row that is executed more often
    /// than ever 10 times the increase; any other row 1. The pseudo-code differs in three points, which would make the
    /// score jump for no reason: it ignores the rows of a new file (ten new rows of a known file would be worth more
    /// than a whole new file), multiplies the whole count instead of the increase, and adds 1 to a new row.
    pub fn score(&self, trace: &Trace) -> f64 {
        let mut score = 0.0;
        let mut last = None;
        for &(file, row, count) in &trace.rows {
            let known = self.rows.get(&file);
            if last != Some(file) && known.is_none() {
                score += 1000.0;
            }
            last = Some(file);
            score += match known.and_then(|rows| rows.get(&row)) {
                None => 100.0 * f64::from(count),
                Some(&most) if count > most => 10.0 * f64::from(count - most),
                Some(_) => 1.0,
            };
        }
        score
    }

    /// Remembers a run.
    pub fn add(&mut self, trace: &Trace) {
        for &(file, row, count) in &trace.rows {
            let most = self.rows.entry(file).or_default().entry(row).or_default();
            *most = (*most).max(count);
        }
    }

    /// How many rows were ever executed.
    pub fn rows(&self) -> usize {
        self.rows.values().map(BTreeMap::len).sum()
    }
}

/// Eq. 3: twice what two traces share, of their lengths together.
pub fn similarity(shared: u64, first: u64, second: u64) -> f64 {
    if first + second == 0 { 1.0 } else { 2.0 * shared as f64 / (first + second) as f64 }
}

/// Eq. 4: one minus the mean similarity to the others of the front.
pub fn crowding(count: usize, similar: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let of = |n: usize| {
        let sum: f64 = (0..count).filter(|&other| other != n).map(|other| similar(n, other)).sum();
        // A lonely individual is as far from the others as can be.
        if count < 2 { 1.0 } else { 1.0 - sum / (count - 1) as f64 }
    };
    (0..count).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::genome::prepare;

    #[test]
    fn the_time_score_of_the_papers_example_is_9_98269() {
        assert!((time(5.0, 0.01731) - 9.98269).abs() < 1e-9);
        assert!((time(0.2, 0.5) - 0.2).abs() < 1e-9, "a faster target keeps its own time");
    }

    #[test]
    fn the_complexity_of_the_papers_individuals_is_16_and_11() {
        let head = "(set-logic QF_SLIA)(declare-fun var3 () Int)(declare-fun var0 () String)(declare-fun var2 () String)";
        let first = "(assert (< (str.to_int \"8b8\") 9))";
        let second = "(assert (> (str.indexof \"+]YAPKJ8b8\" var2 var3) (str.to_int var0)))";
        let of = |asserts: &str| {
            let text = format!("{head}{asserts}(check-sat)");
            complexity(&prepare(text.into_bytes()).unwrap())
        };
        assert_eq!((of(&format!("{first}{second}")), of(second)), (16, 11));
    }

    #[test]
    fn the_similarity_of_the_papers_traces_is_0_374() {
        let similarity = similarity(1_680_940, 4_553_000, 4_430_457);
        assert!((similarity - 0.374).abs() < 0.0005, "{similarity}");
    }

    #[test]
    fn coverage_rewards_new_files_new_rows_and_rows_that_run_more_often() {
        let mut seen = Seen::default();
        let first = Trace::of([(1, 10, 3), (1, 11, 1)]);
        assert!((seen.score(&first) - 1400.0).abs() < 1e-9, "a new file and 4 executions of new rows");
        seen.add(&first);
        assert!((seen.score(&first) - 2.0).abs() < 1e-9, "two rows that are known");
        let more = Trace::of([(1, 10, 5), (1, 12, 2)]);
        assert!((seen.score(&more) - 220.0).abs() < 1e-9, "2 more of a known row, 2 of a new one");
        seen.add(&more);
        assert_eq!(seen.rows(), 3);
    }

    #[test]
    fn an_individual_like_all_others_is_crowded_and_a_lonely_one_is_not() {
        let similar = |a: usize, b: usize| if a.max(b) == 2 { 0.0 } else { 1.0 };
        assert_eq!(crowding(3, similar), [0.5, 0.5, 1.0]);
        assert_eq!(crowding(1, similar), [1.0]);
    }
}
