//! The counters of the work.

use queens_core::{Class, Rule, Size, Stepped, Work};

use super::{page_of, whole};
use crate::address::ExploreLayout;
use crate::parts::rendered::{elements, texts};
use crate::words::{Language, grouped};

/// The names of the counters in a language.
struct CounterNames {
    put: &'static str,
    tested: &'static str,
    attacked: &'static str,
    comparisons: &'static str,
    kept: &'static str,
    total: &'static str,
    rule: fn(Rule) -> String,
}

const ENGLISH: CounterNames = CounterNames {
    put: "Queens put",
    tested: "Squares tested",
    attacked: "Squares attacked",
    comparisons: "Comparisons",
    kept: "Solutions kept",
    total: "Total so far",
    rule: |rule| match rule {
        Rule::Half => "Closed as the mirrored half".to_owned(),
        _ => format!("Closed by rule {}", rule.sign()),
    },
};

const JAPANESE: CounterNames = CounterNames {
    put: "置いたクイーン",
    tested: "調べたマス",
    attacked: "効き筋で除外",
    comparisons: "比較回数",
    kept: "残した解",
    total: "全解数（ここまで）",
    rule: |rule| match rule {
        Rule::Half => "鏡像側の半分として除外".to_owned(),
        _ => format!("規則 {} で除外", rule.sign()),
    },
};

/// Returns the counters of a method: ids, names and values. Rules and comparisons have a counter only
/// if the method uses them for N = 8.
fn counters(names: &CounterNames, method: Stepped, work: &Work) -> Vec<(String, String, u64)> {
    let mut whole = Work::default();
    method.search(Size::new(8).unwrap(), &mut whole);
    let mut all = vec![];
    let mut counter = |id: &str, name: &str, count: u64| {
        all.push((format!("counter-{id}"), name.to_owned(), count));
    };
    counter("put", names.put, work.placed);
    if whole.looked_at > 0 {
        counter("looked", names.tested, work.looked_at);
    }
    counter("attacked", names.attacked, work.attacked);
    for rule in Rule::ALL.into_iter().filter(|&rule| whole.cut_by(rule) > 0) {
        counter(rule.id(), &(names.rule)(rule), work.cut_by(rule));
    }
    if whole.comparisons > 0 {
        counter("comparisons", names.comparisons, work.comparisons);
    }
    counter("solutions", names.kept, work.tally.met());
    if method.facts().counts_classes() {
        for class in [Class::One, Class::Two, Class::Four, Class::Eight] {
            let count = work.tally.class(class);
            if class != Class::One || count > 0 {
                let members = class.members();
                counter(&format!("count{members}"), &format!("COUNT{members}"), count);
            }
        }
    }
    counter("total", names.total, work.tally.total().unwrap());
    all.sort();
    all
}

#[test]
fn counters_match_the_core() {
    for (method, n) in [
        (Stepped::Symmetry, 10),
        (Stepped::SideCuts, 9),
        (Stepped::Mirror, 8),
        (Stepped::FlagsSymmetry, 6),
        (Stepped::Bitmap, 8),
        (Stepped::Symmetry, 1),
    ] {
        let mut timeline = whole(method, n);
        let end = timeline.step();
        for step in [end * 3 / 4, end] {
            assert!(timeline.seek(step, u64::MAX));
            for (language, names) in Language::ALL.into_iter().zip([ENGLISH, JAPANESE]) {
                let html = page_of(
                    language,
                    &timeline,
                    ExploreLayout { work: true, ..ExploreLayout::default() },
                );
                let mut shown: Vec<_> = elements(&html, "class=\"counter\"")
                    .iter()
                    .map(|counter| {
                        let name = texts(counter.inner()).lines().next().unwrap().to_owned();
                        let value = elements(counter.inner(), " data-count=\"")[0];
                        let count: u64 = value.attribute("data-count").unwrap().parse().unwrap();
                        assert_eq!(value.content(), grouped(count));
                        (value.attribute("id").unwrap(), name, count)
                    })
                    .collect();
                shown.sort();
                assert_eq!(shown, counters(&names, method, timeline.work()), "{method} N = {n}");
            }
        }
        assert!(timeline.work().tally.met() > 0);
    }
}
