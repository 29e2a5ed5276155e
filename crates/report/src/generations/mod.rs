//! A search by generations (`evolve`), as numbers: how it converged, what its result set is, and the five figures of
//! the paper's Table I.
//!
//! In: a campaign folder with stored generations. Out: a [`Search`], as text, CSV, JSON or a page. The population is
//! computed again from the stored outcomes, by the code that the campaign itself uses, so a report and a campaign
//! cannot disagree. Nothing here runs a solver; the caller may measure the result set again and fill in `again`.

mod page;

use crate::plain::line;
use crate::{Error, Result};
use serde::Serialize;
use store::View;
use strategy::Settings;
use strategy::evolve::population::{Member, Population};
use strategy::evolve::{Config, STRATEGY};

pub use page::page;

/// One search.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    pub name: String,
    pub variant: String,
    pub target: String,
    /// The limit of one query, in seconds.
    pub limit: f64,
    pub generations: Vec<Generation>,
    pub members: Vec<Individual>,
    /// Rows of the target's code that ran in any case; 0 if it is not instrumented.
    pub rows: usize,
    /// The limit of the second measurement, if there was one.
    pub again: Option<f64>,
}

/// The population after a generation.
#[derive(Clone, Debug, Serialize)]
pub struct Generation {
    pub measured: usize,
    pub mean_time_score: f64,
    pub best_time_score: f64,
    pub mean_complexity: f64,
    pub rows: usize,
}

/// A member of the result set.
#[derive(Clone, Debug, Serialize)]
pub struct Individual {
    pub unit: u64,
    pub step: u64,
    /// Processor seconds.
    pub target: f64,
    pub reference: Option<f64>,
    pub time_score: f64,
    pub complexity: u64,
    pub rows: usize,
    pub rank: usize,
    pub script: String,
    /// Processor seconds of the target under the longer limit, and whether the limit came first.
    pub again: Option<(f64, bool)>,
}

/// The five figures of Table I.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Metrics {
    pub total_rows: usize,
    pub mean_rows: f64,
    pub mean_time_score: f64,
    /// `None` if nothing was measured again.
    pub timeouts: Option<usize>,
    pub mean_complexity: f64,
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

impl Search {
    /// The search of a campaign; `None` if it has none.
    pub fn read(view: &View) -> Result<Option<Search>> {
        let epochs = view.epochs(STRATEGY.name)?;
        let campaign = view.campaign();
        if epochs.is_empty() || !campaign.strategies.iter().any(|name| name == STRATEGY.name) {
            return Ok(None);
        }
        let settings: Settings = match campaign.settings.get(STRATEGY.name) {
            Some(text) => serde_json::from_str(text).map_err(Error::Json)?,
            None => Settings::default(),
        };
        let config = Config::of(&settings).unwrap_or_default();
        let mut population = Population::new(config);
        let mut generations = vec![];
        for epoch in &epochs {
            population.learn(epoch);
            generations.push(Generation::of(&population, epoch.len()));
        }
        let name = view.dir().file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Some(Search {
            name,
            variant: config.variant.name.to_owned(),
            target: campaign.targets.first().map_or_else(String::new, |target| target.name.clone()),
            limit: campaign.limits.full_ms as f64 / 1000.0,
            generations,
            members: population.members().iter().map(Individual::of).collect(),
            rows: population.rows(),
            again: None,
        }))
    }

    pub fn metrics(&self) -> Metrics {
        let members = || self.members.iter();
        let is_limited = |member: &&Individual| member.again.is_some_and(|(_, limited)| limited);
        Metrics {
            total_rows: self.rows,
            mean_rows: mean(members().map(|member| member.rows as f64)),
            mean_time_score: mean(members().map(|member| member.time_score)),
            timeouts: self.again.map(|_| members().filter(is_limited).count()),
            mean_complexity: mean(members().map(|member| member.complexity as f64)),
        }
    }
}

impl Generation {
    fn of(population: &Population, measured: usize) -> Generation {
        let members = || population.members().iter();
        Generation {
            measured,
            mean_time_score: mean(members().map(Member::time_score)),
            best_time_score: members().map(Member::time_score).fold(0.0, f64::max),
            mean_complexity: mean(members().map(|member| member.complexity as f64)),
            rows: population.rows(),
        }
    }
}

