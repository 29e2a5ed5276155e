//! Coverage of an instrumented solver by sets of formulas: as a table, CSV and a page with plots.
//!
//! In: per set, how many lines, functions and blocks were reached after each formula, and per component. This file does
//! not know how they were counted.

use crate::chart::{Chart, Points, svg};
use crate::plain::line;
use maud::{PreEscaped, html as markup};
use serde::Serialize;

/// What one set reaches.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reach {
    pub name: String,
    pub solver: String,
    /// Of how many. No lines: the solver was built without line tables.
    pub lines: usize,
    pub functions: usize,
    pub blocks: usize,
    pub formulas: usize,
    /// In the end.
    pub reached: Step,
    /// After each formula; nothing for all sets together.
    pub steps: Vec<Step>,
    pub parts: Vec<Part>,
}

/// What is reached after a formula, how many blocks it reaches by itself, and the processor time up to here.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Step {
    pub lines: usize,
    pub functions: usize,
    pub blocks: usize,
    pub own: usize,
    pub seconds: f64,
}

/// A component.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Part {
    pub name: String,
    pub lines: usize,
    pub lines_reached: usize,
    pub functions: usize,
    pub functions_reached: usize,
    pub blocks: usize,
    pub blocks_reached: usize,
}

fn percent(some: usize, all: usize) -> f64 {
    100.0 * some as f64 / all.max(1) as f64
}

/// `5 of 20`, or a dash if there is nothing to count.
fn of(some: usize, all: usize) -> String {
    if all == 0 { "-".into() } else { format!("{some} of {all}") }
}

fn share(some: usize, all: usize) -> String {
    if all == 0 { "-".into() } else { format!("{:.2}", percent(some, all)) }
}

/// A row per set, then the largest components of which anything was reached.
pub fn table(sets: &[Reach], components: usize) -> String {
    let mut out = format!(
        "{:<24} {:>8} {:>8} {:>18} {:>6} {:>16} {:>6} {:>18} {:>6}\n",
        "set", "formulas", "seconds", "lines", "%", "functions", "%", "blocks", "%"
    );
    for set in sets {
        let Step { lines, functions, blocks, seconds, .. } = set.reached;
        out += &format!(
            "{:<24} {:>8} {seconds:>8.1} {:>18} {:>6} {:>16} {:>6} {:>18} {:>6}\n",
            line(&set.name, 24),
            set.formulas,
            of(lines, set.lines),
            share(lines, set.lines),
            of(functions, set.functions),
            share(functions, set.functions),
            of(blocks, set.blocks),
            share(blocks, set.blocks)
        );
    }
    for set in sets.iter().filter(|_| components > 0) {
        out +=
            &format!("\n{:<40} {:>18} {:>16} {:>18}\n", line(&set.name, 40), "lines", "functions", "blocks");
        for part in largest(set, components) {
            out += &format!(
                "  {:<38} {:>18} {:>16} {:>18}\n",
                line(&part.name, 38),
                of(part.lines_reached, part.lines),
                of(part.functions_reached, part.functions),
                of(part.blocks_reached, part.blocks)
            );
        }
    }
    out
}

fn largest(set: &Reach, count: usize) -> Vec<&Part> {
    let mut parts: Vec<&Part> = set.parts.iter().filter(|part| part.blocks_reached > 0).collect();
    parts.sort_by(|a, b| b.blocks_reached.cmp(&a.blocks_reached).then(a.name.cmp(&b.name)));
    parts.truncate(count);
    parts
}

/// A line per formula.
pub fn csv(sets: &[Reach]) -> String {
    let mut out =
        "set,formula,seconds,lines,lines_of,functions,functions_of,blocks,blocks_of,own_blocks\n".to_owned();
    for set in sets {
        for (n, step) in set.steps.iter().enumerate() {
            let name = set.name.replace([',', '\n', '\r', '"'], " ");
            let Step { lines, functions, blocks, own, seconds } = step;
            out += &format!(
                "{name},{n},{seconds:.3},{lines},{},{functions},{},{blocks},{},{own}\n",
                set.lines, set.functions, set.blocks
            );
        }
    }
    out
}

const STYLE: &str = concat!(include_str!("../style.css"), include_str!("../evolution.css"));

/// The most points of a line.
const POINTS: usize = 400;

