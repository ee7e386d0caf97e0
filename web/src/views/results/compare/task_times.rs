//! The times of a task in two compared results, and where a link to it leads.

use super::LETTERS;
use crate::address::{Address, Field};
use crate::words::{Language, duration, ratio_text, tr};

/// Returns the address of a task in the result, of those with these ids, that took longer for it.
pub fn in_slower(address: &Address, ids: &[String; 2], id: u32, seconds: [f64; 2]) -> Address {
    let [first, second] = ids;
    let slower = if seconds[0] < seconds[1] { second } else { first };
    address.with_result(Some(slower.clone())).with_field(Field::Task, &id.to_string())
}

/// Returns the times of a task in both results, and how much longer it took in one of them; `None` if both are
/// equal after rounding.
pub fn times_text(language: Language, id: u32, seconds: [f64; 2]) -> Option<String> {
    let [first, second] = seconds.map(|seconds| duration(language, seconds));
    if first == second {
        return None;
    }
    let [a, b] = LETTERS;
    let ratio = seconds[1] / seconds[0];
    let (name, other) = if ratio > 1.0 { (b, a) } else { (a, b) };
    let times = ratio_text(ratio.max(1.0 / ratio));
    Some(tr!(
        language,
        "results.compare.task-longer",
        id = id,
        first = first,
        second = second,
        name = name,
        other = other,
        times = times
    ))
}
