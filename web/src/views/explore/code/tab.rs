//! The tab with the code: the published program with its masks, the code that runs, and the state that it
//! saves for each row. Its code is loaded on demand.

use std::cell::Cell;

use gloo_timers::callback::Timeout;
use queens_core::{Form, Stepped};
use queens_state::search::state::{Action, Snapshot};
use yew::prelude::*;

use super::lines::Lines;
use super::panel::{Shown, code, heading};
use super::published::published;
use super::scroll::show_published_line;
use super::stack::stack;
use crate::views::explore::board::branches::Branches;
use crate::words::{Language, tr};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub language: Language,
    pub method: Stepped,
    pub form: Form,
    /// The displayed step.
    pub now: Snapshot,
    /// Whether the page is presented, which changes the height of the published program.
    pub presenting: bool,
    /// Selects another form.
    pub choose: Callback<Form>,
    /// Jumps to a step, and brings the board into sight.
    pub visit: Callback<Action>,
}

thread_local! {
    /// Whether the own code is shown in place of the published program. The component is dropped when another tab opens.
    static SHOWS_OWN: Cell<bool> = const { Cell::new(false) };
}

/// Whether the own code is shown in place of the published program.
pub fn shows_own_code() -> bool {
    SHOWS_OWN.get()
}

/// Shows the own code in place of the published program.
pub fn show_own_code() {
    SHOWS_OWN.set(true);
}

/// Returns the form that the address names for the shown code. A link without a form opens the published program.
fn form_in_address(shown: Shown) -> Form {
    match shown {
        Shown::Published => Form::Iterative,
        Shown::Own(form) => form,
    }
}

#[component]
pub fn CodeTab(props: &Props) -> Html {
    let &Props { language, method, form, ref now, presenting, .. } = props;
    let lines = use_memo(method, |&method| Lines::of_method(method));
    let step = lines.of_step(form, now).zip(now.event);
    let shows_own = use_state_eq(|| SHOWS_OWN.get());
    let published = published(language, method, now);
    let has_published = published.is_some();
    let is_own = *shows_own || !has_published;
    use_effect_with((method, now.step, presenting, is_own), |_| {
        // A timer runs after the frame, when the layout is known.
        let scrolling = Timeout::new(0, show_published_line);
        move || drop(scrolling)
    });
    let choose = {
        let (choose, shows_own) = (props.choose.clone(), shows_own.setter());
        Callback::from(move |shown| {
            SHOWS_OWN.set(shown != Shown::Published);
            shows_own.set(shown != Shown::Published);
            choose.emit(form_in_address(shown));
        })
    };
    let shown = if is_own { Shown::Own(form) } else { Shown::Published };
    html! {
        <>
            { heading(language, shown, has_published, &choose) }
            if let Some(published) = published {
                <section hidden={is_own}>{ published }</section>
            }
            { code(language, method, (&now.view, form, step), is_own) }
            { for branches(props) }
            { stack(language, &now.view, form) }
        </>
    }
}

/// The masks of each branch, for methods that divide the search into branches.
fn branches(props: &Props) -> Option<Html> {
    let Props { language, ref now, .. } = *props;
    let (branching, size) = (now.view.method.branching?, now.view.size);
    Some(html! {
        <section class="branches-panel">
            <h2>{ tr!(language, "branches.title") }</h2>
            <Branches {branching} {size} current={now.view.masks} {language} act={&props.visit} />
        </section>
    })
}
