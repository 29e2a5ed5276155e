//! Small multiples as inline SVG: a row per theory, a column per solver, releases from left to right.
//!
//! Every series differs from the others in colour, dash and marker, so that a print in grey and a colour-blind reader
//! lose nothing; every panel has its own numbers on the axis. A panel is as wide as its number of releases. This file
//! does not depend on the meaning of the numbers.

use crate::plain::xml;

/// One line or one set of bars over the releases of a panel.
#[derive(Clone, Debug)]
pub struct Series {
    pub values: Vec<f64>,
}

/// How a number becomes a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero.
    Linear,
    /// Logarithm of the number plus one, so that zero can be drawn.
    Log,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Line,
    Bar,
}

/// A whole figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What each series is called, for the legend.
    pub legend: Vec<String>,
    /// Column titles and the labels of their releases.
    pub columns: Vec<(String, Vec<String>)>,
    /// Row titles and, per column, the series.
    pub rows: Vec<(String, Vec<Vec<Series>>)>,
    pub scale: Scale,
    pub mark: Mark,
    /// Whether panels of one row share their axis.
    pub shared: bool,
    /// What the figure shows, for screen readers.
    pub title: String,
}

const WIDTH: f64 = 1000.0;
const LABEL: f64 = 92.0;
const GUTTER: f64 = 52.0;
const ROW: f64 = 98.0;
const PLOT: f64 = 66.0;
const HEAD: f64 = 54.0;
const FOOT: f64 = 30.0;

/// The figure as an `<svg>` element.
pub fn svg(figure: &Figure) -> String {
    let height = HEAD + ROW * figure.rows.len() as f64 + FOOT;
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\" class=\"plot\">",
        xml(&figure.title)
    );
    out += &legend(&figure.legend, figure.mark);
    let columns = columns(figure);
    for (column, (title, _)) in figure.columns.iter().enumerate() {
        out += &text(columns[column].left, HEAD - 10.0, "start", "title", title);
    }
    for (row, (name, panels)) in figure.rows.iter().enumerate() {
        let top = HEAD + ROW * row as f64;
        out += &text(0.0, top + PLOT / 2.0 + 4.0, "start", "title", name);
        let all = panels.iter().flatten().flat_map(|series| series.values.iter().copied());
        let shared = all.fold(0.0, f64::max);
        for (column, series) in panels.iter().enumerate() {
            let own = series.iter().flat_map(|s| s.values.iter().copied()).fold(0.0, f64::max);
            let axis = Axis::new(figure.scale, if figure.shared { shared } else { own });
            out += &panel(&columns[column], top, &axis, series, figure.mark);
        }
    }
    out += &releases(figure, &columns);
    out + "</svg>"
}

/// The position of a column.
struct Column {
    left: f64,
    step: f64,
    count: usize,
}

impl Column {
    fn width(&self) -> f64 {
        self.step * self.count as f64
    }

    fn at(&self, position: usize) -> f64 {
        self.left + self.step * (position as f64 + 0.5)
    }
}

fn columns(figure: &Figure) -> Vec<Column> {
    let total: usize = figure.columns.iter().map(|(_, labels)| labels.len().max(4)).sum();
    let room = WIDTH - LABEL - GUTTER * figure.columns.len() as f64;
    let mut left = LABEL;
    let mut all = vec![];
    for (_, labels) in &figure.columns {
        let width = room * labels.len().max(4) as f64 / total.max(1) as f64;
        left += GUTTER;
        all.push(Column { left, step: width / labels.len().max(1) as f64, count: labels.len() });
        left += width;
    }
    all
}

/// The numbers of one panel's axis.
struct Axis {
    scale: Scale,
    top: f64,
}

impl Axis {
    fn new(scale: Scale, most: f64) -> Axis {
        let top = match scale {
            Scale::Log => most.max(10.0),
            Scale::Linear => nice(most),
        };
        Axis { scale, top }
    }

    /// From 0 at the bottom to 1 at the top.
    fn share(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => value / self.top,
            Scale::Log => value.ln_1p() / self.top.ln_1p(),
        };
        share.clamp(0.0, 1.0)
    }

    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => vec![0.0, self.top / 2.0, self.top],
            Scale::Log => {
                let powers: Vec<f64> = (0..7).map(|n| 10f64.powi(n)).filter(|p| *p <= self.top).collect();
                // Labels need space: of many powers, every other one is enough.
                let every = if powers.len() > 4 { 2 } else { 1 };
                std::iter::once(0.0).chain(powers.into_iter().step_by(every)).collect()
            }
        }
    }
}

/// The next number of the form 1, 2, 4, 5 or 8 times a power of ten.
fn nice(most: f64) -> f64 {
    if most <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(most.log10().floor());
    let digit = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .find(|digit| digit * power >= most * 0.999);
    digit.unwrap_or(10.0) * power
}

