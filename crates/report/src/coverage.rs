//! Coverage of an instrumented solver by sets of formulas: as a table, CSV and a page with a plot.
//!
//! In: per set, how many functions and blocks were reached after each formula, and per component. This file does not
//! know how they were counted.

use crate::chart::{Chart, Points, svg};
use crate::plain::line;
use maud::{PreEscaped, html as markup};
use serde::Serialize;

/// What one set reaches.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reach {
    pub name: String,
    pub solver: String,
    /// Of how many.
    pub functions: usize,
    pub blocks: usize,
    /// After each formula.
    pub steps: Vec<Step>,
    pub parts: Vec<Part>,
}

/// What is reached after a formula, and how many blocks it reaches by itself.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Step {
    pub functions: usize,
    pub blocks: usize,
    pub own: usize,
}

/// A component.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Part {
    pub name: String,
    pub functions: usize,
    pub functions_reached: usize,
    pub blocks: usize,
    pub blocks_reached: usize,
}

impl Reach {
    fn last(&self) -> Step {
        self.steps.last().copied().unwrap_or_default()
    }
}

fn percent(some: usize, all: usize) -> f64 {
    100.0 * some as f64 / all.max(1) as f64
}

/// A row per set, then the largest components of which anything was reached.
pub fn table(sets: &[Reach], components: usize) -> String {
    let mut out = format!(
        "{:<24} {:>8} {:>18} {:>7} {:>18} {:>7}\n",
        "set", "formulas", "functions", "%", "blocks", "%"
    );
    for set in sets {
        let Step { functions, blocks, .. } = set.last();
        out += &format!(
            "{:<24} {:>8} {:>18} {:>7.2} {:>18} {:>7.2}\n",
            line(&set.name, 24),
            set.steps.len(),
            format!("{functions} of {}", set.functions),
            percent(functions, set.functions),
            format!("{blocks} of {}", set.blocks),
            percent(blocks, set.blocks)
        );
    }
    for set in sets.iter().filter(|_| components > 0) {
        out += &format!("\n{:<40} {:>16} {:>16}\n", line(&set.name, 40), "functions", "blocks");
        for part in largest(set, components) {
            out += &format!(
                "  {:<38} {:>16} {:>16}\n",
                line(&part.name, 38),
                format!("{} of {}", part.functions_reached, part.functions),
                format!("{} of {}", part.blocks_reached, part.blocks)
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
    let mut out = "set,formula,functions,functions_of,blocks,blocks_of,own_blocks\n".to_owned();
    for set in sets {
        for (n, step) in set.steps.iter().enumerate() {
            let name = set.name.replace([',', '\n', '\r', '"'], " ");
            let Step { functions, blocks, own } = step;
            out += &format!("{name},{n},{functions},{},{blocks},{},{own}\n", set.functions, set.blocks);
        }
    }
    out
}

const STYLE: &str = concat!(include_str!("../style.css"), include_str!("../evolution.css"));

/// An offline page: how blocks grow, and the table.
pub fn page(sets: &[Reach], components: usize) -> String {
    let points = |set: &Reach| {
        let each = set.steps.iter().enumerate();
        each.map(|(n, step)| ((n + 1) as f64, percent(step.blocks, set.blocks))).collect()
    };
    let chart = Chart {
        title: "blocks reached by formula",
        across: "formulas",
        up: "% of blocks",
        log: false,
        joined: true,
        series: sets.iter().map(|set| Points { name: line(&set.name, 40), points: points(set) }).collect(),
    };
    let body = markup! {
        header { h1 { "Coverage" } @if let Some(set) = sets.first() { p { "of " (line(&set.solver, 80)) } } }
        main { figure { figcaption { "Share of the solver's blocks that the formulas so far have reached." } (PreEscaped(svg(&chart))) }
            pre { (crate::plain::lines(&table(sets, components))) } }
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
        };
        Reach {
            name: "a,b <i>".into(),
            solver: "z3".into(),
            functions: 4,
            blocks: 20,
            steps: vec![Step { functions: 1, blocks: 3, own: 3 }, Step { functions: 2, blocks: 5, own: 4 }],
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
        assert!(!table.contains("never"));
    }

    #[test]
    fn csv_has_a_line_per_formula_and_the_page_escapes_names() {
        assert!(csv(&[set()]).lines().all(|line| line.split(',').count() == 7));
        let page = page(&[set(), set()], 9);
        assert!(page.contains("<svg") && !page.contains("<i>"));
    }
}
