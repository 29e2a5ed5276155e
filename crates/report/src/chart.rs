//! A plot as inline SVG: lines over a logarithmic or linear axis, or points.
//!
//! Series differ in dash and marker as well as colour, as in `evolution::plot`, whose style they share. A long series has a
//! marker at some of its points only, and more series than fit above the plot are listed below it.

use crate::plain::xml;

/// A series of points, left to right.
pub struct Points {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// A plot.
pub struct Chart<'a> {
    pub title: &'a str,
    pub across: &'a str,
    pub up: &'a str,
    /// The horizontal axis is logarithmic.
    pub log: bool,
    /// Points are joined by steps.
    pub joined: bool,
    pub series: Vec<Points>,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

/// The least number of a logarithmic axis: a millisecond.
const LEAST: f64 = 0.001;

struct Frame {
    log: bool,
    low: f64,
    high: f64,
    most: f64,
}

impl Frame {
    fn of(chart: &Chart<'_>) -> Frame {
        let points = || chart.series.iter().flat_map(|series| series.points.iter());
        let most_across = points().map(|point| point.0).fold(0.0, f64::max);
        let most = points().map(|point| point.1).fold(0.0, f64::max);
        let (low, high) = if chart.log { (LEAST, most_across.max(LEAST * 10.0)) } else { (0.0, most_across) };
        Frame { log: chart.log, low, high: if high > low { high } else { low + 1.0 }, most: most.max(1e-9) }
    }

    fn x(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        LEFT + (WIDTH - LEFT - RIGHT) * share.clamp(0.0, 1.0)
    }

    fn y(&self, value: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - (value / self.most).clamp(0.0, 1.0))
    }

    fn ticks(&self) -> Vec<f64> {
        if !self.log {
            return (0..=4).map(|n| self.low + (self.high - self.low) * f64::from(n) / 4.0).collect();
        }
        (-3..9).map(|power| 10f64.powi(power)).filter(|tick| *tick <= self.high * 1.01).collect()
    }
}

fn number(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        v if v.abs() >= 100.0 => format!("{v:.0}"),
        v if v.abs() >= 1.0 => format!("{v:.1}"),
        v => format!("{v:.3}").trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

fn text(x: f64, y: f64, anchor: &str, class: &str, text: &str) -> String {
    format!("<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", xml(text))
}

/// The most markers on a line.
const MARKERS: usize = 40;

fn marker(n: usize, x: f64, y: f64) -> String {
    let class = format!("class=\"mark s{}\"", n % 4);
    // The fifth series has the first one's colour and dash, and another marker.
    match (n + n / 4) % 4 {
        0 => format!("<circle {class} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"),
        1 => format!("<rect {class} x=\"{:.1}\" y=\"{:.1}\" width=\"5\" height=\"5\"/>", x - 2.5, y - 2.5),
        2 => format!("<path {class} d=\"M{x:.1} {:.1}l3.4 6h-6.8z\"/>", y - 3.6),
        _ => format!("<path {class} d=\"M{x:.1} {:.1}l3.4 3.4l-3.4 3.4l-3.4 -3.4z\"/>", y - 3.4),
    }
}

/// The plot as an `<svg>` element.
pub fn svg(chart: &Chart<'_>) -> String {
    let frame = Frame::of(chart);
    let (floor, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{}\" class=\"plot\">",
        HEIGHT + below(chart),
        xml(chart.title)
    );
    for n in 0..=4 {
        let value = frame.most * f64::from(n) / 4.0;
        let (y, class) = (frame.y(value), if n == 0 { "axis" } else { "grid" });
        out += &format!("<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{right:.1}\"/>");
        out += &text(LEFT - 6.0, y + 4.0, "end", "tick", &number(value));
    }
    for tick in frame.ticks() {
        let x = frame.x(tick);
        out += &format!("<path class=\"grid\" d=\"M{x:.1} {TOP}V{floor:.1}\"/>");
        out += &text(x, floor + 16.0, "middle", "tick", &number(tick));
    }
    out += &text(f64::midpoint(LEFT, right), HEIGHT - 8.0, "middle", "tick", chart.across);
    out += &text(8.0, 16.0, "start", "title", chart.up);
    for (n, series) in chart.series.iter().enumerate() {
        out += &drawn(chart, &frame, n, series);
    }
    out + &legend(chart) + "</svg>"
}

fn drawn(chart: &Chart<'_>, frame: &Frame, n: usize, series: &Points) -> String {
    let points: Vec<(f64, f64)> = series.points.iter().map(|&(x, y)| (frame.x(x), frame.y(y))).collect();
    let mut out = String::new();
    if chart.joined && points.len() > 1 {
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        out += &format!("<path class=\"line s{}\" d=\"M{}\"/>", n % 4, path.join("L"));
    }
    let apart = if chart.joined { points.len().div_ceil(MARKERS).max(1) } else { 1 };
    for &(x, y) in points.iter().rev().step_by(apart) {
        out += &marker(n, x, y);
    }
    out
}

/// The most names above a plot, and how many stand side by side below it.
const ABOVE: usize = 5;
const COLUMNS: usize = 4;
const ROW: f64 = 18.0;

/// The room for names below the plot.
fn below(chart: &Chart<'_>) -> f64 {
    let count = chart.series.len();
    if count > ABOVE { ROW * count.div_ceil(COLUMNS) as f64 } else { 0.0 }
}

fn legend(chart: &Chart<'_>) -> String {
    let mut out = String::new();
    if chart.series.len() > ABOVE {
        for (n, series) in chart.series.iter().enumerate() {
            let x = LEFT + (WIDTH - LEFT - RIGHT) / COLUMNS as f64 * (n % COLUMNS) as f64;
            let y = HEIGHT + ROW * (n / COLUMNS) as f64;
            out += &marker(n, x, y + 4.0);
            out += &text(x + 9.0, y + 8.0, "start", "tick", &series.name);
        }
        return out;
    }
    let mut x = 240.0;
    for (n, series) in chart.series.iter().enumerate().filter(|_| chart.series.len() > 1) {
        out += &marker(n, x, 12.0);
        out += &text(x + 9.0, 16.0, "start", "tick", &series.name);
        x += 26.0 + 7.0 * series.name.chars().count() as f64;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_long_series_have_few_markers_and_their_names_below() {
        let series = |n: usize| Points {
            name: format!("strategy {n}"),
            points: (0..1000).map(|x| (f64::from(x), f64::from(x) * n as f64)).collect(),
        };
        let chart = |count: usize| Chart {
            title: "t",
            across: "a",
            up: "u",
            log: false,
            joined: true,
            series: (0..count).map(series).collect(),
        };
        let many = svg(&chart(12));
        assert!(many.matches("class=\"mark").count() <= 12 * (MARKERS + 1), "{}", many.len());
        assert!((0..12).all(|n| many.contains(&format!(">strategy {n}<"))));
        assert!(many.contains("viewBox=\"0 0 900 374\""), "three rows of names");
        assert!(svg(&chart(2)).contains("viewBox=\"0 0 900 320\""));
    }
}
