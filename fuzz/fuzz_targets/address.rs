//! Parses any text as an address of the page. Checks that the written result is an equivalent address.

#![no_main]

use libfuzzer_sys::fuzz_target;
use queens_web::{Address, Language, link};

fuzz_target!(|query: &str| {
    let (address, problems) = Address::parse(query);
    for problem in &problems {
        for language in Language::ALL {
            assert!(!problem.text(language).is_empty());
        }
    }
    let linked = address.section.as_deref().and_then(link::from_fragment).unwrap_or_default();
    let headers: Vec<_> = linked.into_iter().filter_map(Result::ok).collect();
    if !headers.is_empty()
        && let Some(fragment) = link::to_fragment(&headers.iter().collect::<Vec<_>>())
    {
        let again = link::from_fragment(&fragment).unwrap_or_default();
        let again: Vec<_> = again.into_iter().filter_map(Result::ok).collect();
        assert_eq!(again, headers, "{fragment}");
    }
    for written in [address.to_query(), address.to_link()] {
        let (parsed, problems) = Address::parse(&written);
        assert_eq!((&parsed.over(&address), &problems[..]), (&address, &[][..]), "{written}");
        assert_eq!(parsed.to_query(), address.to_query());
    }
});
