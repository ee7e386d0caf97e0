//! The work of all methods on a board, counted while the table is open.

use queens_core::{Method, Size, Stepped};
use yew::prelude::*;

use crate::browser::download;
use crate::search::work_unit::WorkUnit;
use crate::words::{Language, grouped, numbered_method, tr};
use crate::worker::{Answer, Effort, Job, Request, use_job};

/// Returns the value of a work counter.
type WorkCounter = fn(&Effort) -> u64;

/// The key of the counter that some methods do not have.
const TESTED: &str = "work.looked";

/// The counters, each with the key of its name. Queens and tested squares are different units, so each has
/// its own counter.
const COUNTERS: [(&str, WorkCounter); 6] = [
    ("work.put", |effort| effort.placed),
    (TESTED, |effort| effort.looked_at),
    ("work.attacked", |effort| effort.attacked),
    ("compare.cut", |effort| effort.cut),
    ("work.comparisons", |effort| effort.comparisons),
    ("work.solutions", |effort| effort.solutions),
];

/// Whether a counter applies to a method.
fn applies(name: &str, method: Stepped) -> bool {
    name != TESTED || WorkUnit::SquaresTried.applies_to(method.facts())
}

/// Returns the number of a counter as text, or a dash if the counter does not apply to the method.
fn count_text(name: &str, method: Stepped, count: u64) -> String {
    if applies(name, method) { grouped(count) } else { "–".to_owned() }
}

