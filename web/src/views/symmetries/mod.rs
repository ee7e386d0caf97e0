//! The Symmetries view: the eight images of a solution, the images that coincide, and its class. A link
//! leads to the comparison of the solution with its images in Explore.

mod entry;
mod images;
mod stage;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use queens_core::known::known;
use queens_core::{Orbit, Placement, Size, Stepped, Transform};
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::parts::link::Link;
use crate::parts::save::{buttons, offer};
use crate::parts::sheet::sheet;
use crate::parts::step::{LARGEST_LOCATED, use_step};
use crate::parts::term::TermLink;
use crate::place::{
    Address, Tab, View, explore_address, play_address, symmetries_address, use_address,
};
use crate::words::{Language, Term, grouped, tr, transforms, use_language};

use entry::Entry;
use images::images;
use stage::stage;

/// Example solutions with the keys of their names: representatives of classes of 8, 4 and 2, one
/// with a queen in the corner, and a solution that a comparison drops. The symmetry method
/// completes all of them. The view opens with the first one.
const EXAMPLES: [(&str, &[u32]); 5] = [
    ("symmetries.example", &[6, 1, 5, 2, 0, 3, 7, 4]),
    ("symmetries.example", &[5, 3, 6, 0, 7, 1, 4, 2]),
    ("symmetries.example", &[3, 0, 2, 4, 1]),
    ("symmetries.example-corner", &[7, 3, 0, 2, 5, 1, 6, 4]),
    ("symmetries.example-dropped", &[6, 0, 2, 7, 5, 3, 1, 4]),
];

/// The class and the images of the solution in the address. If the columns in the
/// address are not a solution, the view has only the examples and the input field with the error.
#[component]
pub fn Symmetries() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let given = shown(&address);
    let placement = Placement::from_left(given);
    let text = spaced(given);
    let wrong = placement.err().map(Into::into);
    let orbit = use_memo(placement.ok(), |solution| solution.as_ref().map(Orbit::of));
    let representative = orbit.as_ref().as_ref().map(|orbit| *orbit.representative());
    let step = use_step(Stepped::Symmetry, representative);
    let on_solution = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |placement: Placement| {
            navigate.push(symmetries_address(&address, &placement));
        })
    };
    html! {
        <div class="symmetries">
            <header class="symmetries-head">
                <h1>{ View::Symmetries.name(language) }</h1>
                if let Some(orbit) = &*orbit {
                    { statement(language, orbit) }
                    { for savings(language, &address, orbit.representative().size()) }
                } else {
                    <p class="soft">{ tr!(language, "symmetries.lead") }</p>
                }
            </header>
            if let Some(orbit) = &*orbit {
                <div class="symmetries-main">
                    <div class="stage-and-images">
                        <div class="stage-side">
                            { stage(language, orbit, address.image) }
                            { facts(language, orbit) }
                        </div>
                        { images(language, &address, &navigate, orbit) }
                    </div>
                </div>
            } else {
                <div class="empty-state">
                    <MiniBoard size={address.size} queens={None::<Placement>} />
                    <p>{ tr!(language, "symmetries.nothing") }</p>
                </div>
            }
            <div class="symmetries-side">
                { examples(language, &address) }
                <Entry given={text} {wrong} {on_solution} />
                if let Some(orbit) = &*orbit {
                    { links(language, &address, orbit, step) }
                    { saving(language, &address, orbit) }
                }
            </div>
        </div>
    }
}

/// Returns the columns in the address, or the columns of the first example if the address has no columns.
fn shown(address: &Address) -> &[u32] {
    address.solution.as_deref().unwrap_or(EXAMPLES[0].1)
}