impl Individual {
    fn of(member: &Member) -> Individual {
        Individual {
            unit: member.unit,
            step: member.step,
            target: member.target,
            reference: member.reference,
            time_score: member.time_score(),
            complexity: member.complexity,
            rows: member.trace.as_ref().map_or(0, |trace| trace.rows.len()),
            rank: member.rank,
            script: String::from_utf8_lossy(&member.genome.text()).into_owned(),
            again: None,
        }
    }
}

/// Table I: a row per search.
pub fn table(searches: &[Search]) -> String {
    let mut out = format!(
        "{:<20} {:<22} {:>5} {:>9} {:>9} {:>9} {:>9} {:>11}\n",
        "search", "variant", "gens", "rows", "rows each", "time", "timeouts", "complexity"
    );
    for search in searches {
        let Metrics { total_rows, mean_rows, mean_time_score, timeouts, mean_complexity } = search.metrics();
        let timeouts = timeouts.map_or_else(|| "-".to_owned(), |count| count.to_string());
        out += &format!(
            "{:<20} {:<22} {:>5} {total_rows:>9} {mean_rows:>9.1} {mean_time_score:>9.3} {timeouts:>9} {mean_complexity:>11.2}\n",
            line(&search.name, 20),
            search.variant,
            search.generations.len()
        );
    }
    out
}

/// A line per generation of every search.
pub fn csv(searches: &[Search]) -> String {
    let mut out = "search,variant,generation,measured,mean_time_score,best_time_score,mean_complexity,rows\n"
        .to_owned();
    for search in searches {
        for (n, generation) in search.generations.iter().enumerate() {
            let Generation { measured, mean_time_score, best_time_score, mean_complexity, rows } = generation;
            out += &format!(
                "{},{},{n},{measured},{mean_time_score:.4},{best_time_score:.4},{mean_complexity:.2},{rows}\n",
                search.name.replace([',', '\n', '\r'], " "),
                search.variant
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn individual(target: f64, again: Option<(f64, bool)>) -> Individual {
        Individual {
            unit: 3,
            step: 1,
            target,
            reference: Some(0.01),
            time_score: target * 2.0 - 0.01,
            complexity: 10,
            rows: 4,
            rank: 0,
            script: "(check-sat)".into(),
            again,
        }
    }

    fn search() -> Search {
        let generation = |time| Generation {
            measured: 4,
            mean_time_score: time,
            best_time_score: time * 2.0,
            mean_complexity: 12.0,
            rows: 9,
        };
        Search {
            name: "a,b <i>".into(),
            variant: "default".into(),
            target: "z3-5".into(),
            limit: 5.0,
            generations: vec![generation(0.5), generation(1.5)],
            members: vec![individual(5.0, Some((60.0, true))), individual(0.5, Some((0.5, false)))],
            rows: 9,
            again: Some(60.0),
        }
    }

    #[test]
    fn the_five_figures_are_those_of_the_result_set() {
        let metrics = search().metrics();
        assert_eq!((metrics.total_rows, metrics.timeouts), (9, Some(1)));
        assert!((metrics.mean_time_score - 5.49).abs() < 1e-9);
        assert_eq!(Search { again: None, ..search() }.metrics().timeouts, None);
    }

    #[test]
    fn a_table_has_a_row_per_search_and_csv_a_line_per_generation() {
        assert_eq!(table(&[search(), search()]).lines().count(), 3);
        let csv = csv(&[search()]);
        assert_eq!(csv.lines().count(), 3);
        assert!(csv.lines().all(|line| line.split(',').count() == 8), "{csv}");
    }

    #[test]
    fn the_page_has_the_three_plots_and_escapes_names() {
        let page = page(&[search(), Search { variant: "stringfuzz".into(), ..search() }]);
        assert_eq!(page.matches("<svg").count(), 4, "convergence, distribution, a population each");
        assert!(!page.contains("<i>"));
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }
}
