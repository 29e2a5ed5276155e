//! Finds suspicious cells of the grid and checks them in fresh processes.
//!
//! In: the cells of one theory. A formula's truth is certain if any release printed a model that our evaluator
//! confirms, or if enumeration decides it. Suspicious are: a crash, a model that is wrong, an answer that contradicts
//! a certain truth, and, where nothing is certain, an answer that the newest release of another solver contradicts.
//! Each suspicion is run again on the release in fresh processes, together with the releases that can certify it, and
//! is judged and repeated as every other finding is. Out: trials, stored in the grid so that they are never repeated.
//! A suspicion that is not reproduced by every fresh process is not counted.

use super::{Evolution, Theory};
use crate::caught::caught;
use crate::error::Result;
use crate::spread::spread;
use oracle::{Effort, EvidenceKind, FindingKind, Verdict};
use smtlib::{Parsed, Script};
use solver::Target;
use std::collections::BTreeSet;
use store::{Cell, Trial};
use strategy::Case;
use triage::{Confirmed, Panel, Plan, Repetitions, confirm};

/// The work limit for deciding one formula by enumeration: a few milliseconds.
const WORK: u64 = 1 << 21;

/// A release to be checked on a formula, and the releases to run beside it.
#[derive(Debug, PartialEq, Eq)]
struct Suspicion {
    release: usize,
    number: u64,
    beside: Vec<usize>,
}

/// Finds the suspicions among the first formulas of a theory and checks the new ones. That this is done is stored last.
pub fn settle(run: &mut Evolution, theory: usize, upto: u64) -> Result<()> {
    let axis = run.theories[theory].axis;
    let mut truths = run.grid.truths(axis)?;
    let new = enumerate(run, theory, upto, &truths)?;
    if run.is_stopped() {
        return Ok(());
    }
    truths.extend(&new);
    let mut rows = vec![];
    for release in 0..run.releases.len() {
        let mut row = run.cells(theory, release, false)?;
        // Answers of fresh processes are checked as well: they may come from another engine.
        row.extend(run.cells(theory, release, true)?);
        row.sort_by_key(|cell| cell.number);
        rows.push(row);
    }
    let mut suspicions = vec![];
    let mut tried: Vec<BTreeSet<u64>> = vec![];
    for &release in &run.releases {
        let trials = run.grid.trials(axis, release)?;
        tried.push(trials.iter().map(|trial| trial.number).collect());
    }
    for suspicion in suspicious(&rows, &truths, &run.newest(), &solvers(run)) {
        if suspicion.number < upto && !tried[suspicion.release].contains(&suspicion.number) {
            suspicions.push(suspicion);
        }
    }
    let (setup, theories, releases) = (&run.setup, &run.theories, &run.releases);
    let (grid, interrupts, clock, cancel) = (&mut run.grid, &run.interrupts, &run.clock, &run.cancel);
    let stop = || interrupts.stop() || clock.is_over();
    let work = |_: &mut (), suspicion: Suspicion| {
        let target = |at: usize| setup.releases[at].clone();
        let beside = suspicion.beside.iter().map(|&at| target(at)).collect();
        // A fresh process needs time to start; beyond that it gets the limit of the session twice.
        let cpu = Some(setup.limit * 2 + std::time::Duration::from_secs(1));
        let limits = solver::QueryLimits { cpu, ..setup.limits() };
        let (theory, number, accused) = (&theories[theory], suspicion.number, target(suspicion.release));
        let trial = caught(|| trial(theory, number, accused, beside, limits, cancel));
        let ours = |said| Trial { number, verdict: "doubtful".into(), certified: false, detail: said };
        (suspicion.release, trial.unwrap_or_else(ours))
    };
    spread(setup.workers, suspicions, &stop, work, |(release, trial): (usize, Trial)| {
        if cancel.is_raised() {
            // Solvers were ended: what they did not say says nothing.
            return Ok(());
        }
        Ok(grid.keep_trial(axis, releases[release], &trial)?)
    })?;
    if stop() {
        return Ok(());
    }
    grid.keep_truths(axis, &new)?;
    Ok(grid.settle(axis, releases, upto)?)
}

fn solvers(run: &Evolution) -> Vec<String> {
    run.setup.releases.iter().map(|target| target.profile.name.clone()).collect()
}

/// Decides formulas by enumeration, those that were not tried before.
fn enumerate(
    run: &Evolution,
    theory: usize,
    upto: u64,
    known: &[(u64, Option<bool>)],
) -> Result<Vec<(u64, Option<bool>)>> {
    let formulas = &run.theories[theory].formulas;
    let known: BTreeSet<u64> = known.iter().map(|(number, _)| *number).collect();
    let missing: Vec<u64> =
        (0..upto.min(formulas.len() as u64)).filter(|number| !known.contains(number)).collect();
    let mut truths = Vec::with_capacity(missing.len());
    let decide = |_: &mut (), number: u64| (number, exact(formulas[number as usize].as_bytes()));
    let (interrupts, clock) = (&run.interrupts, &run.clock);
    let stop = || interrupts.stop() || clock.is_over();
    spread(run.setup.workers, missing, &stop, decide, |truth| {
        truths.push(truth);
        Ok(())
    })?;
    truths.sort_unstable();
    Ok(truths)
}

fn exact(text: &[u8]) -> Option<bool> {
    let mut script = Script::parse(text).ok()?;
    caught(|| oracle::decide(&mut script, 0, WORK)).ok()?.map(|fact| fact.satisfiable)
}