fn spaced(columns: &[u32]) -> String {
    columns.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn examples(language: Language, address: &Address) -> Html {
    let examples = EXAMPLES.iter().filter_map(|&(text, columns)| {
        let placement = Placement::from_left(columns).ok()?;
        let to = symmetries_address(address, &placement);
        let current = shown(address) == columns;
        let (n, class) = (placement.size(), queens_core::Class::of(&placement));
        Some(html! {
            <li key={spaced(columns)}>
                <Link {to} {current} class="example">
                    <MiniBoard size={n} queens={Some(placement)} />
                    <span>
                        { tr!(language, text, n = n, class = class) }
                        <small>{ transforms::class_size_reason(language, class) }</small>
                    </span>
                </Link>
            </li>
        })
    });
    html! {
        <section aria-labelledby="examples">
            <h2 id="examples">{ tr!(language, "symmetries.examples") }</h2>
            <ul class="examples">{ for examples }</ul>
        </section>
    }
}

/// Renders the class of the solution, with the reason for its size.
fn statement(language: Language, orbit: &Orbit) -> Html {
    let class = orbit.class();
    html! {
        <p id="class" class="statement" aria-live="polite" data-class={class.to_string()}>
            <TermLink word={Term::CLASS}>
                <strong>{ tr!(language, "symmetries.class", class = class) }</strong>
            </TermLink>
            { language.space() }{ transforms::stabiliser(language, orbit.stabiliser()) }
        </p>
    }
}

/// The largest board whose race ends soon enough to watch.
const LARGEST_RACE: u32 = 10;

/// Renders what symmetry saves for this board, with a link to a race that shows it. `None` without published
/// numbers, and for boards that are too small to save anything.
fn savings(language: Language, address: &Address, size: Size) -> Option<Html> {
    let numbers = known(size.get()).filter(|numbers| numbers.unique() < numbers.total())?;
    let (unique, total) = (grouped(numbers.unique()), grouped(numbers.total()));
    let raced = if size.get() > LARGEST_RACE { Address::FIRST_SIZE } else { size };
    let compare = Some(Stepped::Symmetry);
    let race = Address { compare, ..explore_address(address, Stepped::Backtracking, raced, 0) };
    let layout = race.layout.with_tab(Tab::Race, true);
    Some(html! {
        <p id="savings">
            { tr!(language, "symmetries.savings", n = size, unique = unique, total = total) }
            { language.space() }
            <Link to={Address { layout, ..race }} id="to-race">
                { tr!(language, "symmetries.to-race", n = raced) }
            </Link>
        </p>
    })
}

/// Renders the transforms that map the solution to itself, its distinct images, and its
/// representative.
fn facts(language: Language, orbit: &Orbit) -> Html {
    let (class, representative) = (orbit.class(), orbit.representative());
    let all = orbit.stabiliser().transforms();
    let names: Vec<String> = all.iter().map(|&each| transforms::short(language, each)).collect();
    let (names, order) = (names.join(language.comma()), all.len());
    let quotient = tr!(language, "symmetries.quotient", kept = names, order = order, class = class);
    // The value stays on one line if it is short enough for a phone.
    let value = representative.judgement_value().to_string();
    let is_short = representative.size().get() <= 12;
    let value = if is_short { value.replace(' ', "\u{a0}") } else { value };
    let groups = orbit.distinct().map(|image| {
        let number = image.group;
        let group: Vec<_> = orbit.group(image).map(|image| image.transform).collect();
        html! {
            <li key={number} class={classes!(format!("group-{number}"))}>
                <span class="group-number">{ number }</span>
                { transforms::equal(language, &group) }
            </li>
        }
    });
    html! {
        <dl class="orbit-facts">
            <div>
                <dt>
                    <TermLink word={Term::STABILISER}>
                        { tr!(language, "symmetries.stabiliser-name") }
                    </TermLink>
                </dt>
                <dd>{ quotient }</dd>
            </div>
            if class.members() < 8 {
                <div>
                    <dt>
                        <TermLink word={Term::IMAGE}>{ tr!(language, "symmetries.different") }</TermLink>
                    </dt>
                    <dd><ul class="groups">{ for groups }</ul></dd>
                </div>
            }
            <div>
                <dt>
                    <TermLink word={Term::REPRESENTATIVE}>
                        { tr!(language, "symmetries.representative") }
                    </TermLink>
                </dt>
                <dd>
                    <span id="representative" class="mono value">{ representative.to_string() }</span>
                    { " " }{ tr!(language, "symmetries.why-smallest", value = value) }
                </dd>
            </div>
        </dl>
    }
}

/// Renders links to the representative and to other views. `step` is the step at which the symmetry
/// method finds the representative, once it is known.
fn links(language: Language, address: &Address, orbit: &Orbit, step: Option<u64>) -> Html {
    let n = orbit.representative().size();
    let to_representative = symmetries_address(address, orbit.representative());
    let is_itself = to_representative.solution.as_deref() == Some(shown(address));
    let classes = Address { view: View::Classes, ..address.with_size(n) };
    let play = play_address(address, &orbit.image(Transform::Identity).placement);
    html! {
        <>
        <p class="links">
            if !is_itself {
                <Link to={to_representative}>{ tr!(language, "symmetries.to-representative") }</Link>
            }
            <Link to={address.reading(View::Explanation, Term::CLASS.section)} id={"to-explanation"}>
                { tr!(language, "symmetries.to-explanation") }
            </Link>
            if let Some(step) = step {
                <Link to={explore_address(address, Stepped::Symmetry, n, step)} id={"open-in-explore"}>
                    // The symmetry method completes the representative, which may be another board.
                    { if is_itself {
                        tr!(language, "symmetries.to-explore")
                    } else {
                        tr!(language, "symmetries.representative-to-explore")
                    } }
                </Link>
            }
            <Link to={play} id={"open-in-play"}>
                { tr!(language, "explanation.open", view = View::Play.name(language)) }
            </Link>
            <Link to={classes}>{ tr!(language, "symmetries.to-classes", n = n) }</Link>
        </p>
        if n.get() > LARGEST_LOCATED {
            <p id="no-step" class="hint">
                { tr!(language, "symmetries.no-step", n = n, largest = LARGEST_LOCATED) }
            </p>
        }
        </>
    }
}

/// Renders the buttons that save the displayed image, and those that save all eight images.
fn saving(language: Language, address: &Address, orbit: &Orbit) -> Html {
    let shown = vec![*orbit.image(address.image)];
    let lines = [
        ("image", address.image.id(), tr!(language, "symmetries.save-image"), shown),
        ("images", "all-images", tr!(language, "symmetries.save-images"), orbit.images().to_vec()),
    ];
    let solution = orbit.image(Transform::Identity).placement;
    let lines = lines.map(|(name, part, what, images)| {
        let columns: Vec<_> = solution.columns_from_left().map(|each| each.to_string()).collect();
        let file = format!("queens-{}-{}-{part}", solution.size(), columns.join("-"));
        let boards: Vec<(Placement, String)> = images
            .into_iter()
            .map(|image| (image.placement, transforms::transform(language, image.transform)))
            .collect();
        let id = format!("save-{name}");
        let save = Callback::from(move |format| {
            let (svg, sides) = sheet(boards.clone(), 4);
            offer(&file, svg, sides, format);
        });
        html! {
            <p class="saving" role="group" aria-label={what.clone()}>
                <span class="soft">{ what.clone() }</span>{ buttons(language, &id, &save) }
            </p>
        }
    });
    lines.into_iter().collect()
}

#[cfg(test)]
mod example_tests {
    use super::*;
    use queens_core::{Class, Moment, Played, Verdict};

    #[test]
    fn examples_cover_every_verdict() {
        let verdicts = EXAMPLES.map(|(_, columns)| {
            let played = Played::of(&Placement::from_left(columns).unwrap());
            let Played::Completed(masks, moments) = played else { panic!("{played:?}") };
            let Some(&Moment::Verdict(verdict)) = moments.last() else { panic!("{moments:?}") };
            // Only the corner case makes no comparison.
            assert_eq!(masks.is_corner(), moments.len() == 2, "{columns:?}");
            (masks.is_corner(), verdict)
        });
        let keep = Verdict::Keep;
        assert_eq!(
            verdicts,
            [
                (false, keep(Class::Eight)),
                (false, keep(Class::Four)),
                (false, keep(Class::Two)),
                (true, keep(Class::Eight)),
                (false, Verdict::Drop),
            ]
        );
        for (_, columns) in &EXAMPLES[..4] {
            let placement = Placement::from_left(columns).unwrap();
            assert_eq!(queens_core::representative(&placement), placement);
        }
    }
}