/// The ratio of the second number to the first, or a dash if one of them is 0.
fn ratio(first: u64, second: u64) -> String {
    if first == 0 || second == 0 {
        return "–".to_owned();
    }
    let ratio = second as f64 / first as f64;
    if ratio < 9.995 {
        format!("× {ratio:.2}")
    } else {
        format!("× {}", grouped(ratio.round() as u64))
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method with which the others are compared.
    pub method: Stepped,
    pub size: Size,
    pub language: Language,
}

/// The work of all methods, as far as it is counted.
#[component]
pub fn All(props: &Props) -> Html {
    let &Props { method, size, language } = props;
    let Job { answer: efforts, state, stop, restart } = use_job(
        Some(Request::Efforts { methods: Stepped::ALL.to_vec(), size }),
        |efforts: &mut Vec<Effort>, answer| {
            if let Answer::Efforts { efforts: counted } = answer {
                *efforts = counted;
            }
            is_complete(efforts)
        },
    );
    let complete = is_complete(&efforts);
    let title = tr!(language, "compare.all", n = size);
    let save = {
        let text = csv(&efforts);
        Callback::from(move |_: MouseEvent| {
            download::file(&format!("queens-{size}-work.csv"), "text/csv", &text);
        })
    };
    html! {
        <div class="compare">
            <p class="hint">{ tr!(language, "compare.limit", steps = grouped(Effort::LIMIT)) }</p>
            if state.is_active() {
                <button id="efforts-stop" type="button" onclick={stop}>{ tr!(language, "explore.stop") }</button>
            } else if !complete {
                <button id="efforts" type="button" onclick={restart}>{ tr!(language, "compare.count") }</button>
            }
            if !efforts.is_empty() {
                <button id="efforts-csv" type="button" onclick={save}>{ tr!(language, "compare.csv") }</button>
                if complete {
                    <p id="least" class="statement">{ least(language, &efforts) }</p>
                }
                <div class="wide-frame" tabindex="0" role="region" aria-label={title}>
                    { table(language, method, &efforts) }
                </div>
            }
        </div>
    }
}

/// Whether all methods are finished. They run one after the other, so it is enough that the last
/// search has ended or reached the limit.
fn is_complete(efforts: &[Effort]) -> bool {
    efforts.len() == Stepped::ALL.len()
        && efforts.last().is_some_and(|last| last.has_ended || last.steps >= Effort::LIMIT)
}

/// Names the method that puts the fewest queens, and the ratio to the method that puts the most.
/// If some searches were stopped early, it names these instead of the ratio, because their numbers
/// are only lower bounds. `None` if one of them may turn out to put the fewest.
fn least(language: Language, efforts: &[Effort]) -> Option<String> {
    let all = || Stepped::ALL.iter().zip(efforts);
    let (&least, fewest) =
        all().filter(|(_, effort)| effort.has_ended).min_by_key(|(_, effort)| effort.placed)?;
    let (&most, largest) = all().max_by_key(|(_, effort)| effort.placed)?;
    let stopped = all().filter(|(_, effort)| !effort.has_ended);
    let stopped: Vec<_> = stopped.map(|(&method, _)| numbered_method(language, method)).collect();
    let (least, put) = (numbered_method(language, least), grouped(fewest.placed));
    if !stopped.is_empty() {
        let is_least = all().all(|(_, effort)| effort.placed >= fewest.placed);
        let stopped = stopped.join(language.comma());
        let key = "compare.least-stopped";
        return is_least
            .then(|| tr!(language, key, least = least, fewest = put, stopped = stopped));
    }
    Some(tr!(
        language,
        "compare.least",
        least = least,
        fewest = put,
        most = numbered_method(language, most),
        largest = grouped(largest.placed),
        ratio = ratio(fewest.placed, largest.placed).replace("× ", "")
    ))
}

/// The table as CSV, with a line per method and whether its count is complete.
fn csv(efforts: &[Effort]) -> String {
    let mut text =
        "method,steps,queens_put,squares_tested,attacked,closed_by_rules,comparisons,solutions,complete\n"
            .to_owned();
    for (method, effort) in Stepped::ALL.iter().zip(efforts) {
        let numbers = COUNTERS.iter().map(|(_, counter)| counter(effort).to_string());
        let numbers: Vec<_> = numbers.collect();
        let Effort { steps, has_ended, .. } = effort;
        text += &format!("{},{steps},{},{has_ended}\n", method.id(), numbers.join(","));
    }
    text
}

/// The table, with a row for each method that has begun.
fn table(language: Language, method: Stepped, efforts: &[Effort]) -> Html {
    let own = efforts.get(Stepped::ALL.iter().position(|&each| each == method).unwrap_or(0));
    let own = own.filter(|own| own.has_ended).map(|own| own.placed);
    let rows = Stepped::ALL.iter().zip(efforts).map(|(&each, effort)| {
        let more = (!effort.has_ended).then_some("> ");
        let numbers = COUNTERS.iter().map(|(name, counter)| {
            let count = counter(effort);
            let more = more.filter(|_| applies(name, each));
            html! { <td data-count={count.to_string()}>{ more }{ count_text(name, each, count) }</td> }
        });
        let ratio = own.filter(|_| effort.has_ended).map(|own| ratio(own, effort.placed));
        html! {
            <tr key={each.id()} data-method={each.id()} class={classes!((each == method).then_some("own"))} data-ended={effort.has_ended.to_string()}>
                <th scope="row">{ numbered_method(language, each) }</th>
                <td>{ ratio }</td>
                { for numbers }
            </tr>
        }
    });
    let names =
        COUNTERS.iter().map(|(name, _)| html! { <th scope="col">{ tr!(language, name) }</th> });
    let complete = is_complete(efforts).to_string();
    html! {
        <table id="efforts-table" class="work efforts-table" data-complete={complete}>
            <thead>
                <tr><td></td><th scope="col">{ tr!(language, "compare.ratio-all", number = Method::from(method).number()) }</th>{ for names }</tr>
            </thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Work;

    use super::*;
    use crate::parts::rendered::{Tag, elements, rendered};
    use crate::words::plain;

    #[test]
    fn formats_ratios() {
        let pairs = [(4, 1), (3, 10), (1, 10), (7, 123_456), (0, 3), (3, 0)];
        let shown = pairs.map(|(first, second)| ratio(first, second));
        assert_eq!(shown, ["× 0.25", "× 3.33", "× 10", "× 17,637", "–", "–"]);
    }

    #[test]
    fn the_table_has_the_work_of_every_method() {
        let size = Size::new(6).unwrap();
        let efforts: Vec<_> = Stepped::ALL
            .iter()
            .map(|method| {
                let mut work = Work::default();
                method.search(size, &mut work);
                Effort {
                    steps: 0,
                    placed: work.placed,
                    looked_at: work.looked_at,
                    attacked: work.attacked,
                    cut: work.cut.iter().sum(),
                    comparisons: work.comparisons,
                    solutions: work.tally.met(),
                    has_ended: true,
                }
            })
            .collect();
        let own = efforts.last().unwrap().placed;
        for language in Language::ALL {
            let html = rendered(language, table(language, Stepped::Symmetry, &efforts));
            assert!(html.contains("data-complete=\"true\""));
            for (method, effort) in Stepped::ALL.iter().zip(&efforts) {
                let row = elements(&html, &format!("data-method=\"{method}\""))[0];
                let cells = elements(row.inner(), "td");
                let cells: Vec<_> = cells.iter().map(Tag::content).collect();
                let counts = [effort.attacked, effort.cut, effort.comparisons, effort.solutions];
                let tested = match effort.looked_at {
                    0 => "–".to_owned(),
                    squares => grouped(squares),
                };
                let queens = [ratio(own, effort.placed), grouped(effort.placed), tested];
                let expected: Vec<_> = queens.into_iter().chain(counts.map(grouped)).collect();
                assert_eq!(cells, expected, "{method}");
                let name = elements(row.inner(), "th")[0].content();
                assert_eq!(name, plain(&numbered_method(language, *method)));
            }
        }
    }

    /// Creates efforts, of which the first `stopped` were stopped early.
    fn efforts(stopped: usize) -> Vec<Effort> {
        let efforts = (0..Stepped::ALL.len()).map(|index| Effort {
            placed: 1400 - 100 * index as u64,
            has_ended: index >= stopped,
            ..Effort::NONE
        });
        efforts.collect()
    }

    /// Method 3 tests each square before it puts a queen there, and method 7 does not.
    #[test]
    fn ratios_are_within_one_unit() {
        let effort = |placed, looked_at| Effort { placed, looked_at, ..Effort::NONE };
        let mut efforts = vec![effort(152, 0); Stepped::ALL.len()];
        for (effort, method) in efforts.iter_mut().zip(Stepped::ALL) {
            effort.has_ended = true;
            effort.looked_at = if *method == Stepped::Backtracking { 894 } else { 0 };
        }
        let html = rendered(Language::English, table(Language::English, Stepped::Bitmap, &efforts));
        let row = elements(&html, "data-method=\"backtracking\"")[0];
        let cells = elements(row.inner(), "td");
        let cells: Vec<_> = cells.iter().map(Tag::content).take(3).collect();
        assert_eq!(cells, ["× 1.00", "152", "894"]);
    }

    #[test]
    fn does_not_rank_stopped_searches() {
        let english = least(Language::English, &efforts(0)).unwrap();
        let expected = "Fewest queens put: 14 Symmetry, with 100. Most: 1 Brute force, with \
                        1,400 (14 times as many).";
        assert_eq!(english, expected);
        let english = least(Language::English, &efforts(2)).unwrap();
        let expected = "Fewest queens put: 14 Symmetry, with 100. Stopped early, so their \
                        numbers are not complete: 1 Brute force, 2 Permutations.";
        assert_eq!(english, expected);
        let japanese = least(Language::Japanese, &efforts(2)).unwrap();
        assert!(!japanese.contains("最も多い") && !japanese.contains('>'), "{japanese}");
        // A search that was stopped below the least complete number might still have the least.
        let mut unknown = efforts(1);
        unknown[0].placed = 50;
        assert_eq!(least(Language::English, &unknown), None);
    }
}
