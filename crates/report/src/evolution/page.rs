//! The evolution as one offline page: inline SVG, no script, no request, nothing that needs colour.

use super::plot::{Figure, Mark, Scale, Series, svg};
use super::table::startup;
use super::{Evolution, Family, Figures, seconds};
use crate::plain::{line, thousands};
use maud::{Markup, PreEscaped, html as markup};

const STYLE: &str = concat!(include_str!("../../style.css"), include_str!("../../evolution.css"));

/// The whole page.
pub fn page(evolution: &Evolution) -> String {
    let body = markup! {
        (head(evolution))
        main {
            section { h2 { "Correctness" } (summary(evolution)) (correctness(evolution)) }
            section { h2 { "Performance" } (lowest(evolution)) (highest(evolution)) (joint(evolution)) (throughput(evolution)) (fresh(evolution)) }
        }
    };
    let title = markup! { "The evolution of " (solvers(evolution)) };
    crate::html::page(&title, STYLE, &body, env!("CARGO_PKG_VERSION"))
}

fn solvers(evolution: &Evolution) -> String {
    evolution.families.iter().map(|family| family.solver.as_str()).collect::<Vec<_>>().join(" and ")
}

fn head(evolution: &Evolution) -> Markup {
    let releases: usize = evolution.families.iter().map(|family| family.releases.len()).sum();
    let formulas: u64 = evolution.theories.iter().map(|theory| theory.formulas).sum();
    let certified: u64 = evolution.theories.iter().map(|theory| theory.certified).sum();
    let numbers = [
        (thousands(releases as u64), "releases"),
        (
            thousands(evolution.theories.len() as u64),
            if evolution.theories.len() == 1 { "theory" } else { "theories" },
        ),
        (thousands(formulas), "formulas"),
        (thousands(formulas * releases as u64), "queries"),
        (format!("{:.0} %", 100.0 * certified as f64 / (formulas as f64).max(1.0)), "of formulas certified"),
    ];
    markup! {
        header {
            h1 { "The evolution of " (solvers(evolution)) }
            p { "The smallest formulas of each theory's grammar, each run once on every release: "
                (line(&evolution.session, 200)) ", up to " (evolution.timeouts.last().map_or(String::new(), |&t| seconds(t)))
                " per query, on " (line(&evolution.machine, 200)) ". Times are processor time; where a solver's live process is known to be slow "
                "(cvc5 on floating point) a fresh one answers, and its start counts." }
            dl.numbers { @for (number, name) in numbers { div { dt { (name) } dd { (number) } } } }
        }
    }
}

/// Totals over all theories, as Figure 7.10 of the thesis has them.
fn summary(evolution: &Evolution) -> Markup {
    let cell = |count: u64| markup! { td.number.bad[count > 0].none[count == 0] { (thousands(count)) } };
    markup! {
        @for family in &evolution.families {
            div.wide { table {
                thead { tr {
                    th { (family.solver) } th.number { "unsound" } th.number { "invalid model" } th.number { "crash" }
                    th.number { "contradicted" } th.number { "unknown" } th.number { "timeout" } th.number { "rejected" }
                } }
                tbody { @for (release, total) in family.releases.iter().zip(evolution.totals(family)).rev() { tr {
                    td { (line(&release.version, 40)) }
                    (cell(total.unsound)) (cell(total.invalid_model)) (cell(total.crash)) (cell(total.disagrees))
                    td.number { (thousands(total.unknown)) } td.number { (thousands(total.timeout)) }
                    td.number { (thousands(total.rejected)) }
                } } }
            } }
        }
        p.facts { "Unsound: a certificate of falsum's own (a model it evaluated, or all assignments tried) proves the answer wrong. "
            "Contradicted: the newest release of the other solver gives the opposite answer, and there is no certificate; no solver is accused. "
            "Everything counted was reproduced in a fresh process." }
    }
}

fn figure(title: &str, about: &str, figure: &Figure) -> Markup {
    markup! {
        figure {
            h3 { (title) }
            figcaption { (about) }
            (PreEscaped(svg(figure)))
        }
    }
}

/// A column per solver, with its releases.
fn columns(evolution: &Evolution) -> Vec<(String, Vec<String>)> {
    let column = |family: &Family| {
        let labels = family.releases.iter().map(|release| release.version.clone()).collect();
        (family.solver.clone(), labels)
    };
    evolution.families.iter().map(column).collect()
}

/// Rows by theory, columns by solver, series as given.
fn multiples(
    evolution: &Evolution,
    legend: Vec<String>,
    title: &str,
    values: &dyn Fn(&Figures) -> Vec<f64>,
) -> Figure {
    let panel = |family: &Family, theory: usize| {
        let rows: Vec<Vec<f64>> = family.figures[theory].iter().map(values).collect();
        (0..legend.len())
            .map(|n| Series { values: rows.iter().map(|row| row[n]).collect() })
            .collect::<Vec<Series>>()
    };
    let rows = evolution
        .theories
        .iter()
        .enumerate()
        .map(|(at, theory)| {
            (theory.name.clone(), evolution.families.iter().map(|family| panel(family, at)).collect())
        })
        .collect();
    Figure {
        legend,
        columns: columns(evolution),
        rows,
        scale: Scale::Linear,
        mark: Mark::Line,
        shared: true,
        title: title.to_owned(),
    }
}

fn names(legend: &[&str]) -> Vec<String> {
    legend.iter().map(|&name| name.to_owned()).collect()
}