/// Every (release, formula) that looks wrong. Rows are cells by release, sorted by number; a formula may have two.
fn suspicious(
    rows: &[Vec<Cell>],
    truths: &[(u64, Option<bool>)],
    newest: &[usize],
    solvers: &[String],
) -> Vec<Suspicion> {
    let find = |release: usize, number: u64| -> &[Cell] {
        let row = &rows[release];
        let first = row.partition_point(|cell| cell.number < number);
        &row[first..first + row[first..].partition_point(|cell| cell.number == number)]
    };
    let mut all = vec![];
    for &(number, exact) in truths {
        let confirmed = |release: &usize| find(*release, number).iter().any(|cell| cell.model == "confirmed");
        let certifier = (0..rows.len()).rev().find(confirmed);
        let truth = if certifier.is_some() { Some(true) } else { exact };
        for release in 0..rows.len() {
            let others: Vec<usize> =
                newest.iter().copied().filter(|&other| solvers[other] != solvers[release]).collect();
            let contradicted = |cell: &Cell| {
                let theirs = others.iter().flat_map(|&other| find(other, number));
                cell.is_definite()
                    && theirs.into_iter().any(|theirs| theirs.is_definite() && theirs.answer != cell.answer)
            };
            let beside = find(release, number).iter().find_map(|cell| match truth {
                _ if cell.ended == "crash" || cell.model == "refuted" => Some(vec![]),
                Some(satisfiable) => {
                    let wrong = if satisfiable { "unsat" } else { "sat" };
                    (cell.answer == wrong).then(|| certifier.into_iter().collect())
                }
                None => contradicted(cell).then(|| others.clone()),
            });
            all.extend(beside.map(|beside| Suspicion { release, number, beside }));
        }
    }
    all
}

/// Runs it again in fresh processes and lets the oracle judge.
fn trial(
    theory: &Theory,
    number: u64,
    target: Target,
    beside: Vec<Target>,
    limits: solver::QueryLimits,
    cancel: &run::Cancel,
) -> Trial {
    let text = theory.formulas[number as usize].as_bytes();
    let name = target.name.clone();
    let not =
        |verdict: &str, detail: String| Trial { number, verdict: verdict.into(), certified: false, detail };
    let Ok(script) = Parsed::read(text) else {
        return not("doubtful", "the formula does not type-check".into());
    };
    let panel = Panel::new(vec![target], beside, 0);
    let effort = Effort { regressions: false, ..Effort::thorough().as_asked() };
    let plan = Plan { effort, cancel: Some(cancel.clone()), ..Plan::thorough(limits) };
    let inquiry = match confirm(&panel, &Case::of_script(script), &plan, Repetitions::default()) {
        Confirmed::Yes(inquiry) | Confirmed::No(inquiry) => inquiry,
        Confirmed::Flaky { rate, .. } => return not("not-confirmed", rate.to_string()),
    };
    match inquiry.verdict {
        Verdict::Fine { .. } => not("not-confirmed", String::new()),
        Verdict::Inconclusive(why) | Verdict::OurBug(why) => not("doubtful", why),
        Verdict::Findings(findings) => {
            let concerns = |finding: &&oracle::Accusation| {
                finding.accuses(&name) || finding.kind == FindingKind::Inconsistent
            };
            let Some(finding) = findings.iter().find(concerns) else {
                return not("not-confirmed", "another release is to blame".into());
            };
            let evidence = finding.evidence.first();
            let certified = evidence.is_some_and(|evidence| evidence.kind != EvidenceKind::Majority);
            let detail = evidence.map(|evidence| evidence.detail.clone()).unwrap_or_default();
            Trial { number, verdict: finding.kind.word().into(), certified, detail }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(answers: &[(&str, &str, &str)]) -> Vec<Cell> {
        let cell = |(number, (answer, ended, model)): (usize, &(&str, &str, &str))| Cell {
            number: number as u64,
            answer: (*answer).into(),
            ended: (*ended).into(),
            model: (*model).into(),
            cpu: 1,
            wall: 1,
        };
        answers.iter().enumerate().map(cell).collect()
    }

    #[test]
    fn an_answer_is_suspicious_if_it_contradicts_a_certificate_or_else_the_newest_other_solver() {
        let fine = ("sat", "ended", "confirmed");
        let rows = [
            row(&[
                ("unsat", "ended", ""),
                ("unsat", "ended", ""),
                ("", "crash", ""),
                ("sat", "ended", "refuted"),
            ]),
            row(&[fine, ("unsat", "ended", ""), fine, fine]),
            row(&[("unsat", "ended", ""), ("sat", "ended", "open"), fine, fine]),
        ];
        let solvers = ["z3", "z3", "cvc5"].map(str::to_owned);
        let truths = [(0, None), (1, None), (2, Some(true)), (3, None)];
        let found = suspicious(&rows, &truths, &[1, 2], &solvers);
        let of = |release, number, beside: &[usize]| Suspicion { release, number, beside: beside.to_vec() };
        assert_eq!(
            found,
            [
                of(0, 0, &[1]),
                of(2, 0, &[1]),
                of(0, 1, &[2]),
                of(1, 1, &[2]),
                of(2, 1, &[1]),
                of(0, 2, &[]),
                of(0, 3, &[])
            ]
        );
    }

    #[test]
    fn exhaustive_search_overrules_an_answer_that_all_releases_give() {
        let rows = [row(&[("sat", "ended", "undecided")]), row(&[("sat", "ended", "undecided")])];
        let found = suspicious(&rows, &[(0, Some(false))], &[0, 1], &["z3".into(), "cvc5".into()]);
        assert_eq!(found.len(), 2);
        assert!(suspicious(&rows, &[(0, Some(true))], &[0, 1], &["z3".into(), "cvc5".into()]).is_empty());
    }
}
