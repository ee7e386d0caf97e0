//! Checks of texts that users write or read: numbers, lists, squares and names.

use core::str::FromStr;
use core::time::Duration;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use queens_core::document::{BackendKind, Seconds, Shard, harmless};
use queens_core::{
    Check, Form, Method, Placement, RowBits, Size, Stepped, Transform, UnknownWord, notation,
    ranges, shortened,
};

#[derive(Arbitrary, Debug)]
pub enum Call {
    Size(String),
    Columns(String),
    Queens(Size, String),
    Number(u64),
    Clock(Duration),
    List(Vec<u32>),
    Words(String),
    Seconds(f64),
    Shard(u32, u32, usize),
    Harmless(String),
    Bits(u32),
}

impl Call {
    pub fn check(self) {
        match self {
            Call::Size(text) => match text.parse::<Size>() {
                Ok(size) => assert_eq!(size.to_string().parse(), Ok(size)),
                Err(error) => assert!(!error.to_string().is_empty()),
            },
            Call::Columns(text) => match notation::columns(&text) {
                Ok(columns) => {
                    let written = notation::write_columns(columns.iter().copied());
                    assert_eq!(notation::columns(&written), Ok(columns));
                    match text.parse::<Placement>() {
                        Ok(placement) => assert_eq!(placement.to_string().parse(), Ok(placement)),
                        Err(error) => assert!(!error.to_string().is_empty()),
                    }
                }
                Err(error) => {
                    assert!(notation::fold(&text).contains(&error.part()));
                }
            },
            Call::Queens(size, text) => match notation::queens(size, &text) {
                Ok(queens) => {
                    let written = notation::write_queens(&queens);
                    assert_eq!(notation::queens(size, &written), Ok(queens));
                    for shown in queens.squares() {
                        assert_eq!(notation::square(size, &shown.to_string()), Ok(shown));
                    }
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            },
            Call::Number(number) => {
                let grouped = notation::grouped(number);
                assert_eq!(grouped.replace(',', ""), number.to_string());
                assert!(grouped.split(',').skip(1).all(|group| group.len() == 3));
            }
            Call::Clock(time) => {
                let clock = notation::clock(time);
                let parts: Vec<u128> =
                    clock.split([':', '.']).map(|part| part.parse().expect("a number")).collect();
                let [days, hours, minutes, seconds, hundredths] = parts[..] else {
                    panic!("{clock}")
                };
                let seconds = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
                assert_eq!(seconds * 100 + hundredths, time.as_millis() / 10);
            }
            Call::List(ids) => {
                assert!(ranges(&ids).starts_with(shortened(&ids).trim_end_matches('…')));
                if ids.is_sorted_by(|a, b| a < b) && ids.last().is_none_or(|&last| last < 10_000) {
                    assert_eq!(parse_ranges(&ranges(&ids)), ids);
                }
            }
            Call::Words(text) => {
                check_word::<Transform>(&text, |word| word.id());
                check_word::<Form>(&text, |word| word.id());
                check_word::<Method>(&text, |word| word.id());
                check_word::<Stepped>(&text, |word| word.id());
                check_word::<Check>(&text, |word| word.id());
                check_word::<BackendKind>(&text, |word| word.id());
            }
            Call::Seconds(seconds) => {
                let value = Seconds::new(seconds);
                assert_eq!(value.is_some(), (0.0..=Seconds::MAX).contains(&seconds));
                assert!(value.is_none_or(|value| value.get() == seconds));
            }
            Call::Shard(index, of, task) => {
                let shard = Shard::new(index, of);
                assert_eq!(shard.is_some(), index < of);
                if let Some(shard) = shard {
                    assert_eq!(shard.has(task), task % of as usize == index as usize);
                }
            }
            Call::Harmless(text) => assert_eq!(harmless(&harmless(&text)), harmless(&text)),
            Call::Bits(bits) => {
                let row = RowBits::from_bits(bits);
                assert_eq!(format!("{row:b}"), format!("{bits:b}"));
            }
        }
    }
}

/// Parses a list of ranges, such as `1-3,7`.
fn parse_ranges(list: &str) -> Vec<u32> {
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let parts = list.split(',').filter(|part| !part.is_empty());
    parts
        .flat_map(|part| match part.split_once('-') {
            Some((first, last)) => number(first)..=number(last),
            None => number(part)..=number(part),
        })
        .collect()
}

fn check_word<T: FromStr<Err = UnknownWord>>(text: &str, id: impl Fn(T) -> &'static str) {
    match text.parse() {
        Ok(word) => assert_eq!(id(word), text),
        Err(error) => assert!(!error.known.contains(&text) && !error.to_string().is_empty()),
    }
}
