//! The images of a solution match the core, and are described correctly.

use queens_core::{Class, Orbit, Placement, images, representative};
use yew::prelude::*;

use super::Solutions;
use super::images::image_table;
use crate::address::{Address, View};
use crate::parts::rendered::{Tag, elements, rendered, rendered_at};
use crate::words::Language;

/// Renders the view of a solution.
fn page(language: Language, placement: &Placement) -> String {
    let columns = placement.columns_from_left().collect();
    let size = placement.size();
    let view = View::Solutions;
    let address = Address { view, size, solution: Some(columns), ..Address::default() };
    rendered_at(language, address, html! { <Solutions /> })
}

fn contents(html: &str, mark: &str) -> Vec<String> {
    elements(html, mark).iter().map(Tag::content).collect()
}

#[test]
fn images_match_the_core() {
    for columns in [
        &[0][..],
        &[1, 3, 0, 2],
        &[3, 0, 2, 4, 1],
        &[5, 3, 6, 0, 7, 1, 4, 2],
        &[6, 0, 2, 7, 5, 3, 1, 4],
        &[4, 2, 10, 5, 11, 8, 3, 0, 6, 1, 9, 7],
    ] {
        let placement = Placement::from_left(columns).unwrap();
        let smallest = representative(&placement);
        let class = Class::of(&placement).to_string();
        let value = smallest.judgement_value();
        for language in Language::ALL {
            let html = page(language, &placement);
            assert_eq!(elements(&html, "id=\"class\"")[0].attribute("data-class").unwrap(), class);
            let shown = elements(&html, "data-testid=\"image\"");
            let shown = shown.iter().map(|image| image.attribute("data-columns").unwrap());
            let orbit = Orbit::of(&placement);
            assert!(
                shown.eq(orbit.distinct().map(|image| image.placement.to_string())),
                "{placement}"
            );
            let fold = elements(&html, "id=\"for-programmers\"")[0].content();
            assert!(fold.contains(&smallest.to_string()), "{fold}");
            let table = rendered(language, image_table(language, &orbit));
            let rows = elements(&table, "data-image=\"");
            for (row, (_, image)) in rows.iter().zip(images(&placement)) {
                assert_eq!(row.inner().contains("<strong>"), image == smallest, "{placement}");
            }
            let deciding = rows.iter().map(|row| contents(row.inner(), "class=\"decides\""));
            let expected = images(&placement).map(|(_, image)| {
                let digits = image.judgement_value();
                let pairs = digits.digits().iter().zip(value.digits());
                let decides = pairs.clone().find(|(digit, least)| digit != least);
                decides.map(|(digit, _)| digit.to_string()).into_iter().collect()
            });
            assert_eq!(deciding.collect::<Vec<_>>(), Vec::<Vec<_>>::from(expected));
        }
    }
}

/// Images that coincide share a board, which has all their names.
#[test]
fn equal_images_are_joined() {
    for (columns, names, quotient) in [
        (
            &[1, 4, 2, 0, 3][..],
            &[4, 4][..],
            "as it is, 90°, 180°, 270°. 8 ÷ 4 = 2 different images",
        ),
        (&[2, 4, 1, 7, 0, 6, 3, 5], &[2; 4], "as it is, 180°. 8 ÷ 2 = 4 different images"),
        (&[0, 4, 7, 5, 2, 6, 1, 3], &[0; 8], "as it is. 8 ÷ 1 = 8 different images"),
    ] {
        let placement = Placement::from_left(columns).unwrap();
        let html = page(Language::English, &placement);
        let shown = elements(&html, "data-testid=\"image\"");
        let shown: Vec<_> =
            shown.iter().map(|image| elements(image.inner(), "data-shows").len()).collect();
        assert_eq!(shown, names);
        assert!(html.contains(quotient), "{html}");
    }
}
