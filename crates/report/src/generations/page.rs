//! Searches as one offline page: Table I, convergence, the distribution of times, and each population.

use super::{Metrics, Search};
use crate::chart::{Chart, Points, svg};
use crate::plain::line;
use maud::{Markup, PreEscaped, html as markup};

const STYLE: &str = concat!(include_str!("../../style.css"), include_str!("../../evolution.css"));

/// How many formulas of a result set are shown.
const SHOWN: usize = 12;

/// The whole page.
pub fn page(searches: &[Search]) -> String {
    let body = markup! {
        header { h1 { "Searches by generations" }
            p { "Times are processor seconds. The time score adds to the target's time what it took longer than the fastest other solver." } }
        main {
            section { h2 { "Result sets" } (table(searches)) }
            section { h2 { "Convergence" } (figure(&convergence(searches), "Mean time score of the population after each generation.")) }
            section { h2 { "Distribution of times" } (figure(&distribution(searches), "Share of the result set that the target solved within a time; the rest ended at the limit.")) }
            section { h2 { "Populations" }
                @for search in searches { (figure(&population(search), &format!("{}: complexity and time score of every member.", name(search)))) } }
            section { h2 { "Slowest formulas" } @for search in searches { (formulas(search)) } }
        }
    };
    crate::html::page(&markup! { "Searches by generations" }, STYLE, &body, env!("CARGO_PKG_VERSION"))
}

fn name(search: &Search) -> String {
    format!("{} ({})", line(&search.name, 60), search.variant)
}

fn figure(chart: &str, caption: &str) -> Markup {
    markup! { figure { figcaption { (caption) } (PreEscaped(chart)) } }
}

fn table(searches: &[Search]) -> Markup {
    markup! {
        div.wide { table {
            thead { tr { th { "search" } th { "variant" } th.number { "generations" } th.number { "rows covered" }
                th.number { "rows each" } th.number { "mean time score" } th.number { "timeouts" } th.number { "mean complexity" } } }
            tbody { @for search in searches { (row(search)) } }
        } }
    }
}

fn row(search: &Search) -> Markup {
    let Metrics { total_rows, mean_rows, mean_time_score, timeouts, mean_complexity } = search.metrics();
    markup! { tr {
        td { (line(&search.name, 60)) } td { (search.variant) } td.number { (search.generations.len()) }
        td.number { (total_rows) } td.number { (format!("{mean_rows:.1}")) } td.number { (format!("{mean_time_score:.3}")) }
        td.number { (timeouts.map_or_else(|| "not measured".to_owned(), |count| count.to_string())) }
        td.number { (format!("{mean_complexity:.2}")) }
    } }
}

fn convergence(searches: &[Search]) -> String {
    let points = |search: &Search| {
        let each = search.generations.iter().enumerate();
        each.map(|(n, generation)| (n as f64, generation.mean_time_score)).collect()
    };
    svg(&Chart {
        title: "mean time score by generation",
        across: "generation",
        up: "mean time score",
        log: false,
        joined: true,
        series: searches.iter().map(|search| Points { name: name(search), points: points(search) }).collect(),
    })
}

/// What share of a result set was solved within a time.
fn distribution(searches: &[Search]) -> String {
    let points = |search: &Search| {
        let count = search.members.len().max(1) as f64;
        let limit = search.again.unwrap_or(search.limit);
        let mut times: Vec<f64> = search
            .members
            .iter()
            .map(|member| member.again.unwrap_or((member.target, member.target >= limit * 0.98)))
            .filter(|(_, limited)| !limited)
            .map(|(seconds, _)| seconds)
            .collect();
        times.sort_by(f64::total_cmp);
        times.iter().enumerate().map(|(n, &time)| (time, (n + 1) as f64 / count)).collect()
    };
    svg(&Chart {
        title: "distribution of the target's times",
        across: "processor seconds",
        up: "share solved",
        log: true,
        joined: true,
        series: searches.iter().map(|search| Points { name: name(search), points: points(search) }).collect(),
    })
}

fn population(search: &Search) -> String {
    let points = search.members.iter().map(|member| (member.complexity as f64, member.time_score)).collect();
    svg(&Chart {
        title: "complexity and time score",
        across: "complexity",
        up: "time score",
        log: false,
        joined: false,
        series: vec![Points { name: name(search), points }],
    })
}

fn formulas(search: &Search) -> Markup {
    let mut members: Vec<_> = search.members.iter().collect();
    members.sort_by(|a, b| b.time_score.total_cmp(&a.time_score));
    markup! {
        h3 { (name(search)) }
        @for member in members.into_iter().take(SHOWN) {
            p { (format!("{:.3} s", member.target)) @if let Some(reference) = member.reference { (format!(", reference {reference:.3} s")) }
                (format!(", complexity {}", member.complexity)) }
            pre { (crate::plain::lines(&member.script)) }
        }
    }
}
