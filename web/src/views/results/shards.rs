//! Loaded shards of one count: which are missing or, if none is, their sum.

use std::collections::BTreeMap;

use queens_core::{Method, Size, known::known, shortened};
use yew::prelude::*;

use super::entry::Entry;
use super::latest::use_latest;
use crate::parts::command::command;
use crate::words::{Language, grouped, method_name, tr, use_language};
use crate::worker::{Answer, DocumentId, Request};

/// The count to which shards belong: the board, the method, and the number of all shards.
type Count = (Size, u32, u32);

/// The loaded shards of a count, by their numbers. Further copies of a shard are left out.
type Loaded = BTreeMap<u32, DocumentId>;

/// Returns the loaded shards by the count to which they belong.
fn groups(entries: &[Entry]) -> BTreeMap<Count, Loaded> {
    let mut groups: BTreeMap<Count, Loaded> = BTreeMap::new();
    for entry in entries {
        if let (Some(shard), Some(document)) = (&entry.header.shard, &entry.document) {
            let count = (entry.header.n, entry.header.method.number(), shard.of);
            groups.entry(count).or_default().entry(shard.index).or_insert(document.id());
        }
    }
    groups
}

/// Renders a sentence for each count of which shards are loaded.
pub fn sums(entries: &[Entry]) -> Html {
    let lines = groups(entries).into_iter().map(|(count, loaded)| {
        let (n, method, of) = count;
        html! { <Sum key={format!("{n}-{method}-{of}")} {count} {loaded} /> }
    });
    html! { <>{ for lines }</> }
}

/// What is known of the sum of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Shards are missing, or the total is not published.
    Unproven,
    /// The sum is the published total.
    Right,
    /// The shards do not fit together, or their sum differs from the published total.
    Wrong,
}

impl Verdict {
    const fn class(self) -> &'static str {
        match self {
            Verdict::Unproven => "soft",
            Verdict::Right => "good",
            Verdict::Wrong => "bad",
        }
    }
}

#[derive(Properties, PartialEq)]
struct Props {
    count: Count,
    loaded: Loaded,
}

/// The sum of the shards of a count, or which ones are missing.
#[component]
fn Sum(props: &Props) -> Html {
    let language = use_language();
    let Props { count, loaded } = props;
    let (n, method, of) = *count;
    let missing: Vec<u32> = (0..of).filter(|shard| !loaded.contains_key(shard)).collect();
    let is_complete = missing.is_empty();
    let request = is_complete.then(|| Request::SumOfShards(loaded.values().copied().collect()));
    let sum = use_latest(request, |answer| match answer {
        Answer::SumOfShards(sum) => Some(sum),
        _ => None,
    });
    let method = Method::ALL.iter().find(|one| one.number() == method);
    let method = method.map(|&method| method_name(language, method)).unwrap_or_default();
    let (verdict, text) = if is_complete {
        let Some(sum) = sum else { return html! {} };
        sentence(language, n, &method, of, *sum)
    } else {
        let (have, missing) = (loaded.len(), shortened(&missing));
        let text = tr!(
            language,
            "results.shards-missing",
            have = have,
            of = of,
            n = n,
            method = method,
            missing = missing
        );
        (Verdict::Unproven, text)
    };
    html! {
        <p class={classes!("shards", verdict.class())} role="status">
            { text }
            if is_complete && verdict != Verdict::Wrong {
                { language.space() }{ tr!(language, "results.shards-merge") }{ " " }{ command("queens merge FILE…") }
            }
        </p>
    }
}

/// Says what shards that complete a count add up to, and whether that is right.
fn sentence(
    language: Language,
    n: Size,
    method: &str,
    of: u32,
    sum: Option<u64>,
) -> (Verdict, String) {
    let published = known(n.get()).map(queens_core::Numbers::total);
    match (sum, published) {
        (None, _) => {
            let text = tr!(language, "results.shards-unfit", of = of, n = n, method = method);
            (Verdict::Wrong, text)
        }
        (Some(sum), Some(total)) if sum != total => {
            let [total, published] = [sum, total].map(grouped);
            let text = tr!(
                language,
                "results.shards-wrong",
                of = of,
                n = n,
                method = method,
                total = total,
                published = published
            );
            (Verdict::Wrong, text)
        }
        (Some(sum), _) => {
            let total = grouped(sum);
            let key = "results.shards-complete";
            let mut text = tr!(language, key, of = of, n = n, method = method, total = total);
            if published.is_none() {
                return (Verdict::Unproven, text);
            }
            text += language.space();
            text += &tr!(language, "results.shards-known");
            (Verdict::Right, text)
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::words::plain;

    #[test]
    fn shards_that_complete_a_count_have_their_sum() {
        let size = Size::new(8).unwrap();
        let said = |sum| {
            let (verdict, text) = sentence(Language::English, size, "Symmetry", 3, sum);
            (verdict, plain(&text))
        };
        let right = "The 3 loaded shards of N = 8, Symmetry, complete the count: total 92. \
                     That is the published number.";
        assert_eq!(said(Some(92)), (Verdict::Right, right.to_owned()));
        let wrong =
            "The 3 loaded shards of N = 8, Symmetry, add up to 93, but the published total is 92.";
        assert_eq!(said(Some(93)), (Verdict::Wrong, wrong.to_owned()));
        assert!(said(None).0 == Verdict::Wrong && said(None).1.contains("cannot be added up"));
    }
}
