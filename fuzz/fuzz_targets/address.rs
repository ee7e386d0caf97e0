//! Parses any text as an address of the page. Writing the result gives an equivalent address.

#![no_main]

use libfuzzer_sys::fuzz_target;
use queens_state::routing::Address;
use queens_state::text::Language;

fuzz_target!(|query: &str| {
    let (address, problems) = Address::parse(query);
    for problem in &problems {
        for language in Language::ALL {
            assert!(!problem.text(language).is_empty());
        }
    }
    for written in [address.to_query(), address.to_link()] {
        let (parsed, problems) = Address::parse(&written);
        assert_eq!((&parsed, &problems[..]), (&address, &[][..]), "{written}");
        assert_eq!(parsed.to_query(), address.to_query());
    }
});
