//! Parses any text as an address of the page. Checks that the written result is an equivalent address.

#![no_main]

use libfuzzer_sys::fuzz_target;
use queens_state::results::link;
use queens_state::routing::Address;
use queens_state::text::Language;

fuzz_target!(|query: &str| {
    let (address, problems) = Address::parse(query);
    for problem in &problems {
        for language in Language::ALL {
            assert!(!problem.text(language).is_empty());
        }
    }
    let linked = address.section.as_deref().and_then(link::from_fragment);
    if let Some(Ok(header)) = linked
        && let Some(fragment) = link::to_fragment(&header)
    {
        let again = link::from_fragment(&fragment).and_then(Result::ok);
        assert_eq!(again, Some(header), "{fragment}");
    }
    for written in [address.to_query(), address.to_link()] {
        let (parsed, problems) = Address::parse(&written);
        assert_eq!((&parsed, &problems[..]), (&address, &[][..]), "{written}");
        assert_eq!(parsed.to_query(), address.to_query());
    }
});
