//! The images of a solution as boards.

use std::rc::Rc;

use queens_core::{Image, Orbit, Placement, Transform};
use yew::prelude::*;

use crate::address::{Address, Navigate};
use crate::board::mini_board::MiniBoard;
use crate::parts::term::with_term;
use crate::words::{Language, Term, tr, transforms};

/// Renders the different images: in a class of 8 the four turns in a row, the solution first, and below each turn
/// its left-right mirror image. Images that coincide share a board, which has all their names.
pub fn images(
    language: Language,
    address: &Rc<Address>,
    navigate: &Navigate,
    orbit: &Orbit,
) -> Html {
    let choose = |image: Transform| {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |_: MouseEvent| {
            navigate.replace(Address { image, ..(*address).clone() });
        })
    };
    let figures = orbit.distinct().map(|image| {
        html! {
            <li
                key={image.transform.id()} class="image" data-testid="image"
                data-transform={image.transform.id()} data-columns={image.placement.to_string()}
            >
                { figure(language, orbit, image, address.image, choose) }
            </li>
        }
    });
    html! {
        <div class="orbit">
            <p class="soft">{ with_term(language, &tr!(language, "symmetries.line"), Term::IMAGE) }</p>
            <ul class="images" aria-label={tr!(language, "symmetries.images")}>{ for figures }</ul>
        </div>
    }
}

/// Renders a board with the names of its images. A click on the board selects the first of these, and a click on a
/// name that image.
fn figure(
    language: Language,
    orbit: &Orbit,
    image: &Image,
    selected: Transform,
    choose: impl Fn(Transform) -> Callback<MouseEvent>,
) -> Html {
    let same: Vec<Transform> = orbit.group(image).map(|image| image.transform).collect();
    let columns = image.placement.to_string();
    let name = match same[..] {
        [only] => transforms::transform(language, only),
        _ => transforms::equal(language, &same),
    };
    let label = tr!(language, "symmetries.image-label", name = name, columns = columns);
    let pressed = same.contains(&selected).to_string();
    let names = same.iter().map(|&each| {
        html! {
            <button
                key={each.id()} type="button" class="quiet" data-shows={each.id()}
                aria-pressed={(each == selected).to_string()} onclick={choose(each)}
            >
                { transforms::short(language, each) }
            </button>
        }
    });
    html! {
        <figure>
            <button type="button" class="image-button" aria-pressed={pressed} onclick={choose(image.transform)}>
                <MiniBoard
                    size={image.placement.size()} queens={Some(image.placement)} {label} fine=true
                />
            </button>
            <figcaption>
                if same.len() == 1 {
                    { transforms::short(language, image.transform) }
                } else {
                    { for names }
                }
            </figcaption>
        </figure>
    }
}

/// Renders the judgement values of the images, with that of the representative in bold.
pub fn image_table(language: Language, orbit: &Orbit) -> Html {
    let rows = orbit.images().iter().map(|image| {
        let digits = digits(&image.placement, orbit.representative());
        let digits = html! { <>{ for digits }</> };
        let is_representative = image.placement == *orbit.representative();
        html! {
            <tr key={image.transform.id()} data-image={image.transform.id()}>
                <th scope="row">{ transforms::short(language, image.transform) }</th>
                <td class="mono judgement">
                    if is_representative { <strong>{ digits }</strong> } else { { digits } }
                </td>
            </tr>
        }
    });
    html! {
        <>
            <p class="hint">
                { with_term(language, &tr!(language, "symmetries.legend"), Term::JUDGEMENT_VALUE) }
            </p>
            <div class="wide-table" role="region" aria-label={tr!(language, "symmetries.programmers")} tabindex="0">
                <table class="image-table"><tbody>{ for rows }</tbody></table>
            </div>
        </>
    }
}

/// Renders the judgement value of an image. The first digit that differs from the representative's
/// is marked.
fn digits(image: &Placement, representative: &Placement) -> impl Iterator<Item = Html> {
    let digits = image.judgement_value().digits().to_vec();
    let smallest = representative.judgement_value();
    let deciding_row = digits.iter().zip(smallest.digits()).position(|(a, b)| a != b);
    digits.into_iter().enumerate().map(move |(row, digit)| {
        let space = if row > 0 { " " } else { "" };
        if deciding_row == Some(row) {
            html! { <>{ space }<b class="decides">{ digit }</b></> }
        } else {
            html! { <>{ space }{ digit }</> }
        }
    })
}
