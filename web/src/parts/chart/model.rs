//! The lines of a chart, and the ticks of its axis of times: round numbers of the units that people use.

use queens_core::notation::grouped;
use queens_worker::LogScale;

use crate::words::{Language, YEAR, tr};

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub name: String,
    /// The values, in ascending order of N.
    pub points: Vec<Point>,
    /// The number of the line's look, which filters do not change.
    pub look: usize,
}

/// A value of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub n: u32,
    pub value: f64,
    /// Whether the value was not counted here, but published or expected. Its mark is hollow.
    pub is_open: bool,
    /// The text of its mark's tooltip.
    pub text: String,
}

/// Returns the times in seconds to label on an axis.
pub fn time_ticks(scale: LogScale) -> Vec<f64> {
    let [units, powers, between] = round_times();
    let between = if scale.decades() <= 2 { between } else { vec![] };
    scale.spaced(&[units, powers, between])
}

/// A minute, an hour and a day, in seconds.
const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;
const DAY: f64 = 86_400.0;
/// The units of times, in seconds.
const UNITS: [f64; 7] = [1e-6, 1e-3, 1.0, MINUTE, HOUR, DAY, YEAR];
/// The largest round time, in seconds.
const LONGEST: f64 = 1e40;

/// Returns round times in seconds: the units, then their powers of ten, then two and five times all of these.
/// Each is below the next unit.
fn round_times() -> [Vec<f64>; 3] {
    let [mut powers, mut between] = [vec![], vec![]];
    let ends = UNITS.into_iter().skip(1).chain([LONGEST]);
    for (unit, end) in UNITS.into_iter().zip(ends) {
        let mut time = unit;
        while time < 0.999 * end {
            powers.push(time);
            between.extend(
                [2.0, 5.0].map(|times| times * time).into_iter().filter(|&time| time < end),
            );
            time *= 10.0;
        }
    }
    [UNITS.to_vec(), powers, between]
}

/// A time at a tick of an axis, such as ten minutes.
pub fn time_tick(language: Language, seconds: f64) -> String {
    let rounded = |value: f64| ((value * 100.0).round() / 100.0).to_string();
    match seconds {
        s if s < 0.000_999 => tr!(language, "results.time.microseconds", s = rounded(s * 1e6)),
        s if s < 0.999 => tr!(language, "results.time.milliseconds", s = rounded(s * 1e3)),
        s if s < MINUTE => tr!(language, "results.time.seconds", s = rounded(s)),
        s if s < HOUR => tr!(language, "results.tick.minutes", m = rounded(s / MINUTE)),
        s if s < DAY => tr!(language, "results.tick.hours", h = rounded(s / HOUR)),
        s if s < YEAR => tr!(language, "results.tick.days", d = rounded(s / DAY)),
        s if s < 1.5 * YEAR => tr!(language, "results.tick.year"),
        s if s < 1e4 * YEAR => {
            tr!(language, "results.time.years", y = grouped((s / YEAR).round() as u64))
        }
        s => tr!(language, "results.time.years", y = power_of_ten(s / YEAR)),
    }
}

/// A round number as a power of ten with its factor.
fn power_of_ten(value: f64) -> String {
    let power = (value.log10() + 1e-9).floor();
    let factor = (value / 10_f64.powf(power)).round();
    let power = format!("10{}", superscript(power as i32));
    if factor == 1.0 { power } else { format!("{factor}·{power}") }
}

/// A whole number as an exponent.
fn superscript(power: i32) -> String {
    let digit = |digit| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    power.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::plain;

    #[test]
    fn times_are_labelled_in_units_that_people_use() {
        let labels = |language, least: f64, most: f64| {
            let scale = LogScale::of([least, most].into_iter());
            let ticks = time_ticks(scale);
            assert!((3..=11).contains(&ticks.len()), "{ticks:?}");
            let tick = |&seconds: &f64| plain(&time_tick(language, seconds));
            ticks.iter().map(tick).collect::<Vec<_>>()
        };
        let en = |least, most| labels(Language::English, least, most);
        assert_eq!(en(0.4, 66.0), ["100 ms", "1 s", "10 s", "1 min"]);
        assert_eq!(en(0.02, 0.9), ["10 ms", "20 ms", "50 ms", "100 ms", "200 ms", "500 ms", "1 s"]);
        let days = ["1 ms", "10 ms", "100 ms", "1 s", "1 min", "1 h", "1 d", "10 d", "100 d"];
        assert_eq!(en(0.001, 9e6), days);
        assert_eq!(en(1500.0, 9000.0), ["20 min", "1 h", "2 h"]);
        let ages = en(1e-3, 1e17);
        assert_eq!(ages.first().map(String::as_str), Some("1 ms"));
        assert_eq!(ages.last().map(String::as_str), Some("10⁸ years"));
        assert!(ages.contains(&"1 year".to_owned()), "{ages:?}");
        let japanese = labels(Language::Japanese, 2.0, 2e5);
        assert_eq!(japanese, ["1 秒", "10 秒", "1 分", "10 分", "1 時間", "1 日", "10 日"]);
        for power in -6..30 {
            let least = 10_f64.powi(power);
            en(least, least * 9.0);
        }
    }
}
