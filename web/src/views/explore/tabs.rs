//! The tabs next to the board. Only the guide is on the first screen; the code of the others is loaded on
//! demand.

use queens_core::Stepped;
use yew::prelude::*;

use super::board::legend::legend;
use super::code::Props as CodeProps;
use super::later::{ExplorePart, LaterPart, LaterParts};
use super::panels::compare::Props as CompareProps;
use super::panels::numbers::Props as NumbersProps;
use super::scene::{LayoutChange, Message, Scene};
use crate::browser::{focus, focus_in_place};
use crate::parts::link::Link;
use crate::place::Tab;
use crate::words::{method_name, numbered_method, tr, use_language};

/// The list of tabs, and the open one.
pub fn tabs(scene: &Scene) -> Html {
    let open = scene.tab();
    let choose = scene.send.reform(|tab| Message::Layout(LayoutChange::Tab(tab)));
    let content = match open {
        Tab::Guide => guide(scene),
        Tab::Numbers => later(ExplorePart::Numbers(numbers(scene))),
        Tab::Code => later(ExplorePart::Code(code(scene))),
        Tab::Race => later(ExplorePart::Race(race(scene))),
    };
    html! {
        <section class="tabs">
            <TabList {open} {choose} />
            <div id="tab-panel" role="tabpanel" aria-labelledby={format!("tab-{}", open.id())}>
                { content }
            </div>
        </section>
    }
}

fn later(part: ExplorePart) -> Html {
    html! { <LaterPart {part} /> }
}

#[derive(Properties, PartialEq)]
struct TabListProps {
    open: Tab,
    choose: Callback<Tab>,
}

/// The list of tabs. With the focus on a tab, arrow keys, Home and End open another one, as the ARIA practices
/// recommend for tabs. A click with the pointer moves the focus to the board, so that arrow keys step through
/// the search.
#[component]
fn TabList(props: &TabListProps) -> Html {
    let language = use_language();
    let LaterParts { expect, .. } = use_context().unwrap_or_default();
    let &TabListProps { open, ref choose } = props;
    let tabs = Tab::ALL.map(|tab| {
        let is_open = tab == open;
        let choose = choose.clone();
        let onclick = Callback::from(move |event: MouseEvent| {
            choose.emit(tab);
            if is_by_pointer(&event) {
                focus_in_place("board");
            }
        });
        html! {
            <button
                key={tab.id()} id={format!("tab-{}", tab.id())} type="button" class="tab" role="tab" {onclick}
                aria-selected={is_open.to_string()} aria-controls="tab-panel" tabindex={if is_open { "0" } else { "-1" }}
            >
                { tr!(language, format!("tab.{}", tab.id())) }
            </button>
        }
    });
    let onkeydown = {
        let choose = choose.clone();
        Callback::from(move |event: KeyboardEvent| {
            let Some(tab) = tab_of_key(open, &event.key()) else { return };
            if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
                return;
            }
            event.prevent_default();
            choose.emit(tab);
            focus(&format!("tab-{}", tab.id()));
        })
    };
    // A user who points at the tabs is likely to open another one, so start loading their code.
    let onpointerover = expect.reform(|_: PointerEvent| ());
    let onfocusin = expect.reform(|_: FocusEvent| ());
    html! {
        <div class="tab-list" role="tablist" aria-label={tr!(language, "tab.list")} {onkeydown} {onpointerover} {onfocusin}>
            { for tabs }
        </div>
    }
}

/// Whether a click comes from a pointer: the clicks of Enter, Space and assistive technology count no presses.
fn is_by_pointer(event: &MouseEvent) -> bool {
    event.detail() > 0
}

/// Returns the tab that a key opens.
fn tab_of_key(open: Tab, key: &str) -> Option<Tab> {
    Some(match key {
        "ArrowRight" => open.beside(1),
        "ArrowLeft" => open.beside(Tab::ALL.len() - 1),
        "Home" => Tab::Guide,
        "End" => Tab::Race,
        _ => return None,
    })
}

/// The guide: the method, the board's legend and the list of methods.
fn guide(scene: &Scene) -> Html {
    let Scene { language, ref state, ref displayed, .. } = *scene;
    let method = state.method();
    let new = tr!(language, format!("method.{}.new", method.id()));
    html! {
        <>
            <p class="method-line"><b>{ numbered_method(language, method) }</b>{ " " }{ new }</p>
            { legend(language, displayed.snapshot.view.method) }
            <h2>{ tr!(language, "explore.ladder") }</h2>
            { method_list(scene) }
        </>
    }
}

/// The list of all methods, each with a sentence on what it adds to the previous one. The others have links.
fn method_list(scene: &Scene) -> Html {
    let (language, current) = (scene.language, scene.state.method());
    let items = Stepped::ALL.iter().map(|&method| {
        let name = method_name(language, method);
        html! {
            <li key={method.id()} aria-current={(method == current).then_some("true")}>
                if method == current {
                    <b>{ name }</b>
                } else {
                    <Link to={scene.address().with_method(method)}>{ name }</Link>
                }
                { " " }{ tr!(language, format!("method.{}.new", method.id())) }
            </li>
        }
    });
    html! { <ol id="ladder" class="ladder">{ for items }</ol> }
}

fn numbers(scene: &Scene) -> NumbersProps {
    let now = &scene.displayed.snapshot;
    NumbersProps {
        language: scene.language,
        method: scene.state.method(),
        size: now.view.size,
        work: now.work,
        is_open: scene.layout.work,
        scroll_to_work: scene.scroll_to_work,
        open: scene.send.reform(Message::Work),
    }
}

fn code(scene: &Scene) -> CodeProps {
    CodeProps {
        language: scene.language,
        method: scene.state.method(),
        now: scene.displayed.snapshot,
        visit: scene.send.reform(Message::Visit),
    }
}

/// The race with another method.
fn race(scene: &Scene) -> CompareProps {
    let Scene { language, ref send, ref state, ref displayed, .. } = *scene;
    CompareProps {
        language,
        method: state.method(),
        with: scene.compared_with(),
        size: displayed.snapshot.view.size,
        key_press: scene.race_key,
        starts: scene.race_starts,
        choose: send.reform(Message::Compare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_along_the_tabs() {
        assert_eq!(tab_of_key(Tab::Code, "ArrowRight"), Some(Tab::Race));
        assert_eq!(tab_of_key(Tab::Guide, "ArrowLeft"), Some(Tab::Race));
        assert_eq!(tab_of_key(Tab::Race, "ArrowRight"), Some(Tab::Guide));
        assert_eq!(tab_of_key(Tab::Code, "Home"), Some(Tab::Guide));
        assert_eq!(tab_of_key(Tab::Code, "End"), Some(Tab::Race));
        assert_eq!(tab_of_key(Tab::Code, "ArrowDown"), None);
    }
}
