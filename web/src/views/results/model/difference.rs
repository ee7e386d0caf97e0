//! Two results side by side: their fields, and how the second differs from the first.

use queens_core::document::{Backend, Header, Host, Program, Seconds, Shard};
use queens_core::notation::grouped;
use queens_worker::measured;

use super::excerpt::shown;
use crate::words::{Language, duration, form_name, method_name, ratio_text, tr};

/// A field of two results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPair {
    pub name: String,
    pub values: [String; 2],
    pub difference: Difference,
}

/// How the second value of a field differs from the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The values are equal.
    None,
    /// The values differ, which is no contradiction. The text says how.
    Allowed(String),
    /// The values differ although both results are for the same board. The text says how.
    Wrong(String),
}

/// Whether two results must have the same total: both are for the same board or the same shard of it.
pub fn must_agree([first, second]: [&Header; 2]) -> bool {
    let part = |header: &Header| header.shard.as_ref().map(|shard| (shard.index, shard.of));
    // The tasks of a shard depend on the method.
    let same_part = match (part(first), part(second)) {
        (None, None) => true,
        (first_part, second_part) => first_part == second_part && first.method == second.method,
    };
    first.n == second.n && same_part
}

/// Returns sentences that compare the totals and the times of two counts, A and B, and whether the totals contradict
/// each other.
pub fn verdict(language: Language, headers: [&Header; 2]) -> (String, bool) {
    let [first, second] = headers;
    let wrong = must_agree(headers) && first.total != second.total;
    let totals = if wrong {
        tr!(language, "results.compare.totals-differ", n = first.n)
    } else if must_agree(headers) {
        tr!(language, "results.compare.totals-agree", n = first.n, total = grouped(first.total))
    } else if first.n != second.n {
        tr!(language, "results.compare.other-size", first = first.n, second = second.n)
    } else {
        tr!(language, "results.compare.other-part")
    };
    let time = match pace(headers) {
        None => return (totals, wrong),
        Some(TimeComparison::Similar) => tr!(language, "results.compare.took-as-long"),
        Some(TimeComparison::Slower(times)) => {
            tr!(language, "results.compare.took-longer", times = times)
        }
        Some(TimeComparison::Faster(times)) => {
            tr!(language, "results.compare.was-faster", times = times)
        }
    };
    let mut sentences = vec![totals, time];
    let [a, b] = headers.map(|header| header.host.threads);
    if a != b {
        sentences.push(tr!(language, "results.compare.threads-differ", first = a, second = b));
    }
    (sentences.join(language.space()), wrong)
}

/// Returns the fields of two results, the numbers first. Fields that both results lack are left out.
pub fn differences(language: Language, headers: [&Header; 2]) -> Vec<FieldPair> {
    let [first, second] = headers.map(|header| fields(language, header));
    let pairs = first.into_iter().zip(second).map(|((key, first), (_, second))| FieldPair {
        name: tr!(language, key),
        difference: difference(language, headers, [&first, &second]),
        values: [first, second].map(|value| value.text(language)),
    });
    pairs.filter(|pair| pair.values.iter().any(|value| !value.is_empty())).collect()
}

/// The largest number of equal fields that stay among the fields that differ.
const MAX_EQUAL: usize = 3;

/// Orders the fields so that those that differ come first, and splits off the equal fields if there are
/// more than `MAX_EQUAL`. If all fields are equal, none is split off.
pub fn split_equal(fields: Vec<FieldPair>) -> (Vec<FieldPair>, Vec<FieldPair>) {
    let (mut different, mut equal): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|pair| pair.difference != Difference::None);
    if different.is_empty() || equal.len() <= MAX_EQUAL {
        different.append(&mut equal);
    }
    (different, equal)
}

/// The value of a field. Its kind determines how it is compared and printed.
#[derive(PartialEq)]
enum Value {
    /// A number that must be the same in all results for one board.
    Solutions(Option<u64>),
    Amount(u64),
    Time(Seconds),
    /// A text of the page.
    Name(String),
    /// A text from the document.
    Text(String),
}

impl Value {
    fn text(&self, language: Language) -> String {
        match self {
            Value::Solutions(number) => number.map(grouped).unwrap_or_default(),
            Value::Amount(number) => grouped(*number),
            Value::Time(seconds) => duration(language, seconds.get()),
            Value::Name(name) => name.clone(),
            Value::Text(text) => shown(text),
        }
    }
}

