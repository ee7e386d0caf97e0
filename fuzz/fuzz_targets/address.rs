//! Any address of the page: it is read, whatever it is, and what is written of it means the same.

#![no_main]
#![allow(dead_code, reason = "of the page only what reads and writes addresses is used")]

extern crate self as queens_worker;

pub use listing::{Field, Listing};

use libfuzzer_sys::fuzz_target;
use place::Address;

/// What of an address belongs to the worker, too, without the worker.
#[path = "../../web/worker/src/protocol/listing.rs"]
mod listing;

/// What of the page an address is made of, without the page.
#[path = "../../web/src/place"]
mod place {
    mod address;
    mod choice;
    mod shown;
    mod view;

    pub use address::Address;
}

/// What that needs of the page's words. What it says in them is tested with the page.
mod words {
    use queens_core::SizeError;

    queens_core::words! {
        /// A language of the page.
        #[derive(Default)]
        pub enum Language {
            /// English.
            #[default]
            English = "en",
            /// Japanese.
            Japanese = "ja",
        }
    }

    impl Language {
        pub const fn comma(self) -> &'static str {
            ", "
        }
    }

    pub fn size_error(_: Language, error: SizeError) -> String {
        error.to_string()
    }

    macro_rules! tr {
        ($language:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {{
            let _ = $language;
            $(let _ = &$value;)*
            String::from($key)
        }};
    }
    pub(crate) use tr;
}

fuzz_target!(|query: &str| {
    let (address, problems) = Address::parse(query);
    for problem in &problems {
        assert!(!problem.text(words::Language::English).is_empty());
    }
    for written in [address.to_query(), address.to_link()] {
        let (again, problems) = Address::parse(&written);
        assert_eq!((&again, &problems[..]), (&address, &[][..]), "{written}");
        assert_eq!(again.to_query(), address.to_query());
    }
});
