//! What the worker draws: pictures of results, the words about them, and what they are chosen by. Each
//! takes the place of the one before, with all that is in it; what is to stay while more becomes known,
//! such as the count of tasks again, is no part of them.

use std::rc::Rc;

use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

use crate::browser::{download, focus, focused};
use crate::parts::link::follow;
use crate::parts::save::{self, Format};
use crate::place::use_address;
use crate::worker::{Answer, Drawing, Request, use_worker};

/// What is drawn.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What the worker is asked for.
    pub request: Request,
    /// The class, and what files that are saved are called.
    pub name: &'static str,
    /// What stands between what it is chosen by and the picture.
    #[prop_or_default]
    pub children: Html,
}

/// A picture that stays until the next one is there. Its controls are known by their ids, which are
/// fields of the address, its buttons by what they set there or save.
#[component]
pub fn Drawn(props: &Props) -> Html {
    let (address, navigate) = use_address();
    let drawing = use_drawing(&props.request);
    // A control that has the focus is made anew with the picture.
    let focused = focused();
    use_effect_with(Rc::clone(&drawing), move |_| focus(&focused));
    let set = {
        let (address, navigate) = (Rc::clone(&address), navigate.clone());
        Rc::new(move |field: &str, value: &str| {
            if let Ok(field) = field.parse() {
                navigate.replace(address.listing(field, value));
            }
        })
    };
    let onchange = {
        let set = Rc::clone(&set);
        Callback::from(move |event: Event| {
            // Other controls have an id and a value, too.
            let control: HtmlInputElement = event.target_unchecked_into();
            set(&control.id(), &control.value());
        })
    };
    let onclick = {
        let (drawing, name) = (Rc::clone(&drawing), props.name);
        Callback::from(move |event: MouseEvent| {
            let of = |name: &str| {
                let clicked = event.target_dyn_into::<Element>()?;
                clicked.closest(&format!("[{name}]")).ok()??.get_attribute(name)
            };
            if let Some(format) = of("data-save") {
                save(&drawing, name, &format);
            } else if let Some((field, value)) =
                of("data-set").as_deref().and_then(|set| set.split_once('='))
            {
                set(field, value);
            } else if !event.default_prevented() {
                follow(&navigate, &event);
            }
        })
    };
    let html = |html: &str| Html::from_html_unchecked(html.to_owned().into());
    html! {
        <div class={props.name} {onclick} {onchange}>
            <div>{ html(&drawing.above) }</div>
            { props.children.clone() }
            <div class="drawn">{ html(&drawing.html) }</div>
        </div>
    }
}

#[hook]
fn use_drawing(request: &Request) -> Rc<Drawing> {
    let worker = use_worker();
    let drawing = use_state(Rc::<Drawing>::default);
    let setter = drawing.setter();
    use_effect_with(request.clone(), move |request| {
        let ticket = worker.ask(request.clone(), move |answer| {
            if let Answer::Drawing(drawing) = answer {
                setter.set(Rc::new(drawing));
            }
        });
        move || drop(ticket)
    });
    (*drawing).clone()
}

fn save(drawing: &Drawing, name: &str, format: &str) {
    let (svg, sides) = drawing.svg.clone();
    match format {
        "svg" => save::offer(name, svg, sides, Format::Svg),
        "png" => save::offer(name, svg, sides, Format::Png),
        _ => download::file(&format!("{name}.csv"), "text/csv", &drawing.csv),
    }
}
