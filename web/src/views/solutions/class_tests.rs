//! The images of a solution match the core, and are described correctly.

use queens_core::{Class, Event, Orbit, Placement, Size, Stepped, Tracer, images, representative};
use yew::prelude::*;

use super::Solutions;
use super::images::image_table;
use crate::parts::rendered::{Tag, elements, rendered, rendered_at};
use crate::place::{Address, View};
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
            assert_eq!(contents(&html, "id=\"representative\""), [smallest.to_string()]);
            let shown = elements(&html, "data-testid=\"image\"");
            let marks = shown.iter().map(|image| {
                let is_marked = !elements(image.inner(), "class=\"mark\"").is_empty();
                (image.attribute("data-columns").unwrap(), is_marked)
            });
            let expected =
                images(&placement).map(|(_, image)| (image.to_string(), image == smallest));
            assert_eq!(marks.collect::<Vec<_>>(), expected);
            let table = rendered(language, image_table(language, &Orbit::of(&placement)));
            let rows = elements(&table, "data-image=\"");
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

/// Checks the group of each image, the sentence about the number of images, and the number of images
/// with a list of equal images.
#[test]
fn equal_images_form_numbered_groups() {
    for (columns, groups, quotient, same) in [
        (
            &[1, 4, 2, 0, 3][..],
            "11112222",
            "identity, 90°, 180°, 270°. Number of different images: 8 ÷ 4 = 2",
            8,
        ),
        (
            &[2, 4, 1, 7, 0, 6, 3, 5],
            "12123434",
            "identity, 180°. Number of different images: 8 ÷ 2 = 4",
            8,
        ),
        (
            &[0, 4, 7, 5, 2, 6, 1, 3],
            "12345678",
            "identity. Number of different images: 8 ÷ 1 = 8",
            0,
        ),
    ] {
        let placement = Placement::from_left(columns).unwrap();
        let html = page(Language::English, &placement);
        let shown = elements(&html, "data-testid=\"image\"");
        let shown: String =
            shown.iter().map(|image| image.attribute("data-group").unwrap()).collect();
        assert_eq!(shown, groups);
        assert!(html.contains(quotient), "{html}");
        assert_eq!(elements(&html, "class=\"same\"").len(), same);
    }
}

#[test]
fn the_legend_mentions_links_only_where_they_exist() {
    let solution = |n: u32| {
        let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(n).unwrap());
        loop {
            let step = tracer.forward().unwrap();
            if let Event::Solution { .. } = step {
                return tracer.view().placement().unwrap();
            }
        }
    };
    for (n, has_links) in [(8, true), (11, true), (12, false)] {
        let orbit = Orbit::of(&solution(n));
        let html = rendered(Language::English, image_table(Language::English, &orbit));
        assert_eq!(html.contains("The link leads to the step"), has_links, "N = {n}");
    }
}
