//! The eight images of a solution as boards.

use std::rc::Rc;

use queens_core::{Image, Orbit, Placement, Transform};
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::parts::term::with_term;
use crate::place::{Address, Navigate};
use crate::words::{Language, Term, tr, transforms};

/// Renders the four rotations in a row, the solution first, and below each rotation its left-right
/// mirror image. If equal images are stacked, a style moves each image onto the first one that
/// equals it.
pub fn images(
    language: Language,
    address: &Rc<Address>,
    navigate: &Navigate,
    orbit: &Orbit,
) -> Html {
    let coincide = orbit.class().members() < 8;
    let together = coincide && address.stacks_images;
    let figures = orbit.images().iter().map(|image| {
        let group = image.group;
        let class = classes!(
            "image",
            coincide.then(|| format!("group-{group}")),
            (image.placement == *orbit.representative()).then_some("is-representative"),
            (!image.is_first()).then_some("falls"),
        );
        let choose = {
            let (address, navigate, image) = (address.clone(), navigate.clone(), image.transform);
            Callback::from(move |_| navigate.replace(Address { image, ..(*address).clone() }))
        };
        html! {
            <li
                key={image.transform.id()} {class} data-testid="image"
                data-transform={image.transform.id()} data-group={group.to_string()}
                data-columns={image.placement.to_string()}
            >
                { figure(language, orbit, image, address.image, choose) }
            </li>
        }
    });
    let toggle = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |_| {
            navigate.replace(Address { stacks_images: !together, ..(*address).clone() });
        })
    };
    // Long values are set closer while each value fits on a line.
    let wide = (10..=12).contains(&orbit.representative().size().get());
    let class = classes!(
        "images",
        wide.then_some("wide"),
        together.then(|| format!("together of-{}", orbit.class().members()))
    );
    html! {
        <div class="orbit">
            <p class="soft" aria-hidden="true">{ tr!(language, "symmetries.line") }</p>
            <div class="images-frame">
                <ul {class} aria-label={tr!(language, "symmetries.images")}>{ for figures }</ul>
            </div>
            <p class="images-legend soft">
                { with_term(language, &tr!(language, "symmetries.legend"), Term::JUDGEMENT_VALUE) }
            </p>
            if coincide {
                <p class="fall">
                    <button
                        id="together" type="button" aria-pressed={together.to_string()}
                        onclick={toggle}
                    >
                        { tr!(language, "symmetries.together") }
                    </button>
                    <span role="status">
                        if together {
                            { tr!(language, "symmetries.fallen", class = orbit.class()) }
                        }
                    </span>
                </p>
            }
        </div>
    }
}

fn figure(
    language: Language,
    orbit: &Orbit,
    image: &Image,
    shown: Transform,
    choose: Callback<MouseEvent>,
) -> Html {
    let name = transforms::transform(language, image.transform);
    let columns = image.placement.to_string();
    let label = tr!(language, "symmetries.image-label", name = name, columns = columns);
    let others = orbit.group(image).filter(|other| other.transform != image.transform);
    let equal: Vec<_> = others.map(|other| other.transform).collect();
    let pressed = (image.transform == shown).to_string();
    html! {
        <figure>
            <h2>
                <span class="group-number" aria-hidden="true">{ image.group }</span>
                { name }
            </h2>
            <button type="button" class="image-button" aria-pressed={pressed} onclick={choose}>
                <MiniBoard
                    size={image.placement.size()} queens={Some(image.placement)} {label} fine=true
                />
            </button>
            <figcaption>
                <p class="columns mono">{ columns }</p>
                <p class="judgement mono">
                    <span class="hidden-text">{ tr!(language, "symmetries.judgement-value") }</span>
                    { for digits(&image.placement, orbit.representative()) }
                </p>
                if image.placement == *orbit.representative() {
                    <p class="mark">{ tr!(language, "symmetries.representative") }</p>
                }
                if !equal.is_empty() {
                    <p class="same">{ format!("= {}", transforms::equal(language, &equal)) }</p>
                }
            </figcaption>
        </figure>
    }
}

/// Renders the judgement value of an image. The first digit that differs from the representative's
/// is marked.
fn digits(image: &Placement, representative: &Placement) -> impl Iterator<Item = Html> {
    let digits = image.judgement_value().digits().to_vec();
    let smallest = representative.judgement_value();
    let decides = digits.iter().zip(smallest.digits()).position(|(a, b)| a != b);
    digits.into_iter().enumerate().map(move |(row, digit)| {
        let space = if row > 0 { " " } else { "" };
        if decides == Some(row) {
            html! { <>{ space }<b class="decides">{ digit }</b></> }
        } else {
            html! { <>{ space }{ digit }</> }
        }
    })
}
