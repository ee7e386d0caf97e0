//! The bar at the top of the page.

use std::rc::Rc;

use queens_core::Stepped;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::size_field::SizeField;
use crate::address::{Address, View, use_address};
use crate::browser::{Theme, focus_in_place};
use crate::parts::link::Link;
use crate::words::{Language, numbered_method, remember_language, tr, use_language};

/// The page's name, the links to the views, the fields for N and the method where a view uses them,
/// and the settings.
#[component]
pub fn TopBar() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let home = Address { language: address.language, ..Address::default() };
    let views = View::BAR.map(|view| {
        let current = view == address.view.in_bar();
        // The link of Solutions leads from one solution to all of them.
        let leaves_solution = current && view == View::Solutions;
        let solution = address.solution.clone().filter(|_| !leaves_solution);
        let to = Address { solution, ..address.with_view(view.first()) };
        html! {
            <li key={view.id()}>
                <Link {to} {current} id={format!("view-{}", view.id())}>
                    { view.name(language) }
                </Link>
            </li>
        }
    });
    let has_size = matches!(address.view, View::Explore | View::Play | View::Solutions);
    html! {
        <header class={classes!("top-bar", (!has_size).then_some("short"))}>
            <Link to={home} class="brand">
                <img src="icon.svg" alt="" width="24" height="24" />
                <span>{ "queens" }</span>
            </Link>
            <nav aria-label={tr!(language, "bar.views")}>
                <ul>{ for views }</ul>
            </nav>
            <div class="bar-fields">
                if has_size { <SizeField /> }
                if address.view == View::Explore { <MethodField /> }
                <button
                    id="settings-open" type="button" class="quiet icon" popovertarget="settings"
                    aria-label={tr!(language, "bar.settings")}
                >
                    { gear() }
                </button>
                // The browser opens and closes it.
                <div id="settings" popover="auto">
                    <LanguageSwitch />
                    <ThemeSwitch />
                </div>
            </div>
        </header>
    }
}

/// The list of methods. After a choice, the focus moves to the board, so that the keys of the search work at once.
#[component]
fn MethodField() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let chosen = address.method;
    // A key that changes the closed list may be pressed again, so the focus stays.
    let is_closed = use_mut_ref(|| false);
    let onkeydown = {
        let is_closed = Rc::clone(&is_closed);
        Callback::from(move |event: KeyboardEvent| {
            let opens = event.alt_key() || matches!(event.key().as_str(), " " | "Enter" | "F4");
            is_closed.replace(!opens);
        })
    };
    let onpointerdown = {
        let is_closed = Rc::clone(&is_closed);
        Callback::from(move |_: PointerEvent| {
            is_closed.replace(false);
        })
    };
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        if let Ok(method) = select.value().parse::<Stepped>() {
            navigate.push(address.with_method(method));
            if !*is_closed.borrow() {
                focus_in_place("board");
            }
        }
    });
    let options = Stepped::ALL.iter().map(|&method| {
        html! {
            <option value={method.id()} selected={method == chosen}>
                { numbered_method(language, method) }
            </option>
        }
    });
    html! {
        <select id="method" {onchange} {onkeydown} {onpointerdown} aria-label={tr!(language, "bar.method")}>
            { for options }
        </select>
    }
}

/// A toothed wheel.
fn gear() -> Html {
    html! {
        <svg viewBox="0 0 24 24" width="22" height="22" fill="none" stroke="currentColor" aria-hidden="true">
            <circle cx="12" cy="12" r="5" stroke-width="3" />
            <circle cx="12" cy="12" r="8" stroke-width="3" stroke-dasharray="3.14" />
        </svg>
    }
}

/// The choice of the language. The settings open with the focus on it.
#[component]
fn LanguageSwitch() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let radios = Language::ALL.iter().map(|&each| {
        let onchange = {
            let (address, navigate) = (address.clone(), navigate.clone());
            Callback::from(move |_: Event| {
                remember_language(each);
                navigate.replace(Address { language: Some(each), ..(*address).clone() });
            })
        };
        let checked = each == language;
        html! {
            <label lang={each.id()}>
                <input
                    id={format!("language-{}", each.id())} type="radio" name="language"
                    {checked} autofocus={checked} {onchange}
                />
                { each.own_name() }
            </label>
        }
    });
    html! { <div role="radiogroup" aria-label={tr!(language, "bar.language")}>{ for radios }</div> }
}

/// The choice between the light and the dark theme.
#[component]
fn ThemeSwitch() -> Html {
    let language = use_language();
    let theme = use_state_eq(Theme::shown);
    let radios = Theme::ALL.iter().map(|&each| {
        let onchange = {
            let theme = theme.setter();
            Callback::from(move |_: Event| {
                each.choose();
                theme.set(each);
            })
        };
        let id = format!("theme-{}", each.id());
        html! {
            <label>
                <input {id} type="radio" name="theme" checked={each == *theme} {onchange} />
                { tr!(language, format!("bar.{}", each.id())) }
            </label>
        }
    });
    html! { <div role="radiogroup" aria-label={tr!(language, "bar.theme")}>{ for radios }</div> }
}
