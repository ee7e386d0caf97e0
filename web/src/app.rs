//! The page's frame.

use yew::prelude::*;

use crate::worker::{self, Answer, Question};

/// The whole page.
#[component]
pub fn App() -> Html {
    let version = use_state(|| None::<String>);
    {
        let version = version.clone();
        use_effect_with((), move |()| {
            let solver = worker::spawn(move |answer| match answer {
                Answer::Ready { version: found } => version.set(Some(found)),
            });
            solver.send(Question::Ready);
            // The worker ends when its last bridge is dropped.
            move || drop(solver)
        });
    }
    let state = match &*version {
        None => "The solver is starting…".to_owned(),
        Some(version) => format!("The solver is ready (version {version})."),
    };
    html! {
        <main>
            <h1>{ "queens" }</h1>
            <p>{ "An N-Queens workbench." }</p>
            <p id="solver" role="status">{ state }</p>
        </main>
    }
}