/// Returns the compared fields of a result, each with the key of its name. They are the same for all
/// results, in the same order.
fn fields(language: Language, header: &Header) -> [(&'static str, Value); 13] {
    // The patterns name all fields, so that a new one does not compile before it is compared or left
    // out here.
    let Header {
        format: _,
        n,
        total,
        unique,
        classes: _,
        method,
        form,
        plan: _,
        backend: Backend { kind, device, detail: _, extra: _ },
        program: Program { name, version, commit, extra: _ },
        host: Host { os, cpu, threads, extra: _ },
        started: _,
        seconds,
        shard,
        checks: _,
        extra: _,
    } = header;
    let shard = shard.as_ref().map(|Shard { index, of, extra: _ }| {
        tr!(language, "results.shard", index = index, of = of)
    });
    let program = [name.as_str(), version, commit].join(" ");
    let text = |text: &str| Value::Text(text.to_owned());
    [
        ("results.column.n", Value::Amount(n.get().into())),
        ("results.field.total", Value::Solutions(Some(*total))),
        ("results.field.unique", Value::Solutions(*unique)),
        ("results.field.shard", Value::Name(shard.unwrap_or_default())),
        ("results.field.seconds", Value::Time(*seconds)),
        ("results.field.method", Value::Name(method_name(language, *method))),
        ("results.field.form", Value::Name(form_name(language, *form))),
        ("results.field.backend", text(kind.id())),
        ("results.field.device", text(device)),
        ("results.field.threads", Value::Amount((*threads).into())),
        ("results.field.host", text(cpu)),
        ("results.field.os", text(os)),
        ("results.field.program", text(program.trim())),
    ]
}

/// Compares the values of a field of two results.
fn difference(language: Language, headers: [&Header; 2], values: [&Value; 2]) -> Difference {
    match values {
        [first, second] if first == second => Difference::None,
        [Value::Solutions(Some(first)), Value::Solutions(Some(second))] if must_agree(headers) => {
            Difference::Wrong(signed(*first, *second))
        }
        [Value::Solutions(Some(_)), Value::Solutions(Some(_))] => {
            Difference::Allowed(tr!(language, "results.compare.not-comparable"))
        }
        [Value::Amount(first), Value::Amount(second)] => {
            Difference::Allowed(signed(*first, *second))
        }
        [Value::Time(_), _] => time_difference(language, headers),
        // The texts differ, or one of the results lacks the number.
        _ => Difference::Allowed(tr!(language, "results.compare.differs")),
    }
}

/// Compares the times of two counts, which differ.
fn time_difference(language: Language, headers: [&Header; 2]) -> Difference {
    Difference::Allowed(match pace(headers) {
        // One of the counts took less than the clock can measure.
        None => tr!(language, "results.compare.differs"),
        Some(TimeComparison::Similar) => tr!(language, "results.compare.as-long"),
        Some(TimeComparison::Slower(times)) => {
            tr!(language, "results.compare.longer", times = times)
        }
        Some(TimeComparison::Faster(times)) => {
            tr!(language, "results.compare.faster", times = times)
        }
    })
}

/// The factor below which two times are called about the same.
const MIN_FACTOR: f64 = 1.005;

/// The time of the second count compared with that of the first, with a rounded factor above 1.
enum TimeComparison {
    /// The times differ by a factor below [`MIN_FACTOR`].
    Similar,
    Slower(String),
    Faster(String),
}

/// Compares the time of the second count with that of the first; `None` if both took the same time or
/// one took less than the clock can measure.
fn pace(headers: [&Header; 2]) -> Option<TimeComparison> {
    let [first, second] = headers.map(|header| measured(header.seconds.get()));
    if first <= 0.0 || second <= 0.0 || first == second {
        return None;
    }
    let times = (second / first).max(first / second);
    Some(if times < MIN_FACTOR {
        TimeComparison::Similar
    } else if second > first {
        TimeComparison::Slower(ratio_text(times))
    } else {
        TimeComparison::Faster(ratio_text(times))
    })
}

/// Returns the second number minus the first, with its sign.
fn signed(first: u64, second: u64) -> String {
    let sign = if second < first { "−" } else { "+" };
    format!("{sign}{}", grouped(first.abs_diff(second)))
}

#[cfg(test)]
mod tests {
    use queens_core::document::Document;
    use queens_core::{Method, Size};
    use serde_json::Map;

    use super::*;
    use crate::words::plain;

    fn eight() -> Header {
        let text = include_str!("../../../../../tests/data/results/eight.json");
        Document::parse(text).unwrap().header
    }

    fn difference(headers: [&Header; 2], name: &str) -> Difference {
        let pairs = differences(Language::English, headers);
        pairs.into_iter().find(|pair| plain(&pair.name) == name).unwrap().difference
    }

    fn english(headers: [&Header; 2]) -> (String, bool) {
        let (text, wrong) = verdict(Language::English, headers);
        (plain(&text), wrong)
    }

    #[test]
    fn equal_results_have_no_differences() {
        let eight = eight();
        for language in Language::ALL {
            let pairs = differences(language, [&eight, &eight]);
            assert!(pairs.iter().all(|pair| pair.difference == Difference::None), "{pairs:?}");
            assert!(pairs.len() >= 10, "{pairs:?}");
            assert!(pairs.iter().all(|pair| !pair.name.contains("results.")), "{pairs:?}");
            // Japanese names contain word joiners, which would be escaped in texts from documents.
            let mut values = pairs.iter().flat_map(|pair| &pair.values);
            assert!(!values.any(|value| value.contains("u{2060}")), "{pairs:?}");
        }
        assert_eq!(
            english([&eight, &eight]),
            ("Both results have 92 solutions for N = 8.".into(), false)
        );
    }

    #[test]
    fn splits_off_more_than_three_equal_fields() {
        let pair = |name: &str, difference: &Difference| FieldPair {
            name: name.to_owned(),
            values: Default::default(),
            difference: difference.clone(),
        };
        let (equal, different) = (Difference::None, Difference::Allowed("+1".into()));
        let names = |pairs: &[FieldPair]| pairs.iter().map(|pair| &*pair.name).collect::<String>();
        let split = |differences: &[&Difference]| {
            let pairs = ["a", "b", "c", "d", "e"].iter().zip(differences);
            let (shown, folded) =
                split_equal(pairs.map(|(name, difference)| pair(name, difference)).collect());
            (names(&shown), names(&folded))
        };
        let text = |shown: &str, folded: &str| (shown.to_owned(), folded.to_owned());
        assert_eq!(split(&[&equal, &different, &equal, &equal]), text("bacd", ""));
        let many = [&equal, &different, &equal, &equal, &equal];
        assert_eq!(split(&many), text("b", "acde"));
        assert_eq!(split(&[&equal; 5]), text("abcde", ""));
        assert_eq!(split(&[]), text("", ""));
    }

    #[test]
    fn totals_of_one_board_must_agree() {
        let eight = eight();
        let mut other = eight.clone();
        other.total = 90;
        assert_eq!(difference([&eight, &other], "Total"), Difference::Wrong("−2".into()));
        let (text, wrong) = english([&eight, &other]);
        assert!(wrong && text.contains("at least one of them is wrong"), "{text}");
        // Another board, or a shard, may have another total.
        let mut larger = eight.clone();
        (larger.n, larger.total) = (Size::new(12).unwrap(), 14_200);
        let incomparable = Difference::Allowed("not comparable".into());
        assert_eq!(difference([&eight, &larger], "Total"), incomparable);
        assert_eq!(difference([&eight, &larger], "N"), Difference::Allowed("+4".into()));
        let (text, wrong) = english([&eight, &larger]);
        assert!(!wrong && text.contains("different sizes (N = 8 and N = 12)"), "{text}");
        other.shard = Some(Shard { index: 0, of: 2, extra: Map::default() });
        assert!(matches!(difference([&eight, &other], "Total"), Difference::Allowed(_)));
        let (text, wrong) = english([&eight, &other]);
        assert!(!wrong && text.contains("the same part of the board"), "{text}");
        // The same shard of two methods has other tasks.
        let mut shard = other.clone();
        shard.total = 7;
        assert!(must_agree([&other, &shard]));
        shard.method = Method::Bitmap;
        assert!(!must_agree([&other, &shard]));
    }

    #[test]
    fn times_are_compared_in_words() {
        let eight = eight();
        let mut slow = eight.clone();
        slow.seconds = Seconds::new(0.625).unwrap();
        slow.backend.device = "a GPU".into();
        let longer = Difference::Allowed("2.50 times as long".into());
        assert_eq!(difference([&eight, &slow], "Time"), longer);
        let faster = Difference::Allowed("2.50 times as fast".into());
        assert_eq!(difference([&slow, &eight], "Time"), faster);
        assert!(english([&slow, &eight]).0.ends_with("B was 2.50 times as fast as A."));
        assert!(english([&eight, &slow]).0.ends_with("B took 2.50 times as long as A."));
        slow.host.threads += 1;
        assert!(
            english([&slow, &eight])
                .0
                .ends_with(" They ran on different numbers of threads: 3 and 2.")
        );
        slow.host.threads = eight.host.threads;
        assert_eq!(difference([&eight, &slow], "Device"), Difference::Allowed("different".into()));
        slow.seconds = Seconds::new(1e6).unwrap();
        let longer = Difference::Allowed("4,000,000 times as long".into());
        assert_eq!(difference([&eight, &slow], "Time"), longer);
        // A time below the resolution of the clock has no factor.
        for seconds in [0.0, 1e-308] {
            slow.seconds = Seconds::new(seconds).unwrap();
            let different = Difference::Allowed("different".into());
            assert_eq!(difference([&eight, &slow], "Time"), different);
            assert_eq!(difference([&slow, &eight], "Time"), different);
            assert_eq!(difference([&slow, &slow], "Time"), Difference::None);
        }
        slow.seconds = Seconds::new(0.2501).unwrap();
        assert_eq!(
            difference([&eight, &slow], "Time"),
            Difference::Allowed("about as long".into())
        );
        assert!(english([&slow, &eight]).0.ends_with("Both took about the same time."));
    }

    #[test]
    fn a_number_that_one_result_lacks_differs() {
        let eight = eight();
        let mut other = eight.clone();
        other.unique = None;
        let different = Difference::Allowed("different".into());
        assert!(eight.unique.is_some());
        assert_eq!(difference([&eight, &other], "Unique"), different);
        assert_eq!(difference([&other, &eight], "Unique"), different);
    }
}
