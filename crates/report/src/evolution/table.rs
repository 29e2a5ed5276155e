//! The figures for a terminal: one table per solver with all theories together, then bugs by theory.

use super::{Evolution, Family, Figures, seconds};
use crate::plain::thousands;

/// Readable without colour, at most about 110 columns wide.
pub fn table(evolution: &Evolution) -> String {
    let mut out = format!("{}; times are processor time; {}\n", evolution.session, evolution.machine);
    for theory in &evolution.theories {
        let share = 100.0 * theory.certified as f64 / (theory.formulas as f64).max(1.0);
        out += &format!(
            "{:<12} {:>8} formulas, {share:.0} % certified\n",
            theory.name,
            thousands(theory.formulas)
        );
    }
    for family in &evolution.families {
        out += &whole(evolution, family);
    }
    out += &bugs(evolution);
    out += &triggers(evolution);
    out
}

/// How many formulas of each theory show most of the bugs: how large a run in continuous integration must be.
fn triggers(evolution: &Evolution) -> String {
    let mut out = String::new();
    for family in evolution.families.iter().filter(|family| family.all_triggers.count > 0) {
        let all = &family.all_triggers;
        let first = |formulas: Option<u64>| thousands(formulas.unwrap_or(0));
        out += &format!(
            "{}: of {} bug triggers 80 % are within the first {} formulas of their theory, 99 % within {}\n",
            family.solver,
            thousands(all.count),
            first(all.formulas_for_80_percent),
            first(all.formulas_for_99_percent)
        );
    }
    out
}

fn whole(evolution: &Evolution, family: &Family) -> String {
    let ends = |limits: &[f64]| match limits {
        [] => vec![],
        [one] => vec![(0, *one)],
        [first, .., last] => vec![(0, *first), (limits.len() - 1, *last)],
    };
    let limits = ends(&evolution.timeouts);
    let mut out = format!("\n{:<14}", family.solver);
    for name in ["unsound", "inv. model", "crash", "disagrees", "unknown", "timeout", "rejected"] {
        out += &format!(" {name:>10}");
    }
    for (_, limit) in &limits {
        out += &format!(" {:>12}", format!("in {}", seconds(*limit)));
    }
    out += &format!(" {:>10} {:>9}\n", "joint s", "fresh ms");
    for (at, total) in evolution.totals(family).iter().enumerate() {
        out += &format!("{:<14}", family.releases[at].version);
        let counts = [
            total.unsound,
            total.invalid_model,
            total.crash,
            total.disagrees,
            total.unknown,
            total.timeout,
            total.rejected,
        ];
        for count in counts {
            out += &format!(" {:>10}", thousands(count));
        }
        for (limit, _) in &limits {
            out += &format!(" {:>12}", thousands(total.solved.get(*limit).copied().unwrap_or(0)));
        }
        out += &format!(" {:>10.2} {:>9.1}\n", total.joint_seconds, startup(family, at));
    }
    out
}

/// The median over theories of the median fresh query: mostly the start of the process.
pub(super) fn startup(family: &Family, release: usize) -> f64 {
    let mut medians: Vec<f64> = family
        .figures
        .iter()
        .filter(|row| row[release].fresh > 0)
        .map(|row| row[release].fresh_median_ms)
        .collect();
    medians.sort_by(f64::total_cmp);
    medians.get(medians.len() / 2).copied().unwrap_or(0.0)
}

fn bugs(evolution: &Evolution) -> String {
    let mut out = String::from("\nBugs reproduced in fresh processes, by theory\n");
    let mut none = true;
    for (at, theory) in evolution.theories.iter().enumerate() {
        for family in &evolution.families {
            for (release, figures) in family.releases.iter().zip(&family.figures[at]) {
                if figures.bugs() + figures.disagrees > 0 {
                    none = false;
                    out += &format!("{:<12} {:<14} {}\n", theory.name, release.name, words(figures));
                }
            }
        }
    }
    if none {
        out += "none\n";
    }
    out
}

fn words(figures: &Figures) -> String {
    let named = [
        (figures.unsound, "unsound"),
        (figures.invalid_model, "invalid model"),
        (figures.crash, "crash"),
        (figures.disagrees, "contradicted by the newest other solver, no certificate"),
    ];
    let words: Vec<String> = named
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{} {name}", thousands(*count)))
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_bug_is_listed_with_its_theory_and_release() {
        let text = super::table(&super::super::tests::sample());
        assert!(text.contains("Ints         z3@4.8.6       1 unsound"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 140), "{text}");
    }
}