fn correctness(evolution: &Evolution) -> Markup {
    let title = "Bug triggers per theory and release";
    let legend = names(&["unsound", "invalid model", "crash"]);
    let values = |f: &Figures| vec![f.unsound as f64, f.invalid_model as f64, f.crash as f64];
    let mut plot = Figure { scale: Scale::Log, ..multiples(evolution, legend, title, &values) };
    let is_empty =
        |panels: &[Vec<Series>]| panels.iter().flatten().all(|one| one.values.iter().all(|&n| n == 0.0));
    let none: Vec<String> =
        plot.rows.iter().filter(|(_, panels)| is_empty(panels)).map(|(theory, _)| theory.clone()).collect();
    plot.rows.retain(|(_, panels)| !is_empty(panels));
    let rest = match &none[..] {
        [] => String::new(),
        none => format!(" No release is wrong in {}.", none.join(", ")),
    };
    if plot.rows.is_empty() {
        return markup! { figure { h3 { (title) } figcaption { (rest.trim()) } } };
    }
    let about = format!(
        "Formulas on which the release is proved wrong; logarithmic counts. An empty panel means none.{rest}"
    );
    figure(title, &about, &plot)
}

fn lowest(evolution: &Evolution) -> Markup {
    let Some(&limit) = evolution.timeouts.first() else { return markup! {} };
    let title = format!("Solved within {}", seconds(limit));
    let values = |f: &Figures| vec![f.solved.first().copied().unwrap_or(0) as f64];
    let plot = Figure { mark: Mark::Bar, ..multiples(evolution, names(&["solved"]), &title, &values) };
    figure(&title, "Formulas answered sat or unsat within the smallest timeout, the model included.", &plot)
}

fn highest(evolution: &Evolution) -> Markup {
    let picks = picks(evolution.timeouts.len());
    let legend: Vec<String> =
        picks.iter().map(|&at| format!("within {}", seconds(evolution.timeouts[at]))).collect();
    let title = "Solved formulas by timeout";
    let values =
        |f: &Figures| picks.iter().map(|&at| f.solved.get(at).copied().unwrap_or(0) as f64).collect();
    let plot = multiples(evolution, legend, title, &values);
    figure(title, "Formulas answered sat or unsat, for timeouts up to the largest.", &plot)
}

/// At most four of the timeouts, the last and largest first.
fn picks(count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = match count {
        0..=4 => (0..count).collect(),
        n => vec![0, n / 3, 2 * n / 3, n - 1],
    };
    all.reverse();
    all
}

fn joint(evolution: &Evolution) -> Markup {
    let title = "Cumulative time on jointly solved formulas";
    let values = |f: &Figures| vec![f.joint_seconds];
    let plot = Figure { shared: false, ..multiples(evolution, names(&["seconds"]), title, &values) };
    figure(
        title,
        "Seconds for the formulas that every release of the solver answers; each panel has its own scale.",
        &plot,
    )
}

fn throughput(evolution: &Evolution) -> Markup {
    let title = "Throughput";
    let values = |f: &Figures| vec![f.throughput];
    let plot =
        Figure { shared: false, ..multiples(evolution, names(&["formulas per second"]), title, &values) };
    figure(
        title,
        "Formulas per second of processor time, timeouts included; each panel has its own scale.",
        &plot,
    )
}

/// The cost for a user who starts the solver for every query.
fn fresh(evolution: &Evolution) -> Markup {
    if evolution.families.iter().flat_map(|f| &f.figures).flatten().all(|figures| figures.fresh == 0) {
        return markup! {};
    }
    let title = "A fresh process";
    let per_family = |value: &dyn Fn(&Family, usize) -> f64| {
        let series = |family: &Family| {
            vec![Series { values: (0..family.releases.len()).map(|at| value(family, at)).collect() }]
        };
        evolution.families.iter().map(series).collect::<Vec<_>>()
    };
    let share = |family: &Family, at: usize| {
        let (solved, asked) = family
            .figures
            .iter()
            .fold((0, 0), |sum, row| (sum.0 + row[at].fresh_solved, sum.1 + row[at].fresh));
        100.0 * solved as f64 / (asked as f64).max(1.0)
    };
    let limit = evolution.timeouts.first().map_or(String::new(), |&limit| seconds(limit));
    let rows =
        vec![("median, ms".to_owned(), per_family(&startup)), (format!("% in {limit}"), per_family(&share))];
    let plot = Figure {
        legend: names(&["fresh"]),
        columns: columns(evolution),
        rows,
        scale: Scale::Linear,
        mark: Mark::Bar,
        shared: true,
        title: title.to_owned(),
    };
    figure(
        title,
        "A share of the formulas, each run in its own process, as a user would: the median over theories of the median query, mostly the start of the process, and how many of these are solved within the smallest timeout.",
        &plot,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_makes_no_network_request_and_names_every_release() {
        let text = page(&super::super::tests::sample());
        for name in ["4.8.5", "4.8.6", "1.4.2", "Ints", "1/64 s"] {
            assert!(text.contains(name), "{name}");
        }
        for outside in ["http://", "https://", "<script", "url(", "@import", "src="] {
            assert!(!text.replace("default-src=", "").contains(outside), "{outside}");
        }
    }

    #[test]
    fn at_most_four_timeouts_are_drawn_with_both_ends() {
        assert_eq!((picks(2), picks(10)), (vec![1, 0], vec![9, 6, 3, 0]));
    }
}