fn panel(column: &Column, top: f64, axis: &Axis, series: &[Series], mark: Mark) -> String {
    let mut out = String::new();
    let height = |value: f64| top + PLOT * (1.0 - axis.share(value));
    for tick in axis.ticks() {
        let (y, right) = (height(tick), column.left + column.width());
        let class = if tick == 0.0 { "axis" } else { "grid" };
        out += &format!("<path class=\"{class}\" d=\"M{:.1} {y:.1}H{right:.1}\"/>", column.left);
        out += &text(column.left - 5.0, y + 4.0, "end", "tick", &number(tick));
    }
    let drawn = series.len();
    for (n, series) in series.iter().enumerate() {
        // Counts that are all zero would be drawn on top of each other: an empty panel is clearer.
        if axis.scale == Scale::Log && series.values.iter().all(|&value| value == 0.0) {
            continue;
        }
        out += &match mark {
            Mark::Line => line(column, n, series, &height),
            Mark::Bar => bars(column, n, drawn, series, &height),
        };
    }
    out
}

fn line(column: &Column, n: usize, series: &Series, height: &dyn Fn(f64) -> f64) -> String {
    // Lines that coincide are drawn with a small offset, so that none hides another.
    let nudge = (n as f64 - 1.0) * 1.6;
    let points: Vec<(f64, f64)> =
        series.values.iter().enumerate().map(|(at, &value)| (column.at(at) + nudge, height(value))).collect();
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let mut out = format!("<path class=\"line s{n}\" d=\"M{}\"/>", path.join("L"));
    for &(x, y) in &points {
        out += &marker(n, x, y);
    }
    out
}

fn marker(n: usize, x: f64, y: f64) -> String {
    let class = format!("class=\"mark s{n}\"");
    match n % 4 {
        0 => format!("<circle {class} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>"),
        1 => {
            format!("<rect {class} x=\"{:.1}\" y=\"{:.1}\" width=\"5.6\" height=\"5.6\"/>", x - 2.8, y - 2.8)
        }
        2 => format!("<path {class} d=\"M{x:.1} {:.1}l3.6 6.4h-7.2z\"/>", y - 4.0),
        _ => format!("<path {class} d=\"M{x:.1} {:.1}l3.8 3.8l-3.8 3.8l-3.8 -3.8z\"/>", y - 3.8),
    }
}

fn bars(column: &Column, n: usize, of: usize, series: &Series, height: &dyn Fn(f64) -> f64) -> String {
    let width = (column.step * 0.72 / of.max(1) as f64).min(26.0);
    let mut out = String::new();
    for (at, &value) in series.values.iter().enumerate() {
        let x = column.at(at) + width * (n as f64 - of as f64 / 2.0);
        let (y, floor) = (height(value), height(0.0));
        out += &format!(
            "<rect class=\"bar s{n}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
            (floor - y).max(0.0)
        );
    }
    out
}

fn releases(figure: &Figure, columns: &[Column]) -> String {
    let y = HEAD + ROW * figure.rows.len() as f64 - (ROW - PLOT) + 14.0;
    let mut out = String::new();
    for ((_, labels), column) in figure.columns.iter().zip(columns) {
        for (at, label) in labels.iter().enumerate() {
            let x = column.at(at) + 4.0;
            out += &format!(
                "<text class=\"tick\" text-anchor=\"end\" transform=\"translate({x:.1} {y:.1}) rotate(-55)\">{}</text>",
                xml(label)
            );
        }
    }
    out
}

fn legend(names: &[String], mark: Mark) -> String {
    let mut out = String::new();
    let mut x = LABEL + GUTTER;
    for (n, name) in names.iter().enumerate().filter(|_| names.len() > 1) {
        out += &match mark {
            Mark::Line => {
                format!("<path class=\"line s{n}\" d=\"M{x:.1} 12h26\"/>{}", marker(n, x + 13.0, 12.0))
            }
            Mark::Bar => {
                format!("<rect class=\"bar s{n}\" x=\"{x:.1}\" y=\"5\" width=\"14\" height=\"14\"/>")
            }
        };
        out += &text(x + 32.0, 16.0, "start", "tick", name);
        x += 32.0 + 7.4 * name.chars().count() as f64 + 26.0;
    }
    out
}

fn text(x: f64, y: f64, anchor: &str, class: &str, words: &str) -> String {
    format!(
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        xml(words)
    )
}

/// Short enough for an axis.
fn number(value: f64) -> String {
    let short = |value: f64| {
        let text = match value {
            v if v < 1.0 => format!("{v:.3}"),
            v if v < 10.0 => format!("{v:.2}"),
            v => format!("{v:.1}"),
        };
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match value {
        0.0 => "0".into(),
        v if v >= 1e6 => format!("{}M", short(v / 1e6)),
        v if v >= 1e4 => format!("{}k", short(v / 1e3)),
        v => short(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_begin_at_zero_and_hold_the_largest_value() {
        for most in [0.0, 0.013, 1.0, 7.3, 1999.0, 2000.0, 123_456.0] {
            let axis = Axis::new(Scale::Linear, most);
            assert!(axis.top >= most * 0.999 && axis.top <= (most * 2.0).max(1.0), "{most} {}", axis.top);
            assert_eq!((axis.share(0.0), axis.ticks()[0]), (0.0, 0.0));
        }
        let log = Axis::new(Scale::Log, 5000.0);
        assert!(log.share(1.0) > 0.0 && log.share(10.0) < log.share(100.0));
        assert_eq!(log.ticks(), [0.0, 1.0, 10.0, 100.0, 1000.0].map(f64::from));
    }

    #[test]
    fn numbers_on_an_axis_are_short() {
        assert_eq!([0.0, 0.25, 7.5, 1500.0, 20_000.0].map(number), ["0", "0.25", "7.5", "1500", "20k"]);
    }
}
