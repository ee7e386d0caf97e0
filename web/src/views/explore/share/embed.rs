//! The HTML of an iframe that shows a step in another page.

use crate::address::{Address, View};
use crate::browser::link_to;
use crate::words::{Language, numbered_method, tr};

/// Returns the HTML of an iframe with the displayed step of an address.
pub fn code(language: Language, address: &Address) -> String {
    let Address { size, method, step, .. } = *address;
    let framed = Address {
        view: View::Explore,
        size,
        method,
        step,
        language: Some(language),
        is_embedded: true,
        ..Address::default()
    };
    let link = link_to(&framed.to_link()).replace('&', "&amp;");
    let n = tr!(language, "share.n", n = size);
    let title = format!("{n}, {}", numbered_method(language, method));
    format!(
        "<iframe src=\"{link}\" title=\"{title}\" width=\"800\" height=\"600\" loading=\"lazy\"></iframe>"
    )
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn the_code_frames_the_step() {
        let address = Address::parse("?n=6&method=bitmap&step=9&present=1&compare=flags").0;
        for language in Language::ALL {
            let code = code(language, &address);
            let (_, link) = code.split_once("src=\"").unwrap();
            let (link, rest) = link.split_once('"').unwrap();
            assert!(rest.contains("title=\"") && rest.ends_with("></iframe>"), "{code}");
            let (framed, problems) = Address::parse(&link.replace("&amp;", "&"));
            assert_eq!(problems, []);
            assert!(framed.is_embedded && !framed.layout.presenting);
            assert_eq!(
                (framed.step, framed.size, framed.method),
                (9, address.size, address.method)
            );
            assert_eq!((framed.language, framed.compare), (Some(language), None));
        }
    }
}
