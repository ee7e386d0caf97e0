//! The eight images as boards.

use yew::prelude::*;

use super::orbit::{Image, Orbit};
use super::words;
use crate::components::mini_board::MiniBoard;
use crate::i18n::{Language, tr, use_language};

/// What the boards need.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The images.
    pub orbit: Orbit,
}

/// The four turns in one row, the left-right mirror of each below it.
#[component]
pub fn Images(props: &Props) -> Html {
    let language = use_language();
    let orbit = &props.orbit;
    // The images that are equal to the one at hand stand out.
    let pointed = use_state_eq(|| None::<usize>);
    let figures = orbit.images.iter().map(|image| {
        let (enter, leave) = (pointed.setter(), pointed.setter());
        let group = image.group;
        let together = orbit.class().members() < 8;
        let class = classes!(
            "image",
            together.then(|| format!("group-{group}")),
            image.decides.is_none().then_some("is-representative"),
            (together && *pointed == Some(group)).then_some("is-pointed"),
        );
        html! {
            <li
                key={image.transform.id()} {class} data-testid="image"
                data-transform={image.transform.id()} data-group={group.to_string()}
                data-columns={image.placement.to_string()}
                onmouseenter={Callback::from(move |_| enter.set(Some(group)))}
                onmouseleave={Callback::from(move |_| leave.set(None))}
            >
                { figure(language, orbit, image) }
            </li>
        }
    });
    html! {
        <ul class="images" aria-label={tr!(language, "symmetries.images")}>{ for figures }</ul>
    }
}

fn figure(language: Language, orbit: &Orbit, image: &Image) -> Html {
    let name = words::transform(language, image.transform);
    let columns = image.placement.to_string();
    let label = tr!(language, "symmetries.image-label", name = name, columns = columns);
    let equal = orbit.equal_to(image);
    html! {
        <figure>
            <h3>
                <span class="group-number" aria-hidden="true">{ image.group }</span>
                { name }
            </h3>
            <MiniBoard size={image.placement.size()} queens={Some(image.placement)} {label} fine=true />
            <figcaption>
                <p class="columns mono">{ columns }</p>
                <p class="judgement mono">
                    <span class="hidden-text">{ tr!(language, "symmetries.judgement-value") }</span>
                    { for digits(image) }
                </p>
                if image.decides.is_none() {
                    <p class="mark">{ tr!(language, "symmetries.representative") }</p>
                }
                if !equal.is_empty() {
                    <p class="same">{ format!("= {}", words::equal(language, &equal)) }</p>
                }
            </figcaption>
        </figure>
    }
}

/// The judgement value with the digit that makes it larger than the representative's.
fn digits(image: &Image) -> impl Iterator<Item = Html> + '_ {
    image.placement.judgement_value().digits().to_vec().into_iter().enumerate().map(
        move |(row, digit)| {
            let space = if row > 0 { " " } else { "" };
            if image.decides == Some(row) {
                html! { <>{ space }<b class="decides">{ digit }</b></> }
            } else {
                html! { <>{ space }{ digit }</> }
            }
        },
    )
}
