//! Two counts of a large board, for the lesson whose method has no steps.

use queens_core::known::known;
use queens_core::{Method, Size};
use yew::prelude::*;

use crate::address::{Address, CountParameters, View};
use crate::parts::link::Link;
use crate::words::{Language, duration, grouped, numbered_method, tr};

/// The board of the two counts.
const LARGE: u32 = 16;

/// The seconds that one thread took for each count of this board, from docs/log/cpu.md.
const SECONDS: [(Method, f64); 2] = [(Method::Symmetry, 1.394), (Method::Colours, 0.028)];

/// Renders two counts of a board that is large enough to show the difference, with links to count it
/// on the page.
pub fn counts(language: Language, address: &Address) -> Option<Html> {
    let (size, numbers) = (Size::new(LARGE).ok()?, known(LARGE)?);
    let rows = SECONDS.map(|(method, seconds)| {
        let count = CountParameters { method: Some(method), range: Some([size; 2]) };
        let to = Address { count, ..address.with_view(View::Count) };
        // Methods with steps visit the representative of each class.
        let visited = if method.stepped().is_some() { numbers.unique() } else { 0 };
        html! {
            <tr data-method={method.id()}>
                <th scope="row">{ numbered_method(language, method) }</th>
                <td>{ grouped(numbers.total()) }</td>
                <td>{ grouped(visited) }</td>
                <td>{ duration(language, seconds) }</td>
                <td><Link {to}>{ tr!(language, "lesson.count-here") }</Link></td>
            </tr>
        }
    });
    let [(_, slow), (_, fast)] = SECONDS;
    Some(html! {
        <section>
            <h2 id="counts-title">{ tr!(language, "lesson.counts", n = LARGE) }</h2>
            <div class="wide-frame" tabindex="0" role="region" aria-labelledby="counts-title">
                <table id="counts" class="work">
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col">{ tr!(language, "lesson.counted") }</th>
                            <th scope="col">{ tr!(language, "lesson.visited") }</th>
                            <th scope="col">{ tr!(language, "lesson.time") }</th>
                            <td></td>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            <p class="soft">{ tr!(language, "lesson.counts-source", times = format!("{:.0}", slow / fast)) }</p>
        </section>
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the times with the rows of the table of measurements: the board, the method and the
    /// median in seconds.
    #[test]
    fn times_match_the_recorded_measurements() {
        let measured = include_str!("../../../../docs/log/cpu.md");
        for (method, seconds) in SECONDS {
            let begin = format!("| {LARGE} | `{method}` | {seconds} s (");
            let found = measured.lines().filter(|line| line.starts_with(&begin)).count();
            assert_eq!(found, 1, "{begin}");
        }
    }
}