/// One plot: a share of the solver by formulas or by processor time.
fn plot(
    sets: &[Reach],
    (title, up): (&'static str, &'static str),
    by_time: bool,
    of: impl Fn(&Reach, &Step) -> f64,
) -> String {
    let points = |set: &Reach| {
        // What a plot can show; the last formula is always there.
        let apart = set.steps.len().div_ceil(POINTS).max(1);
        let each = set.steps.iter().enumerate().rev().step_by(apart);
        let across = |n: usize, step: &Step| if by_time { step.seconds } else { (n + 1) as f64 };
        let mut points: Vec<(f64, f64)> = each.map(|(n, step)| (across(n, step), of(set, step))).collect();
        points.reverse();
        points
    };
    svg(&Chart {
        title,
        across: if by_time { "processor seconds" } else { "formulas" },
        up,
        log: false,
        joined: true,
        series: sets
            .iter()
            .filter(|set| !set.steps.is_empty())
            .map(|set| Points { name: line(&set.name, 40), points: points(set) })
            .collect(),
    })
}

/// An offline page: how lines, functions and blocks grow, and the table.
pub fn page(sets: &[Reach], components: usize) -> String {
    let has_lines = sets.iter().any(|set| set.lines > 0);
    let lines = |set: &Reach, step: &Step| percent(step.lines, set.lines);
    let functions = |set: &Reach, step: &Step| percent(step.functions, set.functions);
    let blocks = |set: &Reach, step: &Step| percent(step.blocks, set.blocks);
    let mut plots = vec![];
    if has_lines {
        plots.push(plot(sets, ("lines reached by formula", "% of lines"), false, lines));
        plots.push(plot(sets, ("lines reached by time", "% of lines"), true, lines));
    }
    plots.push(plot(sets, ("functions reached by formula", "% of functions"), false, functions));
    plots.push(plot(sets, ("blocks reached by formula", "% of blocks"), false, blocks));
    plots.push(plot(sets, ("blocks reached by time", "% of blocks"), true, blocks));
    let body = markup! {
        header { h1 { "Coverage" } @if let Some(set) = sets.first() { p { "of " (line(&set.solver, 80)) } } }
        main {
            p { "Share of the solver's code that the formulas so far have reached." }
            @for plot in &plots { figure { (PreEscaped(plot)) } }
            pre { (crate::plain::lines(&table(sets, components))) }
        }
    };
    crate::html::page(&markup! { "Coverage" }, STYLE, &body, env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> Reach {
        let part = |name: &str, blocks_reached| Part {
            name: name.into(),
            functions: 2,
            functions_reached: 1,
            blocks: 10,
            blocks_reached,
            lines: 30,
            lines_reached: 7,
        };
        Reach {
            name: "a,b <i>".into(),
            solver: "z3".into(),
            functions: 4,
            blocks: 20,
            lines: 40,
            formulas: 2,
            reached: Step { functions: 2, blocks: 5, own: 4, lines: 13, seconds: 1.0 },
            steps: vec![
                Step { functions: 1, blocks: 3, own: 3, lines: 6, seconds: 0.5 },
                Step { functions: 2, blocks: 5, own: 4, lines: 13, seconds: 1.0 },
            ],
            parts: vec![part("smt::theory", 5), part("never", 0)],
        }
    }

    #[test]
    fn the_table_has_the_last_state_and_only_components_that_were_reached() {
        let table = table(&[set()], 9);
        assert!(
            table.contains("2 of 4") && table.contains("25.00") && table.contains("smt::theory"),
            "{table}"
        );
        assert!(
            table.contains("13 of 40") && table.contains("7 of 30") && table.contains("32.50"),
            "{table}"
        );
        assert!(!table.contains("never"));
    }

    #[test]
    fn csv_has_a_line_per_formula_and_the_page_escapes_names() {
        let all = Reach { name: "together".into(), formulas: 5, steps: vec![], ..set() };
        let text = csv(&[set(), all]);
        assert!(text.lines().all(|line| line.split(',').count() == 10));
        assert!(!text.contains("together"), "what all sets reach together is no growth");
        let page = page(&[set(), set()], 9);
        assert!(page.contains("<svg") && !page.contains("<i>"));
        assert!(page.contains("% of functions"), "a plot says what it shows");
    }
}
